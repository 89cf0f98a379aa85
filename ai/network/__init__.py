"""Networks that judge positions: inference in NumPy, and weights (`ai.lab.train_network`, `ai.lab.distil_gomoku`)."""
