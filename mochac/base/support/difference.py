"""How much two arrays differ; replay and searches for schedules compare results by it."""

from __future__ import annotations

import numpy as np


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Largest |a - b| in units of the largest |a|; infinite where one is NaN and the other is not.

    >>> difference(np.array([1.0, 4.0]), np.array([1.0, 5.0]))
    0.25
    """
    if a.shape != b.shape:
        return np.inf
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        gap = np.where(same, 0.0, np.abs(x - y))
    if not gap.any():
        return 0.0
    scale = np.abs(x[np.isfinite(x)]).max(initial=0.0)
    return float(np.nan_to_num(gap, nan=np.inf, posinf=np.inf).max() / max(scale, np.finfo(np.float32).tiny))
