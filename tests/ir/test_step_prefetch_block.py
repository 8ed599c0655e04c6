"""The step that prefetches the next block: which rows each turn asks for, where it stops; refusals; results."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

PRODUCT = """\
kernel @k(%x: f32[TERMS], %w: f32[12,TERMS]) -> (%y: f32[12]) {
  local %acc: f32[] register
  each c in 0..12 {
    %acc[] = 0.0:f32
    sum k in 0..TERMS {
      %a = %x[k]
      %b = %w[c, k]
      %acc[] = fma(%a, %b, %acc[])
    }
    %s = %acc[]
    %y[c] = %s
  }
}
"""
BLOCKS = (
    "split(loop=c, factor=6, outer=g, inner=d, tail=cut)",
    "split(loop=k, factor=8, outer=b, inner=j, tail=cut)",
    "distribute(loop=d, past=(b))",
    "split(loop=d, factor=2, outer=t, inner=r, tail=cut)",
    "distribute(loop=r, past=(*))",
    "place(local=acc, space=scratch)",
)


def product(terms: int) -> Kernel:
    return parse_kernel(PRODUCT.replace("TERMS", str(terms)))


def hints(kernel: Kernel) -> list[str]:
    """Prefetches and conditions."""
    return [s for line in str(kernel).splitlines() if (s := line.strip()).startswith(("prefetch", "if"))]


def test_turns_deal_out_the_rows_of_the_next_block() -> None:
    after = computed(product(16), *BLOCKS, "prefetch_block(buffer=w, inside=j, next=b, turns=(t), line=4)")
    assert hints(after) == [
        "if -b >= 0 {",
        *[
            f"prefetch %w[{row}, {column}]"
            for row in ("6*g + 2*t", "6*g + 2*t + 1")
            for column in ("8*b + 8", "8*b + 12")
        ],
    ]
    assert str(after).index("sum j") < str(after).index("prefetch")


def test_the_last_block_asks_for_the_first_one_of_the_next_group() -> None:
    after = computed(product(16), *BLOCKS, "prefetch_block(buffer=w, inside=j, next=b, turns=(t), line=8, wraps=g)")
    assert hints(after)[3:] == [
        "if b - 1 >= 0, -6*g - 2*t + 5 >= 0 {",
        "prefetch %w[6*g + 2*t + 6, 0]",
        "prefetch %w[6*g + 2*t + 7, 0]",
    ]


def test_no_columns_beyond_the_end() -> None:
    after = computed(product(20), *BLOCKS, "prefetch_block(buffer=w, inside=j, next=b, turns=(t), line=4)")
    assert hints(after) == [
        "prefetch %w[6*g + 2*t, 8*b + 8]",
        "prefetch %w[6*g + 2*t + 1, 8*b + 8]",
        "if -8*b + 7 >= 0 {",
        "prefetch %w[6*g + 2*t, 8*b + 12]",
        "prefetch %w[6*g + 2*t + 1, 8*b + 12]",
    ]


def test_more_turns_than_rows() -> None:
    after = computed(
        product(16), *BLOCKS, "split(loop=j, factor=2, outer=p, inner=i, tail=cut)",
        "prefetch_block(buffer=w, inside=p, next=b, turns=(t, p), line=8, write=True)",
    )  # fmt: skip
    assert hints(after) == ["if -b >= 0, -p - 4*t + 5 >= 0 {", "prefetch write %w[6*g + p + 4*t, 8*b + 8]"]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("prefetch_block(buffer=acc, inside=j, next=b, turns=(t), line=4)", "kernel 'k' has no input 'acc'"),
        ("prefetch_block(buffer=w, inside=z, next=b, turns=(t), line=4)", "kernel 'k' has no loop 'z'"),
        ("prefetch_block(buffer=w, inside=j, next=b, turns=(t), line=0)", "line must be at least 1, not 0"),
        ("prefetch_block(buffer=w, inside=g, next=b, turns=(t), line=4)", "no loop 'g' lies inside a loop 'b'"),
        ("prefetch_block(buffer=w, inside=j, next=r, turns=(j), line=4)", "no loop 'j' lies inside a loop 'r'"),
    ],
)
def test_refusals(step: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        applied(product(16), *BLOCKS, step)
    assert f"prefetch_block: {message}" in str(caught.value)
