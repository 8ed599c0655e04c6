"""subtotal: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse, whole

from mochac.ir.starts_fresh import uses

SUM = """
    local %acc: f32[] register
    each n in 0..8 {
      %acc[] = 0.0:f32
      sum c in 0..3 {
        sum k in 0..5 {
          %t = %x[n, c, k]
          %acc[] = add(%t, %acc[])
        }
      }
      %s = %acc[]
      each o in 0..3 {
        %y[n, o] = %s
      }
    }
"""
"""The sum of each sample of x."""


def test_subtotal() -> None:
    check(
        "subtotal(local=acc, loop=c)",
        SUM,
        """
        local %acc: f32[] register
        local %acc.part: f32[] register
        each n in 0..8 {
          %acc[] = 0.0:f32
          sum c in 0..3 {
            %acc.part[] = 0.0:f32
            sum k in 0..5 {
              %t = %x[n, c, k]
              %acc.part[] = add(%t, %acc.part[])
            }
            %acc.part = %acc.part[]
            %acc[] = add(%acc.part, %acc[])
          }
          %s = %acc[]
          each o in 0..3 {
            %y[n, o] = %s
          }
        }
        """,
    )


@pytest.mark.parametrize(
    "steps",
    [
        ("subtotal(local=acc, loop=c)",),
        (
            "split(loop=k, factor=2, outer=ko, inner=ki, tail=guard)",
            "subtotal(local=acc, loop=ko)",
            "subtotal(local=acc, loop=c)",
        ),
        ("split(loop=k, factor=2, outer=ko, inner=ki, tail=cut)", "subtotal(local=acc, loop=ko)"),
        (
            "split(loop=k, factor=2, outer=ko, inner=ki, tail=guard)",
            "partial(local=acc, loop=ki)",
            "distribute(loop=ki, past=(*))",
            "vector(loop=ki)",
            "subtotal(local=acc, loop=c)",
        ),
        (
            "split(loop=n, factor=4, outer=no, inner=ni, tail=cut)",
            "distribute(loop=ni, past=(*))",
            "vector(loop=ni)",
            "subtotal(local=acc, loop=c)",
        ),
    ],
    ids=["loop", "levels", "tail", "lanes of the sum", "lanes of results"],
)
def test_results_stay(steps: tuple[str, ...]) -> None:
    """Also where the local has dimensions."""
    result = computed(whole(SUM), *steps, tolerance=1e-5)
    assert any("part" in b.name for b in result.locals)


def test_lanes_beyond_the_end_have_no_subtotal() -> None:
    """So a printer sees that nobody reads them, and needs no masks inside of the sum."""
    split = "split(loop=n, factor=3, outer=no, inner=ni, tail=guard)"
    inside = ("distribute(loop=ni, past=(*))", "unroll(loop=ni)")
    result = computed(whole(SUM), split, *inside, "subtotal(local=acc, loop=c)", tolerance=1e-5)
    assert all(use.conds for name in ("acc", "acc.part") for use in uses(result.body, name))


def test_products_are_added_up_in_parts_too() -> None:
    body = SUM.replace("%acc[] = add(%t, %acc[])", "%acc[] = fma(%t, %t, %acc[])")
    assert "%acc.part[] = fma(%t, %t, %acc.part[])" in str(
        computed(whole(body), "subtotal(local=acc, loop=c)", tolerance=1e-5)
    )


@pytest.mark.parametrize(
    ("step", "body", "message"),
    [
        ("subtotal(local=acc, loop=q)", SUM, "no loop 'q'"),
        ("subtotal(local=s, loop=c)", SUM, "no local 's' of floats"),
        ("subtotal(local=acc, loop=o)", SUM, "no loop 'o' adds to 'acc'"),
        ("subtotal(local=acc, loop=n)", SUM, "loop 'n' must be a sum that only adds to 'acc'"),
        ("subtotal(local=acc, loop=c)", SUM.replace("= add(", "= max("), "must be a sum that only adds"),
        (
            "subtotal(local=acc, loop=c)",
            SUM.replace("sum c in 0..3 {", "sum c in 0..3 {\n%u = %acc[]"),
            "must be a sum that only adds",
        ),
    ],
)
def test_refuses(step: str, body: str, message: str) -> None:
    refuse(step, body, message)
