"""The schedule builder: steps apply at once, handles name the loops that they made, and the schedule does the same."""

from __future__ import annotations

import numpy as np
import pytest
from step_kit import DOT, parse

from mochac.ir.applying import apply
from mochac.ir.kernel import loops_named
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.nest import loops
from mochac.ir.schedule import ScheduleError, parse_schedule
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Place, Unroll, Vector
from mochac.ir.steps.split import Split


def built() -> ScheduleBuilder:
    """The rows of DOT in vectors, its sum in blocks."""
    b = ScheduleBuilder(parse(DOT))
    n, c, k = b.all_loops()
    b.add(Reorder((c, n)))
    _, lane = b.split(n, 4)
    b.split(k, 2, "cut")
    b.add(Distribute(lane, ALL), Vector(lane))
    return b


def test_the_schedule_does_what_was_built() -> None:
    b = built()
    schedule = b.schedule("rows")
    again = parse_schedule(str(schedule))
    assert again == schedule
    assert apply(again, parse(DOT)) == apply(schedule, parse(DOT))
    assert b.loops() == ("c", "n_o")


def test_a_built_kernel_computes_the_same() -> None:
    x, w = np.random.default_rng(3).standard_normal((2, 8, 3, 5)).astype(np.float32)
    inputs = {"x": x, "w": w[0], "blocked": np.zeros((10, 3), np.float32)}
    want, got = run_kernel(parse(DOT), inputs)["y"], run_kernel(built().kernel, inputs)["y"]
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_a_schedule_that_was_built_is_not_applied_again(monkeypatch: pytest.MonkeyPatch) -> None:
    b = built()
    schedule, start = b.schedule("rows"), b.kernel
    monkeypatch.setattr(Reorder, "apply", lambda *_: pytest.fail("applied again"))
    assert loops(apply(schedule, b.start)).keys() == loops(start).keys()


def test_steps_to_start_with() -> None:
    first = ScheduleBuilder(parse(DOT))
    first.split("n", 4)
    second = ScheduleBuilder(parse(DOT), first.schedule("first").steps)
    second.add(Unroll("n_i"))
    assert [str(s) for s in second.schedule("second").steps] == [
        "split(loop=n, factor=4, outer=n_o, inner=n_i, tail=guard)",
        "unroll(loop=n_i)",
    ]


def test_steps_that_were_applied_before(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ScheduleBuilder(parse(DOT))
    first.split("n", 4)
    monkeypatch.setattr(Split, "apply", lambda *_: pytest.fail("applied again"))
    second = ScheduleBuilder(parse(DOT), first.schedule("first").steps, first.kernel)
    assert second.kernel == first.kernel
    assert second.schedule("first") == first.schedule("first")


def test_names_of_loops_are_new() -> None:
    b = ScheduleBuilder(parse("each a in 0..8 {\neach a_o in 0..3 {\n%y[a, a_o] = 0.0:f32\n}\n}\n"))
    assert b.split("a", 4) == ("a_o.1", "a_i")
    assert b.split("a_o", 3) == ("a_o_o", "a_o_i")


def test_handles_of_what_steps_make() -> None:
    b = ScheduleBuilder(parse(DOT))
    tail = b.cut("n", 6)
    assert tail(Handle("c")) in b.all_loops()
    assert (b.extent("n"), b.extent(tail("n"))) == (6, 2)
    joined, total = b.partial("acc", "k")
    assert joined in b.all_loops()
    assert total in b.kernel.buffers()
    assert b.fission(tail("c"), 1) in b.all_loops()


def test_a_local_that_a_step_makes() -> None:
    b = ScheduleBuilder(parse(DOT))
    n, c = b.loops()
    b.add(Reorder((c, n)))
    copy = b.stage("w", c, "scratch")
    assert b.kernel.buffers()[copy].space == "scratch"
    b.add(Place(copy, "register"))


def test_a_step_that_does_not_fit_changes_nothing() -> None:
    b = ScheduleBuilder(parse(DOT))
    assert not b.fits(Vector("n"))
    assert b.fits(Unroll("k"))
    assert not b.fits(Vector("c"), Vector("n"))
    assert [str(s) for s in b.schedule("unrolled").steps] == ["unroll(loop=k)"]


def test_a_refused_step_shows_the_loops() -> None:
    b = ScheduleBuilder(parse(DOT))
    outer, _ = b.split("n", 4)
    with pytest.raises(ScheduleError) as caught:
        b.add(Vector(outer))
    assert str(caught.value) == (
        "vector(loop=n_o): vector: loop 'n_o' must be innermost, 'n_i' is inside it; distribute it first\n"
        "the loops before this step:\n"
        "each n_o in 0..2 {\n"
        "  each n_i in 0..4 {\n"
        "    each c in 0..3 {\n"
        "      (1 statement)\n"
        "      sum k in 0..5 {\n"
        "        (3 statements)\n"
        "      }\n"
        "      (2 statements)\n"
        "    }\n"
        "  }\n"
        "}"
    )


def test_a_handle_of_a_loop_that_is_gone() -> None:
    b = ScheduleBuilder(parse(DOT))
    n, *_ = b.loops()
    b.split(n, 4)
    with pytest.raises(ScheduleError, match="has no loop 'n'"):
        b.split(n, 2)


def test_an_extent_must_be_constant() -> None:
    b = ScheduleBuilder(parse("each a in 0..8 {\neach b in 0..a + 1 {\n%y[a, 0] = 0.0:f32\n}\n}\n"))
    with pytest.raises(ScheduleError, match="'b' has no constant extent"):
        b.extent("b")


def test_a_tail_that_is_split_in_turn() -> None:
    kernel = parse_kernel(
        "kernel @copy(%x: f32[10]) -> (%y: f32[10]) {\n  each n in 0..10 {\n    %t = %x[n]\n    %y[n] = %t\n  }\n}\n"
    )
    b = ScheduleBuilder(kernel)
    tail = b.cut(b.loops()[0], 8)
    b.split("n", 4)
    b.split(tail("n"), 2)
    x = np.arange(10, dtype=np.float32)
    np.testing.assert_array_equal(run_kernel(b.kernel, {"x": x})["y"], x)


def test_the_extent_of_a_loop_counts_the_remainder_that_was_cut_off() -> None:
    """Of 8 rows in blocks of 3 and of 2: the inner loops are those of a whole block, its remainder included."""
    b = ScheduleBuilder(parse(DOT))
    n, c, _ = b.all_loops()
    block, inside = b.split(n, 3, "cut")
    pair, row = b.split(inside, 2, "cut")
    assert [b.extent(loop) for loop in (block, pair, row, c)] == [3, 2, 2, 3]
    assert [loop.extent for loop in loops_named(b.kernel.body, pair)] == [1, 1, 1]
