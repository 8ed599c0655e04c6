"""One broken snippet per rule of the kernel verifier, and kernels that are fine."""

from __future__ import annotations

import kernel_kit as kit
import pytest

from mochac import ir
from mochac.ir.kernel import Buffer
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import KernelVerifyError, kernel_problems, verify_kernel
from mochac.ir.types import TensorType


def test_what_authors_import():
    """Kernels have in mochac.ir what graphs have."""
    assert (ir.parse_kernel, ir.verify_kernel) == (parse_kernel, verify_kernel)
    assert ir.run_kernel.__name__ == "run_kernel"


HEADER = """kernel @k(%x: f32[8,3], %blocked: f32[b20,3] blocked(16), %i: i32[8]) -> (%y: f32[8]) @"fc net.py:3" {
  local %a: f32[] register
  local %r: f32[4] register
  local %s: f32[4] scratch
"""
FILL = "each n in 0..8 {\n  %y[n] = 0.0:f32\n}\n"


def problem(body: str, printable: bool = False):
    kernel = parse_kernel(HEADER + body + "\n}")
    return next(kernel_problems(kernel, printable=printable), None)


BEGINS = """kernel @k(%w: f32[4], %v: f32[4], %i: f32[3]) -> (%y: f32[4]{}, %z: f32[4]{}) {{
  {}
  %y[0] = add(1.0:f32, %y[0])
  %z[0] = 1.0:f32
}}"""


@pytest.mark.parametrize(
    ("y", "z", "first", "text"),
    [
        (" = %i", "", "", "%y begins as %i, which is no input of its type"),
        (" = %u", "", "", "%y begins as %u, which is no input of its type"),
        (" = %w", " = %w", "", "two outputs begin as %w"),
        (" = %w", "", "%t = %w[0]", "%w is read, whose memory is an output's"),
    ],
)
def test_what_outputs_begin_as(y: str, z: str, first: str, text: str):
    found = next(kernel_problems(parse_kernel(BEGINS.format(y, z, first))))
    assert (found.rule, found.text) == ("begun-buffers", text)
    verify_kernel(parse_kernel(BEGINS.format(" = %w", " = %v", "%t = %i[0]")))


def nest(head: str, *lines: str) -> str:
    return "\n".join([head + " {", *lines, "}"])


ZERO_A, ADD_A, READ_A = "%a[] = 0.0:f32", "%a[] = add(1.0:f32, %a[])", "%t = %a[]"
ZERO_Y = "%y[n] = 0.0:f32"
LOAD_B = "%t = %blocked[{}, 0]"

