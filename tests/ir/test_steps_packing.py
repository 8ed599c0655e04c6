"""Cut, Merge, Flatten, Pack, and the name Fission gives: texts before and after, refusals, results."""

from __future__ import annotations

import kernel_kit as kit
import pytest
from test_steps import DOT, check, parse, refuse

from mochac.ir.schedule import parse_schedule, parse_step

SLIDE = """
    local %acc: f32[] register
    each c in 0..3 {
      each n in 0..8 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          if k + n - 1 >= 0, -k - n + 8 >= 0 {
            %a = %x[k + n - 1, c, 2]
            %acc[] = fma(%a, 2.0:f32, %acc[])
          }
        }
        %t = %acc[]
        %y[n, c] = %t
      }
    }
"""


def test_cut_gives_the_rest_names_of_its_own() -> None:
    check(
        "cut(loop=n, at=7, suffix=.tail)",
        """
        local %a: f32[] register
        each n in 0..8 {
          %a[] = 1.0:f32
          each c in 0..3 {
            %t = %a[]
            %y[n, c] = %t
          }
        }
        """,
        """
        local %a: f32[] register
        local %a.tail: f32[] register
        each n in 0..7 {
          %a[] = 1.0:f32
          each c in 0..3 {
            %t = %a[]
            %y[n, c] = %t
          }
        }
        each n.tail in 0..1 {
          %a.tail[] = 1.0:f32
          each c.tail in 0..3 {
            %t.tail = %a.tail[]
            %y[n.tail + 7, c.tail] = %t.tail
          }
        }
        """,
    )


def test_cut_of_a_sum_keeps_its_accumulator() -> None:
    check(
        "cut(loop=k, at=4, suffix=.tail)",
        "local %a: f32[] register\neach n in 0..8 {\n%a[] = 1.0:f32\nsum k in 0..5 {\n%a[] = add(k, %a[])\n}\n}\n",
        """
        local %a: f32[] register
        each n in 0..8 {
          %a[] = 1.0:f32
          sum k in 0..4 {
            %a[] = add(k, %a[])
          }
          sum k.tail in 0..1 {
            %a[] = add(k.tail + 4, %a[])
          }
        }
        """,
    )


def test_merge_counts_row_by_row_and_turns_conditions_of_the_outer_loop() -> None:
    check(
        "merge(outer=w, inner=n, name=p)",
        """
        local %a: f32[40] register
        each w in 1..8 {
          each n in 2..6 {
            if w - 2 >= 0, -w + 6 >= 0, -n - 4*w + 20 >= 0 {
              %a[n + 4*w - 6] = 1.0:f32
            }
          }
        }
        """,
        """
        local %a: f32[40] register
        each p in 0..28 {
          if p - 4 >= 0, -p + 23 >= 0, -p + 14 >= 0 {
            %a[p] = 1.0:f32
          }
        }
        """,
    )


def test_flatten_joins_two_dimensions() -> None:
    check(
        "flatten(local=a, axis=0)",
        "local %a: f32[8,4] register\neach w in 0..8 {\neach n in 0..4 {\n%a[w, n] = 1.0:f32\n}\n}\n",
        """
        local %a: f32[32] register
        each w in 0..8 {
          each n in 0..4 {
            %a[n + 4*w] = 1.0:f32
          }
        }
        """,
    )


