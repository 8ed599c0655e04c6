"""Nets whose predictions are computed in integers of 8 bits: ranges of values, quantized graphs, what they lose."""
