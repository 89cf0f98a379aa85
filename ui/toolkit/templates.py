"""Fill in the HTML pages under assets/templates/."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ui.toolkit.resources import resource


def filled(template: str, values: Mapping[str, Any]) -> str:
    """Return the page. Text is escaped, unless it is `Markup`."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # late: most windows never write a page

    environment = Environment(
        loader=FileSystemLoader(resource("templates")), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(template).render(values)
