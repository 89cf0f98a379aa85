"""Make what people install out of dist/tengen, the folder that PyInstaller makes, and try it out.

``python .ci/packages.py make KIND OUT`` makes one package in the folder OUT: on Linux `deb`, `appimage` (it needs the
file that `.ci/appimage-runtime` makes) or `archive` (.tar.xz), on Windows `archive` (.zip) or `setup`, on macOS `dmg`.
``share FOLDER`` writes what a desktop reads: menu entry, icons, file types, manual page, completions. ``smoke PACKAGE``
unpacks or installs a package as its system does, and tests it. ``notes`` prints the changes of this version, ``sums
OUT`` writes OUT/SHA256SUMS.
"""

from __future__ import annotations

import argparse
import email.utils
import gzip
import hashlib
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DESKTOP = ROOT / "assets" / "desktop"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION: str = PROJECT["version"]
ID = "org.tengen.tengen"
"""The name of the application for desktops; tengen.spec has it, too."""

ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
MACHINE = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())

SUMMARY = "board games with an opponent that shows how it thinks"

LOADED_BY_SDL = ("libx11-6", "libxext6", "libxcursor1", "libxfixes3", "libxi6", "libxrandr2", "libxss1")
"""Debian packages of the libraries that SDL opens by name, which no linker sees."""

DEVICES = ("libasound2 | libasound2t64", "libpulse0", "libxkbcommon0", "shared-mime-info", "desktop-file-utils")
"""Debian packages that a desktop has, and without which Tengen runs: silently, and not offered for its files."""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a program and return what it prints. Raise `CalledProcessError` if it fails; its errors are shown."""
    done = subprocess.run([str(each) for each in command], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


# Changes.


@dataclass(frozen=True)
class Release:
    """A section of CHANGELOG.md: `date` as YYYY-MM-DD, `notes` in Markdown."""

    version: str
    date: str
    notes: str


def releases(changes: str) -> Iterator[Release]:
    """The releases in the text of CHANGELOG.md, the newest first. Raise `ValueError` for a heading that is none."""
    for section in re.split(r"^## ", changes, flags=re.MULTILINE)[1:]:
        heading, _, notes = section.partition("\n")
        found = re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)", heading.strip())
        if found is None:
            raise ValueError(f"“{heading}” in CHANGELOG.md is not a version with a date.")
        yield Release(found[1], found[2], unwrapped(notes.strip()) + "\n")


def unwrapped(text: str) -> str:
    """Join the lines of each paragraph and list item: a Release on GitHub shows each end of a line."""
    return re.sub(r"(?<=\S)\n[ ]*(?=[^\s\-|#>`])", " ", text)


def changes() -> list[Release]:
    return list(releases((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))


def notes(version: str) -> str:
    """The changes of a `version`, which may begin with "v". Raise `ValueError` if there is none, or if the project has
    another version."""
    version = version.removeprefix("v")
    if version != VERSION:
        raise ValueError(f"The version in pyproject.toml is {VERSION}, not {version}.")
    found = [release.notes for release in changes() if release.version == version]
    if not found:
        raise ValueError(f"CHANGELOG.md has no section for {version}.")
    return found[0]


# What a desktop and a shell read.


def command_line() -> argparse.ArgumentParser:
    """The whole command line in one parser: `main.py` has one for the window and one for each command."""
    import shtab

    import main

    parser = main.window_parser()
    parser.epilog = "Without a command, tengen opens its window, with the game in FILE if one is named."
    # Either of it may come first, and a command is what can be completed.
    parser._remove_action(next(action for action in parser._actions if action.dest == "file"))
    commands = parser.add_subparsers(title="commands", metavar="FILE | COMMAND")
    for name, command in main.COMMANDS.items():
        child = commands.add_parser(name, help=command.about, description=main.command_parser(name).description)
        command.add(child)
        for action in child._actions:
            if action.type is Path or str(action.metavar).startswith(("TARGET", "IN", "OUT")):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return parser


def completion(shell: str) -> str:
    """The script that completes tengen's command line in a `shell`: bash, zsh or fish."""
    import shtab

    script: str = shtab.complete(command_line(), shell)
    # A file may stand in the place of a command; in zsh it is not offered there.
    if shell == "fish":
        script += "\ncomplete -c tengen -n 'test (count (commandline -opc)) -eq 1' -F\n"
    return script.replace("complete -o bashdefault ", "complete -o bashdefault -o default ")


