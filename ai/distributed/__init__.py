"""The search of one position by the workers of a cluster."""
