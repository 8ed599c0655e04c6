"""record: a frozen dataclass that is made in a tenth of the time, since no code is compiled for it.

@dataclass compiles up to six functions for every class, which took a fifth of the time until a program's first step.
Here records share their methods, and a constructor is a copy of one for as many fields, with other names. Whatever
works with frozen dataclasses works with records: `fields`, `replace`, `asdict`, patterns, pickles, classes derived from
them by @dataclass, `inspect.signature`, type checkers. They are made and compared at least as fast.

Mutable classes are plain @dataclass.
"""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, replace
from functools import cache
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import Any, Protocol, TypeVar, dataclass_transform, overload

T = TypeVar("T")
C = TypeVar("C", bound=type[Any])


class FieldRule(Protocol):
    """What `option` takes: a Rule of base/rules.py."""

    @property
    def text(self) -> str: ...
    @property
    def convert(self) -> Callable[[Any], Any]: ...


def option(rule: FieldRule, *, default: Any = MISSING, **how: Any) -> Any:
    """A field with a rule, which the record checks; without a default, it is required. `how`: arguments of `field`."""
    return field(default=default, metadata={"rule": rule}, **how)


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, option))
def record(cls: type[T], /) -> type[T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, option))
def record(
    *, slots: bool = False, init: bool = True, repr: bool = True, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...
def record(
    cls: Any = None,
    /,
    *,
    slots: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = True,
    kw_only: bool = False,
) -> Any:
    """Class decorator like `@dataclass(frozen=True)`, with its options.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1)
    Point(x=1, y=0)
    >>> Point(1).x = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """
    if cls is None:
        return lambda cls: _record_class(cls, slots, init, repr, eq, kw_only)
    return _record_class(cls, slots, init, repr, eq, kw_only)


def with_fields(cls: C, kw_only: bool, frozen: bool = False, eq: bool = False) -> C:
    """Make a class with annotations a dataclass that has no methods of its own.

    Raises:
        TypeError: a mutable default.
    """
    known: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        known.update(base.__dict__.get("__dataclass_fields__", {}))
    for name, annotation in cls.__annotations__.items():
        if not _is_of_the_class(annotation):
            known[name] = _field(cls, name, annotation, kw_only)
    cls.__dataclass_fields__ = known
    cls.__dataclass_params__ = params = copy.copy(_PARAMS)
    params.init, params.repr, params.eq, params.frozen = False, False, eq, frozen
    if "__match_args__" not in cls.__dict__:
        cls.__match_args__ = tuple(f.name for f in known.values() if f.init and not f.kw_only)
    return cls


def _is_of_the_class(annotation: Any) -> bool:
    """Whether it says ClassVar: such a name is no field."""
    text = annotation if isinstance(annotation, str) else str(annotation)
    return text.partition("[")[0].rpartition(".")[2] == "ClassVar"


def _field(cls: type, name: str, annotation: Any, kw_only: bool) -> Field[Any]:
    default = cls.__dict__.get(name, MISSING)
    spec: Any = default if isinstance(default, Field) else field(default=default)
    spec.name, spec.type, spec._field_type = name, annotation, _FIELD_TYPE
    if spec.kw_only is MISSING:
        spec.kw_only = kw_only
    if spec.default is MISSING:
        if isinstance(default, Field):
            delattr(cls, name)
    elif spec.default.__class__.__hash__ is None:
        raise TypeError(f"mutable default of field {name}: use default_factory")
    else:
        setattr(cls, name, spec.default)
    return spec


def _record_class(cls: Any, slots: bool, init: bool, repr: bool, eq: bool, kw_only: bool) -> Any:
    own = cls.__dict__
    explicit_hash = own.get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)
    with_fields(cls, kw_only, frozen=True, eq=eq)
    known: dict[str, Field[Any]] = cls.__dataclass_fields__
    for f in known.values():
        if not f.init and (f.default_factory is not MISSING or (slots and f.default is not MISSING)):
            raise TypeError(f"field {f.name} has a default and init=False: let __post_init__ store it")
    if slots:
        cls = _slotted(cls, known)
    cls.__dataclass_params__.init, cls.__dataclass_params__.repr = init, repr
    cls._record_shown = tuple(f.name for f in known.values() if f.repr)
    methods: dict[str, Any] = {"__setattr__": _no_setting, "__delattr__": _no_deletion, "__replace__": _replaced}
    if repr:
        methods["__repr__"] = _shown
    if eq:
        methods["__eq__"] = _copied(cls, _equality, [f.name for f in known.values() if f.compare])
    own = cls.__dict__
    for name, method in methods.items():
        if name not in own:
            setattr(cls, name, method)
    if eq and not explicit_hash:
        hashed = [f.name for f in known.values() if (f.compare if f.hash is None else f.hash)]
        cls.__hash__ = _copied(cls, _hash, hashed)
    if init:
        cls.__init__ = _constructor(cls, [f for f in known.values() if f.init], slots)
    return cls


def _slotted(cls: Any, known: dict[str, Field[Any]]) -> Any:
    """The class once more, with slots, which must be there when a class is made."""
    inherited = {slot for base in cls.__mro__[1:-1] for slot in getattr(base, "__slots__", ())}
    contents = {name: value for name, value in cls.__dict__.items() if name not in (*known, "__dict__", "__weakref__")}
    contents["__slots__"] = tuple(name for name in known if name not in inherited)
    contents |= {"__getstate__": _state, "__setstate__": _set_state}
    new_class = type(cls)(cls.__name__, cls.__bases__, contents)
    new_class.__qualname__ = cls.__qualname__
    return new_class


