"""The compiled core of the gomoku engine, one concern a module; import the modules, this package holds no names.

    patterns    shapes of stones on a line, and classes of cells
    layout      dimensions, bit fields, and the two records that every kernel works on: state and tables
    parameters  the parameters of the search
    board       make and undo moves, find cells, forbidden points
    evaluate    static evaluation
    tt          transposition table
    vcf         victory by continuous fours
    movegen     move generation and ordering
    smp         several threads on one position
    quiescence  positions that patterns prove, fours beyond the horizon
    dfpn        victory by threats, with proof numbers
    pruning     positions scored without searching a move, moves pruned or reduced
    search      principal variation search
    guide       what a Monte Carlo tree search asks
    speed       what is measured of the board

A cell is `(row + EDGE) * STRIDE + column + EDGE`, so that every cell has neighbours in all directions. Sides are 0
(black) and 1 (white). Scores are from the side to move; a win counts `WIN` minus the plies to it. Every kernel has an
explicit signature and returns an integer; kernels may call themselves but not each other in a circle (numba).

The bench signature, asserted by a test, tells whether a change altered the search.
"""
