"""Blobs in other shapes, with their axes in another order, side by side, repeated, and with borders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import UNBATCHED, BlobTensor, ImportedNode, Shape, Tensor
from mochac.formats.importing.picked import for_all, taken

MOST_AXES = 3
"""Maximum spatial axes of an image."""


def short(numbers: Sequence[int]) -> int | tuple[int, ...]:
    """One number if all are equal."""
    return numbers[0] if len(set(numbers)) == 1 else tuple(numbers)


def with_extents(b: NetBuilder, node: ImportedNode, x: BlobTensor, extents: Shape) -> None:
    """The output of the node is x with other extents in the graph.

    Raises:
        UnsupportedError: samples would mix.
    """
    if math.prod(extents) != math.prod(x.extents):
        raise node.refused("it changes the number of elements", str(x.extents), extents)
    if not x.samples:
        reshaped(b, node, x, extents)
        return
    found = x.place.reshaped(x.shape, extents)
    if found is None:
        raise node.refused("samples would mix", f"extents in which the batch, {b.batch}, stays", extents, UNBATCHED)
    place, shape = found
    reshaped(b, node, b.before_reshape(x), shape, place)


def permuted(b: NetBuilder, node: ImportedNode, x: BlobTensor, order: Sequence[int]) -> None:
    """The output of the node is x with the graph's axes in another order; no layer if only the batch moves."""
    place, axes = x.place.permuted(len(x.shape), order) if x.samples else (x.place, tuple(order))
    if axes == tuple(range(len(axes))):
        b.alias(node, replace(x, place=place))
    else:
        b.add("Permute", node, [x], tuple(x.shape[a] for a in axes), None, place, order=axes)


def side_by_side(b: NetBuilder, node: ImportedNode, parts: Sequence[Tensor], axis: int) -> None:
    """The output of the node is its operands along an axis of the graph; what holds no samples is repeated for each.

    Raises:
        UnsupportedError: samples would mix.
    """
    like = max((x for x in parts if isinstance(x, BlobTensor)), key=lambda x: x.samples)
    blobs = [x if isinstance(x, BlobTensor) and x.samples == like.samples else for_all(b, node, x, like) for x in parts]
    at = node.axis(axis, like)
    if {x.place for x in blobs} != {like.place}:
        raise node.refused("samples must not mix: its inputs have the batch along different axes", hint=UNBATCHED)
    if len(blobs) == 1:
        b.alias(node, blobs[0])
        return
    shape = (*like.shape[:at], sum(x.shape[at] for x in blobs), *like.shape[at + 1 :])
    b.add("Concat", node, blobs, shape, None, like.place, **({} if at == 1 else {"axis": at}))


LOWEST = -float(np.finfo(np.float32).max)
"""What stands for minus infinity around an image whose maxima are taken."""


def padded(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, before: Sequence[int], after: Sequence[int], mode: str,
    value: float = 0.0,
) -> None:  # fmt: skip
    """The output of the node is x with a border, by a mode of numpy.pad: of numbers, or of parts of the blob."""
    axes = [a for a in range(len(x.shape)) if before[a] or after[a]]
    if not axes:
        b.alias(node, x)
    elif mode == "constant":
        bordered(b, node, x, before, after, value)
    for axis in axes if mode != "constant" else ():
        b.budget.take(node, before[axis] + x.shape[axis] + after[axis], 8)
        places = np.pad(np.arange(x.shape[axis]), (before[axis], after[axis]), mode=mode)  # pyright: ignore
        x = taken(b, node, x, axis, places, last=axis == axes[-1])


def bordered(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, before: Sequence[int], after: Sequence[int], value: float, *,
    last: bool = True,
) -> BlobTensor:  # fmt: skip
    """PadLayer, for which axes are merged into channels and three spatial ones at most.

    Args:
        before, after: elements in front of and behind each axis of the blob; none for the batch.
    """
    if not math.isfinite(value):
        raise node.refused("only finite numbers are put around", got=value)
    groups: list[list[int]] = []  # of axes behind the batch
    for axis in range(1, len(x.shape)):
        plain = not before[axis] and not after[axis]
        if plain and groups and not any(before[a] or after[a] for a in groups[-1]):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    if before[groups[0][0]] or after[groups[0][0]]:
        groups.insert(0, [])
    images = len(x.shape) > 2 and not any((*before[:2], *after[:2]))
    groups = [[a] for a in range(1, len(x.shape))] if images and len(x.shape) <= MOST_AXES + 2 else groups
    if len(groups) - 1 > MOST_AXES:
        raise node.refused("too many axes are padded", f"at most {MOST_AXES}", len(groups) - 1)
    first, end = (tuple(pads[g[0]] for g in groups[1:]) for pads in (before, after))
    merged = (b.batch, *(math.prod(x.shape[a] for a in g) for g in groups))
    shape = tuple(extent + p + q for extent, p, q in zip(x.shape, before, after, strict=True))
    padded = (*merged[:2], *(n + p + q for n, p, q in zip(merged[2:], first, end, strict=True)))
    whole = merged == x.shape
    fields = {name: short(pads) for name, pads in (("before", first), ("after", end)) if any(pads)}
    rows = reshaped(b, node, x, merged, last=False)
    made = b.layer(last and whole, "Pad", node, [rows], padded, **fields, **({"value": value} if value else {}))
    return made if whole else reshaped(b, node, made, shape, last=last)


def repeated(b: NetBuilder, node: ImportedNode, x: BlobTensor, shape: Shape) -> None:
    """The output of the node is x with axes of extent 1 repeated, so that the blob has this shape: TileLayers."""
    grown = [a for a, extent in enumerate(shape) if extent != x.shape[a]]
    for axis in grown:
        between = (*x.shape[:axis], shape[axis], *x.shape[axis + 1 :])
        tiles = shape[axis] // x.shape[axis]
        along = {} if axis == 1 else {"axis": axis}
        x = b.layer(axis == grown[-1], "Tile", node, [x], between, x.place, tiles=tiles, **along)
    if not grown:
        b.alias(node, x)


def regrouped(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, apart: Shape, order: Sequence[int], shape: Shape
) -> None:
    """The output of the node is x whose last axes get the extents `apart`, then another order, then these extents, as
    in pixel shuffles."""
    front = x.shape[: len(x.shape) - len(shape)]
    blocks = reshaped(b, node, x, (*front, *apart), last=False)
    axes = (*range(len(front)), *(len(front) + a for a in order))
    moved = b.between("Permute", node, [blocks], tuple(blocks.shape[a] for a in axes), order=axes)
    reshaped(b, node, moved, (*front, *shape))
