"""The parameters of the search with their values, tuned in matches (ai/lab/STRENGTH.md).

Each is a field of `layout.TABLES`. Players may be given other values by name (``engine:NULL_BASE=0``).
"""

from pathlib import Path

ANYWHERE, FIRST_ANYWHERE, NEARBY = range(3)
"""Where a VCF search looks for fours: everywhere; everywhere for the first, then near the last; near the last one."""

PARAMETERS = {
    "RFP": 25,  # margin a ply of reverse futility pruning
    "RFP_DEPTH": 6,  # its greatest depth
    "RAZOR": 40,  # margin a ply of razoring
    "RAZOR_VCF": 100,  # budget of the VCF search below that margin, in fours
    "RAZOR_WHERE": ANYWHERE,  # where it looks for fours
    "LMP_BASE": 2,  # late move pruning: moves before it begins
    "LMP_SCALE": 46,  # further moves per depth², in hundredths
    "LMP_DEPTH": 16,  # its greatest depth
    "NULL_BASE": 3,  # null move reduction in plies; 0: no null move
    "NULL_SLOPE": 4,  # extra reduction: depth // NULL_SLOPE
    "LEAF_FOURS": 3,  # least weight of the available fours (`pruning.horizon`) for a VCF search at the horizon
    "LEAF_VCF": 5,  # its budget in fours
    "LEAF_WHERE": FIRST_ANYWHERE,  # where it looks for fours
    "QUIESCE": 1,  # whether a quiescence search tries fours at the horizon and for razoring, instead of VCF searches
    "WIN_IN_FIVE": 1,  # whether patterns prove wins in five plies
    "TABLE_SCORE": 1,  # whether the table's score replaces the static evaluation
    "KEEP_LEAF": 1,  # whether evaluations at the horizon are stored in the transposition table
    "BEYOND": 0,  # plies below the horizon in which replies to an open four are still searched
    "REPLY": 1,  # plies by which the reply to a four is extended
    "IIR": 4,  # least depth of internal iterative reduction
    "LMR_BASE": 22,  # late move reductions below the root: hundredths of a ply beside those of the table
    "LMR_QUIET": 60,  # hundredths more for a quiet move
    "LMR_IMPROVING": 70,  # hundredths less where the evaluation improves
    "LMR_GRAIN": 1,  # unit to which the sum is rounded down, in hundredths
    "LMR": 198,  # the reduction in per cent of the sum
    "ROOT_LMR": 163,  # late move reductions at the root, in per cent of the table rounded to plies
    "KILLER": 100,  # rank of killer moves
    "COUNTER": 121,  # rank of counter-moves
    "HISTORY": 17,  # weight of the history in the rank, in 256ths
    "PROOF": 0,  # per cent of the time and the nodes for a proof-number search at the root
    "BREADTH": 0,  # moves tried at a node; 0: all of them
    "NOISE": 0,  # greatest error of the evaluation
    "NOISE_SEED": 0,
}

PLAIN = {
    "QUIESCE": 0, "WIN_IN_FIVE": 0, "TABLE_SCORE": 0, "REPLY": 0, "RFP": 50, "RAZOR": 90, "LMP_BASE": 4,
    "LMP_SCALE": 40, "LMR_BASE": 40, "LMR_QUIET": 100, "LMR_IMPROVING": 100, "LMR_GRAIN": 100, "LMR": 200,
    "ROOT_LMR": 150, "KILLER": 120, "COUNTER": 90, "HISTORY": 16,
}  # fmt: skip
"""The search without what sees a win beyond its depth, with the parameters as they were before `ai.lab.spsa` tuned
them: reductions were in whole plies. The levels were measured with it (ai/lab/LEVELS.md)."""

PLAIN_WEIGHTS = str(Path(__file__).parents[1] / "weights_plain.npz")
"""The weights that go with `PLAIN`: fitted to positions of games alone, without leaves of the search."""
