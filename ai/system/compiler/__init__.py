"""How kernels are compiled once on each machine, and found again."""
