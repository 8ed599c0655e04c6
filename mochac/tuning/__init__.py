"""Searching for schedules: what a kernel's rules could have chosen is compiled, checked, timed, and kept if faster.

A session calls `tuned` for compile(net, tune=...); nothing here runs, or is loaded, without that.

    tuned.py        schedules for a plan, from the cache or from a search
    plan_search.py  a plan: which kernels are worth a search, for how long, and whether the plan is faster for it
    search.py       a kernel: its rule's schedule against the variants, until none is better or time is up
    bench.py        a schedule: compiled alone, compared with the interpreter, timed against another
    stepping.py     a whole plan on drawn inputs, timed kernel by kernel
    operands.py     numbers a kernel is run on, and what it must make of them
    levels.py       how much "quick" and "full" try
    schedules.py    what was found, as text for the cache and for explain
"""
