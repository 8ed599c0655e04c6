"""log_softmax: logarithms of a softmax, finite for all finite scores."""

from __future__ import annotations

from collections.abc import Sequence

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import formula, inner
from mochac.formats.importing.node import BlobTensor, ImportedNode
from mochac.formats.importing.reduced import reduced


def log_sum_exp(b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: Sequence[int]) -> BlobTensor:
    """log(sum(exp(x))) over axes of the blob, which stay with extent 1."""
    top, _, total = _shifted(b, node, x, axes)
    return inner(b, node, "add(log({0}), {1})", total, top)


def log_softmax(b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, *, last: bool = True) -> BlobTensor:
    """x - log(sum(exp(x))) along an axis of the blob."""
    _, distance, total = _shifted(b, node, x, [axis])
    return (formula if last else inner)(b, node, "sub({0}, log({1}))", distance, total)


def _shifted(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axes: Sequence[int]
) -> tuple[BlobTensor, BlobTensor, BlobTensor]:
    """The maximum, which no gradient passes, the distances to it, and the sum of their exponentials."""
    most = reduced(b, node, x, list(axes), "max", keep=True, last=False)
    top = b.between("StopGradient", node, [most], most.shape, None, most.place)
    distance = inner(b, node, "sub({0}, {1})", x, top)
    total = reduced(b, node, inner(b, node, "exp({0})", distance), list(axes), "sum", keep=True, last=False)
    return top, distance, total
