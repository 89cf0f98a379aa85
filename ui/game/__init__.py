"""States of screens, without pixels: games under way and studied, lessons, the library, exports."""
