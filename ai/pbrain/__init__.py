"""The Gomocup (pbrain) protocol: `server` offers our engine, `external` drives other engines."""
