"""Arrays of the user that compiled code reads without a copy.

Tensors of PyTorch lie on a boundary of 64 bytes, as compiled code requires; NumPy's arrays do so by chance.
"""

from __future__ import annotations

import numpy as np

from mochac.base.support.aligned import is_aligned
from mochac.training.session.inputs import changed
from mochac.training.session.plan_set import PlanSet

LENT_BYTES = 1 << 16
"""Smaller arrays are copied in less time than it takes to look up their addresses."""


def may_lend(plans: PlanSet, top: str, shape: tuple[int, ...]) -> bool:
    """Whether batches of this shape, samples first, may be lent to a program as they are."""
    n_bytes = np.dtype(plans.dtype).itemsize * int(np.prod(shape))
    return plans.backend.in_host_memory and n_bytes >= LENT_BYTES and not changed(plans, top)


def can_lend(array: np.ndarray, like: np.ndarray) -> bool:
    """Whether an array has the form of a slot, so that it can be read in the slot's place."""
    return array.dtype == like.dtype and array.shape == like.shape and is_aligned(array)
