"""Each schedule step: text before, text after, and what it refuses."""

from __future__ import annotations

import textwrap

import pytest

from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step

HEADER = """\
kernel @k(%x: f32[8,3,5], %w: f32[3,5], %blocked: f32[b10,3] blocked(4)) -> (%y: f32[8,3], %z: f32[b10,3] blocked(4)) {
"""


def parse(text: str) -> Kernel:
    return parse_kernel(HEADER + textwrap.dedent(text) + "}")


def check(step: str, before: str, after: str) -> None:
    kernel = parse(before)
    result = parse_step(step).apply(kernel)
    got = textwrap.dedent("".join(str(result).splitlines(keepends=True)[1:-1]))
    assert got == textwrap.dedent(after).lstrip("\n")
    assert parse_kernel(str(result)) == result


def refuse(step: str, before: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        parse_step(step).apply(parse(before))


DOT = """
    local %acc: f32[] register
    each n in 0..8 {
      each c in 0..3 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %a = %x[n, c, k]
          %b = %w[c, k]
          %acc[] = fma(%a, %b, %acc[])
        }
        %t = %acc[]
        %y[n, c] = %t
      }
    }
"""


def test_split_that_divides() -> None:
    check(
        "split(loop=n, factor=4, outer=q, inner=lane)",
        "each n in 0..8 {\n%y[n, 0] = n\n}\n",
        """
        each q in 0..2 {
          each lane in 0..4 {
            %y[lane + 4*q, 0] = lane + 4*q
          }
        }
        """,
    )


def test_split_with_a_guard() -> None:
    check(
        "split(loop=n, factor=4, outer=q, inner=lane, tail=guard)",
        "each n in 1..7 {\n%y[n, 0] = 1.0:f32\n}\n",
        """
        each q in 0..2 {
          each lane in 0..4 {
            if -lane - 4*q + 5 >= 0 {
              %y[lane + 4*q + 1, 0] = 1.0:f32
            }
          }
        }
        """,
    )


def test_split_with_a_cut() -> None:
    check(
        "split(loop=k, factor=2, outer=kq, inner=ki, tail=cut)",
        "sum k in 0..5 {\n%a[] = add(k, %a[])\n}\n",
        """
        sum kq in 0..2 {
          sum ki in 0..2 {
            %a[] = add(ki + 2*kq, %a[])
          }
        }
        sum kq in 2..3 {
          sum ki in 0..1 {
            %a[] = add(ki + 2*kq, %a[])
          }
        }
        """,
    )


def test_split_that_pads() -> None:
    before = "each n in 0..10 {\neach c in 0..3 {\n%t = %blocked[n, c]\n%z[n, c] = %t\n}\n}\n"
    result = parse_step("split(loop=n, factor=4, outer=q, inner=lane, tail=pad)").apply(parse(before))
    assert "if" not in str(result) and "each q in 0..3" in str(result)


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("split(loop=m, factor=4, outer=q, inner=r)", DOT, r"no loop 'm' \(loops: n c k\)"),
        ("split(loop=n, factor=0, outer=q, inner=r)", DOT, "factor must be at least 1"),
        (
            "split(loop=n, factor=4, outer=q, inner=r, tail=crop)",
            DOT,
            "tail must be one of guard, cut, pad, not 'crop'",
        ),
        ("split(loop=n, factor=4, outer=k, inner=r)", DOT, "already has a loop 'k'"),
        ("split(loop=n, factor=4, outer=q, inner=q)", DOT, "both called 'q'"),
        ("split(loop=n, factor=3, outer=q, inner=r, tail=pad)", DOT, "padding 'n' to 9 needs 'x' blocked"),
        ("split(loop=k, factor=3, outer=q, inner=r, tail=pad)", DOT, "only an 'each' loop from 0 may be padded"),
        ("split(loop=j, factor=2, outer=q, inner=r)", "each i in 0..3 {\neach j in 0..i {\n}\n}\n", "constant limits"),
        (
            "split(loop=n, factor=4, outer=q, inner=r, tail=pad)",
            "each n in 0..10 {\nif n - 2 >= 0 {\n%z[n, 0] = 1.0:f32\n}\n}\n",
            "would change a range or condition",
        ),
    ],
)
def test_split_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_distribute_distributes_and_grows_the_accumulator() -> None:
    check(
        "distribute(loop=c, past=(k))",
        DOT,
        """
        local %acc: f32[3] register
        each n in 0..8 {
          each c in 0..3 {
            %acc[c] = 0.0:f32
          }
          sum k in 0..5 {
            each c in 0..3 {
              %a = %x[n, c, k]
              %b = %w[c, k]
              %acc[c] = fma(%a, %b, %acc[c])
            }
          }
          each c in 0..3 {
            %t = %acc[c]
            %y[n, c] = %t
          }
        }
        """,
    )


