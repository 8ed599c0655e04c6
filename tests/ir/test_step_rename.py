"""rename: text before and after; what it refuses."""

from __future__ import annotations

from step_kit import DOT, check, refuse


def test_rename() -> None:
    check("rename(loop=c, name=d, inside=n)", "each n in 0..8 {\neach c in 0..3 {\n%y[n, c] = c\n}\n}\n", """
        each n in 0..8 {
          each d in 0..3 {
            %y[n, d] = d
          }
        }
        """)  # fmt: skip
    refuse("rename(loop=k, name=d, inside=n)", DOT.replace("k", "m"), "no loop 'k' is inside 'n'")
    refuse("rename(loop=k, name=c, inside=n)", DOT, "already has a loop 'c'")


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
