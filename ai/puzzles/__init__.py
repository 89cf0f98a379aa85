"""Puzzles: positions with one move that is proven to be right. They are mined from games; their rating is measured."""