def test_distribute_leaves_invariant_loads_outside() -> None:
    check(
        "distribute(loop=n, past=(c, k))",
        DOT,
        """
        local %acc: f32[8] register
        each c in 0..3 {
          each n in 0..8 {
            %acc[n] = 0.0:f32
          }
          sum k in 0..5 {
            %b = %w[c, k]
            each n in 0..8 {
              %a = %x[n, c, k]
              %acc[n] = fma(%a, %b, %acc[n])
            }
          }
          each n in 0..8 {
            %t = %acc[n]
            %y[n, c] = %t
          }
        }
        """,
    )


def test_sunk_loops_nest_as_named_and_dimensions_follow_the_nest() -> None:
    for order, shape, nest in [
        (
            ["distribute(loop=c, past=(k))", "distribute(loop=n, past=(k, c))"],
            (3, 8),
            "    each c in 0..3 {\n      %b = %w[c, k]\n      each n",
        ),
        (
            ["distribute(loop=c, past=(k))", "distribute(loop=n, past=(k))"],
            (8, 3),
            "    each n in 0..8 {\n      each c",
        ),
    ]:
        kernel = parse(DOT)
        for step in order:
            kernel = parse_step(step).apply(kernel)
        assert kernel.locals[0].type.shape == shape
        assert nest in str(kernel)


def test_distribute_pushes_conditions_that_name_the_loop() -> None:
    check(
        "distribute(loop=c, past=(k))",
        """
        each n in 0..8 {
          each c in 0..3 {
            if -c + 1 >= 0, n - 1 >= 0 {
              %b = %w[0, 0]
              sum k in 0..5 {
                %y[n, c] = add(%b, %y[n, c])
              }
            }
          }
        }
        """,
        """
        each n in 0..8 {
          if n - 1 >= 0 {
            %b = %w[0, 0]
            sum k in 0..5 {
              each c in 0..3 {
                if -c + 1 >= 0 {
                  %y[n, c] = add(%b, %y[n, c])
                }
              }
            }
          }
        }
        """,
    )


def test_distribute_keeps_loads_under_the_condition_that_protects_them() -> None:
    check(
        "distribute(loop=c, past=(k))",
        """
        each n in 0..9 {
          each c in 0..3 {
            if -n - c + 7 >= 0 {
              %b = %x[n, 0, 0]
              sum k in 0..5 {
                %y[n, c] = add(%b, %y[n, c])
              }
            }
          }
        }
        """,
        """
        each n in 0..9 {
          sum k in 0..5 {
            each c in 0..3 {
              if -c - n + 7 >= 0 {
                %b = %x[n, 0, 0]
                %y[n, c] = add(%b, %y[n, c])
              }
            }
          }
        }
        """,
    )