# Functions that are compiled once for a number of fields, and copied with other names.


class _Factory:
    """The default of parameters for which a function makes the value."""

    def __repr__(self) -> str:
        return "<factory>"


FACTORY = _Factory()


def _constructor(cls: Any, known: list[Field[Any]], slots: bool) -> Any:
    positional = [f for f in known if not f.kw_only]
    named = [f for f in known if f.kw_only]
    parameters = [*positional, *named]
    factories = tuple(f.default_factory is not MISSING for f in parameters)
    reads: dict[str, Any] = {"store": object.__setattr__, "FACTORY": FACTORY}
    for i, f in enumerate(parameters):
        if slots:
            reads[f"store_{i}"] = getattr(cls, f.name).__set__
        if f.default_factory is not MISSING:
            reads[f"factory_{i}"] = f.default_factory
    template = _init(factories, slots, hasattr(cls, "__post_init__"))
    code = template.replace(co_argcount=1 + len(positional), co_kwonlyargcount=len(named))
    init = _copy(cls, code, [f.name for f in parameters], reads)
    init.__defaults__ = _defaults(cls, positional)
    init.__kwdefaults__ = {f.name: default for f in named if (default := _default(f)) is not MISSING}
    init.__annotations__ = {**{f.name: f.type for f in parameters}, "return": None}
    return init


def _default(f: Field[Any]) -> Any:
    return f.default if f.default_factory is MISSING else FACTORY


def _defaults(cls: type, positional: list[Field[Any]]) -> tuple[Any, ...]:
    defaults = [_default(f) for f in positional]
    values = [default for default in defaults if default is not MISSING]
    if any(default is MISSING for default in defaults[len(defaults) - len(values) :]):
        raise TypeError(f"{cls.__qualname__}: a field without a default follows one with a default")
    return tuple(values)


def _copied(cls: Any, template: Callable[[int], CodeType], names: list[str]) -> Any:
    return _copy(cls, template(len(names)), names, {})


def _copy(cls: Any, code: CodeType, names: list[str], reads: dict[str, Any]) -> Any:
    """The function, a method of `cls` that reads these global names, with fields called `names` instead of NAME_i."""
    renamed = {f"{NAME}{i}": name for i, name in enumerate(names)}
    qualname = f"{cls.__qualname__}.{code.co_name}"
    code = code.replace(
        co_varnames=tuple([renamed.get(name, name) for name in code.co_varnames]),
        co_names=tuple([renamed.get(name, name) for name in code.co_names]),
        co_consts=tuple([renamed.get(c, c) if isinstance(c, str) else c for c in code.co_consts]),
        co_qualname=qualname,
    )
    function = FunctionType(code, {"__name__": cls.__module__, "__builtins__": builtins, **reads})
    function.__module__ = cls.__module__
    return function


NAME = "__field_"
"""Start of the names of fields in templates, which no field has."""


@cache
def _init(factories: tuple[bool, ...], slots: bool, checked: bool) -> CodeType:
    """Code of a constructor of as many fields; `factories`: whether each has one; `checked`: it calls
    __post_init__."""
    names = [f"{NAME}{i}" for i in range(len(factories))]
    lines: list[str] = []
    for i, (name, factory) in enumerate(zip(names, factories, strict=True)):
        value = f"factory_{i}() if {name} is FACTORY else {name}" if factory else name
        lines.append(f"store_{i}(self, {value})" if slots else f"store(self, {name!r}, {value})")
    if checked:
        lines.append("self.__post_init__()")
    return _compiled("__init__", ["self", *names], lines or ["pass"])


@cache
def _equality(fields: int) -> CodeType:
    mine, others = _values("self", fields), _values("other", fields)
    lines = [f"if other.__class__ is self.__class__: return {mine} == {others}", "return NotImplemented"]
    return _compiled("__eq__", ["self", "other"], lines)


@cache
def _hash(fields: int) -> CodeType:
    return _compiled("__hash__", ["self"], [f"return hash({_values('self', fields)})"])


def _values(of: str, fields: int) -> str:
    return f"({''.join(f'{of}.{NAME}{i}, ' for i in range(fields))})"


def _compiled(name: str, parameters: list[str], lines: list[str]) -> CodeType:
    namespace: dict[str, Any] = {}
    body = "".join(f"\n    {line}" for line in lines)
    exec(compile(f"def {name}({', '.join(parameters)}):{body}", "<record>", "exec"), namespace)
    return namespace[name].__code__


# Methods of all records.


@recursive_repr()
def _shown(self: Any) -> str:
    cls = type(self)
    return f"{cls.__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in cls._record_shown])})"


def _no_setting(self: Any, name: str, value: object) -> None:
    if _is_record(type(self)) or name in self.__dataclass_fields__:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _no_deletion(self: Any, name: str) -> None:
    if _is_record(type(self)) or name in self.__dataclass_fields__:
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_record(cls: type) -> bool:
    """Whether it was decorated itself: a class derived from a record may have attributes besides the fields."""
    return "__dataclass_params__" in cls.__dict__


def _replaced(self: Any, /, **changes: Any) -> Any:
    return replace(self, **changes)


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class _Model:
    """A dataclass as this version of Python makes them, from which the rest is taken."""

    x: int


_PARAMS: Any = _Model.__dict__["__dataclass_params__"]
_FIELD_TYPE: Any = _Model.__dict__["__dataclass_fields__"]["x"]._field_type
