"""Layers by a formula: EinsumLayer (sums of products in Einstein's notation), FunctionLayer (a function of values)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from mochac.base.errors import OptionError, shown
from mochac.base.records import option
from mochac.base.registry import did_you_mean
from mochac.base.rules import Refusal, Rule
from mochac.base.support.places import at
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError
from mochac.ir.ops.einsum import groups
from mochac.ir.scalar import FUNCTIONS
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers.axes import kept_in_front
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.config import user_line
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.nets.layers.fields import numbers


def spec() -> Rule:
    """Field rule: letters of two operands and of the result."""

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        try:
            groups(value.replace(" ", ""))
        except OpTypeError as error:
            raise Refusal(f"{error.expected}: {error.rule}") from None
        return value.replace(" ", "")

    wrong = ("bi,bj", "bii,bj->bij", "bi,bj->b", 3, None)
    return Rule("letters such as 'bik,bkj->bij'", convert, "bik,bkj->bij", wrong)


@layer
class EinsumLayer(Layer):
    """Sums of products of the elements of two bottoms, such as a product of matrices for every sample.

    Args:
        spec: a letter for every axis of both bottoms and of the top, such as "bik,bkj->bij". Letters that the top lacks
            are summed over; every letter is in two of the three groups at least, and once in each. The letter of the
            batch comes first, in all groups that hold samples.

    Shapes: those of the letters; a bottom may be a ParameterLayer's blob. Source: NumPy's and PyTorch's einsum.

    >>> EinsumLayer(name="scores", spec="bqd, bkd -> bqk", bottoms=["q", "k"]).spec
    'bqd,bkd->bqk'
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3, 4), (4, 2), spec="bik,bkj->bij"),
        fits((2, 3, 4), (2, 3, 5), spec="bhik,bhij->bhkj"),
        fits((3,), (2,), spec="bi,bj->bij"),
        fits((4,), (4,), spec="bi,bi->b"),
        fits((5,), near=PARAMETER, bottoms=["b0", "W"], spec="bi,ji->bj"),
        fits(near=(*PARAMETER, ("Parameter", {"name": "V", "shape": (5, 3)})), bottoms=["W", "V"], spec="ij,jk->ki"),
        breaks("axes 'k' of the operands differ in extent", (3, 4), (3, 2), spec="bik,bkj->bij"),
        breaks("the spec has a letter for every axis", (3,), (3,), spec="bik,bkj->bij"),
        breaks("samples must stay apart", (3,), (3,), spec="bi,bj->ij"),
        breaks("samples must stay apart", (3,), (3,), spec="bi,ci->bc"),
        breaks("samples must stay apart", (3,), (3,), spec="bi,bi->ib"),
        breaks("the spec has a letter for every axis", LOSS, (3,), spec="bi,bj->bij"),
    )

    spec: str = option(spec())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        *operands, result = groups(self.spec)
        batch = {letters[0] for letters, x in zip(operands, bottoms, strict=True) if x.type.batch and x.type.shape}
        if batch and batch != {result[0]}:
            rule = "samples must stay apart"
            raise OpTypeError(rule, "one letter for the batch, first in the top", self.spec)
        return [ctx.op("einsum", *bottoms, spec=self.spec)]


def signature(name: str) -> tuple[str, ...] | None:
    """The dtypes of the arguments of a function whose numbers are real, or true and false; None if it has others.

    >>> signature("sqrt"), signature("select"), signature("philox")
    (('f32',), ('bool', 'f32', 'f32'), None)
    """
    if name not in FUNCTIONS:
        return None
    row = FUNCTIONS[name]
    for dtypes in itertools.product(("f32", "bool"), repeat=row.arity):
        try:
            if row.result(dtypes) in ("f32", "bool"):
                return dtypes
        except ValueError:
            continue
    return None


def of_numbers(name: str) -> bool:
    """Whether FunctionLayer can apply it; conversions do nothing to real numbers."""
    return signature(name) is not None and not name.startswith("to_")


def scalar_function() -> Rule:
    """Field rule: the name of a function of real numbers and truth values."""

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        if not of_numbers(value):
            known = [name for name in FUNCTIONS if of_numbers(name)]
            raise Refusal(f"one of {' '.join(known)}{did_you_mean(value, known)}")
        return value

    return Rule("a function of the scalar table, such as 'sqrt'", convert, "sqrt", ("nonsense", "philox", None, 3))


