"""Training of the networks of `ai.network` by self-play, with JAX, pgx, mctx and optax (extra `lab`)."""
