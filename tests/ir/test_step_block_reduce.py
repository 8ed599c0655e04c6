"""block_reduce: what threads summed up together is finished by all of them; what it refuses."""

from __future__ import annotations

import pytest
from step_kit import applied, computed

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

SUMS = parse_kernel("""kernel @sums(%x: f32[4,100,6]) -> (%y: f32[4,6]) {
  local %acc: f32[] register
  each a in 0..4 {
    each v in 0..6 {
      %acc[] = 0.0:f32
      sum k in 0..100 {
        %t = %x[a, k, v]
        %acc[] = add(%t, %acc[])
      }
      %u = %acc[]
      %w = mul(%u, %u)
      %y[a, v] = %w
    }
  }
}""")
JOINED = ("distribute(loop=v, past=(k))", "threads(loops=(k), count=32)")


def test_each_thread_finishes_results_of_its_own() -> None:
    text = str(
        computed(SUMS, *JOINED, "unroll(loop=v)", "block_reduce(local=acc)", "blocks(loops=(a))", tolerance=1e-4)
    )
    assert "local %acc: f32[6] shared" in text
    assert text.count("each v in 0..6 threads {") == 2


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("block_reduce(local=sum)",), "has no local 'sum' in registers"),
        (("distribute(loop=v, past=(k))", "block_reduce(local=acc)"), "no sum runs as threads in kernel 'sums'"),
        (("threads(loops=(k), count=32)", "block_reduce(local=acc)"), "'acc' is used outside of loops"),
    ],
)
def test_block_reduce_refuses(steps: tuple[str, ...], message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        applied(SUMS, *steps)
