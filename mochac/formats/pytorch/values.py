"""RandomMask, MaskedBlob and Objective: values of nodes that are no tensors of the net."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from mochac.base.records import record
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import inner
from mochac.formats.importing.node import BlobTensor, ImportedNode
from mochac.formats.importing.place import Shape


@record
class RandomMask:
    """Zeros and ones that are drawn in each step, times a factor, plus a shift. A DropoutLayer multiplies a blob by
    them.

    Attributes:
        draw: the node that draws them.
        keep: probability of a one.
        extents: of the tensor.
        factor: of the ones.
    """

    draw: str
    keep: float
    extents: Shape
    factor: float = 1.0
    shift: float = 0.0

    def times(self, factor: float) -> RandomMask:
        """The mask times a factor."""
        return replace(self, factor=self.factor * factor, shift=self.shift * factor)

    def plus(self, number: float) -> RandomMask:
        """The mask plus a number."""
        return replace(self, shift=self.shift + number)


@record
class MaskedBlob:
    """A blob times a random mask, to which alpha dropout adds the mask."""

    blob: BlobTensor
    mask: RandomMask


@record
class Objective:
    """A sum of values of losses, and of functions of them, each with a factor.

    Attributes:
        terms: blobs (), and their factors.
    """

    terms: tuple[tuple[BlobTensor, float], ...]

    def times(self, factor: float) -> Objective:
        """The sum times a factor."""
        return Objective(tuple((top, weight * factor) for top, weight in self.terms))

    def plus(self, other: Objective) -> Objective:
        """The sum of two."""
        return Objective((*self.terms, *other.terms))

    def value(self, b: NetBuilder, node: ImportedNode) -> BlobTensor:
        """The sum as a blob ()."""
        parts = [top if weight == 1 else inner(b, node, f"mul({{0}}, {weight!r})", top) for top, weight in self.terms]
        return reduce(lambda total, part: inner(b, node, "add({0}, {1})", total, part), parts)
