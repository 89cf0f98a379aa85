"""Exact answers for small games."""
