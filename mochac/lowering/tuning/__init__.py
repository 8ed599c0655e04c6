"""Tuning: compiles, checks and times other schedules that a kernel's rules could have chosen, and keeps faster ones.

A session calls `tuned` for compile(net, tune=...); without that, nothing here is imported.

    tuned.py        schedules for a plan, from the cache or from a search
    search.py       a plan: which kernels are worth a search, for how long, and whether the plan gets faster;
                    a kernel: its rule's schedule against variants, until none is better or time is up
    bench.py        a schedule: compiled alone, compared with the interpreter, timed against another; a whole plan on
                    random inputs, timed kernel by kernel
    ../operands.py  operands for a kernel, and its expected results
    schedules.py    how much "quick" and "full" try; results of searches, as text for the cache and for explain
    edited.py       schedules of a dump that the user has edited
"""
