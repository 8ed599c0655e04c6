"""Plans bound to data and parameters, and what runs on them: steps, evaluation, prediction."""
