"""Texts of files as other programs write them, by the public descriptions of their formats."""

from __future__ import annotations

SGF_EXAMPLE = """(;GM[4]FF[4]CA[UTF-8]AP[Some Editor:2.1]SZ[15]RU[Renju]PB[Ada]PW[Alan]DT[2026-11-21]
EV[Club final]RE[B+R]
;B[hh]C[The centre \\] and on\\
from there];W[ii]TR[aa:bb]LB[cc:1][dd:A\\:b](;B[gg];W[jj])(;B[jh]XY[kept][twice];W[ff]))"""

SGF_WITHOUT_RULE = "(;GM[4]SZ[15];B[ha];W[aa];B[hb];W[ba];B[hc];W[ca];B[he];W[ea];B[hf];W[fa];B[hd];W[ga])"
"""A row of six for black, and the game goes on: standard or renju, but not freestyle. (In renju it is forbidden.)"""

SGF_SET_UP = "(;GM[4]SZ[15]AB[hh][gg]AW[ii]PL[W]C[五子棋];W[jj];B[ff])"

SGF_COLLECTION = "(;GM[4]SZ[15];B[hh])  (;GM[4]SZ[19];B[jj];W[kk])\n(;GM[2]SZ[8])"

SGF_GO = "(;GM[1]FF[4]SZ[19]KM[6.5];B[pd];W[dp])"

SGF_OLD = "(;GaMe[4]SiZe[15];Black[hh];White[ii])"

PSQ_EXAMPLE = "Piskvorky 15x15, 0:5, 0\r\n8,8,1200\r\n9,7,431\r\n10,10,12\r\n-1\r\n"

PSQ_TOURNAMENT = (
    "Piskvorky 20x20, 11:11, 1\n10,10,0\n11,11,35\n12,12\n"
    "C:\\gomocup\\pbrain-one.zip\npbrain-two.exe\n0\n"
)
