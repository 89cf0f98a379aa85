"""Write the curve of a training run beside the shipped weights, for the chart in the lessons.

    python -m ai.lab.training_curve connect4 FOLDER

FOLDER is that of `ai.lab.train_network`. The file is ai/network/weights/GAME.json. Lines after --games are left out,
for weights that are older than the end of the curve.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from ai.network.network import training_file, training_text
from games.storage import write_atomic


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=None, help="those after which the shipped weights were written")
    given = parser.parse_args(arguments)
    text = (given.folder / "curve.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    last = given.games if given.games is not None else lines[-1]["games"]
    file = training_file(given.game)
    write_atomic(file, training_text([line for line in lines if line["games"] <= last]).encode())
    print(file)


if __name__ == "__main__":
    main()
