"""Lessons, searches that are shown step by step and compared, and exercises on search trees."""
