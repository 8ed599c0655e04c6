"""for_all, with_batch: what holds no samples as a blob, the same for all samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, ImportedNode, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace
from mochac.formats.importing.reduced import reduced


def for_all(b: NetBuilder, node: ImportedNode, x: Tensor, like: BlobTensor) -> BlobTensor:
    """A tensor without samples for every sample, written as select(0, a number of the sample, the tensor).

    Raises:
        UnsupportedError: the constant differs from sample to sample.
    """
    axes = [a for a, extent in enumerate(like.shape) if a and extent > 1]
    each = reduced(b, node, like, axes, "max", keep=True, last=False) if axes else like
    return inner(b, node, "select({0}, {1}, {2})", Constant(np.zeros(1, np.int64)), each, x)


def with_batch(b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int) -> BlobTensor:
    """A blob without samples for every sample; the graph's tensor has the batch in front of this axis of the blob."""
    like = next(blob for blob in b.values.values() if isinstance(blob, BlobTensor) and blob.samples and blob.shape)
    over = list(range(1, len(like.shape)))
    each = reduced(b, node, like, over, "max", keep=False, last=False) if over else like
    ones = (b.batch, *(1 for _ in x.shape))
    each = reshaped(b, node, replace(each, place=FIRST), ones, FIRST, last=False)
    made = for_all(b, node, reshaped(b, node, x, (1, *x.shape), last=False), each)
    return replace(made, place=BatchPlace(axis))
