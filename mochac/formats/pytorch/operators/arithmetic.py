"""PyTorch's arithmetic, comparisons and choices, which broadcast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.formats.importing.formulas import ROOT, applied, computed, divided, formula, inner, is_number
from mochac.formats.importing.node import REALS, BlobTensor, Constant, Tensor
from mochac.formats.importing.rearranged import finite
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import MaskedBlob, Objective, RandomMask, as_objective, aten
from mochac.formats.pytorch.operators.sampling import number_of, plus_mask, times_mask
from mochac.formats.pytorch.operators.shapes import widened
from mochac.nets.layers.element_wise import ElementWiseFunctor, ElementWiseFunctors

_OF_BLOBS: dict[str, ElementWiseFunctor] = {
    "add": ElementWiseFunctors.Add(), "sub": ElementWiseFunctors.Subtract(), "mul": ElementWiseFunctors.Multiply(),
    "div": ElementWiseFunctors.Divide(),
}  # fmt: skip
_COMPARISONS = {
    "gt": "gt({0}, {1})", "ge": "ge({0}, {1})", "lt": "lt({0}, {1})", "le": "le({0}, {1})", "eq": "eq({0}, {1})",
    "ne": "ne({0}, {1})", "logical_and": "and({0}, {1})", "logical_or": "or({0}, {1})", "__and__": "and({0}, {1})",
    "__or__": "or({0}, {1})", "bitwise_and": "and({0}, {1})", "bitwise_or": "or({0}, {1})",
    "logical_xor": "ne(ne({0}, 0), ne({1}, 0))", "__xor__": "ne({0}, {1})", "bitwise_xor": "ne({0}, {1})",
}  # fmt: skip

EXTREMES = {
    how: f"select(eq({{0}}, {{1}}), mul(add({{0}}, {{1}}), 0.5), {how}({{0}}, {{1}}))" for how in ("max", "min")
}
"""The greater or the lesser of two, each of which has half of the gradient where they are equal."""
_PAIRS = {
    **{f"{how}imum": text for how, text in EXTREMES.items()},
    **{
        f"f{how}": f"select(ne({{0}}, {{0}}), {{1}}, select(ne({{1}}, {{1}}), {{0}}, {text}))"
        for how, text in EXTREMES.items()
    },
    "copysign": "mul(abs({0}), select(lt({1}, 0), -1, 1))",
    "hypot": ROOT.replace("{0}", "add(square({0}), square({1}))"),
    "xlogy": "mul({0}, log(select(and(eq({0}, 0), le({1}, 0)), 1, {1})))",
}


def operand(x: Any) -> Tensor:
    """A number or a tensor as a tensor."""
    return x if isinstance(x, Tensor) else Constant(np.asarray(x))


@aten("add", "sub", "rsub", "subtract", special=True)
def add(b: TorchBuilder, node: AtenNode, x: Any, other: Any, alpha: float = 1) -> Any:
    """x + alpha * other, or the difference."""
    kind, left, right = "add" if node.type == "add" else "sub", x, other
    if node.type == "rsub":
        left, right = (other, x) if alpha == 1 else (other, _times(b, node, x, alpha))
    elif alpha != 1:
        right = _times(b, node, other, alpha)
    if isinstance(left, Objective) or isinstance(right, Objective):
        terms = as_objective(b, node, left), as_objective(b, node, right)
        if terms[0] and terms[1]:
            return terms[0].plus(terms[1] if kind == "add" else terms[1].times(-1))
    if kind == "add" and isinstance(left, RandomMask | MaskedBlob):
        return plus_mask(b, node, left, right)
    return binary(b, node, kind, left, right)


def _times(b: TorchBuilder, node: AtenNode, x: Any, factor: float) -> Any:
    if isinstance(x, Objective):
        return x.times(factor)
    if isinstance(x, BlobTensor):
        return inner(b, node, f"mul({{0}}, {float(factor)!r})", x)
    return Constant(np.asarray((x.array if isinstance(x, Constant) else x) * factor))


@aten("mul", "multiply", "div", "divide", "true_divide", special=True)
def multiply(b: TorchBuilder, node: AtenNode, x: Any, other: Any, rounding_mode: str | None = None) -> Any:
    """Product or quotient; of a random mask, a DropoutLayer."""
    kind = "mul" if node.type in ("mul", "multiply") else "div"
    if isinstance(other, Objective) and kind == "mul":
        x, other = other, x
    number = number_of(other)
    if isinstance(x, Objective | RandomMask) and number is not None:
        return x.times(number if kind == "mul" else 1 / number)
    if kind == "mul" and (isinstance(x, RandomMask) or isinstance(other, RandomMask)):
        blob, mask = (other, x) if isinstance(x, RandomMask) else (x, other)
        if not isinstance(blob, BlobTensor) or not isinstance(mask, RandomMask):
            raise node.refused("a random mask is computed with", "a product with a tensor of samples")
        return times_mask(b, node, blob, mask)
    if rounding_mode is not None:
        if rounding_mode == "floor":
            divided(b, node, "floor_divide", operand(x), operand(other))
        else:
            formula(b, node, "trunc(div({0}, {1}))", operand(x), operand(other))
        return None
    return binary(b, node, kind, x, other)


def binary(b: TorchBuilder, node: AtenNode, kind: str, x: Any, other: Any) -> BlobTensor | None:
    """add, sub, mul or div of blobs and numbers, or of the values of losses."""
    if any(isinstance(y, RandomMask | MaskedBlob) for y in (x, other)):
        raise node.refused("a random mask is computed with", "a product with a tensor of samples, as in dropout")
    left, right = (operand(y.value(b, node) if isinstance(y, Objective) else y) for y in (x, other))
    if _batch_of_constants(b, node, [left, right]) is not None:
        return elementwise(b, node, f"{kind}({{0}}, {{1}})", left, right)
    if node.element not in REALS:
        node.may_not_wrap()
        formula(b, node, f"trunc({kind}({{0}}, {{1}}))" if kind == "div" else f"{kind}({{0}}, {{1}})", left, right)
        return None
    if isinstance(left, BlobTensor) and isinstance(right, BlobTensor):
        same_form = (left.shape, left.place) == (right.shape, right.place) and left.samples and right.samples
        if same_form and left.name != right.name:
            b.add("ElementWise", node, [left, right], left.shape, None, left.place, operation=_OF_BLOBS[kind])
            return None
    elif isinstance(left, BlobTensor) and is_number(right) and right.array.ndim == 0 and left.samples:
        value = float(right.array)
        fields = {"add": {"shift": value}, "sub": {"shift": -value}, "mul": {"scale": value}}
        if kind in fields:
            b.add("Power", node, [left], left.shape, None, left.place, **fields[kind])
            return None
    applied(b, node, kind, [left, right])
    return None


def elementwise(b: TorchBuilder, node: AtenNode, text: str, *operands: Tensor) -> Any:
    """A formula. One of parameters and of constants that were made for a batch, such as a position bias and a mask, is
    computed once and then repeated for each sample."""
    batch = _batch_of_constants(b, node, operands)
    if batch is None:
        formula(b, node, text, *operands)
        return None
    row = inner(b, node, text, *(_of_one_sample(x, batch) for x in operands))
    return widened(b, node, row, b.extents_of(node))


def _batch_of_constants(b: TorchBuilder, node: AtenNode, operands: Sequence[Tensor]) -> int | None:
    """The axis, counted from the end, along which only constants have the extent of the batch, and equal entries."""
    if b.lead or b.batch == 1 or any(isinstance(x, BlobTensor) and x.samples for x in operands):
        return None
    extents = b.extents_of(node)
    for at in range(-len(extents), 0):
        long = [x for x in operands if len(x.extents) >= -at and x.extents[at] != 1]
        if extents[at] == b.batch and all(isinstance(x, Constant) and _is_uniform(x, at) for x in long):
            return at
    return None


def _is_uniform(x: Constant, axis: int) -> bool:
    return bool((x.array == x.array.take([0], axis)).all())


def _of_one_sample(x: Tensor, axis: int) -> Tensor:
    """A constant with extent 1 along an axis; a blob as it is."""
    return Constant(x.array.take([0], axis)) if isinstance(x, Constant) and x.array.ndim >= -axis else x


@aten(*_COMPARISONS)
def compare(b: TorchBuilder, node: AtenNode, x: Any, other: Any) -> Any:
    """1 where it holds, else 0."""
    if node.type.startswith(("__", "bitwise_")) and node.element != 9:
        raise node.refused("bits of integers are not supported", "truth values")
    return elementwise(b, node, _COMPARISONS[node.type], operand(x), operand(other))


@aten("logaddexp")
def log_add_exp(b: TorchBuilder, node: AtenNode, x: BlobTensor, other: Tensor) -> None:
    """log(exp(x) + exp(other)), from the distances to the larger one, which no gradient passes."""
    most = inner(b, node, "max({0}, {1})", x, other)
    top = finite(b, node, b.between("StopGradient", node, [most], most.shape, None, most.place))
    formula(b, node, "add({2}, log(add(exp(sub({0}, {2})), exp(sub({1}, {2})))))", x, other, top)


@aten("atan2", "arctan2")
def angle(b: TorchBuilder, node: AtenNode, x: Tensor, other: Tensor) -> None:
    """The angle of (other, x), from the arctangent of a quotient between -1 and 1."""
    flat = computed(b, node, "ge(abs({1}), abs({0}))", x, other)
    below = computed(b, node, "select({0}, {2}, {1})", flat, x, other)
    below = computed(b, node, "select(eq({0}, 0), 1, {0})", below)
    part = computed(b, node, "atan(div(select({0}, {1}, {2}), {3}))", flat, x, other, below)
    turned = f"select(lt({{2}}, 0), select(lt({{1}}, 0), {-math.pi!r}, {math.pi!r}), 0)"
    up = f"select(lt({{1}}, 0), {-math.pi / 2!r}, {math.pi / 2!r})"
    formula(b, node, f"select({{0}}, add({{3}}, {turned}), sub({up}, {{3}}))", flat, x, other, part)


@aten("pow")
def power(b: TorchBuilder, node: AtenNode, x: Any, exponent: Any) -> None:
    """PowerLayer, or a function of two."""
    if isinstance(x, BlobTensor) and isinstance(exponent, int | float):
        if exponent == 2:
            formula(b, node, "square({0})", x)
        elif exponent == 0.5:
            formula(b, node, "sqrt({0})", x)
        elif x.samples:
            b.add("Power", node, [x], x.shape, None, x.place, power=float(exponent))
        else:
            formula(b, node, f"pow({{0}}, {float(exponent)!r})", x)
    else:
        formula(b, node, "pow({0}, {1})", operand(x), operand(exponent))


@aten("remainder", "fmod", "floor_divide")
def remainder(b: TorchBuilder, node: AtenNode, x: Any, other: Any) -> None:
    """Remainder and rounded quotient, with the sign of the divisor or of the dividend."""
    divided(b, node, node.type, operand(x), operand(other))


@aten(*_PAIRS)
def pair(b: TorchBuilder, node: AtenNode, x: Any, other: Any) -> Any:
    """A function of two."""
    return elementwise(b, node, _PAIRS[node.type], operand(x), operand(other))


@aten("where")
def where(b: TorchBuilder, node: AtenNode, condition: Tensor, x: Any, other: Any) -> Any:
    """x where it holds, else other."""
    return elementwise(b, node, "select({0}, {1}, {2})", condition, operand(x), operand(other))


@aten("masked_fill")
def masked_fill(b: TorchBuilder, node: AtenNode, x: Any, mask: Tensor, value: Any) -> Any:
    """A number where the mask holds, else x."""
    return elementwise(b, node, "select({0}, {1}, {2})", mask, operand(value), operand(x))


@aten("lerp")
def lerp(b: TorchBuilder, node: AtenNode, x: Any, end: Any, weight: Any) -> None:
    """x + weight * (end - x)."""
    formula(b, node, "add({0}, mul({2}, sub({1}, {0})))", operand(x), operand(end), operand(weight))


@aten("addcmul", "addcdiv")
def add_product(b: TorchBuilder, node: AtenNode, x: Any, tensor1: Any, tensor2: Any, value: float = 1) -> None:
    """x + value * tensor1 * tensor2, or the quotient."""
    kind = node.type.removeprefix("addc")
    text = f"{kind}({{1}}, {{2}})" if value == 1 else f"mul({kind}({{1}}, {{2}}), {float(value)!r})"
    formula(b, node, f"add({{0}}, {text})", operand(x), operand(tensor1), operand(tensor2))


@aten("clone", "contiguous", "alias", "_to_copy", "to", "type_as", "lift_fresh_copy", "lift_fresh", "copy", "view_as",
      "positive",)  # fmt: skip
def same(b: TorchBuilder, node: AtenNode, x: Any, src: Any = None, other: Any = None) -> Any:
    """x; as integers it is cut."""
    x = x if src is None else src
    if not isinstance(x, BlobTensor):
        return x
    whole = node.element not in (*REALS, 9, 0)
    if node.element == 9 != x.element:
        formula(b, node, "ne({0}, 0)", x)
    elif whole and x.element in REALS:
        node.may_not_wrap()
        formula(b, node, "trunc({0})", x)
    else:
        b.alias(node, x)
    return None


@aten("detach")
def detach(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """StopGradientLayer."""
    b.add("StopGradient", node, [x], x.shape, None, x.place)
