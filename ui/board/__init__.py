"""One renderer for each kind of board."""
