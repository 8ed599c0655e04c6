"""Seeds of random streams: stable hashes of (seed, names).

trace gives dropout_mask its key with it, runtime/data/rng.py seeds the host's generators with it, so both name
streams the same way. Adding a layer changes no other layer's stream. It knows no op and no NumPy.
"""

from __future__ import annotations

import hashlib
import json


def digest_int(seed: int, names: tuple[str | int, ...], bits: int) -> int:
    """blake2b of (seed, *names) as an unsigned integer of `bits` bits (a multiple of 8); equal on every machine."""
    text = json.dumps([int(seed), *names], separators=(",", ":"))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=bits // 8).digest(), "little")


def key64(seed: int, *names: str | int) -> int:
    """Philox key of the stream called `names` (a layer's name) under the program's seed: 0 <= key < 2**64.

    >>> key64(0, "drop1") == key64(0, "drop1"), key64(0, "drop1") == key64(1, "drop1")
    (True, False)
    """
    return digest_int(seed, names, 64)
