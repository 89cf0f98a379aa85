"""Names and sentences that a person reads, by subject."""
