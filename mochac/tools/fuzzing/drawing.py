"""Which net a seed draws, and which twins it is compared with."""

from __future__ import annotations

import random

from mochac.tools.fuzzing.blocks import BlockDrawer
from mochac.tools.fuzzing.drawer import Drawer, DrawnNet
from mochac.tools.fuzzing.twins import TWINS
from mochac.tools.fuzzing.wide import WideDrawer

DRAWERS = (Drawer, WideDrawer, BlockDrawer, WideDrawer)
STEPS = (1, 2, 4)
SLOW = {"tuned": 0.02, "bfloat16": 0.5, "verified": 0.5, "library": 0.7}
"""How often a twin that takes long is kept where it is drawn."""


def drawn(seed: int) -> DrawnNet:
    """The case of a seed."""
    return DRAWERS[seed % len(DRAWERS)](seed).draw(random.Random(seed).choice(STEPS))


def twins_of(seed: int, count: int) -> list[str]:
    """Twins of a seed: the interpreter, and `count` others."""
    rng, others = random.Random(seed), [name for name in TWINS if name != "interpreted"]
    rng.shuffle(others)
    kept = [name for name in others if rng.random() < SLOW.get(name, 1.0)]
    return ["interpreted", *kept[:count]]
