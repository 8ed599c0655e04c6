"""for_all: a constant as a blob, the same for all samples."""

from __future__ import annotations

import numpy as np

from mochac.importing.builder import NetBuilder
from mochac.importing.formulas import inner
from mochac.importing.node import BlobTensor, Constant, ImportedNode, Tensor
from mochac.importing.reduced import reduced


def for_all(b: NetBuilder, node: ImportedNode, x: Tensor, like: BlobTensor) -> BlobTensor:
    """A tensor without samples for every sample, written as select(0, a number of the sample, the tensor).

    Raises:
        UnsupportedError: the constant differs from sample to sample.
    """
    axes = list(range(1, len(like.shape)))
    each = reduced(b, node, like, axes, "max", keep=True, last=False) if axes else like
    return inner(b, node, "select({0}, {1}, {2})", Constant(np.zeros(1, np.int64)), each, x)
