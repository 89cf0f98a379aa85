"""Named strengths, and the rating and profile of the person who plays against them."""
