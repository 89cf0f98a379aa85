"""Levels: named strengths with measured Elo; and the rating system of the person who plays against them."""
