"""split_sum: partial sums in one grid, their total in a second; results stay; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import DOT, check, computed, refuse

from mochac.ir.grids import grids
from mochac.ir.kernel_text import parse_kernel

BIASED = """
    local %acc: f32[] register
    each n in 0..8 {
      each c in 0..3 {
        %start = %w[c, 0]
        %acc[] = %start
        sum q in 0..2 {
          sum k in 0..2 {
            %a = %x[n, c, k + 2*q]
            %acc[] = fma(%a, %start, %acc[])
          }
        }
        %t = %acc[]
        %u = mul(%t, %start)
        %y[n, c] = %u
      }
    }
"""


def test_parts_are_summed_first_and_added_up_in_order() -> None:
    check(
        "split_sum(locals=(acc), loop=q)",
        BIASED,
        """
        local %acc: f32[] register
        local %acc.sum: f32[] register
        local %y.parts: f32[2,8,3] device
        each q in 0..2 {
          each n in 0..8 {
            each c in 0..3 {
              %start = %w[c, 0]
              %acc[] = 0.0:f32
              sum k in 0..2 {
                %a = %x[n, c, k + 2*q]
                %acc[] = fma(%a, %start, %acc[])
              }
              %acc.part = %acc[]
              %y.parts[q, n, c] = %acc.part
            }
          }
        }
        each n.s in 0..8 {
          each c.s in 0..3 {
            %start = %w[c.s, 0]
            %acc.sum[] = %start
            sum q.s in 0..2 {
              %acc.part = %y.parts[q.s, n.s, c.s]
              %acc.sum[] = add(%acc.part, %acc.sum[])
            }
            %t = %acc.sum[]
            %u = mul(%t, %start)
            %y[n.s, c.s] = %u
          }
        }
        """,
    )


def small(body: str):
    """A kernel without the output that these bodies do not write."""
    header = "kernel @dot(%x: f32[8,3,5], %w: f32[3,5]) -> (%y: f32[8,3]) root dot flops 240 {"
    return parse_kernel(header + body + "}")


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_grid_runs_in_its_own_way(size: int) -> None:
    """The last part may be shorter; blocks of the grids have their own numbers of threads."""
    done = computed(
        small(DOT),
        f"split(loop=k, factor={size}, outer=p, inner=k)",
        "split_sum(locals=(acc), loop=p, mark=e)",
        "blocks(loops=(p, n))",
        "threads(loops=(c), count=32)",
        "blocks(loops=(ne))",
        "threads(loops=(ce), count=64)",
        tolerance=1e-6,
    )
    assert done.threads == (32, 64)
    first, second = grids(done)
    assert (first.name, first.threads, first.flops) == ("dot.parts", (32,), 240)
    assert (second.name, second.threads, second.flops) == ("dot", (64,), 0)
    assert [b.name for b in (*first.inputs, *first.outputs)] == ["x", "w", "y.parts"]
    assert [b.name for b in (*second.inputs, *second.outputs)] == ["y.parts", "y"]


def test_items_without_blocks() -> None:
    """A grid may give every thread an item of its own."""
    steps = ("split_sum(locals=(acc), loop=k, mark=e)", "blocks(loops=(k, n))", "threads(loops=(c), count=32)")
    done = computed(small(DOT), *steps, "parallel(loops=(ne, ce))", tolerance=1e-6)
    assert done.threads == (32, 0) and "threads 32, 0 {" in str(done)


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("split_sum(locals=(acc), loop=n)", DOT, "'n' is not the outermost loop of a sum in 'acc'"),
        ("split_sum(locals=(acc), loop=k)", BIASED, "'k' is not the outermost loop of a sum in 'acc'"),
        ("split_sum(locals=(a), loop=k)", DOT, "kernel 'k' has no local 'a' of one element"),
        (
            "split_sum(locals=(acc), loop=k)",
            DOT.replace("fma(%a, %b,", "max(%a,"),
            "must add to 'acc' and do nothing else",
        ),
        ("split_sum(locals=(acc), loop=k)", DOT.replace("k in 0..5", "k in 1..5"), "need constant limits from 0"),
        (
            "split_sum(locals=(acc), loop=k)",
            DOT.replace("%a = %x[n, c, k]", "%a = %x[n, c, k]\n%y[n, c] = %a"),
            "must add to 'acc' and do nothing else",
        ),
    ],
)
def test_refusals(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_a_local_of_the_sum_and_of_what_follows_is_refused() -> None:
    body = DOT.replace("local %acc", "local %r: f32[] register\nlocal %acc").replace(
        "%a = %x[n, c, k]", "%a = %r[]"
    ).replace("%t = %acc[]", "%v = %r[]\n%t = %acc[]")  # fmt: skip
    refuse("split_sum(locals=(acc), loop=k)", body, "r is used in the sum and after it")


TWO = DOT.replace("local %acc", "local %sum: f32[] register\nlocal %acc").replace(
    "%acc[] = 0.0:f32", "%acc[] = 0.0:f32\n%sum[] = 0.0:f32"
).replace("%b = %w[c, k]", "%b = %w[c, k]\n%sum[] = add(%b, %sum[])").replace(
    "%y[n, c] = %t", "%s = %sum[]\n%u = mul(%t, %s)\n%y[n, c] = %u"
)  # fmt: skip


def test_several_sums_over_the_same_terms() -> None:
    done = computed(
        small(TWO),
        "split(loop=k, factor=2, outer=p, inner=k)",
        "split_sum(locals=(acc, sum), loop=p)",
        "blocks(loops=(p, n))",
        "threads(loops=(c), count=32)",
        tolerance=1e-6,
    )
    assert [b.name for b in done.locals if b.space == "device"] == ["y.parts", "y.parts.1"]
    assert [b.name for b in grids(done)[1].inputs if "parts" in b.name] == ["y.parts", "y.parts.1"]
    refuse("split_sum(locals=(acc), loop=k)", TWO, "must add to 'acc' and do nothing else")
