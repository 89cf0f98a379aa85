"""The strong gomoku engine: pattern tables, compiled kernels, search."""
