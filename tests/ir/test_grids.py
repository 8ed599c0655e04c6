"""Grids: where one ends, what they share, and what the verifier and the interpreter make of device memory."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.ir.grids import grid_of, grids, with_threads
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import kernel_problems, verify_kernel

KERNEL = """
kernel @twice(%x: f32[4]) -> (%y: f32[4]) ops (mul) flops 8{threads} {{
  local %between: f32[4] device
  local %s: f32[] register
  {first}
  each b in 0..4 {{
    {second}
  }}
}}
"""
FIRST = "each a in 0..4 {\n%t = %x[a]\n%between[a] = %t\n}"
SECOND = "%u = %between[-b + 3]\n%y[b] = %u"


def kernel(first: str = FIRST, second: str = SECOND, threads: str = ""):
    return parse_kernel(KERNEL.format(first=first, second=second, threads=threads))


def test_a_grid_ends_where_device_memory_was_written_last() -> None:
    first, second = grids(kernel())
    assert (first.name, [b.name for b in first.outputs], first.locals) == ("twice.between", ["between"], ())
    assert (second.name, [b.name for b in second.inputs], second.locals) == ("twice", ["between"], ())
    assert [b.space for b in (*first.outputs, *second.inputs)] == ["global", "global"]
    assert (grid_of(kernel(), "a"), grid_of(kernel(), "b"), grid_of(kernel(), "c")) == (0, 1, 0)


def test_a_kernel_without_device_memory_is_one_grid() -> None:
    plain = parse_kernel("kernel @k() -> (%y: f32[2]) {\neach a in 0..2 {\n%y[a] = 0.0:f32\n}\n}")
    assert grids(plain) == (plain,)


def test_every_grid_has_its_number_of_threads() -> None:
    assert with_threads(kernel(), 1, 64).threads == (0, 64)
    assert with_threads(with_threads(kernel(), 1, 64), 0, 32).threads == (32, 64)


def test_what_later_grids_read_outlives_the_loops_that_wrote_it() -> None:
    verify_kernel(kernel())
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(run_kernel(kernel(), {"x": x})["y"], x[::-1])


def test_one_element_is_one_for_all_blocks() -> None:
    """Other locals would be private to an iteration of the loop that sets them."""
    text = KERNEL.replace("f32[4] device", "f32[1] device")
    one = parse_kernel(
        text.format(
            first="each a in 0..1 {\n%between[0] = 2.0:f32\n}", second="%u = %between[0]\n%y[b] = %u", threads=""
        )
    )
    np.testing.assert_array_equal(run_kernel(one, {"x": np.zeros(4, np.float32)})["y"], [2] * 4)


@pytest.mark.parametrize(
    ("first", "second", "threads", "message"),
    [
        (
            FIRST + "\neach c in 0..4 {\n%v = %between[c]\n%between[c] = %v\n}",
            SECOND,
            "",
            "read in the grid that writes it",
        ),
        ("%s[] = 1.0:f32\n" + FIRST, "%v = %s[]\n%y[b] = %v", "", "%s is used in several grids"),
        ("%v = %x[0]\n" + FIRST, "%y[b] = %v", "", "%v is a value of another grid"),
        (FIRST, SECOND, " threads 32, 32, 32", "3 numbers of threads for 2 grids"),
    ],
)
def test_rule(first: str, second: str, threads: str, message: str) -> None:
    problem = next(kernel_problems(kernel(first, second, threads)))
    assert problem.rule == "grids-apart" and message in problem.text


def test_rules_for_printing_hold_for_every_grid() -> None:
    blocks = kernel(FIRST.replace("0..4", "0..4 blocks"), SECOND, " threads 32, 0")
    verify_kernel(blocks, printable=True)
    problem = next(kernel_problems(kernel(FIRST.replace("0..4", "0..4 blocks")), printable=True))
    assert problem.rule == "blocks-outermost"