def manual() -> str:
    """The manual page, in troff."""
    from argparse_manpage.manpage import Manpage

    os.environ["COLUMNS"] = "70"  # argparse wraps usages to it
    page = Manpage(command_line(), format="single-commands-section")
    page.source, page.date, page.manual = f"Tengen {VERSION}", changes()[0].date, "Tengen"
    page.description = SUMMARY
    return str(page)


def metainfo() -> ET.ElementTree[ET.Element]:
    """What software centres show, with the releases."""
    tree = ET.parse(DESKTOP / f"{ID}.metainfo.xml")
    found = ET.SubElement(tree.getroot(), "releases")
    for release in changes():
        ET.SubElement(found, "release", version=release.version, date=release.date)
    ET.indent(tree)
    return tree


def share(folder: Path) -> None:
    """Fill a `share` folder: what desktops and shells read from /usr/share."""
    from PIL import Image

    places = {
        f"{ID}.desktop": folder / "applications" / f"{ID}.desktop",
        f"{ID}.mime.xml": folder / "mime" / "packages" / f"{ID}.xml",
    }
    for name, place in places.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(DESKTOP / name, place)
    (folder / "metainfo").mkdir(exist_ok=True)
    metainfo().write(folder / "metainfo" / f"{ID}.metainfo.xml", encoding="UTF-8", xml_declaration=True)
    large, small = (Image.open(ROOT / "assets" / "icons" / name) for name in ("tengen.png", "tengen.ico"))
    for size in ICON_SIZES:
        icon = folder / "icons" / "hicolor" / f"{size}x{size}" / "apps" / f"{ID}.png"
        icon.parent.mkdir(parents=True, exist_ok=True)
        picture = large
        if (size, size) in small.info["sizes"]:
            small.size = (size, size)  # type: ignore[misc]  # the picture of that size
            picture = small
        picture.save(icon, "PNG")
    texts = {
        "man/man1/tengen.1": manual(),
        "bash-completion/completions/tengen": completion("bash"),
        "zsh/vendor-completions/_tengen": completion("zsh"),
        "fish/vendor_completions.d/tengen.fish": completion("fish"),
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def fill_prefix(prefix: Path, dist: Path) -> None:
    """Fill what is /usr of a system: bin, lib/tengen and share."""
    shutil.copytree(dist, prefix / "lib" / "tengen", symlinks=True)
    (prefix / "bin").mkdir()
    (prefix / "bin" / "tengen").symlink_to("../lib/tengen/tengen")
    share(prefix / "share")


# Packages.


def deb(dist: Path, out: Path, scratch: Path, _options: argparse.Namespace) -> Path:
    """A package for Debian and Ubuntu as new as the system that it is made on, or newer."""
    architecture = run("dpkg", "--print-architecture").strip()
    root, usr = scratch / "root", scratch / "root" / "usr"
    fill_prefix(usr, dist)
    for library in (usr / "lib").rglob("*.so*"):
        library.chmod(0o644)
    page = usr / "share" / "man" / "man1" / "tengen.1"
    compress(page, page.read_bytes())
    documents = usr / "share" / "doc" / "tengen"
    documents.mkdir(parents=True)
    compress(documents / "changelog", debian_changelog().encode())
    compress(documents / "CHANGELOG.md", (ROOT / "CHANGELOG.md").read_bytes())
    (documents / "copyright").write_text(licences(), encoding="utf-8")
    overrides = usr / "share" / "lintian" / "overrides" / "tengen"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(OVERRIDES, encoding="utf-8")
    size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file() and not file.is_symlink()) // 1024
    fields = {
        "Package": "tengen",
        "Version": VERSION,
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Installed-Size": size,
        "Depends": ", ".join([f"libc6 (>= {newest_libc(dist)})", "zlib1g", *LOADED_BY_SDL]),
        "Recommends": ", ".join(DEVICES),
        "Section": "games",
        "Priority": "optional",
        "Description": "\n ".join([SUMMARY, *textwrap.wrap(PROJECT["description"], 75)]),
    }
    (root / "DEBIAN").mkdir()
    control = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    made = out / f"tengen_{VERSION}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, made)
    return made


MAINTAINER = "The Tengen authors <noreply@tengen.invalid>"

