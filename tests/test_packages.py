"""What goes with the packages (.ci/packages.py): notes of a release, manual page, completions, what a desktop reads."""

from __future__ import annotations

import configparser
import importlib.util
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

import main
from ai.system.version import VERSION
from games.formats import EXTENSIONS

ROOT = Path(__file__).parents[1]
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def load() -> ModuleType:
    """The module .ci/packages.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("tengen_packages", ROOT / ".ci" / "packages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # for its dataclasses
    spec.loader.exec_module(module)
    return module


packages = load()


# Notes.

CHANGES = """# Changes

## 1.2.0 (2026-01-02)

In short.

- A long line
  that goes on.
- Another:

  ```
  code
  ```

## 1.1.0 (2025-12-31)

- First.
"""


def test_each_release_has_its_section_and_its_date() -> None:
    new, old = packages.releases(CHANGES)
    assert (new.version, new.date, old.version, old.date) == ("1.2.0", "2026-01-02", "1.1.0", "2025-12-31")
    assert old.notes == "- First.\n"
    assert "First" not in new.notes


def test_lines_of_a_paragraph_are_joined_since_a_release_shows_each_end_of_a_line() -> None:
    notes = next(packages.releases(CHANGES)).notes
    assert "- A long line that goes on.\n- Another:\n" in notes
    assert notes.startswith("In short.\n\n- A")


def test_a_heading_without_a_date_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a version with a date"):
        list(packages.releases("## 1.2.0\n\n- New.\n"))


def test_the_notes_of_this_version_are_in_the_changelog() -> None:
    notes = packages.notes(f"v{VERSION}")
    assert len(notes) > 100
    assert "\n## " not in notes
    with pytest.raises(ValueError, match="not 99"):
        packages.notes("v99.0.0")


# The command line.


@pytest.fixture(scope="module")
def options() -> set[str]:
    """All long options of all commands."""
    parsers = [main.window_parser(), *map(main.command_parser, main.COMMANDS)]
    return {name for parser in parsers for name in re.findall(r"--[a-z]\w*", parser.format_help())}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_know_all_commands_and_options(shell: str, options: set[str]) -> None:
    script = packages.completion(shell)
    assert not [name for name in main.COMMANDS if not re.search(rf"\b{name}\b", script)]
    written = options if shell != "fish" else {f"-l {name[2:]}" for name in options}
    assert not [name for name in written if not re.search(rf"{name}\b", script)]


def test_the_manual_page_describes_all_commands_and_options(options: set[str]) -> None:
    page = packages.manual().replace("\\-", "-")
    assert page.startswith(".TH TENGEN ")
    assert f'"Tengen {VERSION}"' in page.partition("\n")[0]
    assert not [name for name in main.COMMANDS if f"tengen {name}" not in page]
    assert not [name for name in options - {"--help"} if name not in page]


# Desktops.


def desktop_entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(packages.DESKTOP / f"{packages.ID}.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def test_the_desktop_offers_tengen_for_files_that_it_reads() -> None:
    """Not for all: files called ``.txt`` or ``.pos`` are mostly of other programs, and a new format may be left out."""
    kinds = ET.parse(packages.DESKTOP / f"{packages.ID}.mime.xml").getroot().findall(f"{MIME}mime-type")
    patterns = {glob.attrib["pattern"] for kind in kinds for glob in kind.findall(f"{MIME}glob")}
    assert "*.tengen.json" in patterns
    assert patterns <= {f"*{extension}" for extension in EXTENSIONS}
    setup = (packages.DESKTOP / "tengen.iss").read_text(encoding="utf-8")
    windows = re.findall(r"Classes\\(\.\w+)\\OpenWithProgids", setup)
    assert sorted(windows) == sorted(Path(pattern).suffix for pattern in patterns)
    types = {kind.attrib["type"] for kind in kinds}
    assert set(desktop_entry()["MimeType"].strip(";").split(";")) == types
    provided = packages.metainfo().getroot().findall("provides/mediatype")
    assert {each.text for each in provided} == types


def test_the_window_belongs_to_the_menu_entry_and_the_names_agree() -> None:
    entry = desktop_entry()
    assert f'"{entry["StartupWMClass"]}"' in (ROOT / "ui" / "start.py").read_text(encoding="utf-8")
    assert entry["Icon"] == packages.ID
    assert f'bundle_identifier="{packages.ID}"' in (ROOT / "tengen.spec").read_text(encoding="utf-8")
    root = packages.metainfo().getroot()
    assert root.findtext("id") == packages.ID
    assert root.findtext("launchable") == f"{packages.ID}.desktop"
    assert root.findall("releases/release")[0].attrib["version"] == VERSION


def test_sums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    packages.sums(tmp_path)
    packages.sums(tmp_path)
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert (tmp_path / "SHA256SUMS").read_text() == f"{known}  a\n"
