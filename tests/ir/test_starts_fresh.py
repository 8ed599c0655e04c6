"""starts_fresh: which bodies set all that they read of a local; steps that ask keep what is carried."""

from __future__ import annotations

import pytest
from step_kit import parse

from mochac.ir.starts_fresh import starts_fresh

FRESH = {
    "whole": "each r in 0..4 { %p[r] = 0.0:f32 }; sum k in 0..5 { each r in 0..4 { %p[r] = add(k, %p[r]) } }",
    "part": "each r in 0..4 { %p[r] = 0.0:f32 }; sum k in 0..5 { each r in 1..3 { %p[r] = add(k, %p[r]) } }",
    "shifted": "each r in 0..4 { %p[r] = 0.0:f32 }; each i in 0..2 { %t = %p[i + 2] }",
    "element by element": "each r in 0..4 { %p[r] = 0.0:f32; %t = %p[r] }",
    "in two parts": "each r in 0..2 { %p[r] = 0.0:f32 }; each r in 2..4 { %p[r] = r }; each r in 0..4 { %t = %p[r] }",
    "in tiles": "each a in 0..2 { each b in 0..2 { %p[2*a + b] = 0.0:f32 } }; each r in 0..4 { %t = %p[r] }",
    "neighbours in turn": "each a in 0..2 { %p[2*a] = 0.0:f32; %p[2*a + 1] = a }; each r in 0..4 { %t = %p[r] }",
    "where it holds": "each r in 0..9 { if -r + 3 >= 0 { %p[r] = r } }; each r in 0..9 { if -r >= 0 { %t = %p[r] } }",
    "same limits": "each r in 0..min(n + 1, 4) { %p[r] = 0.0:f32 }; each r in 0..min(n + 1, 4) { %t = %p[r] }",
    "reached at most": "each r in 0..4 { %p[r] = 0.0:f32 }; each r in 0..min(n + 1, 4) { %t = %p[r] }",
    "a condition around": "if n - 1 >= 0 { each r in 0..4 { %p[r] = 0.0:f32 } }; if n - 2 >= 0 { %t = %p[3] }",
    "a row": "each r in 0..4 { %q[n, r] = 0.0:f32 }; each r in 0..4 { %t = %q[n, r] }",
}
CARRIED = {
    "gaps": "each a in 0..2 { %p[3*a] = 0.0:f32; %p[3*a + 1] = a }; each r in 0..4 { %t = %p[r] }",
    "a neighbour": "each a in 0..2 { %p[2*a] = a; if a - 1 >= 0 { %p[2*a + 1] = a } }; each r in 0..4 { %t = %p[r] }",
    "a part is set": "each r in 0..3 { %p[r] = 0.0:f32 }; each r in 0..4 { %t = %p[r] }",
    "with a gap": "each r in 0..2 { %p[2*r] = 0.0:f32 }; each r in 0..3 { %t = %p[r] }",
    "a diagonal": "each r in 0..4 { %q[r, r] = 0.0:f32 }; each r in 0..4 { each i in 0..4 { %t = %q[r, i] } }",
    "another row": "each r in 0..4 { %q[n, r] = 0.0:f32 }; each r in 0..4 { %t = %q[0, r] }",
    "too early": "each r in 0..4 { %p[r] = 0.0:f32; %t = %p[3] }",
    "too late": "each r in 0..4 { %t = %p[r] }; each r in 0..4 { %p[r] = 0.0:f32 }",
    "a condition": "if n - 2 >= 0 { each r in 0..4 { %p[r] = 0.0:f32 } }; if n - 1 >= 0 { %t = %p[3] }",
    "a condition on elements": "each r in 0..4 { if r - 1 >= 0 { %p[r] = 0.0:f32 } }; each r in 0..4 { %t = %p[r] }",
    "perhaps never": "each k in 0..n { each r in 0..4 { %p[r] = 0.0:f32 } }; %t = %p[0]",
    "once": "sum k in 0..5 { if -k >= 0 { %p[0] = 0.0:f32 }; %p[0] = add(k, %p[0]) }",
    "shorter limits": "each r in 0..min(n, 4) { %p[r] = 0.0:f32 }; each r in 0..min(n + 1, 4) { %t = %p[r] }",
}


def body(text: str):
    kernel = parse(f"local %p: f32[9] register\nlocal %q: f32[8,4] register\neach n in 0..8 {{\n{lined(text)}\n}}\n")
    (loop,) = kernel.body
    return loop.body


def lined(text: str) -> str:
    """Statements end with semicolons or braces."""
    return text.replace("{ ", "{\n").replace(" }", "\n}").replace("; ", "\n")


@pytest.mark.parametrize("text", FRESH.values(), ids=FRESH)
def test_fresh(text: str) -> None:
    assert all(starts_fresh(body(text), name) for name in "pq")


@pytest.mark.parametrize("text", CARRIED.values(), ids=CARRIED)
def test_carried(text: str) -> None:
    assert not all(starts_fresh(body(text), name) for name in "pq")
