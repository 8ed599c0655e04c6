"""reduced: a blob summed, or reduced otherwise, over axes."""

from __future__ import annotations

import math

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import BlobTensor, ImportedNode, Shape


def reduced(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: list[int], operation: str, *, keep: bool, last: bool = True
) -> BlobTensor:
    """x reduced over axes of its blob; over all axes, of a blob without samples, to one of a single element."""
    kept: Shape = tuple(1 if a in axes else extent for a, extent in enumerate(x.shape))
    left: Shape = tuple(extent for a, extent in enumerate(x.shape) if a not in axes)
    fields = {} if operation == "sum" else {"operation": operation}
    whole, place = x.place, x.place.without(axes)
    if not left:
        x, axes, left = reshaped(b, node, x, (1, math.prod(x.shape)), last=False), [1], (1,)
    made = b.layer(last and not keep, "Reduction", node, [x], left, place, axes=tuple(axes), **fields)
    return reshaped(b, node, made, kept, whole, last=last) if keep else made
