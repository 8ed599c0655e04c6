"""Converters of PyTorch's operations, by what they compute."""
