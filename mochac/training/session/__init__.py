"""Session: plans bound to data and parameters, and what they run: training steps, evaluation, prediction."""
