"""pack: what is copied, where the copy stands, which reads it serves; what it refuses."""

from __future__ import annotations

import textwrap

import pytest
from step_kit import DOT, check, computed, parse, refuse, whole

from mochac.ir.schedule import parse_step

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


def test_pack_puts_zeros_around_and_drops_conditions() -> None:
    check(
        "pack(buffer=x, loop=n, order=(2, 1, 0), zeros=(0))",
        SLIDE,
        """
        local %acc: f32[] register
        local %x.pack: f32[1,1,12] scratch
        each c in 0..3 {
          each pack.2 in 0..1 {
            each pack.0 in 0..1 {
              %x.pack[pack.2, 0, pack.0] = 0.0:f32
            }
            each pack.0 in 1..9 {
              %packed = %x[pack.0 - 1, c, pack.2 + 2]
              %x.pack[pack.2, 0, pack.0] = %packed
            }
            each pack.0 in 9..12 {
              %x.pack[pack.2, 0, pack.0] = 0.0:f32
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


def test_pack_copies_what_both_parts_of_a_loop_read() -> None:
    """The last iterations of a loop that was cut are another loop of the same name."""
    check(
        "pack(buffer=x, loop=n, order=(0, 1, 2))",
        """
        local %acc: f32[] register
        each n in 0..8 {
          %acc[] = 0.0:f32
          sum k in 1..5 {
            %a = %x[k, 0, 0]
            %acc[] = add(%a, %acc[])
          }
          sum k in 5..7 {
            %b = %x[k, 0, 0]
            %acc[] = add(%b, %acc[])
          }
          %t = %acc[]
          %y[n, 0] = %t
        }
        """,
        """
        local %acc: f32[] register
        local %x.pack: f32[6,1,1] scratch
        each pack.0 in 0..6 {
          each pack.1 in 0..1 {
            each pack.2 in 0..1 {
              %packed = %x[pack.0 + 1, pack.1, pack.2]
              %x.pack[pack.0, pack.1, pack.2] = %packed
            }
          }
        }
        each n in 0..8 {
          %acc[] = 0.0:f32
          sum k in 1..5 {
            %a = %x.pack[k - 1, 0, 0]
            %acc[] = add(%a, %acc[])
          }
          sum k in 5..7 {
            %b = %x.pack[k - 1, 0, 0]
            %acc[] = add(%b, %acc[])
          }
          %t = %acc[]
          %y[n, 0] = %t
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


def test_pack_puts_elements_that_are_read_apart_side_by_side() -> None:
    check(
        "pack(buffer=x, loop=n, order=(2, 1, 0), zeros=(0), stride=2)",
        """
        local %acc: f32[] register
        each c in 0..3 {
          each n in 0..4 {
            %acc[] = 0.0:f32
            sum q in 0..2 {
              sum r in 0..2 {
                if r + 2*n + 2*q - 1 >= 0, -r - 2*n - 2*q + 8 >= 0 {
                  %a = %x[r + 2*n + 2*q - 1, c, 2]
                  %acc[] = fma(%a, 2.0:f32, %acc[])
                }
              }
            }
            %t = %acc[]
            %y[n, c] = %t
          }
        }
        """,
        """
        local %acc: f32[] register
        local %x.pack: f32[1,1,2,5] scratch
        each c in 0..3 {
          each pack.2 in 0..1 {
            each pack.0.r in 0..2 {
              each pack.0 in 0..ceil((-pack.0.r + 1) / 2) {
                %x.pack[pack.2, 0, pack.0.r, pack.0] = 0.0:f32
              }
              each pack.0 in ceil((-pack.0.r + 1) / 2)..ceil((-pack.0.r + 9) / 2) {
                %packed = %x[2*pack.0 + pack.0.r - 1, c, pack.2 + 2]
                %x.pack[pack.2, 0, pack.0.r, pack.0] = %packed
              }
              each pack.0 in ceil((-pack.0.r + 9) / 2)..5 {
                %x.pack[pack.2, 0, pack.0.r, pack.0] = 0.0:f32
              }
            }
          }
          each n in 0..4 {
            %acc[] = 0.0:f32
            sum q in 0..2 {
              sum r in 0..2 {
                %a = %x.pack[0, 0, r, n + q]
                %acc[] = fma(%a, 2.0:f32, %acc[])
              }
            }
            %t = %acc[]
            %y[n, c] = %t
          }
        }
        """,
    )


def test_pack_repeats_elements_where_a_loop_moves_along_more_of_them_than_the_stride() -> None:
    check(
        "pack(buffer=x, loop=n, order=(2, 1, 0), zeros=(0), stride=2)",
        """
        local %acc: f32[] register
        each c in 0..3 {
          each n in 0..4 {
            %acc[] = 0.0:f32
            sum k in 0..5 {
              if k + 2*n - 2 >= 0, -k - 2*n + 9 >= 0 {
                %a = %x[k + 2*n - 2, c, 2]
                %acc[] = fma(%a, 2.0:f32, %acc[])
              }
            }
            %t = %acc[]
            %y[n, c] = %t
          }
        }
        """,
        """
        local %acc: f32[] register
        local %x.pack: f32[1,1,5,4] scratch
        each c in 0..3 {
          each pack.2 in 0..1 {
            each pack.0.r in 0..5 {
              each pack.0 in 0..min(ceil((-pack.0.r + 2) / 2), 4) {
                %x.pack[pack.2, 0, pack.0.r, pack.0] = 0.0:f32
              }
              each pack.0 in max(0, ceil((-pack.0.r + 2) / 2))..min(ceil((-pack.0.r + 10) / 2), 4) {
                %packed = %x[2*pack.0 + pack.0.r - 2, c, pack.2 + 2]
                %x.pack[pack.2, 0, pack.0.r, pack.0] = %packed
              }
              each pack.0 in max(0, ceil((-pack.0.r + 10) / 2))..4 {
                %x.pack[pack.2, 0, pack.0.r, pack.0] = 0.0:f32
              }
            }
          }
          each n in 0..4 {
            %acc[] = 0.0:f32
            sum k in 0..5 {
              %a = %x.pack[0, 0, k, n]
              %acc[] = fma(%a, 2.0:f32, %acc[])
            }
            %t = %acc[]
            %y[n, c] = %t
          }
        }
        """,
    )


WINDOW = """
    local %cell: f32[] register
    local %next: f32[] register
    each n in 0..3 {
      each c in 0..3 {
        %cell[] = 0.0:f32
        if 2*n - 1 >= 0 {
          %a = %x[2*n - 1, c, 1]
          %cell[] = %a
        }
        %b = %cell[]
        %next[] = 0.0:f32
        if -2*n + 3 >= 0 {
          %d = %x[2*n + 4, c, 1]
          %next[] = %d
        }
        %e = %next[]
        %f = add(%b, %e)
        %y[n, c] = %f
      }
    }
"""


def test_pack_copies_reads_at_constant_distances_with_zeros_that_move() -> None:
    """Locals that were 0 outside become copies, without conditions."""
    check(
        "pack(buffer=x, loop=c, order=(0, 1, 2), zeros=(0))",
        WINDOW,
        """
        local %cell: f32[] register
        local %next: f32[] register
        local %x.pack: f32[6,3,1] scratch
        each n in 0..3 {
          each pack.0 in 0..min(6, -2*n + 1) {
            each pack.1 in 0..3 {
              each pack.2 in 0..1 {
                %x.pack[pack.0, pack.1, pack.2] = 0.0:f32
              }
            }
          }
          each pack.0 in max(0, -2*n + 1)..min(6, -2*n + 9) {
            each pack.1 in 0..3 {
              each pack.2 in 0..1 {
                %packed = %x[2*n + pack.0 - 1, pack.1, pack.2 + 1]
                %x.pack[pack.0, pack.1, pack.2] = %packed
              }
            }
          }
          each pack.0 in max(0, -2*n + 9)..6 {
            each pack.1 in 0..3 {
              each pack.2 in 0..1 {
                %x.pack[pack.0, pack.1, pack.2] = 0.0:f32
              }
            }
          }
          each c in 0..3 {
            %a = %x.pack[0, c, 0]
            %cell[] = %a
            %b = %cell[]
            %d = %x.pack[5, c, 0]
            %next[] = %d
            %e = %next[]
            %f = add(%b, %e)
            %y[n, c] = %f
          }
        }
        """,
    )
    rest = "each n in 0..5 {\neach c in 0..3 {\n%y[n + 3, c] = 0.0:f32\n}\n}\n"
    computed(whole(textwrap.dedent(WINDOW) + rest), "pack(buffer=x, loop=c, order=(0, 1, 2), zeros=(0))")


def test_pack_keeps_a_condition_where_a_local_was_not_zero() -> None:
    refuse("pack(buffer=x, loop=c, order=(0, 1, 2), zeros=(0))", WINDOW.replace("0.0:f32", "1.0:f32"), "guards more")


TWO = "each n in 0..3 {\neach c in 0..3 {\n%t = %x[n, c, 0]\n%u = %x[c, n, 1]\n%y[n, c] = %t\n}\n}\n"
GUARDED = "each n in 0..8 {\nif n - 1 >= 0 {\n%t = %x[n - 1, 0, 0]\n%y[n, 0] = %t\n}\n}\n"


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("pack(buffer=y, loop=n, order=(0, 1))", DOT, "has no input 'y'"),
        ("pack(buffer=x, loop=n, order=(0, 1))", DOT, "order must be the axes of 'x'"),
        ("pack(buffer=x, loop=n, order=(0, 1, 2))", TWO, "at one index, not 2"),
        (
            "pack(buffer=x, loop=n, order=(0, 1, 2), stride=2)",
            TWO,
            "a stride is at least 1, and needs an axis in zeros",
        ),
        ("pack(buffer=x, loop=n, order=(2, 1, 0), zeros=(0), stride=2)", SLIDE, r"no loop moves k \+ n, along axis 0,"),
        ("pack(buffer=x, loop=n, order=(0, 1, 2), zeros=(0))", GUARDED, "guards more than sums"),
        (
            "pack(buffer=x, loop=k, order=(0, 1, 2), zeros=(0), stride=2)",
            "local %a: f32[] register\neach n in 0..8 {\nsum k in 0..2 {\n%t = %x[2*k + n - 1, 0, 0]\n}\n}\n",
            "begins at n - 1, which is not constant",
        ),
    ],
)
def test_pack_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)


def test_a_box_that_reaches_beyond_the_buffer_in_a_remainder_has_constant_limits() -> None:
    """The outer loop of a remainder has one iteration, so where its box begins is known."""
    kernel = parse("""
    local %acc: f32[] register
    each q in 1..2 {
      each n in 0..5 {
        if -n + 2 >= 0 {
          %acc[] = 0.0:f32
          sum k in 0..5 {
            %a = %x[n + 5*q, 0, k]
            %acc[] = fma(%a, 2.0:f32, %acc[])
          }
          %t = %acc[]
          %y[n + 5*q, 0] = %t
        }
      }
    }
    """)
    (remainder,) = parse_step("pack(buffer=x, loop=n, order=(0, 1, 2))").apply(kernel).body
    assert remainder.body[0].extent == 3
