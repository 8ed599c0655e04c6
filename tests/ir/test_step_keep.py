"""keep: text before and after; what it refuses; results."""

from __future__ import annotations

import pytest
from step_kit import applied, check, computed, refuse, whole

from mochac.ir import nests
from mochac.ir.kernel import Kernel, Let, walk, written_buffers
from mochac.ir.nests import repeats

SOFTMAX = """
    local %acc: f32[] register
    each n in 0..8 {
      each c in 0..3 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %a = %x[n, c, k]
          %e = exp(%a)
          %acc[] = add(%e, %acc[])
        }
        %s = %acc[]
        %acc[] = 0.0:f32
        sum j in 0..5 {
          %b = %x[n, c, j]
          %f = exp(%b)
          %q = div(%f, %s)
          %acc[] = max(%q, %acc[])
        }
        %r = %acc[]
        %y[n, c] = %r
      }
    }
"""
"""The largest probability of each row of x."""
NESTS = """
    local %acc: f32[] register
    each n in 0..8 {
      %acc[] = 0.0:f32
      sum c in 1..3 {
        sum k in 0..5 {
          if k - c >= 0 {
            %a = %x[n, c, k]
            %e = exp(%a)
            %acc[] = add(%e, %acc[])
          }
        }
      }
      %s = %acc[]
      %acc[] = 0.0:f32
      sum d in 1..3 {
        %i = to_f32(d)
        sum j in 0..5 {
          if j - d >= 0 {
            %b = %x[n, d, j]
            %f = exp(%b)
            %q = div(%f, %s)
            %g = mul(%q, %i)
            %acc[] = max(%g, %acc[])
          }
        }
      }
      %r = %acc[]
      each o in 0..3 {
        %y[n, o] = %r
      }
    }
"""
KEEP = "keep(value=e, again=f)"


def exponentials(kernel: Kernel) -> int:
    return sum(isinstance(s, Let) and s.fn == "exp" for s in walk(kernel.body))


def test_keep() -> None:
    check(
        KEEP,
        SOFTMAX,
        """
        local %acc: f32[] register
        local %kept: f32[5] scratch
        each n in 0..8 {
          each c in 0..3 {
            %acc[] = 0.0:f32
            sum k in 0..5 {
              %a = %x[n, c, k]
              %e = exp(%a)
              %kept[k] = %e
              %acc[] = add(%e, %acc[])
            }
            %s = %acc[]
            %acc[] = 0.0:f32
            sum j in 0..5 {
              %f = %kept[j]
              %q = div(%f, %s)
              %acc[] = max(%q, %acc[])
            }
            %r = %acc[]
            %y[n, c] = %r
          }
        }
        """,
    )


@pytest.mark.parametrize("body", [SOFTMAX, NESTS], ids=["softmax", "nests"])
def test_results_stay(body: str) -> None:
    assert exponentials(computed(whole(body), KEEP)) == 1


def test_loops_in_loops_and_conditions_with_values_beside_them() -> None:
    kept = applied(whole(NESTS), KEEP)
    assert "%kept[c - 1, k] = %e" in str(kept)
    assert "%f = %kept[d - 1, j]" in str(kept)
    assert next(b for b in kept.locals if b.name == "kept").type.shape == (2, 5)


def test_vectors() -> None:
    steps = [f"split(loop={k}, factor=4, outer={k}o, inner={k}i, tail=guard)" for k in "kj"]
    kept = computed(whole(SOFTMAX), *steps, "vector(loop=ki)", "vector(loop=ji)", KEEP)
    assert next(b for b in kept.locals if b.name == "kept").type.shape == (2, 4)


def test_all_values_that_a_loop_repeats() -> None:
    body = SOFTMAX.replace("= exp(%a)", "= exp(%a)\n%m = neg(%a)\n%u = mul(%m, %e)")
    body = body.replace("= exp(%b)", "= exp(%b)\n%h = neg(%b)\n%o = mul(%h, %f)")
    assert {(r.value, r.again) for r in repeats(whole(body))} == {("m", "h"), ("e", "f"), ("u", "o")}


def test_loops_of_many_sums_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A net of 120 layers has 120 sums in one kernel; all stretches between two of them are many times as much."""
    sums = "".join(
        f"%acc[] = 0.0:f32\nsum k{i} in 0..5 {{\n%a{i} = %x[n, 0, k{i}]\n%acc[] = add(%a{i}, %acc[])\n}}\n"
        for i in range(30)
    )
    each = f"each n in 0..8 {{\n{sums}%s = %acc[]\neach c in 0..3 {{\n%y[n, c] = %s\n}}\n}}"
    body = f"local %acc: f32[] register\n{each}\n"
    looked: list[int] = []
    monkeypatch.setattr(nests, "written_buffers", lambda body: looked.append(len(body)) or written_buffers(body))
    kernel = whole(body)
    assert list(repeats(kernel)) == []
    assert sum(looked) <= len(list(walk(kernel.body)))


REFUSED = "no loop computes 'f' as a loop before it computes 'e'"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("exp(%b)", "tanh(%b)"),
        ("%b = %x[n, c, j]", "%b = %x[n, c, -j + 4]"),
        ("sum j in 0..5", "sum j in 0..4"),
        ("sum j in 0..5", "sum j in 1..5"),
    ],
    ids=["function", "index", "count", "start"],
)
def test_refuses_what_is_not_the_same(old: str, new: str) -> None:
    assert old in SOFTMAX
    refuse(KEEP, SOFTMAX.replace(old, new), REFUSED)


def test_refuses_what_has_changed_in_between() -> None:
    body = SOFTMAX.replace("%x[n, c, k]", "%y[n, c]").replace("%x[n, c, j]", "%y[n, c]")
    assert exponentials(applied(whole(body), KEEP)) == 1
    refuse(KEEP, body.replace("%s = %acc[]\n", "%s = %acc[]\n%y[n, c] = %s\n"), REFUSED)


def test_refuses_names_that_are_not_there() -> None:
    refuse("keep(value=e, again=q)", SOFTMAX, "no loop computes 'q' as a loop before it computes 'e'")
    refuse("keep(value=f, again=e)", SOFTMAX, "no loop computes 'e' as a loop before it computes 'f'")


@pytest.mark.parametrize("run", ["threads", "blocks", "parallel"])
def test_refuses_loops_whose_iterations_do_not_see_each_others_locals(run: str) -> None:
    refuse(KEEP, SOFTMAX.replace("0..5 {", f"0..5 {run} {{"), REFUSED)
