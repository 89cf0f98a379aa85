"""The parts of the replay scene: its tabs, the transport and the menu of rare actions."""
