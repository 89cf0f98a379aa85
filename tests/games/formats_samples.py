"""Texts of files as other programs write them, by the public descriptions of their formats."""

from __future__ import annotations

SGF_EXAMPLE = """(;GM[4]FF[4]CA[UTF-8]AP[Some Editor:2.1]SZ[15]RU[Renju]PB[Ada]PW[Alan]DT[2026-11-21]
EV[Club final]RE[B+R]
;B[hh]C[The centre \\] and on\\
from there];W[ii]TR[aa:bb]LB[cc:1][dd:A\\:b](;B[gg];W[jj])(;B[jh]XY[kept][twice];W[ff]))"""

SGF_WITHOUT_RULE = "(;GM[4]SZ[15];B[ha];W[aa];B[hb];W[ba];B[hc];W[ca];B[he];W[ea];B[hf];W[fa];B[hd];W[ga])"
"""A row of six for black, and the game goes on: standard or renju, but not freestyle. (In renju it is forbidden.)"""

SGF_SET_UP = "(;GM[4]SZ[15]AB[hh][gg]AW[ii]PL[W]C[五子棋];W[jj];B[ff])"

SGF_OTHER = "(;GM[9]SZ[8])"

SGF_COLLECTION = "(;GM[4]SZ[15];B[hh])  (;GM[4]SZ[19];B[jj];W[kk])\n" + SGF_OTHER

SGF_GO = "(;GM[1]FF[4]SZ[19]KM[6.5];B[pd];W[dp])"

SGF_OLD = "(;GaMe[4]SiZe[15];Black[hh];White[ii])"

PSQ_EXAMPLE = "Piskvorky 15x15, 0:5, 0\r\n8,8,1200\r\n9,7,431\r\n10,10,12\r\n-1\r\n"

PSQ_TOURNAMENT = (
    "Piskvorky 20x20, 11:11, 1\n10,10,0\n11,11,35\n12,12\n"
    "C:\\gomocup\\pbrain-one.zip\npbrain-two.exe\n0\n"
)

PSQ_GOMOCUP = (
    "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,9,0\n9,8,0\n\n10,6,20345\n7,10,1520\n"
    "pbrain-Yixin2018.exe\npbrain-Wine.exe\n-1\n1,Renju\n"
)
"""With the line that newer managers add: who has won, and by which rule."""

SGF_TEXT = r"""(;GM[4]SZ[15];B[hh]C[Meijin NR: yeah, k4 is won\
derful
sweat NR: thank you! :\)
dada NR: yup. I like this move too. It's a move only to be expected from a pro. I really like it :)
jansteen 4d: Can anyone\
 explain [me\] k4?])"""
"""The example of a text in the description of SGF: escaped line ends vanish, and so do other backslashes."""

SGF_TREE = "(;GM[4]FF[4]SZ[15]C[root](;C[a];C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g];C[h];C[i])(;C[j])))"
"""The example of a tree there; its nodes have no moves."""

SGF_BLANKS = """Forwarded by a friend:
( ; FF [4] GM [4] SZ [15] AB [aa:cc]
  [ee] PL [W]
  ; W [hh] CR [aa:bb] ( ; B [ii] N [main] ) ( ; B [jj] ; W [] ) )
"""
"""White space wherever the grammar allows it, text before the game, rectangles of points, and a pass."""

SGF_ORC = """(;GM[4]FF[4]GN[A-B(B) : RIF rule]RE[W+Resign]PW[A]PB[B]SZ[15]
;B[hh];W[hg];B[jf];W[ig]C[ A started observation.];B[ie];W[tt])"""

SGF_WORDS = "(;GM[4]SZ[15]RU[五子棋 (有禁手)]\nRE[黑中盘胜];B[hh];W[ii])"

SGF_PASS = SGF_WITHOUT_RULE[:-1] + "\n;B[tt])"

PSQ_RESULT = "Piskvorky 15x15, 11:11, 1\n8,8,0\n8,9,12\nA.zip\nB.zip\n15\n2,Renju_1\n"

TXT_NUMBERED = "1. h8 i9 2. g7 j10\n3) h7 3... a1; (4) b2 - c3\n"

TXT_LISTS = ("d3e5f6d7\nk10j10i9j9\n", "1. h8i9g7\n2. d3e5f6\n", "1. h8 i9\n2. g7\n1. d4 e5\n", "h8 i9 g7\nh8 h9 h10\n")

SGF_REPETITIONS = tuple(
    begin + token * 300
    for begin in ("(;GM[4]SZ[15]", "(;GM[4]SZ[15]C[")
    for token in ("[", "(;", "(;B[hh])", ";B[hh]", "[]", "]a", "\\", "A[]", "a ")
)
"""Repetitions that took time with the square of their length, or much memory."""

