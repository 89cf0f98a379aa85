"""The exercises of lessons: their state, their picture with fields to fill in, and their words."""
