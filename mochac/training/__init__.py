"""Training: plans bound to data and parameters, the loop with its coffee breaks, many nets at once."""
