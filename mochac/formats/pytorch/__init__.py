"""PyTorch: modules as nets, optimizers as solvers, and weights back into the module."""