def test_pack_puts_zeros_around_and_drops_conditions() -> None:
    check(
        "pack(buffer=x, loop=n, order=(2, 1, 0), zeros=(0))",
        SLIDE,
        """
        local %acc: f32[] register
        local %x.pack: f32[1,1,12] scratch
        each c in 0..3 {
          each pack.2 in 0..1 {
            each pack.1 in max(0, -c)..min(1, -c + 3) {
              each pack.0 in 0..1 {
                %x.pack[pack.2, pack.1, pack.0] = 0.0:f32
              }
              each pack.0 in 1..9 {
                %packed = %x[pack.0 - 1, c + pack.1, pack.2 + 2]
                %x.pack[pack.2, pack.1, pack.0] = %packed
              }
              each pack.0 in 9..12 {
                %x.pack[pack.2, pack.1, pack.0] = 0.0:f32
              }
            }
          }
          each n in 0..8 {
            %acc[] = 0.0:f32
            sum k in 0..5 {
              %a = %x.pack[0, 0, k + n]
              %acc[] = fma(%a, 2.0:f32, %acc[])
            }
            %t = %acc[]
            %y[n, c] = %t
          }
        }
        """,
    )


def test_pack_serves_the_sum_where_other_reads_follow_it() -> None:
    body = """
        each n in 0..8 {
          each c in 0..3 {
            %acc[] = 0.0:f32
            sum k in 0..5 {
              %a = %x[k + n, c, 0]
              %acc[] = add(%a, %acc[])
            }
            %b = %x[n, c, 1]
            %d = %acc[]
            %e = add(%b, %d)
            %y[n, c] = %e
          }
        }
    """
    packed = str(parse_step("pack(buffer=x, loop=c, order=(0, 1, 2))").apply(parse(body)))
    assert "%a = %x.pack[k, c, 0]" in packed and "%b = %x[n, c, 1]" in packed


def test_pack_without_zeros_copies_what_lies_inside_and_keeps_conditions() -> None:
    check(
        "pack(buffer=x, loop=k, order=(0, 1, 2))",
        """
        local %acc: f32[] register
        %acc[] = 0.0:f32
        each n in 0..8 {
          sum k in 0..5 {
            if k + n - 1 >= 0, -k - n + 8 >= 0 {
              %a = %x[k + n - 1, 0, 0]
              %acc[] = add(%a, %acc[])
            }
          }
        }
        """,
        """
        local %acc: f32[] register
        local %x.pack: f32[5,1,1] scratch
        %acc[] = 0.0:f32
        each n in 0..8 {
          each pack.0 in max(0, -n + 1)..min(5, -n + 9) {
            each pack.1 in 0..1 {
              each pack.2 in 0..1 {
                %packed = %x[n + pack.0 - 1, pack.1, pack.2]
                %x.pack[pack.0, pack.1, pack.2] = %packed
              }
            }
          }
          sum k in 0..5 {
            if k + n - 1 >= 0, -k - n + 8 >= 0 {
              %a = %x.pack[k, 0, 0]
              %acc[] = add(%a, %acc[])
            }
          }
        }
        """,
    )


def test_pack_over_loops_around_serves_all_of_them_and_stays_outside_when_they_sink() -> None:
    before = """
        local %acc: f32[] register
        each c in 0..3 {
          each k in 0..5 {
            %acc[] = 0.0:f32
            sum n in 0..4 {
              %a = %x[n + k, 0, 2]
              %acc[] = add(%a, %acc[])
            }
            %t = %acc[]
            %y[k, c] = %t
          }
        }
        """
    packed = parse_step("pack(buffer=x, loop=n, order=(1, 2, 0), over=(k))").apply(parse(before))
    check(
        "distribute(loop=k, past=(n))",
        "".join(str(packed).splitlines(keepends=True)[1:-1]),
        """
        local %acc: f32[5] register
        local %x.pack: f32[1,1,8] scratch
        each c in 0..3 {
          each pack.1 in 0..1 {
            each pack.2 in 0..1 {
              each pack.0 in 0..8 {
                %packed = %x[pack.0, pack.1, pack.2 + 2]
                %x.pack[pack.1, pack.2, pack.0] = %packed
              }
            }
          }
          each k in 0..5 {
            %acc[k] = 0.0:f32
          }
          sum n in 0..4 {
            each k in 0..5 {
              %a = %x.pack[0, 0, k + n]
              %acc[k] = add(%a, %acc[k])
            }
          }
          each k in 0..5 {
            %t = %acc[k]
            %y[k, c] = %t
          }
        }
        """,
    )


