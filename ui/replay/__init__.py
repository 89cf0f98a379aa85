"""A game that is replayed, analysed or reviewed, and the editor of positions."""
