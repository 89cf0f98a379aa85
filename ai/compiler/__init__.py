"""Compile the kernels once on each machine, and load them: the decorator, the cache folder, the waiting."""
