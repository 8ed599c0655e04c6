"""Elements where a mask is true, x[mask]: their number depends on values, so they are kept as the whole x and its mask.

Sums and means of them are those of x with zeros elsewhere, and x[mask] = y[mask] selects by the mask. In between there
may be arithmetic with numbers, and with elements that the same mask selects.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mochac.formats.importing.formulas import formula, inner
from mochac.formats.importing.node import BlobTensor, Tensor
from mochac.formats.importing.rearranged import reduced, with_axis
from mochac.formats.pytorch.builder import ACROSS, AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import Selected, aten, of_selected, refused_mask


def selected(b: TorchBuilder, node: AtenNode, x: BlobTensor, mask: Tensor, source: Any) -> Selected:
    """The elements of x where a mask of its first axes is true.

    Args:
        source: the node of the mask.
    """
    for at in range(len(mask.extents), len(x.extents)):
        mask = with_axis(b, node, mask, at)
    fits = all(m in (1, n) for m, n in zip(mask.extents, x.extents, strict=True))
    if not isinstance(mask, BlobTensor) or not fits or mask.samples != x.samples:
        raise refused_mask(node)
    return Selected(inner(b, node, "select({0}, {1}, 0)", mask, x), mask, source)


@aten("masked_select")
def masked_select(b: TorchBuilder, node: AtenNode, x: BlobTensor, mask: BlobTensor) -> Selected:
    """x[mask]."""
    if mask.extents != x.extents:
        raise refused_mask(node)
    return selected(b, node, x, mask, node.fx.args[1])


@of_selected("sum", "mean")
def total(b: TorchBuilder, node: AtenNode, x: Selected, dim: Any = None, keepdim: bool = False) -> BlobTensor:
    """The sum of all elements, or their mean."""
    if dim not in (None, [], ()):
        raise refused_mask(node)
    if x.blob.samples:
        raise node.refused("samples must not mix: it goes over the batch", hint=ACROSS)
    both = [x.blob] if node.type == "sum" else [x.blob, x.mask]
    sums = [reduced(b, node, y, list(range(len(y.shape))), "sum", keep=False, last=False) for y in both]
    if len(sums) == 1:
        return sums[0]
    repeats = math.prod(x.blob.shape) // math.prod(x.mask.shape)
    return inner(b, node, f"div({{0}}, mul({{1}}, {repeats}))", *sums)


_ARITHMETIC = {"mul": "mul({0}, {1})", "add": "add({0}, {1})", "sub": "sub({0}, {1})", "div": "div({0}, {1})"}


@of_selected(*_ARITHMETIC, "neg", "abs")
def arithmetic(b: TorchBuilder, node: AtenNode, x: Any, other: Any = None) -> Selected:
    """Arithmetic element by element, with zeros where the mask is false."""
    parts = [y for y in (x, other) if isinstance(y, Selected)]
    first = parts[0]
    numbers = [y for y in (x, other) if isinstance(y, int | float)]
    same = all(equal_nodes(y.source, first.source) for y in parts)
    if (
        len(parts) + len(numbers) < 1 + (node.type in _ARITHMETIC)
        or not same
        or (node.type == "div" and other in parts)
    ):
        raise refused_mask(node)
    texts = [
        f"{{{parts.index(y)}}}" if isinstance(y, Selected) else repr(float(y)) for y in (x, other) if y is not None
    ]
    text = _ARITHMETIC.get(node.type, f"{node.type}({{0}})").format(*texts)
    made = inner(b, node, text, *(y.blob for y in parts))
    return replace(first, blob=inner(b, node, "select({0}, {1}, 0)", first.mask, made))


@of_selected("index_put")
def put_selected(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, indices: Sequence[Any], values: Any, accumulate: bool = False
) -> None:
    """x[mask] = y[mask]."""
    if not isinstance(values, Selected) or accumulate or not equal_nodes(node.fx.args[1][0], values.source):
        raise refused_mask(node)
    formula(b, node, "select({0}, {1}, {2})", values.mask, values.blob, x)


def equal_nodes(a: Any, b: Any) -> bool:
    """Whether two nodes compute the same numbers from the same ones."""
    if a is b or not hasattr(a, "target") or not hasattr(b, "target"):
        return a is b or (type(a) is type(b) and a == b)
    same = a.op == b.op == "call_function" and a.target is b.target and len(a.args) == len(b.args)
    return same and a.kwargs == b.kwargs and all(map(equal_nodes, a.args, b.args))
