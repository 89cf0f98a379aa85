"""The Gomocup (pbrain) protocol, both ways: `session` serves our engine to others, `external` drives others'."""
