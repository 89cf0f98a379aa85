"""Exercises on small search trees: the tree, what a student fills in, the right answers, and why others are wrong."""
