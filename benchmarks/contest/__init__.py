"""What the benchmark scripts share: the task as numbers, the contenders, interleaved rounds and the recorded tables.

lenet.py and startup.py use it. A contender file imports its framework inside its functions, so that an absent one is
skipped.
"""
