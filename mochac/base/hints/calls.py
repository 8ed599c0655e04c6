"""Calls whose arguments do not fit: one error with a hint instead of Python's TypeError, for functions and classes."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from mochac.base.errors import OptionError
from mochac.base.registry import suggestion

P = ParamSpec("P")
R = TypeVar("R")


def checked_with(hints: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """checked_call with hints for names that others have for arguments.

    >>> @checked_with({"size": "write extent=..."})
    ... def make(extent=1): ...
    >>> make(size=3)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: make() has no argument 'size'
      hint: write extent=...
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> R:
            try:
                return function(*args, **named)
            except TypeError as error:
                if _of_call(error):
                    own, what = _own(function), f"{function.__name__}()"
                    values = args[len(signature(function).parameters) - len(own) :]  # without self
                    found = misfit(what, own, values, named, hint_for=lambda name, known: hints.get(name, ""))
                    raise found or error from None
                raise

        return call

    return decorate


def checked_call(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: arguments that are unknown, missing, given twice or too many are an OptionError with a hint.

    >>> @checked_call
    ... def load(path, *, batch_size=None): ...
    >>> load("a.onnx", batchsize=3)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: load() has no argument 'batchsize'
      hint: did you mean 'batch_size'?
    >>> load()
    Traceback (most recent call last):
    mochac.base.errors.OptionError: load() needs the argument 'path'
      hint: in order: path; by name: batch_size
    """

    return checked_with({})(function)


class CheckedCalls(ABCMeta):
    """Metaclass of classes whose constructors are checked like functions under @checked_call.

    A class may say what it is called in messages, what its arguments are called, and what an unknown name meant.

    >>> class Point(metaclass=CheckedCalls):
    ...     def __init__(self, x, y=0): ...
    >>> Point(1, z=3)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: Point has no argument 'z'
      hint: arguments: x, y
    >>> import inspect
    >>> str(inspect.signature(Point))
    '(x, y=0)'
    """

    argument_word = "argument"

    def called(cls) -> str:
        """The class in messages."""
        return cls.__qualname__

    def hint_for(cls, name: str, known: Sequence[str]) -> str:
        """The hint for an argument that the constructor does not have; "": the closest name, or else all."""
        return ""

    if not TYPE_CHECKING:  # editors see the constructor of the class itself

        @property
        def __signature__(cls) -> Signature:
            return Signature(list(_own(cls.__init__).values()))

        def __call__(cls, *args: Any, **named: Any) -> Any:
            try:
                return super().__call__(*args, **named)
            except TypeError as error:
                if _of_call(error):
                    known, word = _own(cls.__init__), cls.argument_word
                    raise misfit(cls.called(), known, args, named, word, cls.hint_for) or error from None
                raise


def misfit(
    what: str,
    known: dict[str, Parameter],
    args: Sequence[Any],
    named: dict[str, Any],
    word: str = "argument",
    hint_for: Callable[[str, Sequence[str]], str] = lambda name, known: "",
) -> OptionError | None:
    """What is wrong with the arguments of a call; None if they fit.

    Args:
        what: what is called, as in "load()".
        known: its parameters.
        word: what messages call an argument.
        hint_for: the hint for an unknown one, from its name and the known ones; "": the closest name, or else all.
    """
    kinds = {p.kind for p in known.values()}
    placed = [name for name, p in known.items() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    names = [name for name, p in known.items() if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)]
    told = [name for name, p in known.items() if p.kind is not Parameter.VAR_KEYWORD]
    order = _order(known)
    for name in named if Parameter.VAR_KEYWORD not in kinds else ():
        if name not in names:
            close = suggestion(name, names)
            usual = f"did you mean {close!r}?" if close else f"{word}s: {', '.join(told)}"
            return OptionError(f"{what} has no {word} {name!r}", hint=hint_for(name, told) or usual)
    if len(args) > len(placed) and Parameter.VAR_POSITIONAL not in kinds:
        most, got = f"at most {len(placed)}", str(len(args))
        return OptionError(f"{what} got too many values", expected=most, got=got, hint=order)
    given = {*placed[: len(args)], *named}
    for name in names:
        if name in named and name in placed[: len(args)]:
            return OptionError(f"{what} got the {word} {name!r} twice", hint=order)
        if known[name].default is Parameter.empty and name not in given:
            return OptionError(f"{what} needs the {word} {name!r}", hint=order)
    return None


def _order(known: dict[str, Parameter]) -> str:
    """The arguments as they are given: in order, and by name."""
    by_name = [name for name, p in known.items() if p.kind is Parameter.KEYWORD_ONLY]
    in_order = [name for name, p in known.items() if name not in by_name and p.kind is not Parameter.VAR_KEYWORD]
    parts = {"in order": in_order, "by name": by_name}
    return "; ".join(f"{how}: {', '.join(names)}" for how, names in parts.items() if names)


def _of_call(error: TypeError) -> bool:
    """Whether the call itself failed, not something inside what was called."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is None


def _own(function: Callable[..., Any]) -> dict[str, Parameter]:
    """The parameters of a function, without `self`."""
    return {name: p for name, p in signature(function).parameters.items() if name != "self"}
