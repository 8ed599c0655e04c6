"""What gpu.py measures: nets, contenders on a CUDA device, interleaved rounds.

A contender file imports its framework inside its functions, so that an absent one is skipped.
"""