@layer
class FunctionLayer(Layer):
    """y = function(bottoms..., constants...), element by element.

    Args:
        function: a function of real numbers, such as "abs", "erf", "log", "sqrt", "sub", "div", "max", "pow", or of
            truth values, such as "lt", "eq", "and", "not", "select" (if bottom 1, then bottom 2, else bottom 3);
            `mochac.ir.scalar.FUNCTIONS` has them all, with your own. True is 1 and false is 0; as an argument, every
            number but 0 is true.
        constants: numbers for its last arguments, which the bottoms leave out.

    Shapes: those of the bottoms, broadcast as in NumPy: axes are compared from the last to the first, and must be equal
    or 1; a bottom with fewer axes has ones in front. Samples of different bottoms belong together, so that all bottoms
    that hold samples have the same number of axes. Values of losses, (), are functions of each other only.

    >>> FunctionLayer(name="clip", function="max", constants=(0.0,), bottoms=["x"]).function
    'max'
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3, 2), function="erf"),
        fits((3, 1), (1, 4), function="sub"),
        fits(Blob((3,), 1.5, 2.0), function="pow", constants=(2.5,)),
        fits((2, 3), (2, 1), (1, 3), function="fma"),
        fits((4, 5), near=(("Parameter", {"name": "w", "shape": (5,)}),), bottoms=["b0", "w"], function="mul"),
        fits((4,), (4,), function="gated"),
        fits((4, 1), (1, 3), function="lt"),
        fits(near=(*PARAMETER, ("Parameter", {"name": "g", "shape": (2, 1)})), bottoms=["W", "g"], function="mul"),
        fits(Blob((3,), 0.5, 3.0), function="floor"),
        fits((4,), (4,), (4,), function="select"),
        fits((4,), (4,), function="and"),
        breaks("wrong number of arguments", (3,), function="add"),
        breaks("bottoms cannot be broadcast", (3, 2), (4, 2), function="add"),
        breaks("bottoms cannot be broadcast", (5,), near=PARAMETER, bottoms=["b0", "W"], function="add"),
        breaks("bottoms that hold samples differ in axes", (3, 2), (2,), function="add"),
        fits(LOSS, function="exp"),
        breaks("no samples", (3,), LOSS, function="add"),
    )

    function: str = option(scalar_function())
    constants: tuple[float, ...] = option(numbers(), default=())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        wanted, got = FUNCTIONS[self.function].arity, len(bottoms) + len(self.constants)
        if got != wanted:
            rule = f"wrong number of arguments of {self.function}"
            raise OpTypeError(rule, f"{wanted} bottoms and constants", str(got))
        like, shape = _common(ctx, bottoms)
        operands = [_broadcast(ctx, x, like, shape) for x in bottoms]
        operands += [ctx.constant(value, operands[0]) for value in self.constants]
        kinds = signature(self.function) or ()
        converted = (_truth(ctx, x) if kind == "bool" else x for x, kind in zip(operands, kinds, strict=True))
        y = ctx.op(self.function, *converted)
        return [ctx.op("cast", y, dtype=ctx.dtype) if y.type.dtype == "bool" else y]


def _truth(ctx: TraceContext, x: Value) -> Value:
    """Where x is not 0."""
    return ctx.op("ne", x, ctx.constant(0.0, x))


def _common(ctx: TraceContext, bottoms: Sequence[Value]) -> tuple[Value, tuple[int, ...]]:
    """A bottom that holds samples, if there is one, and the extents that all bottoms are broadcast to."""
    samples = [x for x in bottoms if x.type.batch]
    like = samples[0] if samples else bottoms[0]
    if any(x.type.shape for x in bottoms):
        for x in bottoms:
            kept_in_front(ctx, x)
    if len({len(x.type.shape) for x in samples}) > 1:
        shapes = " and ".join(str(x.type.shape) for x in samples)
        raise OpTypeError("bottoms that hold samples differ in axes", "as many axes in each", shapes)
    rank = max(len(x.type.shape) for x in bottoms)
    padded = [(1,) * (rank - len(x.type.shape)) + x.type.shape for x in bottoms]
    shape = tuple(max(extents) for extents in zip(*padded, strict=True))
    shapes = " and ".join(str(x.type.shape) for x in bottoms)
    fit = all(have in (1, want) for extents in padded for have, want in zip(extents, shape, strict=True))
    same_samples = all(x.type.batch == like.type.batch or p[0] == 1 for x, p in zip(bottoms, padded, strict=True))
    if not fit or not same_samples or len(like.type.shape) < rank:
        raise OpTypeError("bottoms cannot be broadcast", "extents that are equal, or 1", shapes)
    return like, shape


def _broadcast(ctx: TraceContext, x: Value, like: Value, shape: tuple[int, ...]) -> Value:
    """x with these extents."""
    if x.type.shape == shape:
        return x
    offset = len(shape) - len(x.type.shape)
    kept = [a for a, extent in enumerate(x.type.shape) if extent == shape[a + offset] or (a == 0 and x.type.batch)]
    extents = tuple(x.type.shape[a] for a in kept)
    x = x if extents == x.type.shape else ctx.op("reshape", x, shape=extents)
    axes = tuple(a + offset for a in kept)
    return ctx.op("broadcast", x, shape=shape, axes=axes, batch=like.type.batch)


def custom_gradient(forward: Callable[..., Any], backward: Callable[..., Any]) -> Callable[..., LayerValue]:
    """`forward` with the gradient that `backward` computes, for the `emit` of a layer.

        rounded = custom_gradient(np.rint, lambda gradient, x: gradient)      # in the backward pass, as if y = x
        return [rounded(x)]

    Args:
        forward: values -> the value of the result. No gradient passes through what it computes.
        backward: (gradient of the result, the values) -> the gradient of each value, which has its shape: one value, or
            a list with one for each, or None for those that get none. It may read other values, such as parameters and
            what `forward` computed; these get no gradient through it.

    Returns:
        A function of values. It raises OpCallError, which names the layer, for anything else.

    Raises:
        OptionError: not functions.
    """
    for name, function in (("forward", forward), ("backward", backward)):
        if not callable(function):
            rule, expected = f"custom_gradient: {name} is not a function", "such as lambda gradient, x: gradient"
            raise OptionError(rule, expected=expected, got=shown(function), at=at(user_line()))

    def of_values(*values: Any) -> LayerValue:
        if not values or not all(isinstance(x, LayerValue) for x in values):
            got = ", ".join(type(x).__name__ for x in values) or "nothing"
            raise OpCallError("a function of custom_gradient takes values", "values of emit", got)
        context = cast("TraceContext", values[0]._ctx)  # pyright: ignore[reportPrivateUsage]
        return context.custom_gradient(forward(*values), values, backward)

    return of_values
