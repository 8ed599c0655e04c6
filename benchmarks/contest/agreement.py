"""Do all contenders compute the same? Their weights after three steps, or their predictions, against the first one's.

Where rounding errors grow from step to step, one contender of each framework takes two steps in float64, and all take
one in float32.
measure.py asks before anything is timed. It knows no framework.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contest.contender import Contender
from contest.task import Arrays

STEPS = 3
TOLERANCE = 0.01
"""Largest difference, as a part of how far the steps moved an array's weights, or of the largest prediction;"""
ROUGH = 0.1
"""after the first step in float32 where rounding errors grow: PyTorch's channels_last differs by 2 % in ResNet-20,
though all frameworks agree in float64;"""
EXACT, EXACT_STEPS = 1e-6, 2
"""in float64, and how many steps; with the second one momentum counts."""
ROUNDING = 1e-6
"""Differences that float32 explains by itself; one ulp of a weight near 1 is 1e-7."""


class Disagreement(Exception):
    """Contenders that do not compute the same."""


def compare(
    contenders: Sequence[Contender], start: Arrays, steps: int = STEPS, tolerance: float = TOLERANCE
) -> dict[str, float]:
    """By contender, the largest difference from the first one's values after some steps.

    Args:
        start: the values before the steps; absent arrays count as zero.

    Raises:
        Disagreement: a difference is above the tolerance, or a value is not finite.
    """
    found: dict[str, float] = {}
    expected: Arrays = {}
    for contender in contenders:
        contender.reset()
        contender.steps(steps)
        values = contender.values()
        expected = expected or values
        found[contender.name] = _difference(contender.name, values, expected, start, tolerance)
    return found


def _difference(name: str, values: Arrays, expected: Arrays, start: Arrays, tolerance: float) -> float:
    largest = 0.0
    for key, wanted in expected.items():
        apart = float(np.abs(values[key] - wanted).max())
        moved = float(np.abs(wanted - start.get(key, 0.0)).max())
        if not apart <= tolerance * (moved + ROUNDING / TOLERANCE):
            raise Disagreement(
                f"{name}: {key} differs by {apart:.1e} where {moved:.1e} is its size: not the same computation, "
                "nothing is timed"
            )
        largest = max(largest, apart)
    return largest
