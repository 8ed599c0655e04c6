"""Random streams: one independent stream per (seed, names), on the host and in compiled code.

The numbers of a stream depend on its names alone: adding a layer changes no other layer's initial parameters or dropout
masks.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable

import numpy as np


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """A new host generator (Philox) for the stream called `names` under `seed`.

    >>> int(generator(0, "ip1", "weight").integers(100)) == int(generator(0, "ip1", "weight").integers(100))
    True
    """
    return np.random.Generator(np.random.Philox(key=_digest(seed, names, 128)))


def successive(seed: int, *names: str | int) -> Callable[..., np.random.Generator]:
    """`generator`, for many streams whose names begin alike. Numbers must be drawn at once, since the next call in this
    thread reuses the generator: making one asks the system for entropy, and takes far longer than drawing a few
    numbers.

    >>> order = successive(0, "order")
    >>> int(order(3, 1).integers(100)) == int(generator(0, "order", 3, 1).integers(100))
    True
    """
    begun = _hashed(_text(seed, names)[:-1], 128)

    def begin(*rest: int) -> np.random.Generator:
        key = begun.copy()
        key.update(("".join(f",{int(name)}" for name in rest) + "]").encode())
        return _OWN.begin(int.from_bytes(key.digest(), "little"), (0, 0))

    return begin


def generators(seed: int, *names: str | int) -> Callable[[int, int], np.random.Generator]:
    """Generators for many parts of the stream called `names`, such as (epoch, sample). Each thread has one, which
    begins anew with every call: making one takes far longer than drawing a few numbers.

    >>> draw = generators(0, "augment")
    >>> int(draw(1, 7).integers(100)) == int(draw(1, 7).integers(100))
    True
    """
    key, own = _digest(seed, names, 128), _Own()
    return lambda major, minor: own.begin(key, (minor, major))


class _Own(threading.local):
    """A generator of each thread, which begins anew with every call."""

    def __init__(self) -> None:
        self._generator = np.random.Generator(np.random.Philox(key=0))
        self._rest = {"buffer": (0, 0, 0, 0), "buffer_pos": 4, "has_uint32": 0, "uinteger": 0}

    def begin(self, key: int, middle: tuple[int, int]) -> np.random.Generator:
        """The generator at the start of a stream; `middle`: words 1 and 2 of its counter."""
        state = {"counter": (0, *middle, 0), "key": (key & (1 << 64) - 1, key >> 64)}
        self._generator.bit_generator.state = {"bit_generator": "Philox", "state": state, **self._rest}
        return self._generator


_OWN = _Own()


def key64(seed: int, *names: str | int) -> int:
    """Philox key of the stream called `names` for compiled code: 0 <= key < 2**64.

    >>> key64(0, "drop1") == key64(0, "drop1"), key64(0, "drop1") == key64(1, "drop1")
    (True, False)
    """
    return _digest(seed, names, 64)


def _digest(seed: int, names: tuple[str | int, ...], bits: int) -> int:
    """blake2b of (seed, *names) as an unsigned integer of `bits` bits (a multiple of 8); the same on every machine."""
    return int.from_bytes(_hashed(_text(seed, names), bits).digest(), "little")


def _text(seed: int, names: tuple[str | int, ...]) -> str:
    return json.dumps([int(seed), *names], separators=(",", ":"))


def _hashed(text: str, bits: int) -> hashlib.blake2b:
    return hashlib.blake2b(text.encode(), digest_size=bits // 8)
