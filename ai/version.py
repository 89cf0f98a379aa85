"""The version of Tengen, as pyproject.toml has it; a test holds them together."""

VERSION = "0.6.0"
