"""Functions of tensors that are broadcast, one or several in each other, as FunctionLayers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.ir.scalar import FUNCTIONS
from mochac.onnx.builder import NetBuilder
from mochac.onnx.export.formula import OperatorCall, parse
from mochac.onnx.operator import UNBATCHED, BlobTensor, Given, OnnxNode, Shape, Tensor


def formula(b: NetBuilder, node: OnnxNode, text: str, *operands: Tensor) -> BlobTensor:
    """The first output of the node, by a formula such as "trunc(div({0}, {1}))" of functions of the scalar table; one
    operand at least is a blob."""
    made = _made(b, node, parse(text), operands, last=True)
    assert isinstance(made, BlobTensor)
    return made


def inner(b: NetBuilder, node: OnnxNode, text: str, *operands: Tensor) -> BlobTensor:
    """An intermediate result of the node, by a formula."""
    made = _made(b, node, parse(text), operands, last=False)
    assert isinstance(made, BlobTensor)
    return made


def _made(
    b: NetBuilder, node: OnnxNode, tree: OperatorCall | float | str, operands: Sequence[Tensor], *, last: bool
) -> Tensor:
    if isinstance(tree, OperatorCall):
        parts = [_made(b, node, part, operands, last=False) for part in tree.operands]
        numbers = [part.array for part in parts if isinstance(part, Given)]
        if len(numbers) == len(parts):
            return Given(np.asarray(FUNCTIONS[tree.operator].numpy(*numbers)))
        return applied(b, node, tree.operator, parts, last=last)
    return operands[int(tree)] if isinstance(tree, str) else Given(np.asarray(tree))


def applied(
    b: NetBuilder, node: OnnxNode, function: str, operands: Sequence[Tensor], *, last: bool = True
) -> BlobTensor:
    """A function of operands, one of which is a blob. Numbers at the end are settings of the layer, other constants
    become ParameterLayers: they are trained if the model stores them as real numbers."""
    operands = [x if isinstance(x, BlobTensor) else _same_for_all(b, x) for x in operands]
    shape = together(b, node, operands)
    kept, constants = list(operands), list[float]()
    while isinstance(number := kept[-1], Given) and number.array.size == 1 and np.isfinite(number.array).all():
        constants.insert(0, float(number.array.reshape(-1)[0]))
        kept.pop()
    bottoms = [ranked(b, node, x, len(shape)) if isinstance(x, BlobTensor) else constant(b, node, x) for x in kept]
    fields = {"constants": tuple(constants)} if constants else {}
    return b.layer(last, "Function", node, bottoms, shape, function=function, **fields)


def _same_for_all(b: NetBuilder, x: Given) -> Given:
    """A constant that was made for a batch, as of one sample, if all samples get the same."""
    rows = x.array
    if b.lead or rows.shape[:1] != (b.batch,) or b.batch == 1 or not (rows == rows[:1]).all():
        return x
    return Given(rows[:1], x.name)


def constant(b: NetBuilder, node: OnnxNode, x: Given) -> str:
    """The blob of a constant. Infinities, as in masks, are computed: trained nets have finite parameters only."""
    if x.array.dtype.kind == "f" and np.isinf(x.array).any():
        return _with_infinities(b, node, np.asarray(x.array, b.dtype))
    return b.parameter(node, x.array, bool(x.name) and x.array.dtype.kind == "f")


def _with_infinities(b: NetBuilder, node: OnnxNode, array: np.ndarray) -> str:
    """sign * -log(0) where there is a sign, else a finite number."""
    endless = np.isinf(array)
    sign = BlobTensor(b.parameter(node, np.where(endless, np.sign(array), 0), False), array.shape)
    finite = BlobTensor(b.parameter(node, np.where(endless, 0, array), False), array.shape)

    def call(function: str, *bottoms: BlobTensor, **fields: Any) -> BlobTensor:
        return b.between("Function", node, bottoms, array.shape, function=function, **fields)

    still = call("floor", sign)  # which no gradient passes
    infinite = call("mul", call("neg", call("log", call("mul", still, constants=(0.0,)))), still)
    return call("select", sign, infinite, finite).name


def together(b: NetBuilder, node: OnnxNode, operands: Sequence[Tensor]) -> Shape:
    """The extents of the blob that operands are broadcast to.

    Raises:
        UnsupportedError: they do not fit, or a sample would get another's numbers.
    """
    lead, blobs = b.lead, [x for x in operands if isinstance(x, BlobTensor)]
    shapes = [x.shape[lead:] if isinstance(x, BlobTensor) else x.array.shape for x in operands]
    try:
        shape = (*(b.batch for _ in range(lead)), *np.broadcast_shapes(*shapes))
    except ValueError:
        raise node.refused("its operands do not fit", got=" and ".join(map(str, shapes))) from None
    if not lead and (len({len(x.shape) for x in blobs}) > 1 or len(shape) > len(blobs[0].shape)):
        texts = " and ".join(map(str, shapes))
        raise node.refused("its operands differ in axes, so that samples mix", "one number of axes", texts, UNBATCHED)
    whole = [x.array for x in operands if isinstance(x, Given) and x.array.ndim == len(shape)]
    if any(array.shape[0] != 1 for array in whole):
        raise node.refused("a constant differs from sample to sample", hint=UNBATCHED)
    return shape


def ranked(b: NetBuilder, node: OnnxNode, x: BlobTensor, rank: int) -> BlobTensor:
    """x with axes of extent 1 behind the batch, so that it has `rank` axes."""
    more = rank - len(x.shape)
    return reshaped(b, node, x, (x.shape[0], *(1 for _ in range(more)), *x.shape[1:]), last=False)


def reshaped(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: Shape, *, last: bool = True) -> BlobTensor:
    """x in another shape."""
    if shape == x.shape:
        if last:
            b.alias(node, x)
        return x
    if len(shape) == 2 < len(x.shape):
        return b.layer(last, "Flatten", node, [x], shape)
    return b.layer(last, "Reshape", node, [x], shape, shape=shape[1:])
