"""Roofs of hand-written plans: how far away operands are, and which bound holds."""

from __future__ import annotations

import pytest

from mochac.base.support.times import Bandwidth, Level
from mochac.inspect.roofline import Access, Roof, accesses, roof
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.types import parse_type

KB = 1024
LEVELS = Bandwidth(1, (Level("L1", 8 * KB, 100.0, 100.0), Level("memory", None, 10.0, 5.0)))


def placement(name, kilobytes, place="arena", offset=0):
    return Placement(name, parse_type(f"f32[{kilobytes * 256}]"), place, "" if place == "arena" else name, offset)


def plan():
    """x -> h -> y with weights w; y takes the place of h's neighbour."""
    placements = (
        placement("x", 1, "feed"),
        placement("w", 16, "state"),
        placement("h", 2),
        placement("y", 4, offset=4 * KB),
    )
    steps = (Launch("first", "first", ("x", "h"), 1, 0), Launch("second", "second", ("w", "h", "y"), 1, 1))
    return Plan("step", placements, steps, (), (), 8 * KB, 8 * KB)


def test_how_far_operands_are():
    first, second = accesses(plan(), [frozenset({"h"}), frozenset({"y"})])
    assert first == [
        Access(KB, False, 23 * KB),  # since the last step: everything
        Access(2 * KB, True, 7 * KB),  # h, y and now x
    ]
    assert second == [
        Access(16 * KB, False, 23 * KB),
        Access(2 * KB, False, 22 * KB),  # what the launch itself uses counts
        Access(4 * KB, True, 23 * KB),
    ]


def test_an_operand_used_just_before_is_near():
    placements = (
        placement("a", 1),
        placement("b", 1, offset=KB),
        placement("c", 1, offset=2 * KB),
        placement("d", 20, "state"),
    )
    steps = [("a", "b"), ("b", "c"), ("d",)]
    launches = tuple(Launch(str(k), str(k), names, 1, k) for k, names in enumerate(steps))
    found = accesses(Plan("p", placements, launches, (), (), 3 * KB, 3 * KB), [frozenset()] * 3)
    assert [a.reuse_distance for a in found[1]] == [2 * KB, 23 * KB]


@pytest.mark.parametrize(
    ("flops", "moved", "expected"),
    [
        (2_000_000, [Access(1000, False, KB)], Roof(2e-4, "peak")),
        (0, [Access(1000, False, KB)], Roof(1e-8, "L1")),
        (0, [Access(1000, False, 9 * KB)], Roof(1e-7, "memory")),
        (0, [Access(1000, False, 9 * KB), Access(1000, True, 9 * KB)], Roof(4e-7, "memory")),
        (0, [Access(100, False, 9 * KB), Access(10000, False, KB)], Roof(1.01e-7, "L1")),
    ],
)
def test_the_bound(flops, moved, expected):
    found = roof(flops, moved, peak_gflops=10.0, bandwidth=LEVELS)
    assert found.by == expected.by
    assert found.seconds == pytest.approx(expected.seconds)
