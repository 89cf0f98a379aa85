"""Threads, processes, streams and files of any program; `compiler` has kernels compiled once on each machine."""
