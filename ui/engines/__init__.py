"""The engines that a person adds: their settings, a test, and what is said in it."""
