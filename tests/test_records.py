"""record makes what @dataclass(frozen=True) makes, without compiling code for each class."""

import copy
import dataclasses
import inspect
import pickle
import re
import typing
import weakref
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from functools import partial

import package_source
import pytest

from mochac.base.records import record
from mochac.ir.index import Index


def plain(**options):
    return dataclass(frozen=True, **options)


def pairs():
    """(name, class by record, class by @dataclass) for every form that fields may have."""
    found = []
    for slots in (False, True):
        for decorator in (partial(record, slots=slots), partial(plain, slots=slots)):

            @decorator()
            class Empty:
                """Nothing."""

            @decorator()
            class Three:
                """Three."""

                a: int
                b: tuple[int, ...] = (1, 2)
                c: str = "c"

            @decorator()
            class Derived(Three):
                """Four, one of them by name."""

                b: tuple[int, ...] = ()
                d: list[int] = field(default_factory=list, compare=False)
                e: float = field(default=0.5, kw_only=True, repr=False)
                f: dict[str, int] = field(default_factory=lambda: {"f": 1}, hash=False, kw_only=True)
                known: typing.ClassVar[int] = 3

            @decorator(kw_only=True)
            class Named:
                """Names only."""

                a: int
                b: int = 0
                c: int

            @decorator(eq=False, repr=False)
            class Same:
                """The same only as itself."""

                a: int = 1

            @decorator()
            class Checked:
                """Checks."""

                a: int
                made: int = field(init=False)

                def __post_init__(self):
                    object.__setattr__(self, "made", 2 * self.a)
                    if self.a < 0:
                        raise ValueError("negative")

            found.append((Empty, Three, Derived, Named, Same, Checked))
    return [(*two, "slots" if i > 1 else "") for i in (0, 2) for two in zip(found[i], found[i + 1], strict=True)]


CASES = {
    "Empty": [{}],
    "Three": [{"a": 1}, {"a": 2, "c": "d"}, {"a": 1, "b": (1, 2)}],
    "Derived": [{"a": 1}, {"a": 1, "d": [1]}, {"a": 1, "e": 2.0}, {"a": 1, "f": {}}],
    "Named": [{"a": 1, "c": 2}, {"c": 2, "b": 0, "a": 1}],
    "Same": [{}, {"a": 2}],
    "Checked": [{"a": 1}, {"a": 2}],
}


@pytest.mark.parametrize(("made", "asked", "slots"), pairs(), ids=lambda c: getattr(c, "__name__", str(c)))
def test_it_is_the_dataclass(made, asked, slots):
    assert str(inspect.signature(made)) == str(inspect.signature(asked))
    assert typing.get_type_hints(made.__init__) == typing.get_type_hints(asked.__init__)
    assert made.__match_args__ == asked.__match_args__ and made.__doc__ == asked.__doc__
    told = [(f.name, f.type, f.init, f.repr, f.hash, f.compare, f.kw_only, f.default) for f in fields(asked)]
    assert [(f.name, f.type, f.init, f.repr, f.hash, f.compare, f.kw_only, f.default) for f in fields(made)] == told
    assert made.__init__.__qualname__ == asked.__init__.__qualname__
    ours, theirs = ([cls(**given) for given in CASES[made.__name__]] for cls in (made, asked))
    for x, y in zip(ours, theirs, strict=True):
        assert dataclasses.asdict(x) == dataclasses.asdict(y) and hasattr(x, "__dict__") == hasattr(y, "__dict__")
        assert [x == other for other in ours] == [y == other for other in theirs]
        assert x != y and x.__eq__(y) is NotImplemented
        if made.__name__ != "Same":
            assert repr(x) == repr(y) and hash(x) == hash(y)
        for change in ({}, {"a": 5}):
            if not change or "a" in dataclasses.asdict(x):
                assert dataclasses.asdict(replace(x, **change)) == dataclasses.asdict(replace(y, **change))


