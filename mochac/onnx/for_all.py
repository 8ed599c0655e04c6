"""for_all: a constant as a blob, the same for all samples."""

from __future__ import annotations

import numpy as np

from mochac.onnx.builder import NetBuilder
from mochac.onnx.formulas import inner
from mochac.onnx.operator import BlobTensor, Given, OnnxNode
from mochac.onnx.reduced import reduced


def for_all(b: NetBuilder, node: OnnxNode, x: Given, like: BlobTensor) -> BlobTensor:
    """The constant for every sample, written as select(0, a number of the sample, the constant).

    Raises:
        UnsupportedError: the constant differs from sample to sample.
    """
    axes = list(range(1, len(like.shape)))
    each = reduced(b, node, like, axes, "max", keep=True, last=False) if axes else like
    return inner(b, node, "select({0}, {1}, {2})", Given(np.zeros(1, np.int64)), each, x)
