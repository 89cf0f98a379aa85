"""What MkDocs does not find in docs/pages: the guide, documents beside the code, generated text, and pictures.

A page may hold comments in place of generated text: ``<!-- commands -->`` and the other keys of `GENERATED`,
``<!-- example NAME -->``, and ``<!-- picture NAME: what it shows -->``.
"""

from __future__ import annotations

import argparse
import inspect
import os
import posixpath
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT))

GUIDES = {"en": "guide", "zh": "zh", "ja": "ja", "ru": "ru"}
"""Languages, and the folders of their guides on the site."""

BENCHMARKS = ("STRENGTH", "LEVELS", "HANDICAPS", "PLAYERS", "PARALLEL", "CLUSTER", "REVIEW", "SOLVER")


def _guide(language: str) -> dict[str, str]:
    files = sorted((ROOT / "assets" / "guide" / language).glob("*.md"))
    return {f"assets/guide/{language}/{file.name}": f"{GUIDES[language]}/{file.name[3:]}" for file in files}


SECTIONS: dict[str, dict[str, str]] = {
    "Tengen": {"README.md": "index.md"},
    "Guide": _guide("en"),
    "使用指南": _guide("zh") | {"docs/TEACHERS.zh.md": "zh/teachers.md"},
    "ガイド": _guide("ja"),
    "Руководство": _guide("ru"),
    "How it thinks": {"docs/pages/search.md": "search.md", "docs/TEACHERS.md": "teachers.md"},
    "Reference": {
        f"docs/pages/{name}.md": f"{name}.md" for name in ("command-line", "players", "formats", "programs", "keys")
    },
    "Library": {f"docs/pages/api/{name}.md": f"api/{name}.md" for name in ("examples", "games", "ai")},
    "Benchmarks": {
        "docs/pages/benchmarks.md": "benchmarks.md",
        **{f"ai/lab/{name}.md": f"benchmarks/{name.lower()}.md" for name in BENCHMARKS},
        **{f"docs/{name}.md": f"benchmarks/{name.lower()}.md" for name in ("DATABASE", "PACKAGE", "ROBUSTNESS")},
    },
    "Project": {
        "CONTRIBUTING.md": "contributing.md", "docs/RELEASING.md": "releasing.md", "CHANGELOG.md": "changelog.md",
        "assets/LICENSES.md": "licences.md",
    },
}  # fmt: skip
"""The navigation: where each page is in the repository and on the site."""

PAGES = {source: uri for pages in SECTIONS.values() for source, uri in pages.items()}
SOURCES = {uri: source for source, uri in PAGES.items()}
PICTURES = ROOT / "assets" / "pictures"
PLACES = PAGES | {"LICENSE": "LICENSE.txt"} | {
    f"assets/pictures/{file.name}": f"pictures/{file.name}" for file in PICTURES.iterdir() if file.suffix != ".json"
}  # fmt: skip
"""Where on the site a file of the repository is, to which a page may link."""


# What MkDocs calls.


def on_config(config: MkDocsConfig) -> None:
    """Make the navigation, and the pictures that are missing."""
    config.nav = [{title: list(pages.values())} for title, pages in SECTIONS.items()]
    if not all((DOCS / "pictures" / language).is_dir() for language in GUIDES):
        subprocess.run([sys.executable, str(DOCS / "make_pictures.py")], cwd=ROOT, check=True)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add what is not in docs/pages."""
    given = {source: ROOT / source for source in PLACES if not source.startswith("docs/pages/")}
    made = {f"docs/{file.relative_to(DOCS)}": file for file in sorted((DOCS / "pictures").rglob("*.png"))}
    for source, path in (given | made | {"docs/tengen.png": ROOT / "assets" / "icons" / "tengen-256.png"}).items():
        uri = PLACES.get(source, source.removeprefix("docs/").replace("tengen.png", "pictures/tengen.png"))
        files.append(File.generated(config, uri, abs_src_path=str(path)))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in comments, and let links lead to where the files of the repository are on the site."""
    here = page.file.src_uri
    source = SOURCES[here]
    for name, make in GENERATED.items():
        if f"<!-- {name} -->" in markdown:
            markdown = markdown.replace(f"<!-- {name} -->", "\n".join(make()))
    markdown = re.sub(r"<!-- example (\w+) -->", lambda found: _example(found[1]), markdown)

    def picture(found: re.Match[str]) -> str:
        return f"![{found[2]}]({_relative(f'pictures/{_language(here)}/{found[1]}.png', here)})"

    def link(found: re.Match[str]) -> str:
        target, hash_, anchor = found[2].partition("#")
        place = PLACES.get(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        return found[0] if place is None else f"{found[1]}({_relative(place, here)}{hash_}{anchor})"

    markdown = re.sub(r"<!-- picture (\w+): (.*?) -->", picture, markdown)
    return re.sub(r"(\])\(([^)\s:]+)\)", link, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Tell the language of a page to search engines and screen readers."""
    language = _language(page.file.src_uri).replace("zh", "zh-Hans")
    return output.replace('<html lang="en"', f'<html lang="{language}"', 1)


def _language(here: str) -> str:
    return next((language for language, folder in GUIDES.items() if here.startswith(f"{folder}/")), "en")


def _relative(place: str, here: str) -> str:
    return posixpath.relpath(place, posixpath.dirname(here) or ".")


# Generated text.


def _commands() -> Iterator[str]:
    """All commands with their arguments, from the parsers that read them."""
    import main

    os.environ["COLUMNS"] = "84"  # at which argparse breaks lines
    yield from _command("tengen", main.window_parser())
    for name in main.COMMANDS:
        yield from _command(f"tengen {name}", main.command_parser(name))


def _command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    usage = textwrap.dedent(parser.format_usage().replace("usage:", "      ", 1)).strip()
    yield f"## {name}\n\n{parser.description}\n\n```sh\n{usage}\n```\n"
    given = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    if given:
        yield "| argument | meaning |\n|---|---|"
    for action in given:
        word = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else "")
        names = ", ".join(action.option_strings)
        shown = f"{names} {word}" if names and action.nargs != 0 else names or str(word)
        about = (action.help or "").replace("%%", "%").replace("|", r"\|")
        default = f" (default: {action.default})" if action.choices and action.default else ""
        yield f"| `{shown.strip()}` | {about[:1].upper()}{about[1:]}{default} |"
    yield ""


def _formats() -> Iterator[str]:
    """All file formats, from their registry and the docstrings of their modules."""
    from games.formats import FORMATS
    from games.registry import GAMES

    for kind in FORMATS:
        about = inspect.getdoc(inspect.getmodule(kind.loads_all or kind.dumps or kind.loads))
        held = "all games" if kind.games is None else ", ".join(kind.games)
        keeps = "the whole record" if kind.whole else "what the format has a place for"
        yield f"## {kind.extension}\n\n{about}\n"
        yield f"- {'Read and written' if kind.dumps else 'Read'}; holds {held}, and keeps {keeps}."
        if kind.loads_all:
            yield "- A file may hold several games."
        yield ""
    yield f"The keys of the games are {', '.join(f'`{key}`' for key in GAMES)}."


def _example(name: str) -> str:
    """An example, and what it prints now."""
    file = DOCS / "examples" / f"{name}.py"
    around = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, str(file)], cwd=ROOT, env=around, check=True, capture_output=True)
    code, printed = file.read_text(encoding="utf-8"), run.stdout.decode()
    return f"```python\n{code}```\n\nIt prints:\n\n```text\n{printed.rstrip()}\n```\n"


GENERATED = {"commands": _commands, "formats": _formats}
