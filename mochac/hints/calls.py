"""Calls of public functions whose arguments do not fit their signatures."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from mochac.errors import OptionError
from mochac.registry import suggestion

P = ParamSpec("P")
R = TypeVar("R")


def checked_call(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: arguments that are unknown, missing or too many are an OptionError with a hint, not a TypeError.

    >>> @checked_call
    ... def load(path, *, batch_size=None): ...
    >>> load("a.onnx", batchsize=3)
    Traceback (most recent call last):
    mochac.errors.OptionError: load() has no argument 'batchsize'
      hint: did you mean 'batch_size'?
    >>> load()
    Traceback (most recent call last):
    mochac.errors.OptionError: load() needs the argument 'path'
      hint: arguments: path, batch_size
    """

    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> R:
        try:
            return function(*args, **named)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:  # raised by the call itself
                raise _refused(function, args, named) or error from None
            raise

    return call


def _refused(function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> OptionError | None:
    """What is wrong with the arguments of a call; None if they fit."""
    known = signature(function).parameters
    own = [name for name in known if name != "self"]
    call, hint = f"{function.__name__}()", f"arguments: {', '.join(own)}"
    for name in named:
        if name not in known:
            close = suggestion(name, own)
            return OptionError(f"{call} has no argument {name!r}", hint=f"did you mean {close!r}?" if close else hint)
    placed = [name for name, p in known.items() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    if len(args) > len(placed):
        return OptionError(f"{call} got too many values", hint=hint)
    for name, p in known.items():
        if name in named and name in placed[: len(args)]:
            return OptionError(f"{call} got the argument {name!r} twice", hint=hint)
        if p.default is Parameter.empty and name not in named and name not in placed[: len(args)]:
            return OptionError(f"{call} needs the argument {name!r}", hint=hint)
    return None
