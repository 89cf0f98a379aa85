"""Programs that measure and tune the engine. Only subcommands of main.py import a lab."""
