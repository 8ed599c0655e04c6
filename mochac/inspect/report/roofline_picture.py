"""The roofline of a step: a dot for each kernel, below what arithmetic and each level of memory allow.

After Williams, Waterman, Patterson, "Roofline" (2009).
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import TypeAlias

from mochac.base.drawing.svg import INK, LEVELS, PALE, by_percent, circle, cut, drawing, label, line, link
from mochac.base.support.array_like import duration
from mochac.base.support.times import Level
from mochac.inspect.report.facts import StepFacts, Timed
from mochac.inspect.report.verdict import roof_name

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 420, 56, 44, 16, 24
CHAR, LINE = 6.8, 13.0
"""Width and height of a character, pixels."""
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
MAX_RADIUS, MIN_RADIUS = 15.0, 3.5
"""Radii of dots."""
BEGIN = 0.12
"""Start of the words along a line, as a share of its length."""
TICK = 40
"""Approximate pixels between the numbers of an axis."""
NAMED = 4
"""Number of dots with a name beside their number: the costliest."""


def roofline(facts: StepFacts, width: float = WIDTH) -> str:
    """The drawing, with this width in pixels; "" if no kernel has operations to count."""
    dots = [kernel for kernel in facts.kernels if kernel.time.gflops and kernel.time.gbs]
    if not dots:
        return ""
    area = _Area(facts, dots, width)
    parts = [*area.grid(), *map(area.ceiling, range(len(facts.profile.bandwidth.levels)))]
    parts += area.peak()
    named = {kernel.number for kernel in facts.costliest[:NAMED]}
    costly = sorted(dots, key=lambda kernel: -kernel.time.share)
    parts += [area.dot(kernel) for kernel in costly]
    parts += area.words(costly, named)
    return drawing(width, HEIGHT, parts, "Roofline: operations a second by operations a byte")


class _Area:
    """Logarithmic axes around all dots and the peak."""

    def __init__(self, facts: StepFacts, dots: list[Timed], width: float) -> None:
        self.facts, self.right = facts, width - RIGHT
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
        return LEFT + right * (self.right - LEFT), TOP + (1 - up) * (HEIGHT - TOP - BOTTOM)

    def grid(self) -> list[str]:
        parts: list[str] = []
        for value in log_ticks(self.x0, self.x1, (self.right - LEFT) / TICK):
            x, _ = self.at(value, 10**self.y0)
            parts += [line(x, TOP, x, HEIGHT - BOTTOM, PALE), label(x, HEIGHT - BOTTOM + 16, f"{value:g}", "middle")]
        for value in log_ticks(self.y0, self.y1, (HEIGHT - TOP - BOTTOM) / TICK):
            _, y = self.at(1.0, value)
            parts += [line(LEFT, y, self.right, y, PALE), label(LEFT - 6, y + 4, f"{value:g}", "end")]
        middle = (LEFT + self.right) / 2
        parts.append(label(middle, HEIGHT - 8, "operations a byte of operands and results", "middle", f'fill="{INK}"'))
        turned = f'transform="rotate(-90 14 {HEIGHT / 2:.0f})" fill="{INK}"'
        return [*parts, label(14, HEIGHT / 2, "GFLOP/s", "middle", turned)]

    def peak(self) -> list[str]:
        rate = self.facts.profile.peak_gflops
        (x0, y), (x1, _) = self.at(10**self.x0, rate), self.at(10**self.x1, rate)
        words = label(x1, y - 6, self._peak, "end", f'fill="{INK}" font-weight="bold"')
        return [line(x0, y, x1, y, INK, 'stroke-width="2"'), words]

    @property
    def _peak(self) -> str:
        return f"multiply-add peak, {self.facts.profile.peak_gflops:.4g} GFLOP/s"

    def ceiling(self, k: int) -> str:
        """The line of a level of memory, up to the peak, and its words along it."""
        level, ends = self.facts.profile.bandwidth.levels[k], self._ends(k)
        if ends is None:
            return ""
        x0, y0, x1, y1 = ends
        colour = LEVELS[min(k, len(LEVELS) - 1)]
        angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
        tx, ty = x0 + BEGIN * (x1 - x0), y0 + BEGIN * (y1 - y0)
        turned = f'fill="{colour}" transform="rotate({angle:.1f} {tx:.1f} {ty:.1f})"'
        return line(x0, y0, x1, y1, colour, 'stroke-width="1.5"') + label(tx, ty - 4, _rate(level), "start", turned)

    def _ends(self, k: int) -> Box | None:
        """The ends of the line of a level; None if it limits nothing that is shown."""
        level = self.facts.profile.bandwidth.levels[k]
        knee = self.facts.profile.peak_gflops / level.read_gbs
        low = max(10**self.x0, 10**self.y0 / level.read_gbs)
        return None if knee <= low else (*self.at(low, low * level.read_gbs), *self.at(knee, knee * level.read_gbs))

    def _beside_ceilings(self) -> list[Box]:
        """The area of the words along the lines, as squares."""
        boxes: list[Box] = []
        for k, level in enumerate(self.facts.profile.bandwidth.levels):
            if (ends := self._ends(k)) is not None:
                x0, y0, x1, y1 = ends
                length = math.hypot(x1 - x0, y1 - y0)
                dx, dy = (x1 - x0) / length, (y1 - y0) / length
                for way in range(0, int(CHAR * len(_rate(level))), int(CHAR)):
                    x, y = (a + BEGIN * (b - a) + way * d for a, b, d in ((x0, x1, dx), (y0, y1, dy)))
                    boxes.append(_around(x + 8 * dy, y - 8 * dx, LINE / 2))
        return boxes

    def dot(self, kernel: Timed) -> str:
        x, y = self.at(intensity_of(kernel), kernel.time.gflops)
        radius = _radius(kernel)
        row = kernel.time
        tip = f"{kernel.name}: {duration(row.seconds)}, {row.share:.1%} of the step, {row.gflops:.4g} GFLOP/s, "
        tip += f"{row.percent_roof:.0f} % of its roof, set by {roof_name(row.bound_by)}"
        disc = circle(x, y, radius, by_percent(row.percent_roof), tip, 'fill-opacity="0.85" stroke="#fff"')
        return link(kernel.anchor, disc)

    def words(self, kernels: Sequence[Timed], named: Container[int]) -> list[str]:
        """A number beside each dot, and some names, where they cover no dot and no other words; others are left out."""
        taken = [_around(*self.at(intensity_of(k), k.time.gflops), _radius(k)) for k in kernels]
        taken += self._beside_ceilings()
        right, y = self.at(10**self.x1, self.facts.profile.peak_gflops)
        taken += [(LEFT, y - 1, right, y + 1), (right - CHAR * len(self._peak), y - 6 - LINE, right, y)]
        parts: list[str] = []
        for k in kernels:
            x, y = self.at(intensity_of(k), k.time.gflops)
            for text in (f"{k.number} {cut(k.name, 210)}", str(k.number))[k.number not in named :]:
                place = _free(x, y, _radius(k), CHAR * len(text), taken, self.right)
                if place is not None:
                    taken.append(place)
                    parts.append(label((place[0] + place[2]) / 2, place[3] - 3, text, "middle"))
                    break
        return parts


def _free(x: float, y: float, radius: float, width: float, taken: Sequence[Box], right: float) -> Box | None:
    """A place for words right of a dot, left of it, above or below, that nothing covers; None if there is none."""
    beside, above = radius + 3, radius + LINE
    for left, top in (
        (x + beside, y - LINE / 2),
        (x - beside - width, y - LINE / 2),
        *((x - width / 2, y + dy) for dy in (-above - 1, radius + 1, -above - LINE, above)),
    ):
        box = (left, top, left + width, top + LINE)
        inside = left >= LEFT and box[2] <= right and top >= TOP and box[3] <= HEIGHT - BOTTOM
        if inside and not any(_meet(box, other) for other in taken):
            return box
    return None


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _around(x: float, y: float, radius: float) -> Box:
    return x - radius, y - radius, x + radius, y + radius


def _rate(level: Level) -> str:
    return f"{level.name} {level.read_gbs:.4g} GB/s"


def _radius(kernel: Timed) -> float:
    return max(MIN_RADIUS, MAX_RADIUS * math.sqrt(min(1.0, kernel.time.share / 0.25)))


def log_ticks(low: float, high: float, room: float) -> list[float]:
    """Round numbers between powers of ten: the powers, with twice and five times them where there is room for three
    numbers a decade.

    >>> log_ticks(0.0, 1.0, 9), log_ticks(-1.0, 4.0, 9)
    ([1.0, 2.0, 5.0, 10.0], [0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0])
    """
    steps = (1, 2, 5) if 3 * (high - low) < room else (1,)
    values = [float(f"{m}e{power}") for power in range(math.floor(low), math.floor(high) + 1) for m in steps]
    return [value for value in values if low <= math.log10(value) <= high]


def intensity_of(kernel: Timed) -> float:
    """Operations of the formula for each byte of operands and results."""
    return kernel.time.gflops / kernel.time.gbs


def _decades(low: float, high: float) -> tuple[float, float]:
    """Logarithms of a range, with a margin."""
    return math.log10(low) - 0.15, math.log10(high) + 0.15
