"""Exercises from mistakes."""
