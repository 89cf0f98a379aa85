"""The pages of the site: their links, pictures and comments lead to something, and all of them are in the navigation.

Links are those of the repository, which docs/hooks.py turns into links of the site. MkDocs checks the latter, with
``--strict``; these tests do without it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ai.players.table import KINDS
from tests.test_readme import table

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*(DOCS / "pages").rglob("*.md"), *(ROOT / "assets" / "guide").rglob("*.md")])
FOLDERS = (ROOT, DOCS, ROOT / "ai" / "lab", ROOT / "assets")
DOCUMENTS = sorted({*PAGES, *(page for folder in FOLDERS for page in folder.glob("*.md"))})


def without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may name."""
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_led_nowhere_in_the_repository(page: Path) -> None:
    """Links of some pages were those of the site, which a copy of the repository does not have."""
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page)) if ":" not in link]
    for link in links:
        target, _, anchor = link.partition("#")
        place = (page.parent / target).resolve() if target else page
        assert place.exists(), link
        assert not anchor or anchor in anchors(place), link


def names(pattern: str, file: str) -> set[str]:
    return set(re.findall(pattern, (DOCS / file).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_comments_stand_for_something(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    pictures = names(r'^    "(\w+)": \(', "make_pictures.py") | names(r"^def (\w+)\(app: App\)", "make_pictures.py")
    generated = names(r'"(\w+)": _', "hooks.py")
    for comment in re.findall(r"<!-- (.*?) -->", text):
        word, _, rest = comment.partition(" ")
        if word == "picture":
            name, _, alternative = rest.partition(": ")
            assert name in pictures, comment
            assert len(alternative) > 2
        elif word == "example":
            assert (DOCS / "examples" / f"{rest}.py").is_file()
        else:
            assert comment in generated


def test_every_page_is_in_the_navigation() -> None:
    hooks = (DOCS / "hooks.py").read_text(encoding="utf-8")
    for page in (DOCS / "pages").rglob("*.md"):
        assert f'"{page.stem}"' in hooks or f"{page.stem}.md" in hooks, page


def test_the_page_of_players_has_every_kind() -> None:
    told = (DOCS / "pages" / "players.md").read_text(encoding="utf-8")
    named = {re.split("[`:,]", row[0])[1] for row in table(told)}
    assert KINDS.keys() - named <= {"person", "human", "stand_in"}
    assert named <= KINDS.keys()
