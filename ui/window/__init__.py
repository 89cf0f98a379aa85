"""What a screen is made of: host, screen, part, frame, jobs, the page of keys, and what happens after an error."""
