"""Draws a random net of any kind."""

from __future__ import annotations

import random
from math import prod
from typing import Any

from mochac.tools.fuzzing.blocks import BlockDrawer
from mochac.tools.fuzzing.drawer import Drawer, DrawnNet, Shape
from mochac.tools.fuzzing.twins import TWINS, dtype_of

LONGEST = 70
MOST_ELEMS = 1500
"""Maximum elements of a sample of the data."""


class ShortDrawer(Drawer):
    """Mostly short nets: a fault takes few layers, and time goes to the code of each."""

    lengths = (1, 1, 2, 2, 2, 3, 3, 4, 7)
    heads = (1, 1, 1, 1, 2)


class ShortBlockDrawer(BlockDrawer):
    """Mostly one block."""

    lengths = (1, 1, 1, 1, 2, 3)


class WideDrawer(ShortDrawer):
    """Sequences, vectors, and images of one to three axes, of any extents."""

    def data_shape(self) -> Shape:
        """Axes of 1 to 70, as long as a sample stays small."""
        rng = self.rng
        shape = [rng.choice((1, 2, 3, 4, 7, 8, 16, 17))]
        for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3))):
            shape.append(rng.randint(1, max(1, min(LONGEST, MOST_ELEMS // prod(shape)))))
        if len(shape) == 1:
            shape = [rng.randint(1, LONGEST)]
        places = shape[1:]
        rng.shuffle(places)
        return (shape[0], *places)

    def window(self, shape: Shape) -> dict[str, Any]:
        """Any kernel that fits, any stride up to 5."""
        rng = self.rng
        kernel = tuple(rng.randint(1, min(n, rng.choice((3, 5, 9)))) for n in shape[1:])
        stride = tuple(rng.choice((1, 1, rng.randint(1, 5))) for _ in kernel)
        pad = tuple(rng.choice((0, rng.randint(0, k - 1))) for k in kernel)
        return {"kernel": kernel, "stride": stride, "pad": pad}


DRAWERS = (ShortDrawer, WideDrawer, ShortDrawer, WideDrawer, ShortDrawer, WideDrawer, ShortBlockDrawer, WideDrawer)
"""By the remainder of the seed; blocks take ten times as long as other nets."""
STEPS = (1, 2, 4)
SLOW = {
    "tuned": 0.02, "library": 0.25, "bfloat16": 0.3, "verified": 0.3, "float32": 0.5, "cpu": 0.6,
}  # fmt: skip
"""How often a twin that takes long is kept where it is drawn."""
ONLY_FLOAT32 = ("direct", "bfloat16")
"""Twins of code that trainings in float64 do not have."""


def drawn(seed: int) -> DrawnNet:
    """The case of a seed."""
    return DRAWERS[seed % len(DRAWERS)](seed).draw(random.Random(seed).choice(STEPS))


def twins_of(seed: int, count: int) -> list[str]:
    """Twins of a seed: the interpreter, and `count` others."""
    without = ("interpreted", *(ONLY_FLOAT32 if dtype_of(seed) != "float32" else ()))
    rng, others = random.Random(seed), [name for name in TWINS if name not in without]
    rng.shuffle(others)
    kept = [name for name in others if rng.random() < SLOW.get(name, 1.0)]
    return ["interpreted", *kept[:count]]
