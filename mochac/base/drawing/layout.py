"""Layout of a layered graph: boxes in rows by level, few crossings, long lines routed around boxes.

The method is that of Sugiyama, Tagawa and Toda (1981): assign levels, give a long line a point on every row it passes,
sort rows by the positions of their neighbours, compute positions by least squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mochac.base.records import record

GAP, RISE, LANE = 26, 50, 12
"""Distance between boxes of a row, distance between rows, and width reserved for a passing line; pixels."""
STRAIGHT = 8.0
"""Weight of the pull between two points of one line, relative to that between boxes."""
SORTS, PULLS = 12, 120
"""Number of rounds of sorting rows, and of moving them."""


@record
class Wire:
    """All lines that leave one box and may share their route."""

    source: int
    targets: tuple[int, ...]


@record
class Layout:
    """Centres of boxes (x, y), and the points (x, upper y, lower y) that each wire passes on its way to each target."""

    centres: tuple[tuple[float, float], ...]
    passes: dict[tuple[int, int], tuple[tuple[float, float, float], ...]]
    width: float
    height: float


class _Rows:
    """Boxes and the points of wires, in rows. Nodes 0..n-1 are boxes, the others are points."""

    def __init__(self, widths: Sequence[float], wires: Sequence[Wire]) -> None:
        self.widths = list(widths)
        self.level = levels(len(widths), wires)
        self.links: list[tuple[int, int]] = []
        self.points: dict[tuple[int, int], int] = {}
        for k, wire in enumerate(wires):
            self._lead(k, wire)
        rows: list[list[int]] = [[] for _ in range(max(self.level) + 1)]
        for node, level in enumerate(self.level):
            rows[level].append(node)
        self.rows = rows
        self.above: list[list[int]] = [[] for _ in self.level]
        self.below: list[list[int]] = [[] for _ in self.level]
        for a, b in self.links:
            self.below[a].append(b)
            self.above[b].append(a)

    def _lead(self, k: int, wire: Wire) -> None:
        """Add one chain of points down to the lowest target; every target branches off on the row above it."""
        last, bottom = wire.source, max(self.level[t] for t in wire.targets)
        for level in range(self.level[wire.source] + 1, bottom + 1):
            self.links += [(last, t) for t in wire.targets if self.level[t] == level]
            if level < bottom:
                point = len(self.level)
                self.level.append(level)
                self.widths.append(LANE)
                self.points[k, level] = point
                self.links.append((last, point))
                last = point

    def place(self) -> list[float]:
        """Centre of every node along its row."""
        best, least = [list(row) for row in self.rows], self._crossings()
        for sweep in range(SORTS):
            self._sort(downwards=sweep % 2 == 0)
            crossings = self._crossings()
            if crossings < least:
                best, least = [list(row) for row in self.rows], crossings
        self.rows = best
        x = [0.0] * len(self.level)
        for row in self.rows:
            for node, place in zip(row, _spaced([0.0] * len(row), self._gaps(row), [1.0] * len(row)), strict=True):
                x[node] = place
        for sweep in range(PULLS):
            self._pull(x, downwards=sweep % 2 == 0)
        return x

    def _sort(self, downwards: bool) -> None:
        near = self.above if downwards else self.below
        order = range(len(self.rows)) if downwards else range(len(self.rows) - 1, -1, -1)
        for k in order:
            place = {node: j for row in self.rows for j, node in enumerate(row)}
            centre = {n: _mean([place[m] for m in near[n]], place[n]) for n in self.rows[k]}
            self.rows[k].sort(key=lambda n: (centre[n], place[n]))

    def _crossings(self) -> int:
        place = {node: j for row in self.rows for j, node in enumerate(row)}
        total = 0
        for row in self.rows:
            ends = sorted((place[a], place[b]) for a in row for b in self.below[a])
            total += sum(1 for i, (a, b) in enumerate(ends) for c, d in ends[i + 1 :] if a < c and b > d)
        return total

    def _pull(self, x: list[float], downwards: bool) -> None:
        """Move every row towards its neighbours; points of long lines pull hardest, which keeps these straight."""
        boxes = len(self.widths) - len(self.points)
        for row in self.rows if downwards else self.rows[::-1]:
            wanted, weights = [], []
            for n in row:
                pulls = [(x[m], STRAIGHT if min(m, n) >= boxes else 1.0) for m in (*self.above[n], *self.below[n])]
                weights.append(sum(w for _, w in pulls) or 1e-3)
                wanted.append(sum(place * w for place, w in pulls) / weights[-1] if pulls else x[n])
            for node, place in zip(row, _spaced(wanted, self._gaps(row), weights), strict=True):
                x[node] = place

    def _gaps(self, row: Sequence[int]) -> list[float]:
        """Minimum distances between the centres of neighbours."""
        return [(self.widths[a] + self.widths[b]) / 2 + GAP for a, b in pairwise(row)]


def layout(sizes: Sequence[tuple[float, float]], wires: Sequence[Wire], margin: float) -> Layout:
    """Positions of boxes with the sizes (width, height).

    Args:
        wires: every source comes before its targets.
        margin: around the drawing.
    """
    rows = _Rows([w for w, _ in sizes], wires)
    x = rows.place()
    left = min(c - w / 2 for c, w in zip(x, rows.widths, strict=True)) - margin
    heights = [max(sizes[n][1] for n in row if n < len(sizes)) for row in rows.rows]
    tops = [margin + sum(heights[:k]) + k * RISE for k in range(len(heights))]
    centres = [(x[n] - left, tops[rows.level[n]] + sizes[n][1] / 2) for n in range(len(sizes))]
    passes = {}
    for k, wire in enumerate(wires):
        for target in wire.targets:
            between = range(rows.level[wire.source] + 1, rows.level[target])
            passes[k, target] = tuple((x[rows.points[k, r]] - left, tops[r], tops[r] + heights[r]) for r in between)
    width = max(c - left + w / 2 for c, w in zip(x, rows.widths, strict=True)) + margin
    return Layout(tuple(centres), passes, width, tops[-1] + heights[-1] + margin)


def levels(n: int, wires: Sequence[Wire]) -> list[int]:
    """The row of each box: below everything it reads; a box that reads nothing is right above its first reader.

    >>> levels(4, [Wire(0, (1,)), Wire(1, (3,)), Wire(2, (3,))])
    [0, 1, 1, 2]
    """
    level = [0] * n
    links = sorted((w.source, t) for w in wires for t in w.targets)
    for a, b in links:
        level[b] = max(level[b], level[a] + 1)
    fed = {b for _, b in links}
    for a in {a for a, _ in links} - fed:
        level[a] = min(level[b] for s, b in links if s == a) - 1
    return level


def _spaced(wanted: Sequence[float], gaps: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Positions close to the wanted ones (weighted least squares), in order and at least `gaps` apart.

    After subtracting the sums of gaps, the positions must ascend: isotonic regression by pooling adjacent violators.
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    pools: list[tuple[float, float, int]] = []
    for want, offset, weight in zip(wanted, offsets, weights, strict=True):
        mean, total, count = want - offset, weight, 1
        while pools and pools[-1][0] > mean:
            other, its, n = pools.pop()
            mean, total, count = (mean * total + other * its) / (total + its), total + its, count + n
        pools.append((mean, total, count))
    flat = [mean for mean, _, count in pools for _ in range(count)]
    return [place + offset for place, offset in zip(flat, offsets, strict=True)]


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
