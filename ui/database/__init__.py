"""Databases: which there are, imports into them, and the games found in one."""
