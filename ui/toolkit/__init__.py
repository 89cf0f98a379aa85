"""What any pygame application could use: widgets, dialogs, themes, text, layout. Knows no game."""
