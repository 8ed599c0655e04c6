"""Simplification by intervals: text before -> text after."""

from __future__ import annotations

import pytest

from mochac.ir.applying import simplify_guards
from mochac.ir.kernel_text import parse_kernel


def simplified(body: str) -> str:
    text = "kernel @k() -> (%y: f32[99]) {\n" + body + "\n}"
    lines = str(simplify_guards(parse_kernel(text))).splitlines()[1:-1]
    return "\n".join(line[2:] for line in lines)


STORE = "%y[i] = 0.0:f32"


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("i >= 0", ""),
        ("i + 1 >= 0, -i + 3 >= 0", ""),
        ("i - 1 >= 0, i >= 0", "i - 1 >= 0"),
        ("i - 1 >= 0, i - 1 >= 0", "i - 1 >= 0"),
        ("-2*i + 5 >= 0", "-2*i + 5 >= 0"),
    ],
)
def test_conditions_that_hold_vanish(condition: str, left: str) -> None:
    got = simplified(f"each i in 0..4 {{\nif {condition} {{\n{STORE}\n}}\n}}")
    want = f"each i in 0..4 {{\n  if {left} {{\n    {STORE}\n  }}\n}}" if left else f"each i in 0..4 {{\n  {STORE}\n}}"
    assert got == want


@pytest.mark.parametrize("condition", ["i - 4 >= 0", "-1 >= 0", "i >= 0, -i - 1 >= 0"])
def test_bodies_that_never_run_vanish(condition: str) -> None:
    assert simplified(f"each i in 0..4 {{\nif {condition} {{\n{STORE}\n}}\n}}") == ""


def test_empty_ranges_vanish() -> None:
    assert simplified(f"each i in 3..3 {{\n{STORE}\n}}") == ""
    assert simplified(f"each j in 0..2 {{\neach i in 5..j + 4 {{\n{STORE}\n}}\n}}") == ""


def test_nested_conditions_join_and_inherit() -> None:
    body = f"each i in 0..9 {{\nif i - 3 >= 0 {{\nif -i + 7 >= 0 {{\nif i - 2 >= 0 {{\n{STORE}\n}}\n}}\n}}\n}}"
    assert simplified(body) == f"each i in 0..9 {{\n  if i - 3 >= 0, -i + 7 >= 0 {{\n    {STORE}\n  }}\n}}"


def test_limits_of_dynamic_loops_decide_conditions() -> None:
    inner = f"each i in max(0, -j + 2)..min(5, -j + 9) {{\nif i + j - 2 >= 0, -i - j + 8 >= 0 {{\n{STORE}\n}}\n}}"
    body = f"each j in 0..9 {{\n{inner}\n}}"
    assert "if" not in simplified(body)


def test_strided_limits_decide_conditions() -> None:
    body = f"each j in 0..3 {{\neach i in ceil((-j + 1) / 2)..4 {{\nif 2*i + j - 1 >= 0 {{\n{STORE}\n}}\n}}\n}}"
    assert "if" not in simplified(body)


@pytest.mark.parametrize(
    ("j_range", "limits", "left"),
    [
        ("0..9", "max(0, -j + 2)..min(5, -j + 9)", "max(0, -j + 2)..min(5, -j + 9)"),
        ("2..9", "max(0, -j + 2)..min(5, -j + 9)", "0..min(5, -j + 9)"),
        ("2..4", "max(0, -j + 2)..min(5, -j + 9)", "0..5"),
        ("0..2", "max(0, -j + 1)..5", "-j + 1..5"),
        ("3..4", "j - 1..j + 4", "2..7"),
    ],
)
def test_candidates_that_never_decide_vanish(j_range: str, limits: str, left: str) -> None:
    body = f"each j in {j_range} {{\n%y[j + 50] = 1.0:f32\neach i in {limits} {{\n{STORE}\n}}\n}}"
    got = simplified(body)
    if j_range == "3..4":
        assert got == f"%y[53] = 1.0:f32\neach i in {left} {{\n  {STORE}\n}}"
    else:
        assert f"each i in {left} {{" in got


def test_single_iterations_are_replaced_by_their_body_and_names_stay_unique() -> None:
    body = "each i in 4..5 {\n%t = exp(i)\n%y[i] = %t\n}\neach i in 5..6 {\n%t = exp(i)\n%y[i] = %t\n}"
    assert simplified(body) == "%t.1 = exp(4)\n%y[4] = %t.1\n%t = exp(5)\n%y[5] = %t"


@pytest.mark.parametrize("run", ["vector", "parallel"])
def test_vectors_and_threads_of_one_iteration_stay(run: str) -> None:
    body = f"each i in 0..1 {run} {{\n  {STORE}\n}}"
    assert simplified(body) == body
