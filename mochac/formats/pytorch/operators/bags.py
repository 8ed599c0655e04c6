"""Bags of embeddings (nn.EmbeddingBag): rows of a table, reduced for each bag."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace
from mochac.formats.importing.rearranged import reduced
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import aten

_MODES = ("sum", "mean", "max")


@aten("embedding_bag", "_embedding_bag", weights=True)
def embedding_bag(
    b: TorchBuilder, node: AtenNode, weight: Tensor, indices: Tensor, offsets: Tensor,
    scale_grad_by_freq: bool = False, mode: int = 0, sparse: bool = False, per_sample_weights: Any = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> list[BlobTensor | None]:  # fmt: skip
    """EmbeddingLayer, and a ReductionLayer over each bag. Padding is left out, also of the number of a mean."""
    if scale_grad_by_freq:
        raise node.refused("scale_grad_by_freq is not supported")
    padding = None if padding_idx is None or padding_idx < 0 else padding_idx
    if _MODES[mode] == "max" and padding is not None:
        raise node.refused("padding_idx with mode='max' is not supported")
    ids, length = _bags(node, indices, offsets, include_last_offset)
    count, (rows, width, *_) = ids.shape[1] // length, weight.extents
    w = b.weights(node, "Embedding", weight=weight)
    y = b.add(
        "Embedding", w.node, [ids], (*ids.shape, width), w.arrays, FIRST, vocabulary=rows, output_dim=width, **w.fields
    )  # fmt: skip
    factors = [] if per_sample_weights is None else [b.fixed(node, per_sample_weights)]
    if padding is not None:
        factors.append(inner(b, node, f"ne({{0}}, {padding})", ids))
    for x in factors:
        if not x.samples:
            raise node.refused("its weights are the same for all samples", "a weight for each of its indices")
        flat = replace(x, place=FIRST)
        y = inner(b, node, "mul({0}, {1})", y, reshaped(b, node, flat, (*ids.shape, 1), last=False))
    bags, place = (ids.shape[0], count, length), FIRST
    y = reshaped(b, node, y, (*bags, width), FIRST, last=False)
    mean = "sum" if padding is not None else "mean"
    found = reduced(b, node, y, [2], mean if _MODES[mode] == "mean" else _MODES[mode], keep=False, last=False)
    if padding is not None and _MODES[mode] == "mean":
        counts = reshaped(b, node, replace(factors[-1], place=FIRST), bags, last=False)
        number = reduced(b, node, counts, [2], "sum", keep=True, last=False)
        found = inner(b, node, "div({0}, max({1}, 1))", found, number)
    if count == 1:
        found = reshaped(b, node, found, (ids.shape[0], width), last=False)
    else:
        place = BatchPlace(0, inner=True)
    return [replace(found, place=place), None, None, None][: len(node.outputs)]


def _bags(node: AtenNode, indices: Tensor, offsets: Tensor, last: bool) -> tuple[BlobTensor, int]:
    """The indices as a blob (batch, indices of a sample), and the number of indices of a bag.

    Raises:
        UnsupportedError: bags have different lengths, or do not lie within samples.
    """
    hint = "bags of one length, (batch, length), with padding_idx"
    if not isinstance(indices, BlobTensor) or not indices.samples or len(indices.extents) != 1:
        raise node.refused("its indices are not those of samples", "(batch, length)", indices.extents, hint=hint)
    starts = offsets.array[: len(offsets.array) - last] if isinstance(offsets, Constant) else np.zeros(0)
    n, ids = len(starts), replace(indices, place=FIRST)
    per_sample = ids.shape[1] if len(ids.shape) == 2 else 0
    length = indices.extents[0] // n if n else 0
    equal = n and length * n == indices.extents[0] and (starts == length * np.arange(n)).all()
    if not equal or indices.place != BatchPlace(0, inner=True) or per_sample % max(length, 1):
        raise node.refused("its bags have different lengths, or do not lie within samples", hint=hint)
    return ids, length
