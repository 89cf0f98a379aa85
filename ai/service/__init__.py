"""What a window or a command asks: searches, analyses, and the profile of the person."""
