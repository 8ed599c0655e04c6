"""LayerValue: a value with NumPy's operators and functions, so that `emit` reads as the formula.

    return [x * np.tanh(np.log(1 + np.exp(x)))]

Every operator appends the operation of that name to the graph, as ctx.op does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from mochac.base.hints.calls import ARGUMENTS, OPERATIONS
from mochac.base.hints.names import instead
from mochac.ir.graph import Value
from mochac.ir.op import OPS
from mochac.ir.op_call import OpCallError
from mochac.nets.layers._operators import (
    Operand,
    OpWriter,
    Subscript,
    as_floats,
    as_mask,
    as_value,
    einsum,
    element_wise,
    equal,
    indexed,
    largest,
    product,
    whole,
)

P = ParamSpec("P")
R = TypeVar("R")

UFUNCS: dict[np.ufunc, str] = {
    np.add: "add", np.subtract: "sub", np.multiply: "mul", np.divide: "div", np.negative: "neg",
    np.absolute: "abs", np.fabs: "abs", np.sign: "sign", np.floor: "floor", np.ceil: "ceil", np.trunc: "trunc",
    np.rint: "round", np.square: "square", np.sqrt: "sqrt", np.exp: "exp",
    np.log: "log", np.tanh: "tanh", np.maximum: "max", np.minimum: "min", np.isnan: "isnan",
    np.less: "lt", np.less_equal: "le", np.greater: "gt", np.greater_equal: "ge",
    np.equal: "eq", np.not_equal: "ne",
    np.logical_and: "and", np.logical_or: "or", np.logical_not: "not",
}  # fmt: skip
"""The element-wise operation that replaces a function."""
METHODS: dict[Callable[..., Any], str] = {
    np.sum: "sum", np.mean: "mean", np.reshape: "reshape", np.transpose: "transpose",
    np.max: "max", np.min: "min", np.clip: "clip",
}  # fmt: skip
"""The method of its first argument that replaces a function."""
OTHERS = (np.matmul, np.power, np.where, np.einsum, np.concatenate)
"""Functions of values that neither an operation nor a method replaces."""


def method_of(function: Callable[..., Any], x: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of the method of `x` that replaces a function.

    Raises:
        OpCallError: it takes other arguments.
    """
    name = METHODS[function]
    if function is np.transpose:  # its axes are one argument, which may be None
        args, kwargs = tuple(axes for axes in (*args, *kwargs.values()) if axes is not None), {}
    try:
        return getattr(x, name)(*args, **kwargs)
    except TypeError as error:
        got = " ".join(str(error).split()).replace("LayerValue.", "")
        raise OpCallError(f"np.{name} of a value takes other arguments", f"those of x.{name}", got) from None


def with_numpys_arguments(method: Callable[P, R]) -> Callable[P, R]:
    """Decorator: arguments by PyTorch's names raise an error that says NumPy's names.

    >>> @with_numpys_arguments
    ... def sum(x, axis): ...
    >>> sum(3, dim=1)
    Traceback (most recent call last):
    mochac.ir.op_call.OpCallError: sum of a value has no argument 'dim'
    """

    @wraps(method)
    def call(*args: P.args, **named: P.kwargs) -> R:
        for name in named:
            if name in ARGUMENTS:
                rule, numpy_name = f"{method.__name__} of a value has no argument {name!r}", ARGUMENTS[name]
                raise OpCallError(rule, hint=f"did you mean {numpy_name!r}?")
        return method(*args, **named)

    return call


def require_call(ufunc: np.ufunc, method: str, options: dict[str, Any]) -> None:
    """Raise OpCallError for np.add.reduce and the like, and for options such as out=."""
    name = ufunc.__name__
    if method != "__call__" or options:
        used = f"np.{name}.{method}" if method != "__call__" else f"np.{name}({', '.join(options)}=...)"
        raise OpCallError(f"{used} of a value", expected=f"np.{name}({', '.join('xyz'[: ufunc.nin])})")


def no_operation(name: str, library: str = "np") -> OpCallError:
    """The error about a function that nothing replaces."""
    known = ", ".join(sorted(f"np.{function.__name__}" for function in (*UFUNCS, *METHODS, *OTHERS)))
    hint = operation_hint(name) or "or ctx.op(name, ...)"
    return OpCallError(f"there is no operation for {library}.{name}", known, f"{library}.{name}", hint)