def test_distribute_recomputes_values_from_parameters_and_keeps_others() -> None:
    check(
        "distribute(loop=c, past=(k))",
        """
        local %s: f32[] register
        each c in 0..3 {
          %b = %w[c, 0]
          %e = exp(%b)
          %s[] = %e
          %old = %s[]
          sum k in 0..5 {
            %s[] = fma(%e, %old, %s[])
          }
          %y[0, c] = %old
        }
        """,
        """
        local %s: f32[3] register
        local %old.kept: f32[3] register
        each c in 0..3 {
          %b = %w[c, 0]
          %e = exp(%b)
          %s[c] = %e
          %old = %s[c]
          %old.kept[c] = %old
        }
        sum k in 0..5 {
          each c in 0..3 {
            %b = %w[c, 0]
            %e = exp(%b)
            %old = %old.kept[c]
            %s[c] = fma(%e, %old, %s[c])
          }
        }
        each c in 0..3 {
          %old = %old.kept[c]
          %y[0, c] = %old
        }
        """,
    )


def test_distribute_past_everything_and_reduction_loops_of_the_name_stay() -> None:
    kernel = parse(DOT)
    for step in ("partial(local=acc, loop=k)", "distribute(loop=k, past=(*))"):
        kernel = parse_step(step).apply(kernel)
    assert "sum k in 0..5" in str(kernel)


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("distribute(loop=k, past=(*))", DOT, "only 'each' loops may be distributed"),
        ("distribute(loop=n, past=(k))", DOT, "meets 'c' on its way to"),
        (
            "distribute(loop=c, past=(k))",
            DOT.replace("sum k in 0..5", "sum k in 0..c + 1"),
            "the range of 'k' depends on 'c', which cannot go inside it",
        ),
        (
            "distribute(loop=c, past=(k))",
            DOT.replace("each c in 0..3", "each c in 0..min(3, n + 1)"),
            "'acc' crosses segments of loop 'c', whose limits must then be constant",
        ),
        (
            "distribute(loop=c, past=(k))",
            DOT + "%acc[] = 1.0:f32\n",
            "local 'acc' crosses parts of loop 'c' and is used outside it",
        ),
    ],
)
def test_distribute_refuses(step: str, before: str, message: str) -> None:
    refuse(step, textwrap.dedent(before), message)


def test_reorder_moves_conditions_innermost() -> None:
    check(
        "reorder(loops=(b, c, a))",
        """
        each a in 0..4 {
          if a - 1 >= 0 {
            each b in 0..3 {
              sum c in 0..5 {
                %y[a, b] = add(1.0:f32, %y[a, b])
              }
            }
          }
        }
        """,
        """
        each b in 0..3 {
          sum c in 0..5 {
            each a in 0..4 {
              if a - 1 >= 0 {
                %y[a, b] = add(1.0:f32, %y[a, b])
              }
            }
          }
        }
        """,
    )


BAND = "each a in 0..4 {\neach b in 0..3 {\n%y[a, b] = 0.0:f32\n}\n}\n"


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (BAND.replace("each b", "for b"), r"loops \('b', 'a'\) are not perfectly nested"),
        (BAND.replace("{\neach", "{\n%y[a, 0] = 1.0:f32\neach"), "not perfectly nested"),
        (BAND.replace("0..3", "0..a"), "the range of 'b' depends on a loop that would come inside it"),
        (BAND.replace("each", "sum"), "change places around statements that do not accumulate"),
    ],
)
def test_reorder_refuses(before: str, message: str) -> None:
    refuse("reorder(loops=(b, a))", before, message)


WINDOW = """
    local %acc: f32[] register
    local %best: f32[] register
    %best[] = -inf:f32
    for i in 0..3 {
      if -i + 2 >= 0 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %a = %x[0, i, k]
          %acc[] = add(%a, %acc[])
        }
        %t = %acc[]
        %best[] = max(%t, %best[])
      }
    }
"""


