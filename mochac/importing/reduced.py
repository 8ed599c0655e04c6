"""reduced: a blob summed, or reduced otherwise, over axes."""

from __future__ import annotations

from mochac.importing.builder import NetBuilder
from mochac.importing.formulas import reshaped
from mochac.importing.node import BlobTensor, ImportedNode, Shape


def reduced(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: list[int], operation: str, *, keep: bool, last: bool = True
) -> BlobTensor:
    """x reduced over axes of its blob."""
    kept: Shape = tuple(1 if a in axes else extent for a, extent in enumerate(x.shape))
    left: Shape = tuple(extent for a, extent in enumerate(x.shape) if a not in axes)
    fields = {} if operation == "sum" else {"operation": operation}
    place = x.place.without(axes)
    made = b.layer(last and not keep, "Reduction", node, [x], left, place, axes=tuple(axes), **fields)
    return reshaped(b, node, made, kept, x.place, last=last) if keep else made
