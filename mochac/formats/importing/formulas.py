"""What converters of importers compute: formulas of blobs and constants, as FunctionLayers, and sums of products of one
or two tensors in Einstein's notation, as EinsumLayers (contracted).

In a sum of products, an axis of extent 1 that meets a longer one is broadcast, as in products of matrices: it is left
out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from mochac.base.records import record
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.node import REALS, UNBATCHED, BlobTensor, Constant, ImportedNode, Shape, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace
from mochac.formats.onnx.export.writer import OperatorCall, parse
from mochac.ir.scalar import FUNCTIONS

POSITIVE = "select(gt({0}, 0), {0}, 1)"
"""A number, or 1 in the place of 0, so that what is not chosen there has a finite gradient."""
ROOT = f"select(gt({{0}}, 0), sqrt({POSITIVE}), 0)"
"""The root of a number >= 0, whose gradient is 0 at 0, as that of PyTorch's norms."""
EXPM1 = "select(gt({0}, 0), mul(neg(elu(neg({0}), 1, 1)), exp({0})), elu({0}, 1, 1))"
"""exp(x) - 1 with all digits near 0."""


_TURNS = f"mul({{0}}, {1 / math.pi!r})"
_UP = "log(add({0}, sqrt(add(square({0}), 1))))"
CIRCULAR = {
    "cos": f"cospi({_TURNS})",
    "sin": f"cospi(sub({_TURNS}, 0.5))",
    "tan": f"div(cospi(sub({_TURNS}, 0.5)), cospi({_TURNS}))",
    "atan": "atan({0})",
    "asin": "atan(div({0}, sqrt(mul(sub(1, {0}), add({0}, 1)))))",
    "acos": "mul(atan(sqrt(div(sub(1, {0}), add({0}, 1)))), 2)",
    "sinh": "mul(sub(exp({0}), exp(neg({0}))), 0.5)",
    "cosh": "mul(add(exp({0}), exp(neg({0}))), 0.5)",
    "asinh": f"select(lt({{0}}, 0), neg({_UP.format('neg({0})')}), {_UP.format('{0}')})",
    "acosh": "log(add({0}, sqrt(add(square({0}), -1))))",
    "atanh": "mul(sub(log(add({0}, 1)), log(add(neg({0}), 1))), 0.5)",
}
"""Circular and hyperbolic functions and their inverses."""


def formula(b: NetBuilder, node: ImportedNode, text: str, *operands: Tensor) -> BlobTensor:
    """The first output of the node, by a formula such as "trunc(div({0}, {1}))" of functions of the scalar table; one
    operand at least is a blob."""
    result = _made(b, node, parse(text), operands, last=True)
    assert isinstance(result, BlobTensor)
    return result


def inner(b: NetBuilder, node: ImportedNode, text: str, *operands: Tensor) -> BlobTensor:
    """An intermediate result of the node, by a formula."""
    result = computed(b, node, text, *operands)
    assert isinstance(result, BlobTensor)
    return result


def computed(b: NetBuilder, node: ImportedNode, text: str, *operands: Tensor) -> Tensor:
    """An intermediate result of the node, which is a constant if all operands are."""
    return _made(b, node, parse(text), operands, last=False)


def divided(b: NetBuilder, node: ImportedNode, kind: str, x: Tensor, y: Tensor) -> None:
    """The output of the node is the quotient, rounded down ("floor_divide"), or what is left: with the sign of the
    divisor ("remainder") or of the dividend ("fmod").

    A quotient of real numbers just below an integer may be rounded up to it. What is left has the other sign then.
    Where it is 0, the divisor may be infinite.
    """
    whole = computed(b, node, "trunc(div({0}, {1}))" if kind == "fmod" else "floor(div({0}, {1}))", x, y)
    if node.element not in REALS:
        formula(b, node, "mul({2}, 1)" if kind == "floor_divide" else "sub({0}, mul({1}, {2}))", x, y, whole)
        return
    rest = computed(b, node, "select(eq({2}, 0), {0}, fma(neg({2}), {1}, {0}))", x, y, whole)
    over = computed(b, node, "lt(mul({0}, {1}), 0)", rest, x if kind == "fmod" else y)
    back = "mul(abs({1}), sign({0}))" if kind == "fmod" else "{1}"
    text = "sub({2}, {4})" if kind == "floor_divide" else f"select({{4}}, add({{3}}, {back}), {{3}})"
    formula(b, node, text, x, y, whole, rest, over)


def _made(
    b: NetBuilder, node: ImportedNode, tree: OperatorCall | float | str, operands: Sequence[Tensor], *, last: bool
) -> Tensor:
    if isinstance(tree, OperatorCall):
        parts = [_made(b, node, part, operands, last=False) for part in tree.operands]
        numbers = [part.array for part in parts if isinstance(part, Constant)]
        if len(numbers) == len(parts):
            return Constant(np.asarray(FUNCTIONS[tree.operator].numpy(*numbers)))
        return applied(b, node, tree.operator, parts, last=last)
    return operands[int(tree)] if isinstance(tree, str) else Constant(np.asarray(tree))


