"""Targets of the fuzzer that are rows and files which Tengen keeps on disk, besides games, settings and the profile."""
