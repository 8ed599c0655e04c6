"""Random streams: one independent stream per (seed, names), on the host and in compiled code.

The numbers of a stream depend on its names alone: adding a layer changes no other layer's initial parameters or dropout
masks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import numpy as np


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """A new host generator (Philox) for the stream called `names` under `seed`.

    >>> int(generator(0, "ip1", "weight").integers(100)) == int(generator(0, "ip1", "weight").integers(100))
    True
    """
    return np.random.Generator(np.random.Philox(key=_digest(seed, names, 128)))


def generators(seed: int, *names: str | int) -> Callable[[int, int], np.random.Generator]:
    """Generators for many parts of the stream called `names`, such as (epoch, sample): cheaper than a stream for each.

    >>> draw = generators(0, "augment")
    >>> int(draw(1, 7).integers(100)) == int(draw(1, 7).integers(100))
    True
    """
    key = _digest(seed, names, 128)
    return lambda major, minor: np.random.Generator(np.random.Philox(key=key, counter=[0, minor, major, 0]))


def key64(seed: int, *names: str | int) -> int:
    """Philox key of the stream called `names` for compiled code: 0 <= key < 2**64.

    >>> key64(0, "drop1") == key64(0, "drop1"), key64(0, "drop1") == key64(1, "drop1")
    (True, False)
    """
    return _digest(seed, names, 64)


def _digest(seed: int, names: tuple[str | int, ...], bits: int) -> int:
    """blake2b of (seed, *names) as an unsigned integer of `bits` bits (a multiple of 8); the same on every machine."""
    text = json.dumps([int(seed), *names], separators=(",", ":"))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=bits // 8).digest(), "little")
