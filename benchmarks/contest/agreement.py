"""Do all contenders compute the same? Their weights after three steps, against mochac's.

lenet.py asks before it times anything. It knows no framework.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contest.contender import Contender

STEPS = 3
TOLERANCE = 1e-4


def differences(contenders: Sequence[Contender]) -> dict[str, float]:
    """By contender, the largest absolute difference of a weight from the first contender's."""
    found: dict[str, float] = {}
    expected = None
    for contender in contenders:
        contender.reset()
        contender.steps(STEPS)
        weights = contender.weights()
        expected = expected or weights
        found[contender.name] = max(float(np.abs(weights[k] - expected[k]).max()) for k in expected)
    return found
