"""Make the two fonts that Tengen ships: small subsets of Noto Sans SC, with the Japanese forms of Noto Sans JP.

Run by hand (`python assets/make_fonts.py FOLDER`, needs fonttools) with the folder that holds NotoSansSC-Regular.otf,
NotoSansSC-Bold.otf and both files of NotoSansJP, such as `pygame_gui/data` of the package pygame_gui; the outputs are
committed. `ui/toolkit/theme.py` uses them.

Characters such as 直 and 骨 look different in Chinese and Japanese. A text that is set in the script ``Kana`` has the
Japanese forms, by the OpenType feature `locl`.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

from fontTools.otlLib.builder import buildLookup, buildSingleSubstSubtable
from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables import otTables

TARGET = Path(__file__).parent / "fonts"

RANGES = (
    (0x20, 0x7E),  # ASCII
    (0xA0, 0x17F),  # Latin-1 and Latin Extended-A
    (0x1CD, 0x1DC),  # pinyin vowels with tone marks
    (0x2B0, 0x2DD),  # modifiers
    (0x386, 0x3CE),  # Greek
    (0x400, 0x45F),  # Cyrillic
    (0x2010, 0x205E),  # general punctuation
    (0x2070, 0x209C),  # superscripts and subscripts
    (0x20A0, 0x20BF),  # currency
    (0x2100, 0x218B),  # letter-like symbols, fractions, Roman numerals
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematics
    (0x2300, 0x23FF),  # technical: keys such as ⌘ and ⏎
    (0x2460, 0x24FF),  # numbers in circles
    (0x25A0, 0x27BF),  # geometric shapes, symbols, dingbats
    (0x3000, 0x303F),  # CJK punctuation
    (0x3041, 0x30FF),  # kana
    (0xFF01, 0xFFE5),  # full-width forms
)

EXTRA = "囧昇珮喆翀彧铓赟珺"
"""Characters that people have in their names and none of `CHARACTERS` has."""

STROKED = dict(zip("ĐđĦħıŁłŊŋŦŧ", "DdHhiLlNnTt", strict=True))
"""Letters that Unicode does not decompose, and what they look like."""

QUOTES = "“”‘’"

ASCENT, DESCENT = 1020, -280
"""Vertical metrics per 1000 units. With the original's 1160 and -288, text in a button looks low; with these, capitals
and Chinese characters are centred."""


CHARACTERS = (
    ("gb2312", range(0xB0, 0xF8)),  # 6763 simplified characters, the rare ones too: they are in names of people
    ("big5", range(0xA4, 0xC7)),  # 5401 traditional ones
    ("euc_jp", range(0xB0, 0xD0)),  # 2965 Japanese ones
)
"""Encodings, and the first bytes of the characters to take from each."""


JAPANESE = ("euc_jp", range(0xA1, 0xD0))
"""The characters that have a Japanese form, too: punctuation, kana, and the 2965 kanji of JIS X 0208, level 1."""


def encoded(encoding: str, firsts: range) -> set[int]:
    """Return the characters of two bytes in an encoding, with one of `firsts` as the first byte."""
    cells = (bytes((first, second)) for first in firsts for second in (*range(0x40, 0x7F), *range(0xA1, 0xFF)))
    return {ord(text) for cell in cells if len(text := cell.decode(encoding, "ignore")) == 1}


def wanted() -> set[int]:
    return (
        {code for encoding, firsts in CHARACTERS for code in encoded(encoding, firsts)}
        | {ord(character) for character in EXTRA}
        | {code for first, last in RANGES for code in range(first, last + 1)}
    )


def narrow_quotes(font: TTFont) -> None:
    """Give “ ” ‘ ’ their own width. In the original they are as wide as a Chinese character, which leaves gaps in
    English sentences."""
    narrow: dict[str, str] = {}
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        for index in record.Feature.LookupListIndex if record.FeatureTag == "pwid" else ():
            for part in table.LookupList.Lookup[index].SubTable:
                narrow |= getattr(part, "ExtSubTable", part).mapping
    for cmap in font["cmap"].tables:
        for code in map(ord, QUOTES):  # some tables are shared
            if cmap.cmap.get(code) in narrow:
                cmap.cmap[code] = narrow[cmap.cmap[code]]


def borrow_letters(font: TTFont) -> None:
    """Draw a letter that the original lacks without its accent: Capek is better than a box and apek."""
    for cmap in font["cmap"].tables:
        for letter in filter(str.isalpha, map(chr, wanted())):
            base = STROKED.get(letter, unicodedata.normalize("NFD", letter)[0])
            if ord(base) in cmap.cmap and not cmap.cmap.get(ord(letter)):
                cmap.cmap[ord(letter)] = cmap.cmap[ord(base)]


def centre(font: TTFont) -> None:
    """Set vertical metrics that centre a line of text optically."""
    font["hhea"].ascent, font["hhea"].descent, font["hhea"].lineGap = ASCENT, DESCENT, 0
    table = font["OS/2"]
    table.sTypoAscender, table.sTypoDescender, table.sTypoLineGap = ASCENT, DESCENT, 0
    table.usWinAscent, table.usWinDescent = ASCENT, -DESCENT


def equal_digits(font: TTFont) -> bool:
    """Check that all digits have the same width, which clocks rely on."""
    names = font.getBestCmap()
    return len({font["hmtx"][names[ord(digit)]][0] for digit in "0123456789"}) == 1


def options() -> Options:
    chosen = Options()
    chosen.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    chosen.hinting = True  # crisper level strokes at 14 and 16 pixels, for 0.15 MB
    chosen.desubroutinize = True  # so that glyphs can be added; the archive of a package gets no larger
    chosen.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    chosen.notdef_outline = True
    return chosen


def subset(file: Path, codes: set[int]) -> TTFont:
    """Return the font in `file` with the characters of `codes` only."""
    font = load_font(str(file), options(), lazy=False)
    narrow_quotes(font)
    borrow_letters(font)
    subsetter = Subsetter(options())
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    return font


def add_japanese(font: TTFont, japanese: TTFont) -> None:
    """Add the glyphs of `japanese` that differ, and show them in texts of the script ``kana``.

    Noto's fonts for Chinese and Japanese are parts of one font: glyphs of the same name are the same.
    """
    ours, theirs = font.getBestCmap(), japanese.getBestCmap()
    forms = {ours[code]: theirs[code] for code in sorted(theirs) if ours.get(code, theirs[code]) != theirs[code]}
    for name in dict.fromkeys(forms.values()):
        if name not in font["hmtx"].metrics:
            _add_glyph(font, japanese, name)
    font.setGlyphOrder(font["CFF "].cff.topDictIndex[0].charset)
    font["maxp"].numGlyphs = len(font.getGlyphOrder())
    table, feature = font["GSUB"].table, otTables.FeatureRecord()
    table.LookupList.Lookup.append(buildLookup([buildSingleSubstSubtable(forms)]))
    feature.FeatureTag, feature.Feature = "locl", otTables.Feature()
    feature.Feature.LookupListIndex = [len(table.LookupList.Lookup) - 1]
    table.FeatureList.FeatureRecord.append(feature)
    script = next(each.Script for each in table.ScriptList.ScriptRecord if each.ScriptTag == "kana")
    script.DefaultLangSys.FeatureIndex.append(len(table.FeatureList.FeatureRecord) - 1)


def _add_glyph(font: TTFont, other: TTFont, name: str) -> None:
    """Copy the glyph `name` of `other`, with its metrics."""
    target, source = (each["CFF "].cff.topDictIndex[0] for each in (font, other))
    outline, part = source.CharStrings.getItemAndSelector(name)
    outline.decompile()
    kind = source.FDArray[part].FontName.rpartition("-")[2]
    part = next(at for at, each in enumerate(target.FDArray) if each.FontName.endswith(f"-{kind}"))
    outline.private, outline.globalSubrs, outline.fdSelectIndex = (
        target.FDArray[part].Private, target.GlobalSubrs, part,
    )  # fmt: skip
    target.CharStrings.charStrings[name] = len(target.CharStrings.charStringsIndex)
    target.CharStrings.charStringsIndex.append(outline)
    target.FDSelect.gidArray.append(part)
    target.charset.append(name)
    for metrics in ("hmtx", "vmtx"):
        font[metrics].metrics[name] = other[metrics].metrics[name]


def make(folder: Path, style: str) -> Path:
    font = subset(folder / f"NotoSansSC-{style}.otf", wanted())
    add_japanese(font, subset(folder / f"NotoSansJP-{style}.otf", encoded(*JAPANESE)))
    if not equal_digits(font):
        raise SystemExit(f"The digits of {style} differ in width; substitute the `tnum` glyphs.")
    centre(font)
    target = TARGET / f"Tengen-{style}.otf"
    save_font(font, str(target), options())
    return target


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    for style in ("Regular", "Bold"):
        path = make(Path(sys.argv[1]), style)
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
