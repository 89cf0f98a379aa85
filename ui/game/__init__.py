"""A game under way, without pixels: seats, clocks, analysis, ratings and words."""
