"""A user's op whose `lower` is wrong gives one error that names the op, the rule and the layer's line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from mochac.base.errors import OptionError
from mochac.ir import parse
from mochac.ir.kernel_build import Alias, Nest, Pointwise
from mochac.ir.op import OPS, Op, Sample, register
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels


def _read(k, bound, index):
    return k.read(bound, 0, index)


def _half(k, bound):
    with k.each("n", 4) as n:
        k.read(bound, 0, (n, 0))


def _race(k, bound):
    with k.each("n", 4) as n, k.each("c", 3) as c:
        k.write(bound, 0, (n, 0), k.read(bound, 0, (n, c)))


def _leak(k, bound, index):
    with k.sum("f", 3) as f:
        value = k.read(bound, 0, (index[0], f))
    return (value,)


def _no_accumulator(k, bound, index):
    value = _read(k, bound, index)
    k.accum("acc", "add", value)
    return (value,)


WRONG: dict[str, tuple[Pointwise | Nest, str]] = {
    "reads beyond the end": (
        Pointwise(lambda k, bound, i: (k.read(bound, 0, (i[0], i[1] + 1)),)),
        r"op 'wrong': `lower` breaks rule in-range: a1 \+ 1 may leave 0..2, .*\n  got  %t = %x\[a0, a1 \+ 1\]",
    ),
    "too few indices": (Pointwise(lambda k, bound, i: (_read(k, bound, i[:1]),)), "index-arity"),
    "no result": (Pointwise(lambda k, bound, i: None), "no operand per result\n  expected  a tuple of 1,  got  None"),
    "two results": (Pointwise(lambda k, bound, i: (_read(k, bound, i),) * 2), "a tuple of 1,  got  a tuple of 2"),
    "no such operand": (Pointwise(lambda k, bound, i: (k.read(bound, 3, i),)), "an operand that it does not have"),
    "no such result": (Nest(lambda k, bound: k.write(bound, 1, (0, 0), "t")), "a result that it does not have"),
    "no such function": (Pointwise(lambda k, bound, i: (k.call("f", _read(k, bound, i)),)), "no scalar function 'f'"),
    "too few arguments": (Pointwise(lambda k, bound, i: (k.call("add", _read(k, bound, i)),)), "add takes 2 arguments"),
    "another type": (Pointwise(lambda k, bound, i: (k.const(1, "i32"),)), "types-match"),
    "nothing is stored": (Nest(_half), "never writes result 0"),
    "one element for all": (Nest(_race), "each-independent"),
    "a value of an inner loop": (Pointwise(_leak), "names-in-scope"),
    "no accumulator": (Pointwise(_no_accumulator), "no buffer is called %acc"),
}


@pytest.fixture
def lowered() -> Iterator[Callable[..., None]]:
    """Lowers a graph with an op 'wrong'; the op is forgotten afterwards."""

    def lower(lowering: Pointwise | Nest | Alias, kind: str = "window") -> None:
        samples = (Sample(("f32[4,3]",)),)
        register(Op("wrong", lambda x: (x,), lambda x: x, lowering, samples, kind=kind))
        to_kernels(fuse(parse("graph @g(%x: f32[4,3]) {\n  %y: f32[4,3] = wrong(%x)\n  return %y\n}")))

    yield lower
    OPS._items.pop("wrong", None)
    OPS.foreign.discard("wrong")


@pytest.mark.parametrize(("lowering", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_lowering_is_an_error(lowered: Callable[..., None], lowering: Pointwise | Nest, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        lowered(lowering)


def test_an_elementwise_op_reads_where_it_stores(lowered: Callable[..., None]) -> None:
    turned = Pointwise(lambda k, bound, i: (k.read(bound, 0, (i[0], 2 - i[1])),))
    with pytest.raises(OptionError, match=r"but its kind is elementwise\n  expected  kind=.window"):
        lowered(turned, "elementwise")
    lowered(turned)


def test_numbers_are_indices(lowered: Callable[..., None]) -> None:
    lowered(Pointwise(lambda k, bound, i: (k.read(bound, 0, (i[0], 2)),)))
