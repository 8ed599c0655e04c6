"""Loops over time in plans: where values lie, phases, text; what the verifier finds."""

from dataclasses import replace

import pytest

from mochac.base.options import CompileOptions, Options
from mochac.ir import parse
from mochac.ir.passes.phases import SharedMemory
from mochac.ir.passes.verify_plan import PlanError, verify_plan
from mochac.lowering.backends import open_backend
from mochac.lowering.pipeline import lower

GRAPH = parse("""
graph @sums(%s: f32[b2,3], %xs: f32[5,2,3], %w: f32[3,3] param) {
  %stack: f32[5,2,3] = exp(%xs)
  %last: f32[b2,3], %after: f32[5,2,3], %before: f32[5,2,3], %ys: f32[5,2,3] = scan(%s, %stack, %w)
    {body = graph @step(%s: f32[b2,3], %x: f32[b2,3], %w: f32[3,3]) {
      %p: f32[b2,3] = inner_product(%s, %w)
      %new: f32[b2,3] = add(%p, %x)
      return %new, %x
    }, carried = 1, length = 5, sliced = 1}
  return %last, %after, %ys
}
""")


def lowered():
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    return lower(GRAPH, backend.generator, scalars={}, named={name: name for name in GRAPH.outputs})


def test_states_of_all_steps_are_one_piece_of_memory():
    memory = SharedMemory.of(GRAPH)
    size = 2 * 3 * 4
    windows = {name: memory.window(name) for name in ("last/s", "last/new", "before", "after", "last")}
    assert {w.owner for w in windows.values()} == {"last/s.all"}
    assert [(w.offset, w.stride) for w in windows.values()] == [
        (0, size),
        (size, size),
        (0, 0),
        (size, 0),
        (5 * size, 0),
    ]
    assert memory.window("last/w").owner == "w"


def test_a_loop_has_phases_of_its_own_and_survives_text():
    plan = lowered().plan
    assert parse(str(plan)) == plan
    ((first, end),) = plan.loops
    inside = {launch.phase for launch in plan.launches[first:end]}
    outside = {launch.phase for launch in (*plan.launches[:first], *plan.launches[end:])}
    assert not inside & outside
    assert {launch.trips for launch in plan.launches[first:end]} == {5}
    assert all(len(launch.strides) == len(launch.buffers) for launch in plan.launches[first:end])


def test_what_a_loop_reads_stays_until_it_ends():
    low = lowered()
    kernels, plan = tuple(k.naive for k in low.kernels), low.plan
    verify_plan(low.graph, kernels, plan)
    stack, states = plan.placement("stack"), plan.placement("last/s.all")
    broken = replace(
        plan, placements=tuple(replace(p, offset=states.offset) if p == stack else p for p in plan.placements)
    )
    with pytest.raises(PlanError, match="no-overlap"):
        verify_plan(low.graph, kernels, broken)