def test_fission_frees_the_first_part_of_an_ordered_loop() -> None:
    check(
        "fission(loop=i, after=2)",
        WINDOW,
        """
        local %acc: f32[3] register
        local %best: f32[] register
        %best[] = -inf:f32
        each i in 0..3 {
          if -i + 2 >= 0 {
            %acc[i] = 0.0:f32
            sum k in 0..5 {
              %a = %x[0, i, k]
              %acc[i] = add(%a, %acc[i])
            }
          }
        }
        for i in 0..3 {
          if -i + 2 >= 0 {
            %t = %acc[i]
            %best[] = max(%t, %best[])
          }
        }
        """,
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("fission(loop=i, after=4)", WINDOW, "has 4 statements, cannot cut after 4"),
        ("fission(loop=k, after=1)", WINDOW, "'sum' loop"),
        ("fission(loop=i, after=2)", WINDOW.replace("%acc[] = 0.0:f32", "%best[] = 0.0:f32"), "writes best"),
        ("fission(loop=i, after=1)", WINDOW.replace("%acc[] = 0.0:f32", "%acc[] = add(1.0:f32, %acc[])"), "writes acc"),
        (
            "fission(loop=i, after=1)",
            "local %a: f32[] register\nfor i in 0..3 {\n%a[] = add(i, %a[])\n%t = %a[]\n%y[i, 0] = %t\n}\n",
            "'a' carries a value from one iteration",
        ),
    ],
)
def test_fission_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_partial_gives_each_lane_an_accumulator() -> None:
    check(
        "partial(local=acc, loop=lane)",
        """
        local %acc: f32[] register
        %b = %w[0, 0]
        %acc[] = %b
        sum q in 0..2 {
          sum lane in 0..4 {
            %a = %x[lane + 4*q, 0, 0]
            %acc[] = fma(%a, %a, %acc[])
          }
        }
        %t = %acc[]
        %y[0, 0] = %t
        """,
        """
        local %acc: f32[4] register
        local %acc.sum: f32[] register
        %b = %w[0, 0]
        each lane in 0..4 {
          %acc[lane] = 0.0:f32
        }
        sum q in 0..2 {
          each lane in 0..4 {
            %a = %x[lane + 4*q, 0, 0]
            %acc[lane] = fma(%a, %a, %acc[lane])
          }
        }
        %acc.sum[] = %b
        sum lane in 0..4 {
          %acc.part = %acc[lane]
          %acc.sum[] = add(%acc.part, %acc.sum[])
        }
        %t = %acc.sum[]
        %y[0, 0] = %t
        """,
    )


def test_partial_maxima_start_at_minus_infinity() -> None:
    before = "local %m: f32[] register\n%m[] = 1.0:f32\nsum k in 0..5 {\n%a = %w[0, k]\n%m[] = max(%a, %m[])\n}\n"
    result = str(parse_step("partial(local=m, loop=k)").apply(parse(before)))
    assert "%m[k] = -inf:f32" in result and "%m.sum[] = max(%m.part, %m.sum[])" in result


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("partial(local=sum, loop=k)", DOT, "no local 'sum'"),
        ("partial(local=acc, loop=c)", DOT, "must contain 'sum' loop 'c'"),
        ("partial(local=acc, loop=k)", DOT.replace("%acc: f32[]", "%acc: f32[2]"), "already has dimensions"),
        (
            "partial(local=acc, loop=k)",
            DOT.replace("%a = %x[n, c, k]", "%a = %acc[]"),
            "'acc' must only be accumulated, and only inside loop 'k'",
        ),
    ],
)
def test_partial_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


TILES = """
    local %p: f32[3,8] scratch
    each c in 0..3 {
      sum k in 0..5 {
        each n in 0..8 unroll {
          if -n + 6 >= 0 {
            %a = %x[n, c, k]
            %p[c, n] = add(%a, %p[c, n])
          }
        }
      }
    }
"""


def test_stage_copies_in_and_out() -> None:
    check(
        "stage(buffer=p, loop=c)",
        TILES,
        """
        local %p: f32[3,8] scratch
        local %p.reg: f32[8] register
        each c in 0..3 {
          each n in 0..8 unroll {
            if -n + 6 >= 0 {
              %moved = %p[c, n]
              %p.reg[n] = %moved
            }
          }
          sum k in 0..5 {
            each n in 0..8 unroll {
              if -n + 6 >= 0 {
                %a = %x[n, c, k]
                %p.reg[n] = add(%a, %p.reg[n])
              }
            }
          }
          each n in 0..8 unroll {
            if -n + 6 >= 0 {
              %moved = %p.reg[n]
              %p[c, n] = %moved
            }
          }
        }
        """,
    )


