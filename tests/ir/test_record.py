"""record makes what @dataclass(frozen=True, slots=True) makes, but for its constructor, which takes the same."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from mochac.ir.index import Index
from mochac.ir.record import record


@dataclass(frozen=True, slots=True)
class Plain:
    a: int
    b: tuple[int, ...] = (1, 2)


@record
class Made:
    a: int
    b: tuple[int, ...] = (1, 2)


def test_it_is_the_dataclass():
    assert str(inspect.signature(Made)) == str(inspect.signature(Plain))
    assert [f.name for f in fields(Made)] == [f.name for f in fields(Plain)]
    assert repr(Made(3)) == repr(Plain(3)).replace("Plain", "Made")
    assert Made(3) == Made(3, (1, 2)) != Made(4) and hash(Made(3)) == hash(Made(a=3)) == hash(Plain(3))
    assert replace(Made(3), b=()) == Made(3, ())
    assert not hasattr(Made(3), "__dict__")


def test_it_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Made(3).a = 4


@pytest.mark.parametrize("arguments", [{}, {"a": 1, "c": 2}])
def test_arguments_are_checked(arguments):
    with pytest.raises(TypeError, match=r"Made.__init__\(\)"):
        Made(**arguments)


def test_copies_and_pickles():
    made = Index.var("i") * 2 + 1
    assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made


def test_fields_that_it_does_not_know_are_refused():
    class Odd:
        a: list[int] = field(default_factory=list)

    class Checked:
        a: int

        def __post_init__(self) -> None:
            raise AssertionError

    for cls in (Odd, Checked):
        with pytest.raises(AssertionError):
            record(cls)