def test_partial_of_several_sums_shares_the_parts() -> None:
    check(
        "partial(local=a, loop=l)",
        """
        local %a: f32[] register
        each n in 0..8 {
          %a[] = 1.0:f32
          sum k in 0..2 {
            sum l in 0..4 {
              %a[] = add(k, %a[])
            }
          }
          sum l in 0..4 {
            %a[] = add(l, %a[])
          }
        }
        """,
        """
        local %a: f32[4] register
        local %a.sum: f32[] register
        each n in 0..8 {
          each l in 0..4 {
            %a[l] = 0.0:f32
          }
          sum k in 0..2 {
            each l in 0..4 {
              %a[l] = add(k, %a[l])
            }
          }
          each l in 0..4 {
            %a[l] = add(l, %a[l])
          }
          %a.sum[] = 1.0:f32
          sum l in 0..4 {
            %a.part = %a[l]
            %a.sum[] = add(%a.part, %a.sum[])
          }
        }
        """,
    )


def test_rename_to_the_name_of_a_loop_elsewhere() -> None:
    check(
        "rename(loop=c, name=d, inside=m)",
        """
        each n in 0..8 {
          each d in 0..3 {
            %y[n, d] = d
          }
        }
        each m in 0..8 {
          each c in 0..3 {
            %y[m, c] = c
          }
        }
        """,
        """
        each n in 0..8 {
          each d in 0..3 {
            %y[n, d] = d
          }
        }
        each m in 0..8 {
          each d in 0..3 {
            %y[m, d] = d
          }
        }
        """,
    )


def test_permute_turns_dimensions() -> None:
    check(
        "permute(local=a, order=(1, 2, 0))",
        "local %a: f32[8,4,2] register\neach w in 0..8 {\neach n in 0..4 {\n%a[w, n, 1] = 1.0:f32\n}\n}\n",
        """
        local %a: f32[4,2,8] register
        each w in 0..8 {
          each n in 0..4 {
            %a[n, 1, w] = 1.0:f32
          }
        }
        """,
    )


def test_advance_lets_a_loop_run_first() -> None:
    check(
        "advance(loop=c)",
        """
        local %a: f32[3] register
        local %b: f32[] register
        each n in 0..8 {
          %b[] = 1.0:f32
          each c in 0..3 {
            %a[c] = 2.0:f32
          }
          for j in 0..3 {
            %t = %a[j]
            %b[] = add(%t, %b[])
          }
        }
        """,
        """
        local %a: f32[3] register
        local %b: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            %a[c] = 2.0:f32
          }
          %b[] = 1.0:f32
          for j in 0..3 {
            %t = %a[j]
            %b[] = add(%t, %b[])
          }
        }
        """,
    )


def test_fission_names_the_second_loop() -> None:
    check(
        "fission(loop=n, after=1, second=m)",
        "each n in 0..8 {\n%y[n, 0] = 1.0:f32\n%y[n, 1] = n\n}\n",
        """
        each n in 0..8 {
          %y[n, 0] = 1.0:f32
        }
        each m in 0..8 {
          %y[m, 1] = m
        }
        """,
    )


