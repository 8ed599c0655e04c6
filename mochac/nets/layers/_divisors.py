"""Hints for a number of heads or groups that does not divide."""

from __future__ import annotations

from math import gcd

MOST = 8
"""How many numbers a hint names at most."""


def that_divide(what: str, asked: int, *counts: int) -> str:
    """The numbers that divide all counts, as a hint; if there are many, those closest to what was asked for.

    >>> that_divide("groups", 4, 6), that_divide("n_group", 3, 4, 6)
    ('groups that divide 6: 1, 2, 3, 6', 'n_group that divides 4 and 6: 1, 2')
    >>> that_divide("heads", 7, 720)
    'heads that divide 720: 2, 3, 4, 5, 6, 8, 9, 10, ...'
    """
    common = gcd(*counts)
    found = sorted((n for n in range(1, common + 1) if common % n == 0), key=lambda n: abs(n - asked))
    named = sorted(found[:MOST])
    verb = "divide" if what.endswith("s") else "divides"
    more = ", ..." if len(found) > MOST else ""
    return f"{what} that {verb} {' and '.join(map(str, dict.fromkeys(counts)))}: {', '.join(map(str, named))}{more}"