def applied(
    b: NetBuilder, node: ImportedNode, function: str, operands: Sequence[Tensor], *, last: bool = True
) -> BlobTensor:
    """A function of operands, one of which is a blob. Numbers at the end are settings of the layer, other constants
    become blobs."""
    like = _like(operands)
    operands = [x if isinstance(x, BlobTensor) else same_for_all(b, x, like) for x in operands]
    shape = together(b, node, operands)
    kept, constants = list(operands), list[float]()
    while is_number(number := kept[-1]):
        constants.insert(0, float(number.array.reshape(-1)[0]))
        kept.pop()
    place = like.place.behind(len(shape) - len(like.shape)) if like.samples else like.place
    bottoms = [_bottom(b, node, x, place, len(shape), like.samples) for x in kept]
    return b.layer(last, "Function", node, bottoms, shape, place, function=function, constants=tuple(constants))


def _bottom(
    b: NetBuilder, node: ImportedNode, x: Tensor, place: BatchPlace, rank: int, samples: bool
) -> BlobTensor | str:
    """An operand as a blob whose axes are those of the result, which has a batch or not."""
    if isinstance(x, Constant):
        array = place.in_blob(x.array, rank)
        whole = array if samples else array.reshape(*(1 for _ in range(rank - array.ndim)), *array.shape)
        return constant(b, node, Constant(whole, x.name))
    if x.samples:
        return ranked(b, node, x, rank)
    own = (*(1 for _ in range(rank - len(x.shape))), *x.shape)
    shape = place.in_blob(np.broadcast_to(0, x.shape), rank).shape if samples else own
    return reshaped(b, node, x, shape, last=False)


def is_number(x: Tensor) -> TypeGuard[Constant]:
    """Whether a tensor is one finite number, which is no parameter."""
    return isinstance(x, Constant) and x.array.size == 1 and bool(np.isfinite(x.array).all())


def _like(operands: Sequence[Tensor]) -> BlobTensor:
    """The first of the blobs that have most axes, among those that hold samples if there are any."""
    return max((x for x in operands if isinstance(x, BlobTensor)), key=lambda x: (x.samples, len(x.shape)))


