"""RowReduce: rows of threads share a sum; what it makes, that results stay, what it refuses."""

import pytest
from step_kit import computed

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

COLUMNS = """kernel @sums(%x: f32[13,3,20], %w: f32[20], %b: f32[3,20]) -> (%y: f32[3,20]) {
  local %acc: f32[] register
  each a in 0..3 {
    each c in 0..20 {
      %s = %b[a, c]
      %w1 = %w[c]
      %acc[] = %s
      sum k in 0..13 {
        %t = %x[k, a, c]
        %acc[] = fma(%t, %w1, %acc[])
      }
      %u = %acc[]
      %v = mul(%u, %s)
      %y[a, c] = %v
    }
  }
}"""


def row_reduced(*steps, text=COLUMNS):
    return computed(parse_kernel(text), *steps, tolerance=1e-5)


@pytest.mark.parametrize("rows", [2, 5, 13])
def test_rows_share_a_sum(rows):
    done = row_reduced(f"row_reduce(loop=k, columns=(c), rows={rows})", "blocks(loops=(a))")
    (parts,) = [b for b in done.locals if b.space == "shared"]
    assert parts.type.shape == (rows, 20) and done.threads == (-(-rows * 20 // 32) * 32,)
    assert ("if" in str(done)) == (13 % rows > 0)


def test_several_columns_and_uneven_rows():
    done = row_reduced(
        "split(loop=c, factor=8, outer=cb, inner=ci, tail=guard)",
        "reorder(loops=(cb, a, ci))",
        "row_reduce(loop=k, columns=(a, ci), rows=4)",
        "blocks(loops=(cb))",
    )
    assert [b.type.shape for b in done.locals if b.space == "shared"] == [(4, 3, 8)]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("row_reduce(loop=m, columns=(c), rows=2)",), "has no loop 'm'"),
        (("row_reduce(loop=k, columns=(c), rows=1)",), "1 rows of 20 threads do not form a block"),
        (("row_reduce(loop=k, columns=(c), rows=60)",), "60 rows of 20 threads do not form a block"),
        (("row_reduce(loop=k, columns=(c, a), rows=2)",), "c a are not perfectly nested 'each' loops"),
        (("row_reduce(loop=c, columns=(a), rows=2)",), "'c' is not the outermost loop of the sum"),
    ],
)
def test_refusals(steps, message):
    with pytest.raises(ScheduleError, match=message):
        row_reduced(*steps)


def test_a_maximum_is_refused():
    text = COLUMNS.replace("%acc[] = fma(%t, %w1, %acc[])", "%acc[] = max(%t, %acc[])")
    with pytest.raises(ScheduleError, match="must add to one local without dimensions"):
        row_reduced("row_reduce(loop=k, columns=(c), rows=2)", text=text)
