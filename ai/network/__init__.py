"""Networks that judge positions: inference in NumPy, and their weights, which `ai.lab.train_network` makes."""
