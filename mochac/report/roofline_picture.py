"""The roofline of a step: a dot for each kernel, below what arithmetic and each level of memory allow.

After Williams, Waterman, Patterson, "Roofline" (2009).
"""

from __future__ import annotations

import math

from mochac.drawing.svg import circle, cut, drawing, label, line, link
from mochac.report.colours import INK, LEVELS, PALE, by_percent
from mochac.report.facts import StepFacts, Timed
from mochac.runtime.support.columns import duration
from mochac.runtime.support.rates import Level

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 420, 56, 44, 16, 24
LARGEST, SMALLEST = 15.0, 3.5
"""Radii of dots."""
NAMED = 4
"""Dots that get their name written beside them: the costliest."""


def roofline(facts: StepFacts) -> str:
    """The drawing; "" if no kernel has operations to count."""
    dots = [kernel for kernel in facts.kernels if kernel.time.gflops and kernel.time.gbs]
    if not dots:
        return ""
    area = _Area(facts, dots)
    parts = [*area.grid(), *(area.ceiling(level, k) for k, level in enumerate(facts.profile.bandwidth.levels))]
    parts += area.peak()
    named = {kernel.number for kernel in facts.costliest[:NAMED]}
    for kernel in sorted(dots, key=lambda kernel: -kernel.time.share):
        parts += area.dot(kernel, kernel.number in named)
    return drawing(WIDTH, HEIGHT, parts, "Roofline: operations a second by operations a byte")


class _Area:
    """Logarithmic axes around all dots and the peak."""

    def __init__(self, facts: StepFacts, dots: list[Timed]) -> None:
        self.facts = facts
        intensity = [intensity_of(kernel) for kernel in dots]
        rates = [kernel.time.gflops for kernel in dots]
        peak = facts.profile.peak_gflops
        knee = peak / facts.profile.bandwidth.levels[-1].read_gbs
        self.x0, self.x1 = _decades(min(*intensity, 1.0), max(*intensity, 2 * knee))
        self.y0, self.y1 = _decades(max(min(rates), peak / 1e5), peak * 1.5)

    def at(self, intensity: float, gflops: float) -> tuple[float, float]:
        """Pixels of a point."""
        right = (math.log10(intensity) - self.x0) / (self.x1 - self.x0)
        up = (math.log10(max(gflops, 10**self.y0)) - self.y0) / (self.y1 - self.y0)
        return LEFT + right * (WIDTH - LEFT - RIGHT), TOP + (1 - up) * (HEIGHT - TOP - BOTTOM)

    def grid(self) -> list[str]:
        parts: list[str] = []
        for power in range(math.ceil(self.x0), math.floor(self.x1) + 1):
            x, _ = self.at(10.0**power, 10**self.y0)
            parts += [
                line(x, TOP, x, HEIGHT - BOTTOM, PALE),
                label(x, HEIGHT - BOTTOM + 16, f"{10.0**power:g}", "middle"),
            ]
        for power in range(math.ceil(self.y0), math.floor(self.y1) + 1):
            _, y = self.at(1.0, 10.0**power)
            parts += [line(LEFT, y, WIDTH - RIGHT, y, PALE), label(LEFT - 6, y + 4, f"{10.0**power:g}", "end")]
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(label(middle, HEIGHT - 8, "operations a byte of operands and results", "middle", f'fill="{INK}"'))
        turned = f'transform="rotate(-90 14 {HEIGHT / 2:.0f})" fill="{INK}"'
        return [*parts, label(14, HEIGHT / 2, "GFLOP/s", "middle", turned)]

    def peak(self) -> list[str]:
        rate = self.facts.profile.peak_gflops
        (x0, y), (x1, _) = self.at(10**self.x0, rate), self.at(10**self.x1, rate)
        words = label(x1, y - 6, f"multiply-add peak, {rate:.4g} GFLOP/s", "end", f'fill="{INK}" font-weight="bold"')
        return [line(x0, y, x1, y, INK, 'stroke-width="2"'), words]

    def ceiling(self, level: Level, k: int) -> str:
        """The line of a level of memory, up to the peak."""
        knee = self.facts.profile.peak_gflops / level.read_gbs
        low = max(10**self.x0, 10**self.y0 / level.read_gbs)
        (x0, y0), (x1, y1) = self.at(low, low * level.read_gbs), self.at(knee, knee * level.read_gbs)
        colour = LEVELS[min(k, len(LEVELS) - 1)]
        angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
        tx, ty = x0 + 0.12 * (x1 - x0), y0 + 0.12 * (y1 - y0)
        turned = f'fill="{colour}" transform="rotate({angle:.1f} {tx:.1f} {ty:.1f})"'
        words = label(tx, ty - 4, f"{level.name} {level.read_gbs:.4g} GB/s", "start", turned)
        return line(x0, y0, x1, y1, colour, 'stroke-width="1.5"') + words

    def dot(self, kernel: Timed, named: bool) -> list[str]:
        x, y = self.at(intensity_of(kernel), kernel.time.gflops)
        radius = max(SMALLEST, LARGEST * math.sqrt(min(1.0, kernel.time.share / 0.25)))
        row = kernel.time
        tip = f"{kernel.name}: {duration(row.seconds)}, {row.share:.1%} of the step, {row.gflops:.4g} GFLOP/s, "
        tip += f"{row.percent_roof:.0f} % of its roof ({row.bound_by})"
        disc = circle(x, y, radius, by_percent(row.percent_roof), tip, 'fill-opacity="0.85" stroke="#fff"')
        parts = [link(kernel.anchor, disc)]
        if named:
            side, dx = ("end", -radius - 4) if x > WIDTH * 0.6 else ("start", radius + 4)
            parts.append(label(x + dx, y + 4, cut(kernel.name, 210), side))
        return parts


def intensity_of(kernel: Timed) -> float:
    """Operations of the formula for each byte of operands and results."""
    return kernel.time.gflops / kernel.time.gbs


def _decades(low: float, high: float) -> tuple[float, float]:
    """Logarithms of a range, with a margin."""
    return math.log10(low) - 0.15, math.log10(high) + 0.15
