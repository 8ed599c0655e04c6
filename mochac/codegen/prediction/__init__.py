"""What a scheduled kernel will cost on a machine, from its loops alone: lines moved, cycles, time (prediction.py)."""
