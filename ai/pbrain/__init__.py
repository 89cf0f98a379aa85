"""The Gomocup (pbrain) protocol, by which a manager plays games of engines: `server` is ours, `external` runs
others."""