def same_for_all(b: NetBuilder, x: Constant, like: BlobTensor) -> Constant:
    """A constant that was made for a batch, as that of one sample if all samples have the same."""
    axes = like.place.axes(len(like.shape))
    at, group = next(((k - len(axes), group) for k, group in enumerate(axes) if 0 in group and like.samples), (0, ()))
    extents = tuple(like.shape[a] for a in group)
    if not -x.array.ndim <= at < 0 or x.array.shape[at] != math.prod(extents) or b.batch == 1:
        return x
    whole = x.array.shape
    own = at + len(whole)
    each = np.moveaxis(x.array.reshape(*whole[:own], *extents, *whole[own + 1 :]), own + group.index(0), 0)
    first = each[0].reshape(*whole[:own], math.prod(extents) // b.batch, *whole[own + 1 :])
    return Constant(first, x.name) if (each == each[0]).all() else x


def constant(b: NetBuilder, node: ImportedNode, x: Constant) -> str:
    """The blob of a constant. Infinities, as in masks, are computed: trained nets have finite parameters only."""
    if x.array.dtype.kind == "f" and np.isinf(x.array).any():
        return _with_infinities(b, node, np.asarray(x.array, b.dtype))
    return b.parameter(node, x.array, b.trains(x.name) and x.array.dtype.kind == "f")


def _with_infinities(b: NetBuilder, node: ImportedNode, array: np.ndarray) -> str:
    """sign * -log(0) where there is a sign, else a finite number."""
    endless = np.isinf(array)
    sign, finite = (
        BlobTensor(b.parameter(node, values, False), array.shape, samples=False)
        for values in (np.where(endless, np.sign(array), 0), np.where(endless, 0, array))
    )

    def call(function: str, *bottoms: BlobTensor, **fields: Any) -> BlobTensor:
        return b.between("Function", node, bottoms, array.shape, function=function, **fields)

    still = call("floor", sign)  # which no gradient passes
    infinite = call("mul", call("neg", call("log", call("mul", still, constants=(0.0,)))), still)
    return call("select", sign, infinite, finite).name


def together(b: NetBuilder, node: ImportedNode, operands: Sequence[Tensor]) -> Shape:
    """The extents of the blob that operands are broadcast to.

    Raises:
        UnsupportedError: they do not fit, or a sample would get another's numbers.
    """
    like = _like(operands)
    if like.shape and any(isinstance(x, BlobTensor) and not x.shape for x in operands):
        raise node.refused("the value of a loss is computed with samples", "functions of losses")
    place, rank = like.place, len(like.shape)
    shapes = [x.extents if isinstance(x, BlobTensor) else x.array.shape for x in operands]
    spreads = [_spread(x, place if like.samples else FIRST, rank) for x in operands]
    try:
        whole = np.broadcast_shapes(*spreads)
    except ValueError:
        raise node.refused("its operands do not fit", got=" and ".join(map(str, shapes))) from None
    if not like.samples:
        return whole
    if place.at is None:
        return (b.batch, *whole)
    sampled = [x for x in operands if isinstance(x, BlobTensor) and x.samples]
    if len({(len(x.shape) - (x.place.at or 0), x.place.outer, x.place.inner) for x in sampled}) > 1:
        texts = " and ".join(map(str, shapes))
        raise node.refused("its operands differ in axes, so that samples mix", "one number of axes", texts, UNBATCHED)
    fixed = [s for s, x in zip(spreads, operands, strict=True) if x not in sampled and len(s) >= rank - place.at]
    if any(shape[place.at - rank] != 1 for shape in fixed):
        raise node.refused("a constant differs from sample to sample", hint=UNBATCHED)
    return place.behind(max(0, len(whole) - rank)).blob_shape(whole, b.batch)


def _spread(x: Tensor, place: BatchPlace, rank: int) -> Shape:
    """The extents of an operand in the graph's order, merged axes one after the other."""
    if isinstance(x, Constant):
        return place.spread_out(x.array, rank).shape
    return x.place.spread(x.shape) if x.samples else place.spread_out(np.broadcast_to(0, x.shape), rank).shape


def ranked(b: NetBuilder, node: ImportedNode, x: BlobTensor, rank: int) -> BlobTensor:
    """x with axes of extent 1 in front of the graph's, so that it has `rank` axes."""
    more = rank - len(x.shape)
    shape, place = (x.shape[0], *(1 for _ in range(more)), *x.shape[1:]), x.place.behind(more)
    return reshaped(b, node, x, shape, place, last=False)


def reshaped(
    b: NetBuilder,
    node: ImportedNode,
    x: BlobTensor,
    shape: Shape,
    place: BatchPlace | None = None,
    *,
    last: bool = True,
) -> BlobTensor:
    """x in another shape."""
    place = x.place if place is None else place
    if shape == x.shape:
        x = replace(x, place=place)
        if last:
            b.alias(node, x)
        return x
    if len(shape) == 2 < len(x.shape) and x.samples:
        return b.layer(last, "Flatten", node, [x], shape, place)
    return b.layer(last, "Reshape", node, [x], shape, place, shape=shape[1:] if x.samples else shape)


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"
BATCH = "Z"
"""The letter of the axis that blobs have in front of those of the graph's tensors."""


@record
class Lettered:
    """A tensor with a letter for each of its axes."""

    tensor: Tensor
    letters: str

    @property
    def extents(self) -> dict[str, int]:
        """The extent of each letter."""
        shape = self.tensor.shape if isinstance(self.tensor, BlobTensor) else self.tensor.array.shape
        return dict(zip(self.letters, shape, strict=True))


def contracted(
    b: NetBuilder, node: ImportedNode, operands: Sequence[tuple[Tensor, str]], out: str, *, last: bool = True
) -> BlobTensor:
    """The sum of products whose axes have these letters, the graph's axes without BATCH.

    Raises:
        UnsupportedError: samples would mix; an operand has a letter twice.
    """
    sampled = any(_sampled(x) for x, _ in operands)
    lead = BATCH if b.lead and sampled else ""
    lettered = [Lettered(x, lead + letters if _sampled(x) else letters) for x, letters in operands]
    if sampled and not b.lead and {x.letters[:1] for x in lettered if _sampled(x.tensor)} != {out[:1]}:
        raise node.refused(
            "samples must not mix: axis 0 is the batch", "one letter, first in the result", out, UNBATCHED
        )
    for x in lettered:
        rank = len(x.tensor.shape if isinstance(x.tensor, BlobTensor) else x.tensor.array.shape)
        if rank != len(x.letters):
            raise node.refused("its operand has another number of axes", f"{len(x.letters)} ({x.letters})", rank)
        if len(set(x.letters)) < len(x.letters):
            raise node.refused(
                "an axis that is its operand's diagonal is not supported", "different letters", x.letters
            )
    total, *rest = lettered
    while rest:
        second, *rest = rest
        kept = {*lead, *out, *(a for x in rest for a in x.letters)}
        total = _product(b, node, total, second, kept)
    return _arranged(b, node, total, lead + out, last=last)


def product_letters(ranks: Sequence[int], *, transposed: bool = False) -> tuple[str, str, str]:
    """The letters of the two operands and of the result of a product of matrices, or of stacks of them.

    >>> product_letters((4, 2)), product_letters((1, 2), transposed=True)
    (('abXW', 'WV', 'abXV'), ('W', 'VW', 'V'))
    """
    left, right = ranks
    outer = LETTERS[: max(left, right, 2) - 2]
    first = outer[len(outer) - left + 2 :] + "XW" if left > 1 else "W"
    second = outer[len(outer) - right + 2 :] + ("VW" if transposed else "WV") if right > 1 else "W"
    return first, second, outer + ("X" if left > 1 else "") + ("V" if right > 1 else "")


def contracted_blobs(
    b: NetBuilder, node: ImportedNode, operands: Sequence[tuple[Tensor, str]], out: str, *, last: bool
) -> BlobTensor:
    """A contraction whose letters are those of the blobs' axes, with the batch first wherever the graph has it."""
    place = next(x.place for x, _ in operands if isinstance(x, BlobTensor) and x.samples)
    if b.lead:
        operands = [(x, s[1:] if _sampled(x) else s) for x, s in operands]
        out = out[1:]
    result = contracted(b, node, operands, out, last=last)
    if not last:
        return replace(result, place=place)
    known = b.values[node.tops[0]]
    assert isinstance(known, BlobTensor)
    b.values[node.tops[0]] = placed = replace(known, place=place)
    return placed


def _sampled(x: Tensor) -> bool:
    return isinstance(x, BlobTensor) and x.samples


def _product(b: NetBuilder, node: ImportedNode, left: Lettered, right: Lettered, kept: set[str]) -> Lettered:
    """The product of two, with those of their letters that are in `kept`."""
    left, right = (_narrow(b, node, x, other, kept) for x, other in ((left, right), (right, left)))
    extents = {**left.extents, **right.extents}
    for letter in set(left.letters) & set(right.letters):
        if left.extents[letter] != right.extents[letter]:
            raise node.refused("its operands do not fit", str(left.extents[letter]), right.extents[letter])
    first = "".join(x.letters[0] for x in (left, right) if _sampled(x.tensor))[:1]
    letters = first + "".join(dict.fromkeys(a for a in left.letters + right.letters if a in kept and a != first))
    bottoms = [x.tensor if isinstance(x.tensor, BlobTensor) else constant(b, node, x.tensor) for x in (left, right)]
    shape = tuple(extents[a] for a in letters)
    spec = f"{left.letters},{right.letters}->{letters}"
    return Lettered(b.between("Einsum", node, bottoms, shape, spec=spec), letters)


def _narrow(b: NetBuilder, node: ImportedNode, x: Lettered, other: Lettered, kept: set[str]) -> Lettered:
    """x without axes that the other operand broadcasts, and summed over letters of its own that are not kept."""
    broadcast = [a for a, extent in x.extents.items() if extent == 1 and other.extents.get(a, 1) > 1]
    x = _without(b, node, x, broadcast, total=False)
    return _without(b, node, x, [a for a in x.letters if a not in kept and a not in other.letters], total=True)


def _without(b: NetBuilder, node: ImportedNode, x: Lettered, letters: Sequence[str], *, total: bool) -> Lettered:
    """x summed over some letters, or, if these have extent 1, without them."""
    if not letters:
        return x
    axes = tuple(x.letters.index(a) for a in letters)
    left = "".join(a for a in x.letters if a not in letters)
    if isinstance(x.tensor, Constant):
        return Lettered(Constant(x.tensor.array.sum(axis=axes), x.tensor.name), left)
    shape: Shape = tuple(x.extents[a] for a in left)
    if 0 in axes and x.tensor.samples:
        raise node.refused("samples must not mix: axis 0 is the batch", hint=UNBATCHED)
    if total:
        return Lettered(b.between("Reduction", node, [x.tensor], shape, axes=axes), left)
    return Lettered(reshaped(b, node, x.tensor, shape, last=False), left)


def _arranged(b: NetBuilder, node: ImportedNode, x: Lettered, out: str, *, last: bool) -> BlobTensor:
    """The axes of the result in the order of `out`."""
    x = _without(b, node, x, [a for a in x.letters if a not in out], total=True)
    order, blob = tuple(x.letters.index(a) for a in out if a in x.letters), x.tensor
    assert isinstance(blob, BlobTensor)
    shape = tuple(x.extents[x.letters[a]] for a in order)
    whole = tuple(x.extents.get(a, 1) for a in out)
    if order != tuple(range(len(order))):
        if order[0] and blob.samples:
            raise node.refused("samples must not mix: axis 0 is the batch", hint=UNBATCHED)
        blob = b.layer(last and shape == whole, "Permute", node, [blob], shape, order=order)
        if shape == whole:
            return blob
    return reshaped(b, node, blob, whole, last=last)
