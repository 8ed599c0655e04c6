"""fuse: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import check, computed, refuse, whole

EPILOGUE = """
    local %dot: f32[8,3] scratch
    local %exp: f32[8,3] scratch
    local %acc: f32[] register
    each n in 0..8 {
      each c in 0..3 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %t = %x[n, c, k]
          %acc[] = add(%t, %acc[])
        }
        %t1 = %acc[]
        %dot[n, c] = %t1
      }
    }
    each a0 in 0..8 {
      each a1 in 0..3 {
        %t2 = %dot[a0, a1]
        %t3 = exp(%t2)
        %exp[a0, a1] = %t3
      }
    }
    each a0 in 0..8 {
      each a1 in 0..3 {
        %t4 = %w[a1, 0]
        %t5 = %exp[a0, a1]
        %t6 = mul(%t4, %t5)
        %y[a0, a1] = %t6
      }
    }
"""

ROW = """
    local %total: f32[] register
    local %e: f32[8,3] scratch
    each n in 0..8 {
      %total[] = 0.0:f32
      sum c in 0..3 {
        %t = %x[n, c, 0]
        %total[] = add(%t, %total[])
      }
      each c1 in 0..3 {
        %t1 = %x[n, c1, 0]
        %t2 = %total[]
        %t3 = div(%t1, %t2)
        %e[n, c1] = %t3
      }
    }
    each a0 in 0..8 {
      each a1 in 0..3 {
        %t4 = %e[a0, a1]
        %t5 = %w[a1, 1]
        %t6 = mul(%t4, %t5)
        %y[a0, a1] = %t6
      }
    }
"""

TWO = (
    ROW.replace("%e[n, c1] = %t3\n      }", "%e[n, c1] = %t3\n}\neach c2 in 0..3 {\n%m[n, c2] = 1.0:f32\n}")
    .replace("%t5 = %w[a1, 1]", "%t5 = %m[a0, a1]")
    .replace("local %e", "local %m: f32[8,3] scratch\nlocal %e")
)
"""A row op with two results, both of which another nest reads."""


def test_a_sum_gets_its_epilogue() -> None:
    check(
        "fuse(root=dot, values=(exp, y))",
        EPILOGUE,
        """
        local %acc: f32[] register
        each n in 0..8 {
          each c in 0..3 {
            %acc[] = 0.0:f32
            sum k in 0..5 {
              %t = %x[n, c, k]
              %acc[] = add(%t, %acc[])
            }
            %t1 = %acc[]
            %t2 = %w[c, 0]
            %t3 = exp(%t1)
            %t4 = mul(%t2, %t3)
            %y[n, c] = %t4
          }
        }
        """,
    )
    computed(whole(EPILOGUE), "fuse(root=dot, values=(exp, y))")


def test_what_other_nests_read_is_stored_too() -> None:
    first = computed(whole(EPILOGUE), "fuse(root=dot, values=(exp))")
    assert [b.name for b in first.locals] == ["acc", "exp"]
    computed(first, "fuse(root=exp, values=(y))")


def test_an_epilogue_of_a_row_is_computed_where_the_row_stores() -> None:
    check(
        "fuse(root=e, values=(y))",
        ROW,
        """
        local %total: f32[] register
        each n in 0..8 {
          %total[] = 0.0:f32
          sum c in 0..3 {
            %t = %x[n, c, 0]
            %total[] = add(%t, %total[])
          }
          each c1 in 0..3 {
            %t1 = %x[n, c1, 0]
            %t2 = %total[]
            %t3 = div(%t1, %t2)
            %t4 = %w[c1, 1]
            %t5 = mul(%t3, %t4)
            %y[n, c1] = %t5
          }
        }
        """,
    )
    computed(whole(ROW), "fuse(root=e, values=(y))")


def test_what_follows_no_result_is_computed_with_the_first_of_its_shape() -> None:
    beside = ROW.replace("%t4 = %e[a0, a1]", "%t4 = %w[a1, 0]").replace("local %e: f32[8,3] scratch", "")
    kept = (
        f"local %e: f32[8,3] scratch{beside}"
        + """
    each m in 0..10 {
      each q in 0..3 {
        %t7 = %e[0, q]
        %z[m, q] = %t7
      }
    }
    """
    )
    text = str(computed(whole(kept), "fuse(root=e, values=(y))"))
    assert text.index("each c1") < text.index("%y[n, c1] =") < text.index("%e[n, c1] =") < text.index("each m")


def test_all_results_are_computed_before_the_first_is_stored() -> None:
    check(
        "fuse(root=y, values=(e))",
        """
        local %e: f32[8,3] scratch
        each n in 0..8 {
          each c in 0..3 {
            %t = %w[c, 0]
            %y[n, c] = %t
          }
        }
        each a in 0..8 {
          each b in 0..3 {
            %t1 = %y[a, b]
            %t2 = exp(%t1)
            %e[a, b] = %t2
          }
        }
        each n in 0..10 {
          each c in 0..3 {
            %t3 = %e[0, c]
            %z[n, c] = %t3
          }
        }
        """,
        """
        local %e: f32[8,3] scratch
        each n in 0..8 {
          each c in 0..3 {
            %t = %w[c, 0]
            %t1 = exp(%t)
            %y[n, c] = %t
            %e[n, c] = %t1
          }
        }
        each n in 0..10 {
          each c in 0..3 {
            %t3 = %e[0, c]
            %z[n, c] = %t3
          }
        }
        """,
    )


APART = """
    local %e: f32[4,3] scratch
    each a in 0..4 {
      each b in 0..3 {
        %t = %w[b, 0]
        %t1 = exp(%t)
        %e[a, b] = %t1
      }
    }
    each c in 0..4 {
      each d in 0..3 {
        %t2 = %e[c, d]
        %t3 = %x[c, d, 0]
        %y[c, d] = %t2
        %y[c + 4, d] = %t3
      }
    }
"""


def test_what_is_stored_at_several_places_follows_element_by_element() -> None:
    check(
        "fuse(root=e, values=(y))",
        APART,
        """
        each a in 0..4 {
          each b in 0..3 {
            %t = %w[b, 0]
            %t1 = exp(%t)
            %t2 = %x[a, b, 0]
            %y[a, b] = %t1
            %y[a + 4, b] = %t2
          }
        }
        """,
    )
    computed(whole(APART), "fuse(root=e, values=(y))")


@pytest.mark.parametrize(
    ("step", "before", "message"),
    [
        ("fuse(root=e, values=(q))", ROW, "no nest computes a value 'q' for others"),
        ("fuse(root=y, values=(e))", APART, "the nest of 'y' does not compute it element by element"),
        ("fuse(root=e, values=())", ROW, "name at least one value, and not 'e' itself"),
        ("fuse(root=e, values=(e))", ROW, "name at least one value, and not 'e' itself"),
        (
            "fuse(root=e, values=(y))",
            ROW.replace("%t4 = %e[a0, a1]", "%t4 = %e[-a0 + 7, a1]"),
            "'e' is read at another index than it is stored at",
        ),
        (
            "fuse(root=dot, values=(y))",
            EPILOGUE,
            "the nest of exp between them reads what they compute",
        ),
        (
            "fuse(root=e, values=(y))",
            ROW.replace("%e: f32[8,3]", "%e: f32[8,4]"),
            "'y' and 'e' differ in shape",
        ),
        (
            "fuse(root=e, values=(y))",
            TWO,
            r"'y' must follow exactly one result of e m, not e m",
        ),
    ],
)
def test_fuse_refuses(step: str, before: str, message: str) -> None:
    refuse(step, before, message)
