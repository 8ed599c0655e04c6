"""Random generators of the host: one independent stream per (seed, names).

Initializers, shuffling and random data layers draw from them. Which numbers a stream gives depends on its names only,
never on what else was drawn; device streams (dropout) use the same naming through ir/hashing.key64.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.hashing import digest_int


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """A fresh generator (Philox) for the stream called `names` under `seed`.

    >>> int(generator(0, "ip1", "weight").integers(100)) == int(generator(0, "ip1", "weight").integers(100))
    True
    """
    return np.random.Generator(np.random.Philox(key=digest_int(seed, names, 128)))
