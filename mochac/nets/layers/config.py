"""Frozen records with checked fields: the base of layers, neurons, initializers and regularizers.

`@config` turns a class with `option(rule, default=...)` fields into a frozen dataclass whose constructor checks names
and values of fields, and reports errors with the line of the user's code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, FrozenInstanceError, field, fields, replace
from inspect import Parameter, Signature
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from mochac.base.errors import OptionError, shown
from mochac.base.hints.names import FIELD_NAMES, FIELDS
from mochac.base.records import option, with_fields
from mochac.base.registry import misspelt
from mochac.base.rules import Rule, check_fields
from mochac.base.support.places import at, is_ours, short_path

C = TypeVar("C", bound="type[Config]")


class _Signature:
    """The signature of a constructor, for help() and editors, made on demand."""

    def __get__(self, instance: object, owner: type[Config]) -> Signature:
        known = fields(owner)  # type: ignore[arg-type]
        kinds = [Parameter.KEYWORD_ONLY if f.kw_only else Parameter.POSITIONAL_OR_KEYWORD for f in known]
        empty = Parameter.empty
        return Signature(
            [
                Parameter(f.name, kind, default=empty if f.default is MISSING else f.default)
                for f, kind in zip(known, kinds, strict=True)
            ],
            __validate_parameters__=False,
        )


class Config:
    """Base class of records. Fields are read-only; `replace(**changes)` returns a changed copy.

    Attributes:
        origin: (file, line) of the user's code that made the object; ("", 0) if there is none.
        absent: fields that users of similar classes look for, and what to write or know instead.
    """

    origin: tuple[str, int]
    absent: ClassVar[Mapping[str, str]] = {}
    _positional: ClassVar[int] = 0
    __signature__: ClassVar[Any] = _Signature()

    def __init__(self, *args: Any, **named: Any) -> None:
        object.__setattr__(self, "origin", user_line())
        _check_names(type(self), args, named, self._positional, self.origin)
        known = fields(self)  # type: ignore[arg-type]
        values = {**dict(zip((f.name for f in known), args, strict=False)), **named}
        for f in known:
            object.__setattr__(self, f.name, values.get(f.name, f.default))
        self.__post_init__()

    def __setattr__(self, name: str, value: Any) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}: use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        """The fields; for records with keyword fields only, which have many, just those that differ from their
        defaults."""
        known = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.repr]  # type: ignore[arg-type]
        texts = [f"{n}={v!r}" for n, v, default in known if self._positional or not self._is_default(n, v, default)]
        return f"{type(self).__qualname__}({', '.join(texts)})"

    def _is_default(self, name: str, value: Any, default: Any) -> bool:
        """Whether a field has its default; arrays, which compare by element, never have."""
        if value is default:
            return True
        return type(value) is type(default) and isinstance(same := value == default, bool) and same

    def _repr_html_(self) -> str:
        """In a notebook: a table of the fields."""
        from mochac.base.drawing.svg import table, titled

        shown = [f for f in fields(self) if f.repr]  # type: ignore[arg-type]
        return titled(type(self).__qualname__, table([], [[f.name, repr(getattr(self, f.name))] for f in shown]))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        check_fields(self, error=self.error, unchecked=Unset)

    @classmethod
    def complaint(cls, values: Mapping[str, Any], rule: str, **parts: Any) -> OptionError:
        """An OptionError about an object of this class whose fields have these `values`."""
        return OptionError(f"{cls.__qualname__}: {rule}", **parts)

    def error(self, rule: str, **parts: str) -> OptionError:
        """An OptionError about this object, ready to raise."""
        return self.complaint(vars(self), rule, at=at(self.origin), **parts)

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like a new object.

        Raises:
            OptionError: an unknown field or a bad value.
        """
        return replace(self, **changes)  # type: ignore[type-var]


class Unset:
    """Type of `UNSET`, the default of fields whose value depends on others."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclass_transform(frozen_default=True, field_specifiers=(field, option))
def config(cls: C) -> C:
    """Class decorator: a frozen record whose constructor checks its fields, which may be positional.

    Raises:
        OptionError: the class has a constructor of its own.
    """
    new_class = with_fields(_without_constructor(cls), kw_only=False)
    new_class._positional = len(fields(new_class))  # type: ignore[arg-type]
    return new_class


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, option))
def keyword_config(cls: C) -> C:
    """Like `config`, but with keyword fields only."""
    return with_fields(_without_constructor(cls), kw_only=True)


def _without_constructor(cls: C) -> C:
    if "__init__" not in vars(cls):
        return cls
    hint = "declare fields instead: `size: int = option(integer(1), default=3)`; self.size reads it"
    raise OptionError(f"{cls.__qualname__} has an __init__ of its own", hint=hint, at=at(user_line()))


def rules(cls: type[Config]) -> dict[str, Rule]:
    """The rules by field name."""
    return {f.name: f.metadata["rule"] for f in fields(cls) if "rule" in f.metadata}  # type: ignore[arg-type]


def _check_names(
    cls: type[Config], args: tuple[Any, ...], named: dict[str, Any], allowed: int, origin: tuple[str, int]
) -> None:
    known = [f.name for f in fields(cls)]  # type: ignore[arg-type]
    facts: dict[str, Any] = {"details": [f"fields: {' '.join(known)}"], "at": at(origin)}
    if len(args) > allowed:
        what = f"takes at most {allowed} values" if allowed else "takes keyword fields only"
        raise cls.complaint(named, what, got=shown(args[allowed]), **facts)
    for name in named:
        if name not in known:
            translated = [f for f in known if name in FIELD_NAMES.get(f, "").split()]
            hint = f"did you mean {translated[0]!r}?" if translated else FIELDS.get(name) or misspelt(name, known)
            hint = cls.absent.get(name, hint)
            raise cls.complaint(named, f"no field {name!r}", hint=hint, **facts)
    required = [f.name for f in fields(cls) if f.default is MISSING]  # type: ignore[arg-type]
    for name in required[len(args) :]:
        if name not in named:
            raise cls.complaint(named, f"field {name!r} must be given", at=at(origin))


_ORIGIN: ContextVar[tuple[str, int] | None] = ContextVar("_MADE_AT", default=None)


@contextmanager
def at_origin(file: str, line: int) -> Iterator[None]:
    """Records made inside the context have this line as their origin; for nets from files that are not Python."""
    token = _ORIGIN.set((short_path(file), line))
    try:
        yield
    finally:
        _ORIGIN.reset(token)


def user_line() -> tuple[str, int]:
    """File and line of the innermost caller outside mochac; ("", 0) if mochac itself is the program."""
    if (place := _ORIGIN.get()) is not None:
        return place
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if not is_ours(module) and module != "dataclasses":
            return short_path(frame.f_code.co_filename), frame.f_lineno
        frame = frame.f_back
    return "", 0
