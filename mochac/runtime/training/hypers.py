"""The scalars of a solver method, such as learning rates, for a run of updates: the columns that native code reads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.solvers.method import Method


def hypers_at(method: Method, t: int, zeroed: int) -> Mapping[str, float]:
    """Scalars of the update after `t` completed ones, where the slots were last zeroed after `zeroed`."""
    return method.hypers_since(t, min(t, zeroed))


def hypers_of(method: Method, first: int, n: int, zeroed: int) -> tuple[dict[str, np.ndarray], Mapping[str, float]]:
    """Scalars of the `n` updates after `first` as arrays, and those of the last one.

    A method is asked once for as many updates as it says its scalars stay the same.
    """
    row, known = hypers_at(method, first, zeroed), method.steady(first)
    columns = {name: np.full(n, value, np.float64) for name, value in row.items()}
    while columns and known < n:
        row, more = hypers_at(method, first + known, zeroed), method.steady(first + known)
        for name, column in columns.items():
            column[known : known + more] = row[name]
        known += more
    return columns, row
