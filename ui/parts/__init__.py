"""The parts that screens are composed of."""