OVERRIDES = """\
# Python and the libraries come along as their wheels and PyInstaller have them.
tengen: custom-library-search-path *
tengen: duplicate-font-file *
tengen: embedded-library *
tengen: hardening-no-pie *
tengen: library-not-linked-against-libc *
tengen: shared-library-lacks-prerequisites *
tengen: unstripped-binary-or-object *
# It is started from /usr/bin, which also root and remote shells search.
tengen: package-section-games-but-contains-no-game
"""


def debian_changelog() -> str:
    """This release in Debian's form; what changed is in CHANGELOG.md, which comes along."""
    newest = changes()[0]
    date = email.utils.format_datetime(datetime.fromisoformat(newest.date).replace(tzinfo=UTC))
    heading = f"tengen ({newest.version}) stable; urgency=medium"
    return f"{heading}\n\n  * See CHANGELOG.md.gz.\n\n -- {MAINTAINER}  {date}\n"


def compress(file: Path, contents: bytes) -> None:
    """Replace `file` by FILE.gz, the same bytes for the same contents."""
    file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(contents, mtime=0))
    file.unlink(missing_ok=True)


def licences() -> str:
    """Debian's file of copyrights: ours, and where those of what comes along are."""
    own = (ROOT / "LICENSE").read_text(encoding="utf-8")
    return (
        f"Tengen, by The Tengen authors.\n\n{own}\n"
        "Fonts, icons and sounds: /usr/lib/tengen/_internal/assets/LICENSES.md.\n"
        "Python and libraries: the METADATA and licenses in /usr/lib/tengen/_internal/*.dist-info.\n"
    )


