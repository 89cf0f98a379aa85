"""Puzzles: positions with one right move that is proven to be so, mined from games, graded by who solves them."""
