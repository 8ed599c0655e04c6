"""Text of kernels and schedules: round trip, the form of each statement, and what bad text says."""

from __future__ import annotations

import kernel_kit as kit
import pytest

from mochac.ir.graph import Loc
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Const, Prefetch, operand_text
from mochac.ir.kernel_text import KernelTextError, parse_index, parse_kernel, parse_operand
from mochac.ir.schedule import STEPS, Schedule, ScheduleError, parse_schedule, parse_step

TEXT = """\
kernel @pool.1(%x: f32[b5,3] blocked(4), %s: f32[]) -> (%y: f32[b5], %at: i32[b5]) root max_pool ops (max_pool, relu) \
flops 30 @"pool net.py:12" @"relu" {
  local %best: f32[] register
  local %rows: f32[2,4] scratch
  each q in 0..2 parallel {
    each lane in 0..4 vector {
      if -lane - 4*q + 4 >= 0, lane >= 0 {
        prefetch %x[lane + 4*q, 0]
        prefetch write %rows[q, lane]
        prefetch l2 %x[lane + 4*q, 1]
        %best[] = -inf:f32
        %flag = lt(%t, 2*q + lane)
        %rows[0, lane] = true:bool
      }
    }
    for i in max(0, -q + 2)..min(3, ceil((q + 5) / 2)) unroll {
      %t = %x[4*q, i]
      %best[] = max(%t, %best[])
      %at[q] = -3:i32
    }
  }
}
"""


def test_every_statement_survives_the_round_trip() -> None:
    parsed = parse_kernel(TEXT)
    assert str(parsed) == TEXT.replace("2*q + lane)", "lane + 2*q)")
    assert parse_kernel(str(parsed)) == parsed
    assert parsed.loc == (Loc("pool", "net.py", 12), Loc("relu"))
    assert (parsed.root, parsed.ops, parsed.flops) == ("max_pool", ("max_pool", "relu"), 30)
    assert Prefetch("rows", (Index.var("q"), Index.var("lane")), True) in parsed.body[0].body[0].body[0].body  # type: ignore[union-attr]


@pytest.mark.parametrize("make", [kit.conv, kit.conv_dx, kit.conv_dw, kit.conv_pool, kit.product, kit.product_dw])
def test_naive_kernels_survive_the_round_trip(make) -> None:
    naive = make()
    assert parse_kernel(str(naive)) == naive


@pytest.mark.parametrize(
    "operand",
    [
        "t1",
        Const(0.1, "f32"),
        Const(float("inf"), "f64"),
        Const(-7, "i64"),
        Const(False, "bool"),
        Index.var("i") * 2 - 3,
        Index(),
    ],
)
def test_operands_survive_the_round_trip(operand) -> None:
    assert parse_operand(operand_text(operand)) == operand


def test_indices_are_sorted_sums() -> None:
    assert str(parse_index("3 - 2*b + a + b - 1")) == "a - b + 2"
    assert parse_index("0") == Index()


def test_limits_print_as_max_and_min() -> None:
    kernel = parse_kernel(TEXT)
    loop = kernel.body[0].body[1]  # type: ignore[union-attr]
    q = Index.var("q")
    assert loop.lo == Limit(((Index.of(0), 1), (-q + 2, 1)))  # type: ignore[union-attr]
    assert loop.hi == Limit(((Index.of(3), 1), (q + 5, 2)))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kernel @pool.1", "kernel pool.1", "not a kernel header"),
        ("%best[] = -inf:f32", "%best[] := 0", "not a statement"),
        ("lane >= 0 {", "lane > 0 {", "conditions read 'index >= 0'"),
        ("for i in", "while i in", "not a loop"),
        ("%t = %x[4*q, i]", "%t = %x[4*q, ?]", "not an index"),
        ("max(%t, %best[])", "max(%t, %rows[])", "the last argument of an accumulation is its target"),
        ("-3:i32", "-3:int", "not a literal"),
        ("%t = %x[4*q, i]", "%t = %x[q 1, i]", r"not an index: 'q 1', expected \+ or - before '1'"),
        ("%t = %x[4*q, i]", "%t = %x[4*q i, i]", r"expected \+ or - before 'i'"),
        ("each lane in 0..4 vector {", "each lane in 0..4 vecto {", "not vecto; did you mean 'vector'"),
        ("each lane in 0..4 vector {", "each lane in 0..4 7 {", r"expected \+ or - before '7'"),
    ],
)
def test_bad_text_is_quoted(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(KernelTextError, match=message):
        parse_kernel(TEXT.replace(old, new))


def test_missing_and_surplus_braces() -> None:
    with pytest.raises(KernelTextError, match="the last '}' is missing"):
        parse_kernel(TEXT.rstrip()[:-1])
    with pytest.raises(KernelTextError, match="text after the kernel"):
        parse_kernel(TEXT + "}")


def test_schedules_survive_the_round_trip() -> None:
    lines = [
        "split(loop=n, factor=16, outer=q, inner=lane, tail=pad)",
        "distribute(loop=lane, past=(*))",
        "reorder(loops=(q, ct))",
        "peel(loop=wt, first=1, last=0)",
        "stage(buffer=w.new, loop=kh, space=scratch, subtotal=True)",
        "parallel(loops=())",
    ]
    schedule = parse_schedule("schedule conv, by hand\n" + "".join(f"  {line}\n" for line in lines))
    assert schedule.name == "conv, by hand"
    assert [str(s) for s in schedule.steps] == lines
    assert parse_schedule(str(schedule)) == schedule
    assert parse_schedule("schedule empty") == Schedule("empty")


def test_every_step_is_found_by_its_name() -> None:
    assert {
        "clip",
        "fission",
        "partial",
        "peel",
        "place",
        "reorder",
        "distribute",
        "split",
        "stage",
        "parallel",
    } <= set(STEPS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("spilt(loop=n)", "not a schedule step: .*; did you mean 'split'?"),
        ("split loop=n", "not a schedule step"),
        ("unroll(lop=n)", "unroll has the fields loop"),
        ("unroll(n)", "unroll has the fields loop"),
        ("unroll(loop=n, loop=m)", "unroll has the fields loop"),
        ("split(loop=n)", "split has the fields loop, factor, outer, inner, tail"),
        ("split(loop=n, factor=x, outer=a, inner=b)", "split: factor must be of type int"),
        ("reorder(loops=n)", r"reorder: loops must be of type tuple\[str, ...\]"),
        ("permute(local=x, order=(0, a))", r"permute: order must be of type tuple\[int, ...\]"),
    ],
)
def test_bad_steps_are_quoted(text: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        parse_step(text)


def test_a_schedule_starts_with_its_name() -> None:
    with pytest.raises(ScheduleError, match="starts with 'schedule NAME'"):
        parse_schedule("unroll(loop=n)")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("for i in", "if q >= 0 {\n" * 200 + "for i in", "loops are nested more than 64 deep: 'if "),
        ("-3:i32", "9" * 5000 + ":i32", "(?s)Exceeds the limit.*: '%"),
        ("-3:i32", "x:i32", "(?s)invalid literal.*: '%"),
        ("%t = %x[4*q, i]", "%t = %x[4*q, i" + " " * 10_000 + "]", "a line of 10,"),
        ("= max(%t, %best[])", "= max()", "not enough values to unpack.*: '%best"),
        ("flops 30", "flops 30 " + "@" * 100_000, "not a kernel header: 'kernel @pool.1"),
    ],
)
def test_text_that_no_kernel_has_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(KernelTextError, match=message) as caught:
        parse_kernel(TEXT.replace(old, new))
    assert len(str(caught.value)) < 600
