"""Rounds of tuning, and what is fitted in them; `ai.lab.tune` is the program."""
