"""What a window or a command asks of the players: searches and analyses, and the profile of the person."""
