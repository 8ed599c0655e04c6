"""RandomMask and Objective: values of nodes that are no tensors of the net."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.importing.node import BlobTensor
from mochac.importing.place import Shape


@dataclass(frozen=True)
class RandomMask:
    """Zeros and ones that are drawn in each step, times a factor. A DropoutLayer multiplies a blob by them.

    Attributes:
        keep: probability of a one.
        extents: of the tensor.
        factor: of the ones.
    """

    keep: float
    extents: Shape
    factor: float = 1.0

    def times(self, factor: float) -> RandomMask:
        """The mask times a factor."""
        return replace(self, factor=self.factor * factor)


@dataclass(frozen=True)
class Objective:
    """A sum of losses, each with a factor.

    Attributes:
        terms: tops of loss layers, and their factors.
    """

    terms: tuple[tuple[BlobTensor, float], ...]

    def times(self, factor: float) -> Objective:
        """The sum times a factor."""
        return Objective(tuple((top, weight * factor) for top, weight in self.terms))

    def plus(self, other: Objective) -> Objective:
        """The sum of two."""
        return Objective((*self.terms, *other.terms))