@pytest.mark.parametrize(("made", "asked", "slots"), pairs(), ids=lambda c: getattr(c, "__name__", str(c)))
@pytest.mark.parametrize("arguments", [((), {}), ((1, 2, 3, 4, 5, 6, 7), {}), ((), {"a": 1, "z": 2}), ((1,), {"a": 1})])
def test_wrong_arguments_have_the_same_message(made, asked, slots, arguments):
    def message(cls):
        try:
            cls(*arguments[0], **arguments[1])
        except TypeError as error:
            return str(error)

    assert message(made) == message(asked)


@pytest.mark.parametrize("slots", [False, True])
def test_it_is_frozen(slots):
    @record(slots=slots)
    class Point:
        x: int

    point = Point(3)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 4
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(FrozenInstanceError):
        point.y = 1
    assert point.x == 3


def test_a_class_derived_without_a_decorator_has_attributes_of_its_own():
    @record
    class Point:
        x: int

    class Named(Point):
        pass

    named = Named(1)
    named.name = "n"
    assert (named.x, named.name, repr(named), named == Named(1), named == Point(1)) == (
        1,
        "n",
        f"{Named.__qualname__}(x=1)",
        True,
        False,
    )
    with pytest.raises(FrozenInstanceError):
        named.x = 2
    del named.name


def test_dataclasses_and_records_derive_from_each_other():
    @record
    class Point:
        x: int

    @dataclass(frozen=True)
    class Weighted(Point):
        weight: float = 1.0

    @record
    class Coloured(Weighted):
        colour: str = "red"

    assert Weighted(1) == Weighted(x=1, weight=1.0) and [f.name for f in fields(Coloured)] == ["x", "weight", "colour"]
    assert replace(Coloured(1), colour="blue").colour == "blue"
    with pytest.raises(TypeError, match="non-frozen dataclass from a frozen one"):
        dataclass(type("Loose", (Point,), {"__annotations__": {"y": "int"}}))


def test_own_methods_stay():
    @record
    class Odd:
        x: int

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

        def __repr__(self):
            return "odd"

    @record
    class Compared:
        x: int

        def __eq__(self, other):
            return self.x > other.x

    assert Odd(1) == 3 and hash(Odd(2)) == 1 and repr(Odd(1)) == "odd"
    assert Compared(2) == Compared(1) and hash(Compared(1)) == hash(
        plain()(type("P", (), {"__annotations__": {"x": int}}))(1)
    )


@record
class Node:
    value: int
    below: "tuple[Node, ...]" = ()
    seen: list = field(default_factory=list, compare=False)


@record(slots=True)
class Slotted:
    value: int
    text: str = ""


def test_copies_and_pickles():
    for made in (Index.var("i") * 2 + 1, Node(1, (Node(2),)), Slotted(1, "x")):
        assert copy.deepcopy(made) == copy.copy(made) == pickle.loads(pickle.dumps(made)) == made
    assert weakref.ref(node := Node(1))() is node


def test_patterns_and_repetitions():
    match Node(1, (Node(2),)):
        case Node(value, (Node(below),)):
            assert (value, below) == (1, 2)
    node = Node(1)
    node.seen.append(node)
    assert repr(node) == "Node(value=1, below=(), seen=[...])"
    assert Node(1).seen is not Node(1).seen


def test_wrong_fields_are_refused():
    with pytest.raises(TypeError, match="mutable default of field a: use default_factory"):
        record(type("Odd", (), {"__annotations__": {"a": "list"}, "a": []}))
    with pytest.raises(TypeError, match="Odd: a field without a default follows one with a default"):
        record(type("Odd", (), {"__annotations__": {"a": "int", "b": "int"}, "a": 1}))
    with pytest.raises(TypeError, match="field a has a default and init=False: let __post_init__ store it"):
        record(slots=True)(type("Odd", (), {"__annotations__": {"a": "int"}, "a": field(default=1, init=False)}))


def test_the_package_has_no_frozen_dataclasses():
    texts = {name: path.read_text() for name, path in package_source.modules().items() if name != "base.records"}
    assert not [name for name, text in texts.items() if re.search(r"^@(dataclasses\.)?dataclass\(.*frozen", text, re.M)]
