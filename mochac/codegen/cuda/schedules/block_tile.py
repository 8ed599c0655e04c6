"""What one block of threads computes of a contraction: a tile of results, summed panel by panel.

A result belongs to one combination of row loops and one of column loops. On each side of a tile, the threads of a group
hold some rows or columns each; every group takes a share of each panel's terms.
"""

from __future__ import annotations

import itertools
import math

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.analysis.contraction import Contraction, Dims
from mochac.codegen.cuda.schedules.operands import Operand, Skip, busiest, operand
from mochac.codegen.cuda.schedules.sides import VECTOR, Side
from mochac.ir.steps.panels import row_of
from mochac.ir.types import DTYPES

PANELS = (16, 32, 64, 128, 256)
"""Approximate numbers of terms of a panel."""
GROUPS = (1, 2, 4, 5, 8, 16)


@record
class Panel:
    """The part of the sum between two barriers: `part` iterations of loop number `loop`, with all loops inside it."""

    sum: Dims
    loop: int
    part: int

    @cached_property
    def terms(self) -> int:
        return self.part * math.prod(n for _, n in self.sum[self.loop + 1 :])

    @cached_property
    def iterations(self) -> dict[str, int]:
        """Iterations of every loop of the sum inside a panel."""
        outside, (loop, _), inside = self.sum[: self.loop], self.sum[self.loop], self.sum[self.loop + 1 :]
        return {**{v: 1 for v, _ in outside}, loop: self.part, **dict(inside)}

    @cached_property
    def starts(self) -> int:
        """How many sequences of panels there are."""
        return math.prod(n for _, n in self.sum[: self.loop])

    @cached_property
    def count(self) -> int:
        """Number of panels."""
        return self.starts * -(-self.sum[self.loop][1] // self.part)

    @cached_property
    def shared(self) -> int:
        """Iterations that groups share: of this loop or, if the panel has one of them, of the next loop."""
        return self.part if self.part > 1 or self.loop + 1 == len(self.sum) else self.sum[self.loop + 1][1]

    @cached_property
    def row(self) -> int:
        """Elements of a row of all terms, with padding."""
        return row_of((*self.iterations.values(),), VECTOR)[0]

    @cached_property
    def whole(self) -> bool:
        """Whether its innermost loop is a number of vectors, all of them in the sum."""
        (loop, extent) = self.sum[-1]
        return self.iterations[loop] % VECTOR == 0 and extent % self.iterations[loop] == 0

    def aligned(self, groups: int) -> bool:
        """Whether every group's share begins at a vector: the rows of all inner terms do once they are long."""
        return self.terms // self.shared >= 2 * VECTOR or (self.terms // groups) % VECTOR == 0


@record
class ContractionSizes:
    """What the model of a multiprocessor needs to know of a contraction.

    Attributes:
        rows, columns: the sides that tiles are cut from.
        others: number of blocks for each tile (extent of the loops on which both factors depend).
        terms: the loops of the sum.
        size: bytes of an element.
    """

    rows: Operand
    columns: Operand
    others: int
    terms: Dims
    size: int = 4

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        """Ways to cut the sum: whole inner loops and a part of the next, about as long as PANELS.

        >>> sizes = ContractionSizes(Operand(()), Operand(()), 1, (("ci", 20), ("kh", 5), ("kw", 5)))
        >>> [(p.terms, p.count, p.part) for p in sizes.panels]
        [(25, 20, 1), (50, 10, 2), (100, 5, 4)]
        """
        cuts: dict[tuple[int, int], Panel] = {}
        for k, (_, extent) in reversed([*enumerate(self.terms)]):
            for about in PANELS:
                for multiple in (4, 32):
                    part = _part(extent, about / Panel(self.terms, k, 1).terms, multiple)
                    if part and (part < extent or k == 0):
                        cuts.setdefault((about, multiple), Panel(self.terms, k, part))
        found = dict.fromkeys(cuts.values()) or (Panel(self.terms, 0, self.terms[0][1]),)
        least = min(panel.terms * panel.count for panel in found)
        return tuple(panel for panel in found if panel.terms * panel.count <= 1.1 * least)


def _part(extent: int, about: float, multiple: int) -> int:
    """A length near `about` that divides an extent, best a multiple of some number; or, of a large one, that need not
    divide it. 0 if there is none."""
    near = [n for n in range(1, extent + 1) if 0.6 * about <= n <= 1.3 * about]
    whole = 1 if multiple > 4 else 2
    return min(near, key=lambda n: (whole * (extent % n != 0) + (n % multiple != 0), abs(n - about)), default=0)


def sizes(form: Contraction) -> ContractionSizes:
    """The sizes of a contraction."""
    size, (first, second) = DTYPES[form.kernel.outputs[0].type.dtype].itemsize, form.factors
    rows, columns = operand(form, first, form.rows), operand(form, second, form.columns, form.window)
    return ContractionSizes(rows, columns, form.size(form.shared), form.dims(form.terms), size)


@record
class BlockTile:
    """A tile of results, the panels of its sum, and how many groups of threads share each panel."""

    of: ContractionSizes
    rows: Side
    columns: Side
    panel: Panel
    groups: int = 1

    @cached_property
    def threads(self) -> int:
        return self.rows.threads * self.columns.threads * self.groups

    @cached_property
    def results(self) -> int:
        return self.rows.size * self.columns.size

    @cached_property
    def blocks(self) -> int:
        """Number of blocks in the grid."""
        return self.of.others * self.rows.tiles * self.columns.tiles

    @cached_property
    def products(self) -> float:
        """Products of all blocks, including those of padding, without those that are skipped."""
        kept = math.prod(skip.share for skip, _ in self.skips)
        return self.blocks * self.results * self.panel.terms * self.panel.count * kept

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.rows, self.columns

    @cached_property
    def of_sides(self) -> tuple[float, ...]:
        """Elements of each side that a block copies for each panel."""
        return tuple(side.size * self._shared_part(side) * self.panel.terms for side in self.sides)

    @cached_property
    def copied(self) -> float:
        """Elements of both operands that a block copies for each panel."""
        return sum(self.of_sides)

    @cached_property
    def copies(self) -> int:
        """Instructions of a thread that copy a panel."""
        parts = zip(self.of_sides, self.sides, strict=True)
        return sum(math.ceil(n / (self.threads * self._copied_at_once(side))) for n, side in parts)

    def _copied_at_once(self, side: Side) -> int:
        """Elements that an instruction copies: vectors, if rows are as long, and none of a vector is outside."""
        if not side.of.slides:
            return VECTOR if side.of.vector and self.panel.whole else 1
        extent = math.prod(threads * registers for loop, threads, registers in side.parts if loop == side.of.slides)
        cut = dict(side.of.dims).get(side.of.slides, extent) % extent
        inside = self.in_image(side) or not (side.of.skips or cut)
        return VECTOR if inside and self.span(side, extent * side.of.sliding) % VECTOR == 0 else 1

    def in_image(self, side: Side) -> bool:
        """Whether the positions that a thread has along the sliding loop read nothing outside of the operand."""
        return any(s.result == side.of.slides and place == "registers" for s, place in self.skips)

    def taps(self, side: Side) -> int:
        """Terms of a panel along the sliding loop."""
        return self.panel.iterations.get(side.of.tap, 1)

    def span(self, side: Side, positions: int) -> int:
        """Different elements that products of so many neighbours along the sliding loop read."""
        found = positions + abs(side.of.step) * (self.taps(side) - 1)
        return min(found, side.of.row) if self.in_image(side) else found

    def loads(self, side: Side) -> tuple[float, int]:
        """Loads of a thread from shared memory for each term, and elements of each. Rows of vectors that begin where a
        limit of a loop says are not known to be aligned."""
        fixed = self.panel.whole or not any(place == "blocks" for _, place in self.skips)
        if side.of.vector and self.panel.aligned(self.groups) and fixed:
            return side.registers / VECTOR, VECTOR
        if not side.of.slides:
            return side.registers, 1
        n, width = side.neighbours, VECTOR if side.aligned and (fixed or not side.of.tap) else 1
        return side.registers / n * math.ceil(self.span(side, n) / width) / self.taps(side), width

    def _shared_part(self, side: Side) -> float:
        """Part of the elements of a side that a panel's products read and do not share."""
        extents = {loop: threads * registers for loop, threads, registers in side.parts}
        return side.of.shared_part({**extents, **dict(side.of.window), **self.panel.iterations})

    @cached_property
    def exchanged(self) -> bool:
        """Whether results pass through shared memory: to be joined, or to be stored contiguously."""
        return self.groups > 1 or (self.columns.neighbours > 1 and self.of.columns.cells == 1)

    @cached_property
    def skips(self) -> tuple[tuple[Skip, str], ...]:
        """The terms that the tile skips, and where all places of the results are. The innermost loop of terms is
        unrolled, so conditions on registers are possible only there, and limits only for the other loops."""
        found: list[tuple[Skip, str]] = []
        for side in self.sides:
            for skip in side.of.skips:
                innermost = skip.term == self.of.terms[-1][0]
                if side.place(skip.result) == ("registers" if innermost else "blocks") and self._whole(skip.term):
                    found.append((skip, side.place(skip.result)))
        return tuple(found)

    def _whole(self, term: str) -> bool:
        """Whether every thread goes through all of a loop of terms in each panel."""
        first = self.panel.loop + (2 if self.groups > 1 and self.panel.part == 1 else 1)
        return term in [v for v, _ in self.of.terms[first:]]

    def share(self, multiprocessors: int) -> float:
        """Part of the products of the busiest multiprocessor that are not skipped."""
        in_registers = math.prod(skip.share for skip, place in self.skips if place == "registers")
        lists = [[n / skip.extent for n in skip.left] for skip, place in self.skips if place == "blocks"]
        if not lists:
            return in_registers
        shares = tuple(math.prod(one) for one in itertools.product(*lists))
        return in_registers * busiest(shares, self.blocks // len(shares), multiprocessors)

    def shared_bytes(self, halves: int = 1) -> int:
        """Shared memory of the panels, their rows padded, and of the parts that groups join."""
        return (halves * self._padded + (self.results * self.groups if self.exchanged else 0)) * self.of.size

    @cached_property
    def _padded(self) -> int:
        """Elements of the panels, with padding."""
        wider, parts = self.panel.row / self.panel.terms, zip(self.of_sides, self.sides, strict=True)
        return math.ceil(sum(n * (1.0 if side.of.slides else wider) for n, side in parts))
