"""Programs that measure the window and take its picture. Only subcommands of main.py import a lab."""
