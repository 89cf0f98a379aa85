"""An opponent who errs: what it overlooks, how it is fitted to games, and a search that counts on it."""