def newest_libc(folder: Path) -> str:
    """The version of glibc that the programs and libraries in `folder` need."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink() and is_elf(file))
    needed = (version for file in files for version in re.findall(rb"\0GLIBC_2\.(\d+)(?=[.\0])", file.read_bytes()))
    return f"2.{max(map(int, needed))}"


def is_elf(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


def appimage(dist: Path, out: Path, scratch: Path, options: argparse.Namespace) -> Path:
    """One file that runs on any Linux as new as the system that it is made on: the runtime, then a file system. Needs
    mksquashfs."""
    if options.runtime is None:
        raise ValueError("An AppImage needs --runtime, the file that .ci/appimage-runtime makes.")
    root = scratch / "AppDir"
    fill_prefix(root / "usr", dist)
    (root / "AppRun").symlink_to("usr/bin/tengen")
    (root / f"{ID}.desktop").symlink_to(f"usr/share/applications/{ID}.desktop")
    (root / f"{ID}.png").symlink_to(f"usr/share/icons/hicolor/256x256/apps/{ID}.png")
    (root / ".DirIcon").symlink_to(f"{ID}.png")
    files = scratch / "files"
    compression = ("-comp", "zstd", "-Xcompression-level", "19")  # what the runtime can read
    run("mksquashfs", root, files, "-root-owned", "-noappend", "-quiet", "-no-progress", *compression)
    made = out / f"Tengen-{VERSION}-{MACHINE}.AppImage"
    made.write_bytes(options.runtime.read_bytes() + files.read_bytes())
    made.chmod(0o755)
    return made


def archive(dist: Path, out: Path, _scratch: Path, _options: argparse.Namespace) -> Path:
    """The folder `tengen`: .zip on Windows, elsewhere .tar.xz."""
    name = out / f"tengen-{VERSION}-{platform.system().lower()}-{MACHINE}"
    if sys.platform == "win32":
        return Path(shutil.make_archive(str(name), "zip", dist.parent, dist.name))
    made = name.with_name(f"{name.name}.tar.xz")
    # The first filter makes the addresses of jumps absolute, which compress better.
    machine = [{"id": lzma.FILTER_X86}] if MACHINE == "x86_64" else []
    filters = [*machine, {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
    with lzma.open(made, "wb", filters=filters) as packed, tarfile.open(fileobj=packed, mode="w|") as opened:
        opened.add(dist, dist.name, filter=as_root)
    return made


def as_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def setup(dist: Path, out: Path, _scratch: Path, _options: argparse.Namespace) -> Path:
    """The installer for Windows; needs Inno Setup 6."""
    usual = Path(os.environ.get("PROGRAMFILES(X86)", "")) / "Inno Setup 6" / "ISCC.exe"
    values = {"Version": VERSION, "Source": dist, "Icon": ROOT / "assets" / "icons" / "tengen.ico"}
    defined = [f"/D{name}={value}" for name, value in values.items()]
    name = f"tengen-{VERSION}-windows-{MACHINE}-setup"
    run(shutil.which("ISCC") or usual, "/Q", *defined, f"/O{out}", f"/F{name}", DESKTOP / "tengen.iss")
    return out / f"{name}.exe"


def dmg(dist: Path, out: Path, scratch: Path, _options: argparse.Namespace) -> Path:
    """A disk image for macOS with Tengen.app, to be dragged into Applications."""
    contents = scratch / "Tengen"
    contents.mkdir()
    run("ditto", dist.with_name("Tengen.app"), contents / "Tengen.app")
    (contents / "Applications").symlink_to("/Applications")
    made = out / f"Tengen-{VERSION}-macos-{platform.machine()}.dmg"
    run("hdiutil", "create", "-volname", "Tengen", "-srcfolder", contents, "-format", "UDZO", "-ov", made)
    return made


KINDS: dict[str, Callable[[Path, Path, Path, argparse.Namespace], Path]] = {
    "deb": deb, "appimage": appimage, "archive": archive, "setup": setup, "dmg": dmg,
}  # fmt: skip
"""How each kind of package is made: of what dist/tengen is, in which folder, with a folder for what is in between."""


# Trying out.


def unpacked(package: Path, folder: Path) -> Path:
    """Unpack or install `package` in `folder`, and return the program."""
    name = package.name
    if name.endswith(".deb"):
        run("dpkg-deb", "--extract", package, folder)
        return folder / "usr" / "lib" / "tengen" / "tengen"
    if name.endswith(".AppImage"):
        run(package, "--appimage-extract", cwd=folder)
        return (folder / "squashfs-root" / "AppRun").resolve()
    if name.endswith("-setup.exe"):
        run(package, "/VERYSILENT", "/SUPPRESSMSGBOXES", "/CURRENTUSER", "/NOICONS", f"/DIR={folder / 'tengen'}")
        return folder / "tengen" / "tengen.exe"
    if name.endswith(".dmg"):
        run("hdiutil", "attach", "-nobrowse", "-readonly", "-mountpoint", folder / "disk", package)
        try:
            run("ditto", folder / "disk" / "Tengen.app", folder / "Tengen.app")
        finally:
            run("hdiutil", "detach", folder / "disk")
        return folder / "Tengen.app" / "Contents" / "MacOS" / "tengen"
    shutil.unpack_archive(package, folder)
    return folder / "tengen" / ("tengen.exe" if sys.platform == "win32" else "tengen")


def smoke(package: Path) -> int:
    """Run the tests of the packaged program on what is in `package`. Return their status."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        program = unpacked(package.resolve(), Path(folder).resolve())
        environment = os.environ | {"TENGEN_EXECUTABLE": str(program)}
        tests = [sys.executable, "-m", "pytest", "-n", "0", "-rs", "tests/gui/test_packaged.py"]
        return subprocess.run(tests, cwd=ROOT, env=environment, check=False).returncode


def sums(out: Path) -> None:
    """Write the SHA-256 of each file in `out` into SHA256SUMS there, as sha256sum does."""
    files = sorted(file for file in out.iterdir() if file.is_file() and file.name != "SHA256SUMS")
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (out / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def make(options: argparse.Namespace) -> Path:
    """Make the package of `options` and return it."""
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        return KINDS[options.kind](options.dist.resolve(), options.out.resolve(), Path(scratch), options)


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = found.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("kind", choices=KINDS)
    making.add_argument("out", type=Path)
    making.add_argument("--dist", type=Path, default=ROOT / "dist" / "tengen")
    making.add_argument("--runtime", type=Path)
    for name, argument in {"share": "folder", "smoke": "package", "sums": "out"}.items():
        commands.add_parser(name).add_argument(argument, type=Path)
    commands.add_parser("notes").add_argument("version", nargs="?", default=VERSION)
    return found


def main_(options: argparse.Namespace) -> int:
    if options.command == "make":
        print(made := make(options), f"{made.stat().st_size:,} bytes")
    elif options.command == "share":
        share(options.folder)
    elif options.command == "notes":
        print(notes(options.version), end="")
    elif options.command == "sums":
        sums(options.out)
    else:
        return smoke(options.package)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main_(parser().parse_args()))
