"""Random nets, drawn by seed: what tests train, and twins of each that must compute the same."""
