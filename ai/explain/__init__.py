"""A search that is looked into: its subject, its tree as it grows, and predictions. It runs in a process of its own."""
