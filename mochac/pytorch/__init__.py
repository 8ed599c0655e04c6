"""PyTorch's modules and optimizers, taken over and given back."""
