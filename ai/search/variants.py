"""The searches that are compared and taught, each with one part more than the one before."""

from __future__ import annotations

VARIANTS: dict[str, str] = {
    "minimax": "minimax",
    "alphabeta": "alphabeta:ordering=0,table=0,deepening=0,extension=0,selection=0",
    "ordering": "alphabeta:table=0,deepening=0,extension=0,selection=0",
    "table": "alphabeta:deepening=0,extension=0,selection=0",
    "deepening": "alphabeta:extension=0,selection=0",
}
"""Names of players by what is new in them. All try all legal moves, so that their results agree at the same depth."""

FURTHER: dict[str, str] = {
    "pvs": "alphabeta:pvs=1,table=0,deepening=0,extension=0,selection=0",
    "quiescence": "alphabeta:quiescence=1,table=0,deepening=0,extension=0,selection=0",
    "expect": "minimax:expect=0.2",
    "expect_random": "minimax:expect=1",
}
"""The searches that are taught, but not compared with the others: the first two have one part more than `ordering`, the
others expect errors, and have chance nodes."""

EXPECTING = ("expect", "expect_random")
"""Those of `FURTHER` with chance nodes."""

SHARED = {"root_splitting": "root", "brothers": "ybw"}
"""The searches by several workers that are taught, with the way in which they split (`ai.search.splitting`)."""

WORKERS = (1, 2, 4)
"""How many workers a person can choose."""

ENGINE = "engine"
"""The key of the gomoku engine, which is shown by the tree of its table (`ai.search.table_tree`)."""

MCTS = "mcts"
"""The key, and the player, of Monte Carlo tree search, which is shown by the nodes that were visited most."""

SAMPLED = {"sampled": MCTS, "playouts": f"{MCTS}:playouts=1", "network": f"{MCTS}:network"}
"""The players of Monte Carlo tree search that are shown visit by visit, by keys: with the game's evaluation, with
random games, and at last with a network where there is one."""

C, CHOICES_OF_C = 0.35, (0.1, 0.35, 0.7, 1.4)
"""How much Monte Carlo tree search explores, if a win counts 1 and a loss 0: the usual c, and those to choose from."""

TIMED = (MCTS, ENGINE)
"""The searches that have their time, and a tree without steps (`ai.search.snapshot`)."""

ENGINE_PLAYER = "engine:root_vcf=0"
"""Without the search for continuous fours at the root, after which there would be no tree of a position that is won."""


def variant(key: str, distance: bool = True) -> str:
    """Return the name of the player; without `distance`, one to which all wins are worth the same."""
    name = VARIANTS.get(key) or FURTHER[key]
    return name if distance else f"{name}{',' if ':' in name else ':'}distance=0"


def sampled(key: str, c: float = C) -> str:
    """Return the name of the player. Its own results run from -1 to 1, so that its c is twice as large."""
    name = SAMPLED[key]
    return f"{name}{',' if ':' in name else ':'}c={2 * c:g}"


def shared(key: str, workers: int, distance: bool = True) -> str:
    """Return the name of a player whose workers are simulated. Like `ordering`, it tries all legal moves once."""
    parts = "ordering=1,table=0,deepening=0,selection=0"
    return f"parallel:workers={workers},split={SHARED[key]},simulated=1,{parts},distance={int(distance)}"


def prunes(key: str) -> bool:
    """Whether the search has alpha and beta that a trace tells."""
    return key not in ("minimax", *EXPECTING, *SAMPLED, *TIMED)
