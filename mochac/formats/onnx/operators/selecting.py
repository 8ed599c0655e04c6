"""ONNX's operators that pick elements by number: Slice, Gather, GatherElements, OneHot, Trilu.

Numbers that are constants become NarrowLayers. Those that a model computes are compared with all that there are, and
the one that is equal is kept; the compiler makes one loop of it.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import applied, formula, inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.importing.picked import compared, counted, picked, taken, with_axis
from mochac.formats.importing.place import FIRST
from mochac.formats.onnx.operator import OnnxNode, cuts, operator


@operator("Slice", anywhere=True)
def slice_(b: NetBuilder, node: OnnxNode) -> None:
    """NarrowLayers, one for each axis that is cut."""
    x = node.blob()
    kept = {a: places for a, places in cuts(node, x.extents).items() if places != range(x.extents[a])}
    if not all(map(len, kept.values())):
        raise node.refused("its output is empty")
    blob_axes = {node.axis(a, x): places for a, places in kept.items()}
    for k, (axis, places) in enumerate(blob_axes.items(), 1):
        x = taken(b, node, x, axis, places, last=k == len(blob_axes))
    if not blob_axes:
        b.alias(node, x)


@operator("Gather", anywhere=True)
def gather(b: NetBuilder, node: OnnxNode) -> None:
    """Parts of a blob, rows of a constant table (EmbeddingLayer), or elements that are compared with all."""
    x, ids = node.inputs[:2]
    axis = int(node.attribute("axis", 0))
    if isinstance(x, BlobTensor) and isinstance(ids, Constant):
        place = node.axis(axis, x)
        extent = x.shape[place]
        own = ids.array.reshape(-1).astype(np.int64)
        places = np.where(own < 0, own + extent, own)
        if not places.size or places.min() < 0 or places.max() >= extent:
            raise node.refused("it picks elements that are not there", f"0 .. {extent - 1}", places[:8].tolist())
        whole = (*x.shape[:place], *ids.array.shape, *x.shape[place + 1 :])
        plain = ids.array.ndim == 1
        made = taken(b, node, x, place, places, last=plain)
        if not plain:
            reshaped(b, node, made, whole, x.place.with_more(place, ids.array.ndim - 1))
        return
    if isinstance(x, Constant) and isinstance(ids, BlobTensor) and axis % x.array.ndim == 0:
        _embedded(b, node, x, ids)
        return
    node.needs_batch_first()
    if isinstance(x, BlobTensor) and isinstance(ids, BlobTensor):
        place = node.axis(axis, x)
        if not b.lead:
            raise node.refused("samples must not mix: axis 0 is the batch", hint="GatherElements picks within a sample")
        inside = len(ids.shape) - 1
        rows = (*x.shape[:place], *(1 for _ in range(inside)), *x.shape[place:])
        numbers = (1, *(1 for _ in x.shape[1:place]), *ids.shape[1:], 1, *(1 for _ in x.shape[place + 1 :]))
        table, each = reshaped(b, node, x, rows, last=False), reshaped(b, node, ids, numbers, last=False)
        compared(b, node, table, each, place - 1 + inside, from_end=True)
    else:
        raise node.refused("columns of a constant table are not supported", "axis 0", axis)


def _embedded(b: NetBuilder, node: OnnxNode, table: Constant, ids: BlobTensor) -> None:
    """EmbeddingLayer. Negative numbers count from the end, unless they are the model's inputs: then they are ids, of
    which negative ones are refused as they are read."""
    rows, *rest = table.array.shape
    ids = b.before_cast(ids)
    known = any(layer.kind == "Input" and ids.name in layer.tops for layer in b.layers)
    ids = ids if known else inner(b, node, f"select(lt({{0}}, 0), add({{0}}, {rows}), {{0}})", ids)
    flat = (ids.shape[0], math.prod(ids.shape[1:])) if len(ids.shape) > 1 else ids.shape
    shape, place = (*ids.shape, *rest), ids.place
    ids = reshaped(b, node, ids, flat, FIRST, last=False)
    width = math.prod(rest)
    squeezed = (*flat[:1], width) if flat[1:] == (1,) else (*flat, width)
    weight = {"weight": table.array.reshape(rows, width)}
    plain, frozen = squeezed == shape, {} if table.name else {"weight_lr": 0.0}
    fields = {"vocabulary": rows, "output_dim": width, **frozen}
    if plain:
        b.add("Embedding", node, [ids], shape, weight, place, **fields)
    else:
        reshaped(b, node, b.between("Embedding", node, [ids], squeezed, weight, **fields), shape, place)


@operator("GatherElements")
def gather_elements(b: NetBuilder, node: OnnxNode) -> None:
    """Elements along an axis, by numbers for each place; negative ones count from the end."""
    x, ids = node.inputs[:2]
    assert x is not None and ids is not None
    picked(b, node, x, ids, int(node.attribute("axis", 0)) % len(x.extents), from_end=True)


@operator("OneHot")
def one_hot(b: NetBuilder, node: OnnxNode) -> None:
    """One number where an index is, another elsewhere; negative indices count from the end."""
    ids, depth = node.blob(), int(node.constant(1, "its depth").reshape(-1)[0])
    off, on = (float(v) for v in node.constant(2, "its values").reshape(-1))
    rank = len(ids.extents) + 1
    axis = int(node.attribute("axis", -1)) % rank
    if axis + b.lead < 1 or depth < 1:
        raise node.refused("samples must not mix: axis 0 is the batch", "axis >= 1 and depth >= 1", axis)
    numbers = with_axis(b, node, ids, axis)
    here = "or(eq({0}, {1}), eq(add({0}, " + str(depth) + "), {1}))"
    formula(b, node, f"add(mul({here}, {on - off!r}), {off!r})", numbers, counted(b, node, depth, axis, rank))


@operator("Trilu")
def triangle(b: NetBuilder, node: OnnxNode) -> None:
    """The upper or the lower triangle of matrices; 0 elsewhere."""
    x = node.blob()
    k = int(node.constant(1, "its diagonal").reshape(-1)[0]) if node.has(1) else 0
    kept = np.triu if node.attribute("upper", 1) else np.tril
    if len(x.shape) < 3:
        raise node.refused("samples must not mix: axis 0 is the batch", "(batch, ..., rows, columns)", x.shape)
    b.budget.take(node, math.prod(x.shape[-2:]), 8)
    mask = Constant(kept(np.ones(x.shape[-2:], np.int64), k))
    applied(b, node, "select", [mask, x, Constant(np.zeros(()))])
