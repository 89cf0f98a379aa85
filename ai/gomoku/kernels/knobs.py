"""Numbers of the parameters of the search in `tables.knob`; `ai.gomoku.tables.KNOBS` has their values.

Players may be given others by name (``engine:NULL_BASE=0``), so only parameters have names here.
"""

RFP, RAZOR = 0, 1  # margins a ply of reverse futility pruning and of razoring
LMP_BASE, LMP_SCALE = 2, 3  # late move pruning: moves before it begins, and hundredths more of them by depth²
NULL_BASE, NULL_SLOPE = 4, 5  # null move reduction: plies (0: no null move), and one more for so many of depth
LEAF_VCF = 6  # fours that a VCF search at the horizon may try
RAZOR_VCF = 7  # fours that one below the razoring margin may try
IIR = 8  # least depth of internal iterative reduction
RFP_DEPTH, LMP_DEPTH = 9, 10  # greatest depth of either pruning
LEAF_FOURS = 11  # least worth of the fours there are (`search.horizon`) for a VCF search at the horizon
LMR, ROOT_LMR = 12, 13  # late move reductions in per cent of the table, below the root and at the root
BREADTH = 14  # moves tried at a node; 0: all of them
NOISE, NOISE_SEED = 15, 16  # greatest error of the evaluation, and its seed
BEYOND = 17  # plies below the horizon in which an open four is still prevented
LEAF_WHERE, RAZOR_WHERE = 18, 19  # where those VCF searches look for fours (`layout.ANYWHERE` …)
KEEP_LEAF = 20  # whether evaluations at the horizon are stored in the transposition table
KILLER, COUNTER = 21, 22  # rank of killer moves and counter-moves
HISTORY = 23  # weight of the history in the rank, in 256ths
KNOB_COUNT = 24
