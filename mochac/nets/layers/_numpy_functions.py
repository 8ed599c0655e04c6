"""NumPy's functions of values, and what replaces each of them in `emit`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from mochac.base.hints.calls import ARGUMENTS, OPERATIONS
from mochac.base.hints.names import instead
from mochac.ir.op import OPS
from mochac.ir.op_call import OpCallError

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
                rule, meant = f"{method.__name__} of a value has no argument {name!r}", ARGUMENTS[name]
                raise OpCallError(rule, hint=f"did you mean {meant!r}?")
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