def test_stage_of_a_parameter_is_only_read() -> None:
    check(
        "stage(buffer=w, loop=n, space=scratch)",
        """
        each n in 0..8 {
          each j in 0..4 {
            each c in 0..3 {
              each k in 1..5 {
                %b = %w[c, k]
                %x2[n, j, c, k] = %b
              }
            }
          }
        }
        """,
        """
        local %w.copy: f32[3,4] scratch
        each n in 0..8 {
          each c in 0..3 {
            each k in 1..5 {
              %moved = %w[c, k]
              %w.copy[c, k - 1] = %moved
            }
          }
          each j in 0..4 {
            each c in 0..3 {
              each k in 1..5 {
                %b = %w.copy[c, k - 1]
                %x2[n, j, c, k] = %b
              }
            }
          }
        }
        """,
    )


def test_stage_orders_the_reductions_around_it() -> None:
    before = "sum q in 0..2 {\n" + textwrap.dedent(TILES).split("scratch\n")[1] + "}\n"
    result = str(parse_step("stage(buffer=p, loop=c)").apply(parse("local %p: f32[3,8] scratch\n" + before)))
    assert "for q in 0..2" in result and "each c in 0..3" in result and "sum k in 0..5" in result


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("stage(buffer=q, loop=c)", TILES, "no buffer 'q'"),
        ("stage(buffer=p, loop=c, space=cloud)", TILES, "space must be one of register, scratch"),
        ("stage(buffer=x, loop=c)", TILES, "no loop 'c' uses an element of 'x' more than once"),
        (
            "stage(buffer=w, loop=n)",
            "each n in 0..2 {\nsum j in 0..2 {\n%a = %w[0, 1]\n}\nsum i in 0..2 {\n%c = %w[2, 0]\n}\n}\n",
            "'w' is used at several indices",
        ),
        (
            "stage(buffer=p, loop=c)",
            TILES.replace("%p[c, n]", "%p[0, n + k]")
            .replace("sum k", "each k")
            .replace("{\n      each k", "{\n      for u in 0..2 {\n      each k")
            + "}\n",
            "may reach an element twice",
        ),
    ],
)
def test_stage_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_place_and_innermost() -> None:
    check("place(local=p, space=register)", "local %p: f32[3] scratch\n", "local %p: f32[3] register\n")
    check(
        "innermost(local=p, loop=n)",
        "local %p: f32[8,3] scratch\neach n in 0..8 {\neach c in 0..3 {\n%p[n, c] = 0.0:f32\n}\n}\n",
        """
        local %p: f32[3,8] scratch
        each n in 0..8 {
          each c in 0..3 {
            %p[c, n] = 0.0:f32
          }
        }
        """,
    )
    refuse("place(local=p, space=cloud)", TILES, "space must be one of")
    refuse("place(local=x, space=scratch)", TILES, "no local 'x'")
    refuse("innermost(local=p, loop=k)", TILES, "must index one dimension of 'p' everywhere")


def test_peel_keeps_the_name() -> None:
    check(
        "peel(loop=n, first=2, last=1)",
        "each n in 0..5 {\n%y[n, 0] = 0.0:f32\n}\n",
        """
        each n in 0..1 {
          %y[n, 0] = 0.0:f32
        }
        each n in 1..2 {
          %y[n, 0] = 0.0:f32
        }
        each n in 2..4 {
          %y[n, 0] = 0.0:f32
        }
        each n in 4..5 {
          %y[n, 0] = 0.0:f32
        }
        """,
    )
    refuse("peel(loop=n, first=-1, last=0)", DOT, "must not be negative")


