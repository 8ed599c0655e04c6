"""Rough rates of a whole device, for estimates of launches; none has been compared with a device yet."""

from __future__ import annotations

LAUNCH_S, FLOPS_PER_S, BYTES_PER_S = 2e-6, 20e12, 2e12
"""Minimum time of a launch, and rates of operations and of bytes."""
CLOCK_HZ = 1.7e9
"""Clock of an H100 or H200; others are not far."""


def estimate(flops: int, moved_bytes: int, fill: float) -> float:
    """Estimated seconds of a launch whose blocks fill the fraction `fill` of the device.

    >>> round(estimate(40_000_000, 2_000_000, 0.5), 7)
    6e-06
    """
    return LAUNCH_S + max(flops / FLOPS_PER_S, moved_bytes / BYTES_PER_S) / min(1.0, max(fill, 1e-3))