def operation_hint(name: str) -> str:
    """What to write for another library's function or method; "" if nothing replaces it.

    >>> operation_hint("relu"), operation_hint("clamp")
    ("ctx.op('relu', ...)", 'use np.clip(x, low, high)')
    """
    if name in OPERATIONS:
        return instead(OPERATIONS[name]).removeprefix("; ")
    return f"ctx.op({name!r}, ...)" if name in OPS else ""


class NoAttribute(OpCallError, AttributeError):
    """A value is asked for an attribute that it does not have."""


class LayerValue(Value):
    """A value as layers see it: passed to `emit`, and returned by ctx.op.

    Operators: + - * / ** @ - abs, comparisons but == and != (np.equal, np.not_equal), & | ~ on bools, x[:, 1:3], and
    NumPy's functions of these names, np.exp, np.where, ... The other operand may be a value, a number, or an array of
    fixed numbers. Shapes follow NumPy's rules, but axis 0 of a value with samples is never repeated or cut.
    Operators that move it or reduce over it (x.T, x[None], x.sum(0), x @ y.T) work on all samples of the batch:
    ctx.all_samples(x).
    """

    __slots__ = ("_ctx", "home")
    _ctx: OpWriter
    home: object
    """The graph to which it belongs: that of the net, or of a loop's step."""

    @classmethod
    def of(cls, ctx: OpWriter, value: Value, home: object = None) -> LayerValue:
        """The value, with operators that write to `ctx`; itself if it has them."""
        if isinstance(value, cls):
            return value
        layer_value = cls(value.name, value.type)
        object.__setattr__(layer_value, "_ctx", ctx)
        object.__setattr__(layer_value, "home", home)
        return layer_value

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Value) and (self.name, self.type) == (other.name, other.type)
        if self is other or (not same and isinstance(other, (LayerValue, int, float, np.number, np.ndarray))):
            hint = "np.equal(x, y), np.not_equal(x, y) compare their elements"
            raise OpCallError("== and != compare no elements of a value", hint=hint)
        return same

    def __hash__(self) -> int:
        return hash((self.name, self.type))

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents; with samples, axis 0 is the batch."""
        return self.type.shape

    @property
    def ndim(self) -> int:
        """The number of axes, that of the batch included."""
        return len(self.type.shape)

    @property
    def T(self) -> LayerValue:
        """The axes in reverse order; of samples, those of all samples."""
        return self.transpose(*reversed(range(len(self.shape))))

    def reshape(self, *shape: int | Sequence[int]) -> LayerValue:
        """Its elements in another shape; one extent may be -1."""
        extents = [int(d) for part in shape for d in (part if isinstance(part, Sequence) else (part,))]
        known = math.prod(d for d in extents if d >= 0)
        if extents.count(-1) == 1 and known and self.type.elems % known == 0:
            extents[extents.index(-1)] = self.type.elems // known
        return self if tuple(extents) == self.shape else self._op("reshape", self, shape=tuple(extents))

    def transpose(self, *axes: int | Sequence[int]) -> LayerValue:
        """The axes in another order, by default in reverse; if that moves samples, those of all samples."""
        numbers = [int(a) for part in axes for a in (part if isinstance(part, Sequence) else (part,))]
        rank = len(self.shape)
        if sorted(a % rank for a in numbers or range(rank)) != list(range(rank)):
            raise OpCallError("the axes of a transpose", f"each of 0 .. {rank - 1} once", str(tuple(numbers)))
        if not numbers:
            return self.T
        order = tuple(a % rank for a in numbers)
        return self if not order else self._op("permute", self if order[0] == 0 else self._whole(), order=order)

    @with_numpys_arguments
    def sum(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> LayerValue:
        """The sum over some axes or all; over axis 0, of all samples."""
        axes = self._axes(axis)
        x = self._expression("sum", as_floats(self._ctx, self._whole() if 0 in axes else self))
        return self._reduced(self._op("reduce_sum", x, axes=axes) if axes else x, axes, keepdims)

    @with_numpys_arguments
    def mean(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> LayerValue:
        """The mean over some axes or all; over axis 0, of all samples."""
        count = math.prod(self.shape[k] for k in self._axes(axis))
        return self.sum(axis, keepdims=keepdims) * (1 / count)

    @with_numpys_arguments
    def max(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> LayerValue:
        """The largest element along some axes or all; along axis 0, of all samples."""
        axes = self._axes(axis)
        found = largest(self._ctx, as_floats(self._ctx, self._whole() if 0 in axes else self), axes)
        return self._reduced(self._expression("max", found), axes, keepdims)

    @with_numpys_arguments
    def min(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> LayerValue:
        """The smallest element along some axes or all; along axis 0, of all samples."""
        return -((-self).max(axis, keepdims=keepdims))

    def clip(self, low: Operand | None = None, high: Operand | None = None) -> LayerValue:
        """Each element, or the nearer limit if the element lies outside of the limits; None: no limit."""
        above = self if low is None else self._with("clip", "max", self, low)
        return above if high is None else above._with("clip", "min", above, high)

    # --- operators -----------------------------------------------------------------------------------

    def __add__(self, other: Operand) -> LayerValue:
        return self._with("+", "add", self, other)

    def __radd__(self, other: Operand) -> LayerValue:
        return self._with("+", "add", other, self)

    def __sub__(self, other: Operand) -> LayerValue:
        return self._with("-", "sub", self, other)

    def __rsub__(self, other: Operand) -> LayerValue:
        return self._with("-", "sub", other, self)

    def __mul__(self, other: Operand) -> LayerValue:
        return self._with("*", "mul", self, other)

    def __rmul__(self, other: Operand) -> LayerValue:
        return self._with("*", "mul", other, self)

    def __truediv__(self, other: Operand) -> LayerValue:
        return self._with("/", "div", self, other)

    def __rtruediv__(self, other: Operand) -> LayerValue:
        return self._with("/", "div", other, self)

    def __pow__(self, other: Operand) -> LayerValue:
        if isinstance(other, (int, float, np.number)):
            return self._op("power", as_floats(self._ctx, self), exponent=float(other))
        return self._with("**", "pow", self, other)

    def __rpow__(self, other: Operand) -> LayerValue:
        return self._with("**", "pow", other, self)

    def __matmul__(self, other: Operand) -> LayerValue:
        return self._product(self, other)

    def __rmatmul__(self, other: Operand) -> LayerValue:
        return self._product(other, self)

    def __neg__(self) -> LayerValue:
        return self._with("-", "neg", self)

    def __pos__(self) -> LayerValue:
        return self

    def __abs__(self) -> LayerValue:
        return self._with("abs", "abs", self)

    def __invert__(self) -> LayerValue:
        return self._op("not", self)

    def __and__(self, other: Operand) -> LayerValue:
        return self._with("&", "and", self, other)

    def __or__(self, other: Operand) -> LayerValue:
        return self._with("|", "or", self, other)

    def __lt__(self, other: Operand) -> LayerValue:
        return self._with("<", "lt", self, other)

    def __le__(self, other: Operand) -> LayerValue:
        return self._with("<=", "le", self, other)

    def __gt__(self, other: Operand) -> LayerValue:
        return self._with(">", "gt", self, other)

    def __ge__(self, other: Operand) -> LayerValue:
        return self._with(">=", "ge", self, other)

    def __getitem__(self, key: Subscript | tuple[Subscript, ...]) -> LayerValue:
        return LayerValue.of(self._ctx, indexed(self._ctx, self, key))

    def __setitem__(self, key: object, value: object) -> None:
        hint = "np.where(mask, x, y), or np.concatenate of its parts, makes a new one"
        raise OpCallError("a value cannot be changed", hint=hint)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        hint = operation_hint(name) or "ctx.op(name, x) for operations"
        raise NoAttribute(
            f"a value has no attribute {name!r}",
            "shape ndim T type reshape transpose sum mean max min clip",
            name,
            hint,
        )

    def __bool__(self) -> bool:
        hint = "np.where(x > 0, a, b) chooses element by element; x is None, where it may be absent"
        raise OpCallError("a value has no truth value while a net is built", hint=hint)

    def __float__(self) -> float:
        hint = "np.exp and other functions of NumPy compute with values; those of math take numbers"
        raise OpCallError("a value has no numbers while a net is built", hint=hint)

    def __int__(self) -> int:
        return int(float(self))

    def __iter__(self) -> Any:
        raise OpCallError("a value cannot be iterated", hint="x[:, 0], x[:, 1], ... are its columns")

    # --- NumPy's functions ---------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Operand, **options: object) -> LayerValue:
        name = ufunc.__name__
        require_call(ufunc, method, options)
        if ufunc in (np.matmul, np.power):
            first = inputs[0] if isinstance(inputs[0], LayerValue) else self._expression(name, inputs[0])
            return first @ inputs[1] if ufunc is np.matmul else first ** inputs[1]
        if ufunc not in UFUNCS:
            raise no_operation(name)
        return self._with(f"np.{name}", UFUNCS[ufunc], *inputs)

    def __array_function__(
        self, function: Callable[..., Any], types: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> LayerValue:
        if function is np.where and len(args) == 3 and not kwargs:
            return self._chosen(*args)
        if function in METHODS and isinstance(args[0], LayerValue):
            return method_of(function, args[0], args[1:], kwargs)
        if function is np.einsum and not kwargs:
            operands = [as_floats(self._ctx, as_value(self._ctx, "np.einsum", x)) for x in args[1:]]
            return self._expression("np.einsum", einsum(self._ctx, args[0], operands))
        if function is np.concatenate:
            parts, *rest = args
            return self._concatenated(tuple(parts), *rest, **kwargs)
        raise no_operation(function.__name__)

    @classmethod
    def __torch_function__(cls, function: Callable[..., Any], *_: object) -> LayerValue:
        """PyTorch calls this for its functions of values."""
        raise no_operation(function.__name__, "torch")

    def _chosen(self, condition: Operand, *parts: Operand) -> LayerValue:
        if isinstance(condition, (bool, np.bool_)):
            hint = "Python chooses between them: x if condition else y"
            raise OpCallError("the condition of np.where is one bool", "a value of bools", repr(condition), hint)
        mask = as_mask(self._ctx, "np.where", condition)
        return self._op("select", *equal(self._ctx, "np.where", "select", (mask, *parts), choosing=1))

    def _concatenated(self, parts: tuple[Operand, ...], axis: int = 0) -> LayerValue:
        values = tuple(self._expression("np.concatenate", part) for part in parts)
        (at,) = values[0]._axes(axis)
        values = values if at else tuple(x._whole() for x in values)
        return self._op("concat", *values, axis=at)

    # --- inside --------------------------------------------------------------------------------------

    def _whole(self) -> LayerValue:
        """All samples of the batch."""
        return self._expression("all_samples", whole(self._ctx, self))

    def _op(self, op: str, *inputs: Value, **attrs: object) -> LayerValue:
        return LayerValue.of(self._ctx, self._ctx.op(op, *inputs, **attrs))

    def _with(self, what: str, op: str, *operands: Operand) -> LayerValue:
        """An element-wise operation; its operands are converted to one dtype and shape."""
        return LayerValue.of(self._ctx, element_wise(self._ctx, what, op, operands))

    def _product(self, x: Operand, y: Operand) -> LayerValue:
        left, right = (as_floats(self._ctx, as_value(self._ctx, "@", operand)) for operand in (x, y))
        return LayerValue.of(self._ctx, product(self._ctx, left, right))

    def _reduced(self, reduced: LayerValue, axes: tuple[int, ...], keepdims: bool) -> LayerValue:
        return reduced.reshape(*(1 if k in axes else d for k, d in enumerate(self.shape))) if keepdims else reduced

    def _expression(self, what: str, x: Operand) -> LayerValue:
        return LayerValue.of(self._ctx, as_value(self._ctx, what, x))

    def _axes(self, axis: int | Sequence[int] | None) -> tuple[int, ...]:
        rank = len(self.shape)
        numbers = range(rank) if axis is None else axis if isinstance(axis, Sequence) else (axis,)
        for a in numbers:
            if not -rank <= a < rank:
                raise OpCallError(f"axis {a} is not an axis", f"-{rank} to {rank - 1}, for {self.shape}", str(a))
        return tuple(sorted({a % rank for a in numbers}))