SGF_FLAWED = (
    "(;gm[4]sz[15];b[hh];w[ii])", "(GM[5]5A[gg]SZ[15]GN[A-B : RIF rule];B[hh]C[see [1] here];W[tt]\n---",
    "(;GM[4]SZ[15];B[hh])\n---\n(;GM[4]SZ[15];B[ii]",
)  # fmt: skip

REC_EXAMPLE = "Alfa.zip\nhomo-2\n9,9,0\n10,10,35\n11,11,1200\n-1\n"

SAV_EXAMPLE = "15\n15\n3\n7 7\n6 8\n8 6\n"

POS_EXAMPLE = bytes([3, 7 * 15 + 7, 8 * 15 + 6, 6 * 15 + 8])

RIF_EXAMPLE = """<?xml version="1.0" encoding="utf-8"?>
<database version="1.0" date="2026-01-02">
<!-- Some terms of use &copy; -->
<countries><country id="1" name="Estonia" abbr="EST" /></countries>
<cities><city id="5" country="1" name="P\u00e4rnu" /></cities>
<rules>
<rule id="1" name="RIF" category="renju">about it</rule><rule id="2" name="Pro" category="gomoku" />
</rules>
<openings><opening id="21" abbr="D1" name="One [of 26]" /></openings>
<players>
<player id="1" name="Ada" surname="L" country="1" /><player id="2" surname="\u9ed2" country="1" />
</players>
<tournaments>
<tournament id="1" name="Cup &amp; more" country="1" city="5" year="2005" month="8" start="2005-08-01"
end="2005-08-07" />
<tournament id="2" name="Friendly" year="2019" month="3" start="0000-00-00" end="0000-00-00" />
</tournaments>
<games>
<game id="1" publisher="9" tournament="1" round="F2" rule="1" black="1" white="2" bresult="1" btime="8" wtime="8"
opening="21" alt="i8 g7" swap="R--"><move>h8 h9 h7</move><info>B=1245</info></game>
<game id="2" tournament="2" rule="2" black="2" white="1" bresult="0.5"><move>h8 i9</move></game>
<game id="3" tournament="7" rule="9" black="7" white="" bresult=""><move>h8 h8 g7</move></game>
</games>
</database>
"""


def lib(*nodes: bytes, minor: int = 4) -> bytes:
    """A library of RenLib with these nodes, by the description of its format."""
    return b"\xffRenLib\xff\x03" + bytes([minor]) + b"\xff" * 10 + b"".join(nodes)


LIB_ROOT = b"\x00\x00"
LIB_EXAMPLE = lib(
    b"\x00\x08" + b"root\x00\x00",
    b"\x78\x00",  # h8, the centre: row 7 from the top, column 8 from 1
    b"\x68\x88" + b"up\x08one\r\ntwo\x00",  # h9, with a comment, and a sibling that follows
    b"\x69\x50",  # i9, with a mark, a leaf
    b"\x69\x85" + b"\x00\x01" + b"B\x00",  # i9 instead, the start, with a text on the board
    b"\x57\x40",  # g10
    b"\x11\x43" + b"\x00\x01" + b"no\x00\x00",  # a text on a14 where there is no move
)
"""All that a library may have: h8, then h9 and i9, or i9 and g10; a14 has a label."""

LIB_OLD = b"\x78\x00" + b"\x68\xe0" + b"b}" + b"t\xf3" + b"\x69\x40"
"""Without a header, and with a comment of the old kind."""

SAMPLES: dict[str, tuple[bytes, ...]] = {
    ending: tuple(text.encode() for text in texts)
    for ending, texts in {
        ".sgf": (
            SGF_EXAMPLE, SGF_SET_UP, SGF_COLLECTION, SGF_WITHOUT_RULE, SGF_OLD, SGF_TEXT, SGF_TREE, SGF_BLANKS,
            *SGF_REPETITIONS, *SGF_FLAWED,
            SGF_ORC, SGF_WORDS, SGF_PASS,
        ),
        ".psq": (PSQ_EXAMPLE, PSQ_TOURNAMENT, PSQ_GOMOCUP, PSQ_RESULT),
        ".txt": ("h8i9g7j10", " H8 i9\nG7 ", "a1\nb2\nc3\nd4\ne5\nf6", TXT_NUMBERED, *TXT_LISTS),
        ".rec": (REC_EXAMPLE,),
        ".sav": (SAV_EXAMPLE,),
        ".rif": (RIF_EXAMPLE,),
    }.items()
} | {
    ".pos": (POS_EXAMPLE,),
    ".lib": (
        LIB_EXAMPLE, LIB_OLD, lib(LIB_ROOT, b"\x78\x80", b"\x00\x40", b"\x79\xc0", b"\xf0\x40"),
        lib(LIB_ROOT, b"\x78\x09\x00\x01", "\u76f4\u6b62\x08\u9ed1".encode("gb18030") + b"\x00\x00", b"a\x00"),
    ),
}  # fmt: skip
"""Well-formed files of every format but our own, which are read as they are and damaged (`tests.fuzz`)."""