TWO = "each n in 0..8 {\neach c in 0..3 {\n%t = %x[n, c, 0]\n%u = %x[n, c, 1]\n%y[n, c] = %t\n}\n}\n"
GUARDED = "each n in 0..8 {\nif n - 1 >= 0 {\n%t = %x[n - 1, 0, 0]\n%y[n, 0] = %t\n}\n}\n"


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("cut(loop=n, at=8, suffix=.b)", DOT, r"runs over 0\.\.8, cannot be cut at 8"),
        ("cut(loop=i, at=1, suffix=.b)", "each n in 0..8 {\neach i in 0..n {\n}\n}\n", "constant limits"),
        ("cut(loop=n, at=1, suffix=.b)", "each n in 0..8 {\n}\neach n.b in 0..1 {\n}\n", "already has n.b"),
        ("cut(loop=n, at=1, suffix=.b)", "each n in 0..8 {\n}\neach n in 0..8 {\n}\n", "has 2 loops 'n'"),
        ("merge(outer=n, inner=c, name=k)", DOT, "already has a loop 'k'"),
        ("merge(outer=n, inner=c, name=p)", DOT, r"n is not affine in 'p' = 3\*n \+ c"),
        ("merge(outer=c, inner=k, name=p)", DOT, "'k' must be the only thing inside 'c'"),
        (
            "merge(outer=n, inner=c, name=p)",
            "each n in 0..8 {\neach c in 0..3 {\nsum k in 0..n {\n}\n}\n}\n",
            "the range of 'k' depends on the loops to be merged",
        ),
        ("flatten(local=b, axis=0)", DOT, "has no buffer 'b'"),
        ("flatten(local=blocked, axis=0)", DOT, "dimension 0 of 'blocked' is stored in blocks"),
        ("flatten(local=acc, axis=0)", DOT, "'acc' has 0 dimensions"),
        ("permute(local=b, order=(0))", DOT, "has no local 'b'"),
        ("permute(local=acc, order=(0))", DOT, "order must name each of the 0 dimensions of 'acc' once"),
        ("advance(loop=k)", DOT, "'k' shares acc with what it would pass"),
        ("advance(loop=c)", "each n in 0..8 {\n%t = %x[n, 0, 0]\neach c in 0..3 {\n%y[n, c] = %t\n}\n}\n", "shares t"),
        ("pack(buffer=y, loop=n, order=(0, 1))", DOT, "has no input 'y'"),
        ("pack(buffer=x, loop=n, order=(0, 1))", DOT, "order must be the axes of 'x'"),
        ("pack(buffer=x, loop=n, order=(0, 1, 2))", TWO, "at one index, not 2"),
        ("pack(buffer=x, loop=n, order=(0, 1, 2), zeros=(0))", GUARDED, "guards more than sums"),
        (
            "pack(buffer=x, loop=k, order=(0, 1, 2), zeros=(0))",
            "local %a: f32[] register\neach n in 0..8 {\nsum k in 0..2 {\n%t = %x[k + n - 1, 0, 0]\n}\n}\n",
            "begins at n - 1, which is not constant",
        ),
        (
            "fission(loop=n, after=1, second=c)",
            "each n in 0..8 {\n%y[n, 0] = 1.0:f32\neach c in 0..3 {\n%y[n, c] = n\n}\n}\n",
            "'c'",
        ),
    ],
)
def test_refusals(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


RAGGED = """schedule test
  cut(loop=n, at=8, suffix=.tail)
  reorder(loops=(oh.tail, co.tail, ow.tail, n.tail))
  pack(buffer=x, loop=co.tail, order=(1, 2, 3, 0), zeros=(3))
  flatten(local=x.pack, axis=2)
  fission(loop=n.tail, after=4, second=n.out)
  fission(loop=ow.tail, after=1, second=ow.out)
  flatten(local=t3.tail.kept, axis=0)
  merge(outer=ow.tail, inner=n.tail, name=p)
  split(loop=p, factor=4, outer=v, inner=lane, tail=guard)
"""


@pytest.mark.parametrize(("batch", "pad", "k"), [(9, 1, 3), (10, 0, 2)])
def test_a_rest_computed_with_merged_lanes_gives_the_same(batch: int, pad: int, k: int) -> None:
    naive = kit.conv(batch=batch, channels=2, size=5, filters=2, k=k, pad=pad, lanes=4)
    result = kit.scheduled(naive, *parse_schedule(RAGGED).steps)
    assert "each p" not in str(naive) and "%x.pack[" in str(result)
