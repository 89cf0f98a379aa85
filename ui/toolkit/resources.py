"""Locate the files under assets/, and fill in the templates there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def resource(*parts: str) -> Path:
    """Return the path of a file under assets/, in a checkout, an installed wheel or a PyInstaller bundle.

    In all three, assets/ lies beside the package `ui`; a bundle names that place itself.
    """
    root = getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[2]
    return Path(root, "assets", *parts)


# Fill in the HTML pages under assets/templates/.


def render_template(template: str, values: Mapping[str, Any]) -> str:
    """Return the page that a file of assets/templates gives with `values`. Text is escaped, unless it is `Markup`.
    Raise `jinja2.UndefinedError` for a missing value."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # late: most windows never write a page

    environment = Environment(
        loader=FileSystemLoader(resource("templates")), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(template).render(values)