def test_peel_more_than_there_is() -> None:
    kernel = parse_step("peel(loop=n, first=2, last=2)").apply(parse("each n in 0..3 {\n%y[n, 0] = 0.0:f32\n}\n"))
    assert [(s.lo.const, s.hi.const) for s in kernel.body] == [(0, 1), (1, 2), (2, 3)]  # type: ignore[union-attr]


def test_clip_turns_conditions_into_limits() -> None:
    check(
        "clip(loop=k)",
        """
        each n in 0..8 {
          sum k in 0..5 {
            each c in 0..3 {
              %t = %w[c, k]
              if 2*k + n - 3 >= 0, -3*k - n + 9 >= 0, c - k >= 0 {
                %y[n, c] = add(%t, %y[n, c])
              }
            }
          }
        }
        """,
        """
        each n in 0..8 {
          sum k in max(0, ceil((-n + 3) / 2))..min(5, ceil((-n + 10) / 3)) {
            each c in 0..3 {
              %t = %w[c, k]
              if c - k >= 0 {
                %y[n, c] = add(%t, %y[n, c])
              }
            }
          }
        }
        """,
    )
    refuse("clip(loop=k)", DOT, "no condition on 'k' guards the whole body")


@pytest.mark.parametrize("n", range(8))
def test_clipped_limits_are_exact(n: int) -> None:
    guard = "if 2*k + n - 3 >= 0, -3*k - n + 9 >= 0 {\n%y[n, 0] = add(1.0:f32, %y[n, 0])\n}\n"
    clipped = parse_step("clip(loop=k)").apply(parse("each n in 0..8 {\nsum k in 0..5 {\n" + guard + "}\n}\n"))
    loop = clipped.body[0].body[0]  # type: ignore[union-attr]
    want = [k for k in range(5) if 2 * k + n - 3 >= 0 and -3 * k - n + 9 >= 0]
    assert list(range(max(loop.lo.values({"n": n})), min(loop.hi.values({"n": n})))) == want  # type: ignore[union-attr]