BROKEN = [
    ("known-buffers", FILL + "%t = %z[0]", "no buffer is called %z"),
    ("known-buffers", FILL + "%x[0, 0] = 0.0:f32", "input %x is written"),
    ("index-arity", FILL + "%t = %x[0]", r"%x has shape \(8, 3\), the access has 1 indices"),
    ("known-functions", FILL + "%t = tanhh(1.0:f32)", "no scalar function 'tanhh'; did you mean 'tanh'"),
    ("known-functions", FILL + "%t = exp(1.0:f32, 2.0:f32)", "exp takes 1 arguments"),
    ("known-functions", FILL + ZERO_A + "\n%a[] = mul(2.0:f32, %a[])", r"not mul\(1\)"),
    ("known-variables", FILL + "%t = %x[n, 0]", "'n' is not a loop around this statement"),
    ("known-variables", nest("each n in 0..8", nest("each n in 0..8", ZERO_Y)), "inside another of that name"),
    ("known-variables", nest("each n in 0..m", ZERO_Y), "'m' is not a loop"),
    ("names-in-scope", nest("each n in 0..8", "%y[n] = %t"), "%t is not defined here"),
    ("names-in-scope", nest("each n in 0..8", "%t = %x[n, 0]") + "\n%y[0] = %t", "%t is not defined here"),
    ("names-in-scope", FILL + "%t = %x[0, 0]\n" + nest("each n in 0..2", "%t = %x[0, 1]"), "%t is defined twice"),
    ("types-match", FILL + "%t = add(1.0:f32, 1:i32)", "operands differ in dtype"),
    ("types-match", nest("each n in 0..8", "%t = %i[n]", "%y[n] = %t"), "%t is i32, %y holds f32"),
    ("types-match", FILL + ZERO_A + "\n" + nest("sum i in 0..3", "%a[] = add(i, %a[])"), "operands differ in dtype"),
    ("written-first", "%t = %y[0]\n" + FILL, "%y is read before anything is stored in it"),
    ("written-first", FILL + ADD_A, "%a is read before"),
    ("written-first", "%t = %x[0, 0]", "output %y is never stored to"),
    (
        "each-independent",
        nest("each n in 0..8", nest("each c in 0..3", ZERO_Y)),
        "loop 'c' write the same element of %y",
    ),
    (
        "each-independent",
        nest("each n in 0..8", nest("each c in 0..3", nest("if c - 1 >= 0", ZERO_Y))),
        "loop 'c' write the same element of %y",
    ),
    ("each-independent", ZERO_A + "\n" + nest("each n in 0..8", ZERO_Y, ADD_A), "carries a value in %a"),
    (
        "each-independent",
        nest("each n in 0..8", nest("if n - 1 >= 0", ZERO_A), READ_A, "%y[n] = %t"),
        "'each' loop 'n' carries a value in %a",
    ),
    (
        "each-independent",
        nest("each n in 0..8", nest("if -n >= 0", ZERO_A), READ_A, "%y[n] = %t"),
        "'each' loop 'n' carries a value in %a",
    ),
    (
        "sum-accumulates",
        FILL + ZERO_A + "\n" + nest("sum i in 0..3", READ_A, "%a[] = %t"),
        "'sum' loop 'i', but not only accumulated to",
    ),
    ("sum-accumulates", FILL + ZERO_A + "\n" + nest("sum i in 0..3", ADD_A, READ_A), "not only accumulated"),
    (
        "sum-accumulates",
        FILL + ZERO_A + "\n" + nest("sum i in 0..3", ADD_A, "%a[] = max(1.0:f32, %a[])"),
        "with max and with add",
    ),
    ("in-range", FILL + nest("each i in 0..4", "%t = %x[i, i]"), "i may leave 0..2, axis 1 of %x"),
    ("in-range", FILL + nest("each i in 0..4", nest("if i - 2 >= 0", "%t = %x[i - 3, 0]")), "i - 3 may leave 0..7"),
    ("in-range", FILL + nest("each i in 0..33", LOAD_B.format("i")), "i may leave 0..31, axis 0 of %blocked"),
]

UNPRINTABLE = [
    (
        "vector-innermost",
        nest("each n in 0..8 vector", ZERO_Y, nest("each i in 0..2", "%t = %x[n, i]")),
        "loop 'i' is inside vector loop 'n'",
    ),
    ("vector-innermost", nest("for n in 0..8 vector", ZERO_Y), "needs constant limits, from 0 on, and free order"),
    (
        "unroll-constant",
        FILL + nest("each i in 0..3", nest("each j in 0..i unroll", "%t = %x[j, 0]")),
        "'j' needs constant limits",
    ),
    (
        "parallel-outermost",
        nest("each n in 0..8 parallel", ZERO_Y) + "\n" + ZERO_A,
        "a statement outside the parallel loops",
    ),
    ("parallel-outermost", nest("for n in 0..8 parallel", ZERO_Y), "must be 'each' with constant limits"),
    (
        "parallel-outermost",
        nest("each q in 0..2", nest("each n in 0..4 parallel", "%y[4*q + n] = 0.0:f32")),
        "'n' is not perfectly nested",
    ),
    ("register-index", FILL + nest("each i in 0..4", "%r[i] = 0.0:f32"), "%r is in registers, but loop 'i'"),
    ("blocked-vector", FILL + nest("each i in 0..16 vector", LOAD_B.format("i + 4")), r"must read 16\*block \+ lane"),
    ("blocked-vector", FILL + nest("each i in 0..8 vector", LOAD_B.format("2*i")), r"axis 0 of %blocked"),
    (
        "blocked-vector",
        FILL + nest("each q in 0..4", nest("each i in 0..8 vector", LOAD_B.format("8*q + i"))),
        "axis 0 of %blocked",
    ),
]


