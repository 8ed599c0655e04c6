"""Operations counted from loops: bounds that move, conditions, idle lanes."""

from __future__ import annotations

import pytest
from kernel_kit import SUM, conv, conv_dx

from mochac.ir.applying import apply
from mochac.ir.executed import executed_flops
from mochac.ir.kernel import Accum, If, Loop
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import Schedule, parse_step


def one_by_one(body, env):
    """Every iteration of every loop."""
    found = 0
    for stmt in body:
        if isinstance(stmt, Accum):
            found += 2 * (stmt.fn == "fma")
        elif isinstance(stmt, If):
            if all(c.evaluate(env) >= 0 for c in stmt.conds):
                found += one_by_one(stmt.body, env)
        elif isinstance(stmt, Loop):
            for i in range(max(stmt.lo.values(env)), min(stmt.hi.values(env))):
                found += one_by_one(stmt.body, {**env, stmt.var: i})
    return found


def test_taps_on_padding_are_left_out():
    valid = sum(0 <= o + k - 1 < 4 for o in range(4) for k in range(3))
    assert executed_flops(conv(batch=2, channels=2, size=4, filters=3, pad=1)) == 2 * 2 * 2 * 3 * valid**2


@pytest.mark.parametrize("make", [conv, conv_dx])
@pytest.mark.parametrize("pad", [0, 1])
@pytest.mark.parametrize("tail", ["guard", "cut"])
def test_scheduled_kernels_are_counted_exactly(make, pad, tail):
    kernel = make(batch=3, channels=2, size=5, filters=2, pad=pad)
    loop = "oh" if make is conv else "ih"
    steps = (f"split(loop={loop}, factor=2, outer=hb, inner=hi, tail={tail})", "clip(loop=kh)")[: 1 + pad]
    done = apply(Schedule("s", tuple(map(parse_step, steps))), kernel)
    assert executed_flops(done) == one_by_one(done.body, {}) == executed_flops(kernel)


def test_idle_lanes_count():
    kernel = conv(batch=20, channels=2, size=4, filters=2)
    done = apply(Schedule("s", (parse_step("split(loop=n, factor=16, outer=nb, inner=lane, tail=pad)"),)), kernel)
    assert executed_flops(done) * 20 == executed_flops(kernel) * 32


def test_loops_without_multiplications_cost_nothing():
    assert executed_flops(parse_kernel(SUM)) == 0
