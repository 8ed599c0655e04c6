"""Spills of bodies without loops, counted by hand, and what kernels are charged for them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from mochac.codegen.machine import Machine, machine
from mochac.codegen.prediction.issue import cycles
from mochac.codegen.prediction.live import FORWARD, NONE, SPILL, Live, Spills
from mochac.ir.kernel_text import parse_kernel

HASWELL = replace(machine("haswell", 32), restart=0)


def sums(accumulators: int, terms: int = 1) -> Live:
    """Accumulators to which products of one vector and as many numbers are added, `terms` times an iteration."""
    live = Live()
    for term in range(terms):
        live.names["a"] = live.load(("x", term), 1, folds=True)
        for k in range(accumulators):
            live.names["b"] = live.load(("w", term, k), 1, folds=False)
            live.use("a", 1)
            live.use("b", 1)
            live.accumulate(("acc", k), 1)
    return live


def test_accumulators_that_fit():
    """All of them, a vector and a number."""
    assert sums(14).spills(16) == NONE
    assert sums(15).spills(16) != NONE


@pytest.mark.parametrize("terms", [1, 2, 5])
def test_each_use_of_an_accumulator_that_does_not_fit(terms):
    """It is loaded, and stored again."""
    assert sums(24, terms).spills(16) == Spills(10 * terms, 10 * terms, 10 * terms)


def test_a_vector_that_one_instruction_takes_from_memory():
    def added(folds: bool, uses: int = 1) -> Spills:
        live = Live()
        for k in range(8):
            live.names[f"a{k}"] = live.load(("x", k), 1, folds)
        for k in range(8 * uses):
            live.use(f"a{k % 8}", 1)
            live.accumulate(("acc", k), 1)
        return live.spills(12)

    assert added(folds=True) == NONE
    assert added(folds=False).stores > 0
    assert added(folds=True, uses=2).stores > 0


def test_what_is_not_written_is_stored_before_the_loop():
    """Values from outside of a body: nothing is stored in an iteration, but some are loaded."""
    live = Live()
    for k in range(6):
        live.use(f"a{k}", 1)
    stores, reloads, accumulators = live.spills(4)
    assert (stores, accumulators) == (0, 0)
    assert reloads in (2, 3)  # of six in turn, three stay


def test_a_value_of_several_registers():
    """Lanes of two vectors, or of float64."""
    live = Live()
    for name in "ab":
        live.names[name] = live.define(2)
    for name in "ab":
        live.use(name, 2)
    assert live.spills(4) == NONE
    assert live.spills(3) == Spills(1, 1, 0)


@pytest.mark.parametrize("seed", range(20))
def test_more_registers_never_spill_more(seed):
    random, live = Random(seed), Live()
    for k in range(60):
        if random.random() < 0.5:
            live.names[f"v{k}"] = live.define(random.choice((1, 1, 2)))
        live.use(random.choice([*live.names, "outside"]), 1)
    every = [live.spills(registers) for registers in range(4, 80)]
    reloads = [spills.reloads for spills in every]
    assert reloads == sorted(reloads, reverse=True)
    assert every[0] != NONE and every[-1] == NONE


def per_turn(rows: int, uses: int, core: Machine) -> float:
    """Cycles of an iteration of a tile of rows x 2 accumulators, each of which is used a number of times in it."""
    text = """
kernel @k(%x: f32[1024,2,8], %w: f32[ROWS,1024]) -> (%y: f32[ROWS,2,8]) {
  local %acc: f32[ROWS,2,8] register
  sum f in 0..FS {
    sum g in 0..USES unroll {
      each o in 0..ROWS unroll {
        %b = %w[o, g + USES*f]
        each m in 0..2 unroll {
          each n in 0..8 vector {
            %a = %x[g + USES*f, m, n]
            %acc[o, m, n] = fma(%a, %b, %acc[o, m, n])
          }
        }
      }
    }
  }
}
"""
    turns = 1024 // uses
    text = text.replace("FS", str(turns)).replace("USES", str(uses)).replace("ROWS", str(rows))
    return cycles(parse_kernel(text), core) / turns


def test_tiles_that_fit_are_not_charged():
    """12 accumulators, two vectors and a number in 16 registers."""
    assert per_turn(6, 4, HASWELL) == pytest.approx(per_turn(6, 4, replace(HASWELL, registers=32)), rel=1e-6)


def test_spilled_accumulators_are_stored_at_each_use():
    """Of 28 accumulators, 13 stay beside two vectors and a number."""
    free = per_turn(14, 4, replace(HASWELL, registers=64))
    assert per_turn(14, 4, HASWELL) == pytest.approx(free + SPILL * 15 * 4 / HASWELL.stores, rel=0.05)


def test_an_accumulator_in_memory_waits_for_its_store():
    """One of 14 does not fit; its four multiply-adds come after each other."""
    assert per_turn(7, 4, HASWELL) == pytest.approx(4 * (HASWELL.latency + FORWARD), rel=0.01)