@pytest.mark.parametrize(("rule", "body", "text"), BROKEN)
def test_rule_of_every_kernel(rule: str, body: str, text: str) -> None:
    kernel = parse_kernel(HEADER + body + "\n}")
    with pytest.raises(KernelVerifyError, match=text) as caught:
        verify_kernel(kernel)
    assert caught.value.rule == rule


@pytest.mark.parametrize(("rule", "body", "text"), UNPRINTABLE)
def test_rule_of_printable_kernels(rule: str, body: str, text: str) -> None:
    kernel = parse_kernel(HEADER + body + "\n}")
    verify_kernel(kernel)
    with pytest.raises(KernelVerifyError, match=text) as caught:
        verify_kernel(kernel, printable=True)
    assert caught.value.rule == rule


def test_rules_of_declarations() -> None:
    kernel = parse_kernel(HEADER + FILL + "}")
    twice = kernel.with_(locals=(*kernel.locals, kernel.locals[0]))
    strange = kernel.with_(locals=(Buffer("q", TensorType("f32", ()), "cloud"),))
    placed = kernel.with_(inputs=(Buffer("x", TensorType("f32", ()), "scratch"),))
    words = kernel.with_(body=(kernel.body[0].__class__(*_loop_fields(kernel.body[0], kind="all")),))
    for broken, rule, text in [
        (twice, "unique-buffers", "two buffers are called %a"),
        (strange, "unique-buffers", "local %q has space 'cloud'"),
        (placed, "unique-buffers", "parameter %x has space 'scratch'"),
        (words, "loop-words", "loop 'n' has kind 'all'"),
    ]:
        found = next(kernel_problems(broken))
        assert (found.rule, text in found.text) == (rule, True)


def _loop_fields(loop, kind: str):
    return loop.var, loop.lo, loop.hi, kind, loop.run, loop.body


def test_the_message_shows_rule_statement_and_origin() -> None:
    kernel = parse_kernel(HEADER + FILL + "%t = %x[0, 3]\n}")
    with pytest.raises(KernelVerifyError) as caught:
        verify_kernel(kernel)
    assert str(caught.value) == (
        "kernel @k breaks rule in-range: 3 may leave 0..2, axis 1 of %x\n  -> %t = %x[0, 3]\n  from fc net.py:3"
    )


@pytest.mark.parametrize("make", [kit.conv, kit.conv_dx, kit.conv_dw, kit.conv_pool, kit.product, kit.product_dw])
def test_naive_kernels_are_fine(make) -> None:
    verify_kernel(make())


@pytest.mark.parametrize(
    "body",
    [
        FILL + "each i in 0..9 {\nif -i + 7 >= 0 {\n%t = %x[i, 0]\n}\n}",
        FILL + "each j in 0..3 {\neach i in max(0, -j + 2)..8 {\n%t = %x[i + j - 2, 0]\n}\n}",
        FILL + "each u in 0..2 {\neach p in 0..-2*u + 3 {\nsum j in u..u + 1 {\n%t = %x[0, 2*j + p]\n}\n}\n}",
        FILL + "sum i in 0..3 {\n%a[] = 0.0:f32\nsum j in 0..2 {\n%a[] = add(1.0:f32, %a[])\n}\n}",
        FILL + "each i in 0..4 {\n%s[i] = 0.0:f32\n}\neach i in 0..4 {\n%s[i] = add(1.0:f32, %s[i])\n}",
        "each n in 0..8 {\neach c in 0..3 {\nif -c >= 0 {\n%y[n] = 0.0:f32\n}\n}\n}",
        "each n in 0..8 {\neach c in 0..3 {\nif c - 2 >= 0 {\n%y[n] = 0.0:f32\n}\n}\n}",
        FILL + "each q in 0..2 {\neach i in 0..16 vector {\n%t = %blocked[16*q + i, 0]\n}\n}",
    ],
)
def test_these_are_fine(body: str) -> None:
    assert problem(body, printable=True) is None