def test_runs() -> None:
    check(
        "parallel(loops=(n, c))",
        BAND.replace("each a", "each n").replace("each b", "each c").replace("[a, b]", "[n, c]"),
        """
        each n in 0..4 parallel {
          each c in 0..3 parallel {
            %y[n, c] = 0.0:f32
          }
        }
        """,
    )
    check(
        "vector(loop=n)",
        "each n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n",
        "each n in 0..8 vector {\n  %y[n, 0] = 0.0:f32\n}\n",
    )
    check(
        "unroll(loop=n)",
        "for n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n",
        "for n in 0..8 unroll {\n  %y[n, 0] = 0.0:f32\n}\n",
    )


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("vector(loop=n)", DOT, "must be innermost, 'c' is inside it"),
        ("vector(loop=n)", "for n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n", "runs strictly in order"),
        ("unroll(loop=b)", BAND.replace("0..3", "0..a"), "constant limits"),
        ("parallel(loops=(b))", BAND, "'b' is not the next outermost"),
        (
            "parallel(loops=(a))",
            BAND + "%y[0, 0] = 1.0:f32\n",
            "a statement outside the loops a would run on every thread",
        ),
    ],
)
def test_runs_refuse(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_apply_names_schedule_step_and_rule() -> None:
    schedule = Schedule("mine", (parse_step("unroll(loop=k)"), parse_step("unroll(loop=kw)")))
    with pytest.raises(ScheduleError) as caught:
        apply(schedule, parse(DOT))
    assert str(caught.value) == (
        "schedule 'mine', step 2 unroll(loop=kw): unroll: kernel 'k' has no loop 'kw' (loops: n c k); did you mean 'k'?"
    )


ROLLED = """
    local %p: f32[5] scratch
    each a in 0..5 {
      %u = %x[0, 0, a]
      %p[a] = %u
    }
    each b in 0..2 {
      %v = %p[2*b + 2]
      %y[b, 0] = %v
    }
"""


def test_interleave() -> None:
    check(
        "interleave(loop=b, producer=a, stride=2, reach=3)",
        ROLLED,
        """
        local %p: f32[5] scratch
        for b in 0..3 {
          each a in max(0, 2*b - 1)..min(5, 2*b + 1) {
            %u = %x[0, 0, a]
            %p[a] = %u
          }
          if b - 1 >= 0 {
            %v = %p[2*b]
            %y[b - 1, 0] = %v
          }
        }
        """,
    )


def test_interleave_refuses_what_is_not_there_in_time() -> None:
    refuse("interleave(loop=b, producer=a, stride=2, reach=2)", ROLLED, "the last iterations of 'a' would be left over")
    refuse("interleave(loop=b, producer=a, stride=4, reach=1)", ROLLED, "reads 'p' beyond what is stored by then")
    refuse("interleave(loop=a, producer=b, stride=1, reach=1)", ROLLED, "no loop 'a' stands right behind a loop 'b'")
    refuse("interleave(loop=b, producer=a, stride=0, reach=1)", ROLLED, "at least 1")
    again = ROLLED.replace("%y[b, 0] = %v", "%p[b] = %v\n%y[b, 0] = %v")
    refuse("interleave(loop=b, producer=a, stride=2, reach=3)", again, "'b' writes p, which 'a' uses")


def test_rename() -> None:
    check("rename(loop=c, name=d, inside=n)", "each n in 0..8 {\neach c in 0..3 {\n%y[n, c] = c\n}\n}\n", """
        each n in 0..8 {
          each d in 0..3 {
            %y[n, d] = d
          }
        }
        """)  # fmt: skip
    refuse("rename(loop=k, name=d, inside=n)", DOT.replace("k", "m"), "no loop 'k' is inside of 'n'")
    refuse("rename(loop=k, name=c, inside=n)", DOT, "already has a loop 'c'")


LATE = """
    local %p: f32[3] scratch
    each lane in 0..12 {
      if -lane + 9 >= 0 {
        each c in 0..3 {
          %u = %blocked[lane, c]
          %p[c] = %u
        }
        %v = %p[0]
        %z[lane, 0] = %v
      }
    }
"""


def test_unguard() -> None:
    check(
        "unguard(loop=c)",
        LATE,
        """
        local %p: f32[3] scratch
        each lane in 0..12 {
          each c in 0..3 {
            %u = %blocked[lane, c]
            %p[c] = %u
          }
          if -lane + 9 >= 0 {
            %v = %p[0]
            %z[lane, 0] = %v
          }
        }
        """,
    )
    refuse("unguard(loop=lane)", LATE, "no condition guards a nest over 'lane'")
    refuse("unguard(loop=c)", LATE.replace("%blocked[lane, c]", "%x[lane, c, 0]"), "'x' would be read where it has no")
    refuse("unguard(loop=c)", LATE.replace("%p[c] = %u", "%p[c] = %u\n%z[lane, c] = %u"), "stores to more than locals")


def test_a_nest_that_does_not_depend_on_a_loop_stays_outside_it() -> None:
    check(
        "distribute(loop=r, past=(k))",
        """
        local %p: f32[5] scratch
        local %acc: f32[] register
        each r in 0..8 {
          %acc[] = 0.0:f32
          each c in 0..5 {
            %u = %x[0, 0, c]
            %p[c] = %u
          }
          sum k in 0..5 {
            %v = %p[k]
            %acc[] = add(%v, %acc[])
          }
          %t = %acc[]
          %y[r, 0] = %t
        }
        """,
        """
        local %p: f32[5] scratch
        local %acc: f32[8] register
        each c in 0..5 {
          %u = %x[0, 0, c]
          %p[c] = %u
        }
        each r in 0..8 {
          %acc[r] = 0.0:f32
        }
        sum k in 0..5 {
          each r in 0..8 {
            %v = %p[k]
            %acc[r] = add(%v, %acc[r])
          }
        }
        each r in 0..8 {
          %t = %acc[r]
          %y[r, 0] = %t
        }
        """,
    )
