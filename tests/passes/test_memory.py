"""plan_memory, in_place and arena: phases, places, and the verifier that finds broken plans."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_kit import NetMaker, planned, random_inputs, run_plan

from mochac.codegen.nesting import Nested
from mochac.ir import Graph, Kernel, parse, run
from mochac.ir.passes.arena import Life, live_bytes, padded, place
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.groups import ancestors
from mochac.ir.passes.in_place import add_copies
from mochac.ir.passes.phases import SharedMemory, dependences
from mochac.ir.passes.plan_memory import plan_memory
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.passes.verify_plan import PlanError, verify_plan
from mochac.ir.plan import Compiled, Placement, Plan, parse_plan
from mochac.runtime.cuda.branches import BEGINS, ENDS, outline
from mochac.runtime.cuda.branches import dependences as by_bytes

CHAIN = """graph @g(%x: f32[b4,3], %w: f32[3,3] param, %lr: f32[] hyper, %k: f32[] hyper) {
  %a: f32[b4,3] = inner_product(%x, %w)
  %b: f32[b4,3] = inner_product(%a, %w)
  %c: f32[b4,3] = inner_product(%b, %w)
  %d: f32[b4,3] = inner_product(%c, %w)
  %dw: f32[3,3] = inner_product_dw(%a, %d)
  return %d
  update %w = %dw
}"""


def plan_of(text: str, **how: object) -> tuple[Graph, tuple[Kernel, ...], Plan]:
    graph = fuse(parse(text))
    kernels = add_copies(graph, tuple(Nested.of(k).kernel for k in to_kernels(graph)))
    plan = plan_memory("step", graph, kernels, **how)  # type: ignore[arg-type]
    verify_plan(graph, kernels, plan)
    return graph, kernels, plan


def check_updates(text: str) -> Plan:
    """The planned run leaves the states that the interpreter gives."""
    graph, kernels, plan = plan_of(text)
    inputs = random_inputs(graph, 1)
    wanted = run(graph, inputs).updates
    for backwards in (False, True):
        memory = run_plan(kernels, plan, inputs, backwards)
        for name, value in wanted.items():
            np.testing.assert_allclose(memory.read(name), value, rtol=1e-5, atol=1e-6)
    return plan


def test_launches_phases_and_places() -> None:
    _, _, plan = plan_of(CHAIN, compiled={"inner_product": Compiled("k_1", 7, 64)}, named={"top": "d"})
    assert [launch.phase for launch in plan.launches] == [0, 1, 2, 3, 4]
    first = plan.launches[0]
    assert (first.symbol, first.items, first.scratch_bytes, first.flops) == ("k_1", 7, 64, 72)
    assert first.buffers == ("x", "w", "a")
    assert first.moved_bytes == 4 * (12 + 9 + 12)
    assert plan.placement("x") == Placement("x", plan.placement("x").type, "feed", "x", 0)
    assert (plan.placement("lr").offset, plan.placement("k").offset) == (0, 8)
    assert (plan.placement("dw").place, plan.placement("dw").key) == ("state", "w")
    assert plan.named == (("top", "d"),)


def test_the_arena_is_used_again() -> None:
    _, _, plan = plan_of(CHAIN)
    assert plan.unplanned_bytes == 4 * 64
    assert plan.arena_bytes == 3 * 64
    assert plan.placement("b").offset != plan.placement("c").offset
    _, _, kept = plan_of(CHAIN, named={"b": "b", "c": "c"})
    assert kept.arena_bytes == 4 * 64


RESIDUAL = """graph @g(%x: f32[b4,3], %w: f32[3,3] param) {
  %a: f32[b4,3] = inner_product(%x, %w)
  %h: f32[b4,3] = inner_product(%a, %w)
  %b: f32[b4,3] = inner_product(%h, %w)
  %c: f32[b4,3] = add(%b, %a)
  %d: f32[b4,3] = inner_product(%c, %w)
  return %d
}"""


def test_a_value_takes_the_place_of_one_that_is_last_read_where_it_is_written() -> None:
    plan = check_result(RESIDUAL)
    assert plan.placement("c").offset == plan.placement("a").offset
    assert (plan.arena_bytes, plan.live_bytes, plan.unplanned_bytes) == (2 * 64, 2 * 64, 4 * 64)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return %d", "%e: f32[b4,3] = sub(%d, %a)\n  return %e"),  # it is read later
        ("return %d", "return %d, %a"),  # it is a result
        ("  %d: f32[b4,3] = inner_product(%c, %w)\n  return %d", "  return %c, %a"),  # so it is, read in the last phase
        ("add(%b, %a)", "inner_product(%a, %w)"),  # other elements of it are read
    ],
    ids=["read", "kept", "kept and read last", "product"],
)
def test_else_values_have_places_of_their_own(old: str, new: str) -> None:
    plan = check_result(RESIDUAL.replace(old, new))
    assert plan.placement("c").offset != plan.placement("a").offset


def check_result(text: str) -> Plan:
    """A planned run gives the results of the interpreter, whatever the order of a phase."""
    graph, kernels, plan = plan_of(text)
    inputs = random_inputs(graph, 1)
    wanted = run(graph, inputs).outputs
    for backwards in (False, True):
        memory = run_plan(kernels, plan, inputs, backwards)
        for name in graph.outputs:
            np.testing.assert_allclose(memory.read(name), wanted[name], rtol=1e-5, atol=1e-6)
    return plan


def test_plans_print_and_parse() -> None:
    _, _, plan = plan_of(CHAIN)
    assert parse_plan(str(plan)) == plan


def test_an_update_follows_the_last_reader_of_the_old_value() -> None:
    plan = check_updates("""graph @g(%x: f32[b4,3], %w: f32[3,3] param, %dy: f32[b4,3]) {
      %g: f32[3,3] = inner_product_dw(%x, %dy)
      %w1: f32[3,3] = add(%w, %g)
      %dx: f32[b4,3] = inner_product_dx(%dy, %w)
      %n: f32[b4,3] = inner_product(%dx, %w)
      return %n
      update %w = %w1
    }""")
    assert {launch.kernel: launch.phase for launch in plan.launches}["inner_product_dw+add"] == 2
    assert plan.placement("w1").place == "state"


def test_a_kernel_that_reads_the_whole_old_state_is_followed_by_a_copy() -> None:
    plan = check_updates("""graph @g(%w: f32[3,3] param) {
      %s: f32[3] = reduce_sum(%w) {axes = (0,)}
      %w1: f32[3,3] = inner_product_dx(%w, %w)
      return %s
      update %w = %w1
    }""")
    assert plan.placement("w1").place == "arena"
    assert plan.placement("w.next").place == "state"
    assert plan.launches[-1].kernel == "copy.w"


def test_a_reader_of_the_old_state_that_needs_the_new_one_forces_a_copy() -> None:
    plan = check_updates("""graph @g(%w: f32[3] param) {
      %w1: f32[3] = neg(%w)
      %s: f32[] = reduce_sum(%w1) {axes = (0,)}
      %b: f32[3] = broadcast(%s) {axes = (), batch = false, shape = (3,)}
      %y: f32[3] = mul(%w, %b)
      return %y
      update %w = %w1
    }""")
    assert plan.placement("w1").place == "arena"


@pytest.mark.parametrize("target", ["v", "u"])
def test_one_new_value_for_two_states_and_one_that_is_another_input(target: str) -> None:
    check_updates(f"""graph @g(%w: f32[3] param, %v: f32[3] slot, %u: f32[3] slot) {{
      %n: f32[3] = neg(%w)
      return
      update %w = %n
      update %{target} = %n
    }}""")


def test_states_taken_from_other_inputs_are_copied_through_the_arena() -> None:
    plan = check_updates("""graph @g(%x: f32[6], %w: f32[3,2] param, %v: f32[3,2] slot, %u: f32[3,2] slot) {
      %r: f32[3,2] = reshape(%x) {shape = (3,2)}
      return
      update %w = %r
      update %v = %u
    }""")
    assert [launch.kernel for launch in plan.launches] == ["stage.w", "stage.v", "copy.w", "copy.v"]


def test_a_state_may_pass_through_a_view() -> None:
    plan = check_updates("""graph @g(%w: f32[3,2] param) {
      %f: f32[6] = reshape(%w) {shape = (6,)}
      %n: f32[6] = neg(%f)
      %w1: f32[3,2] = reshape(%n) {shape = (3,2)}
      return
      update %w = %w1
    }""")
    assert plan.placement("n").place == "state"


def test_aliases_and_outputs_that_are_inputs_have_slots() -> None:
    _, _, plan = plan_of("""graph @g(%x: f32[b4,3]) {
      %r: f32[b4,3,1] = reshape(%x) {shape = (4,3,1)}
      %y: f32[b4,3,1] = neg(%r)
      %q: f32[b4,3] = reshape(%y) {shape = (4,3)}
      return %x, %r, %q
    }""")
    assert plan.placement("r") == replace(plan.placement("x"), name="r", type=plan.placement("r").type)
    assert plan.placement("q").offset == plan.placement("y").offset


def test_asking_for_what_no_kernel_stores_is_refused() -> None:
    text = "graph @g(%x: f32[b4,3]) { %a: f32[b4,3] = neg(%x) %b: f32[b4,3] = neg(%a) return %b }"
    with pytest.raises(ValueError, match="'inner' asks for %a, which no kernel stores"):
        plan_of(text, named={"inner": "a"})


def moved(plan: Plan, name: str, **changes: object) -> Plan:
    return replace(plan, placements=tuple(replace(s, **changes) if s.name == name else s for s in plan.placements))  # type: ignore[arg-type]


def rephased(plan: Plan, kernel: str, phase: int) -> Plan:
    launches = [replace(la, phase=phase) if la.kernel == kernel else la for la in plan.launches]
    return replace(plan, launches=tuple(sorted(launches, key=lambda la: la.phase)))


BREAKS: dict[str, Callable[[Plan], Plan]] = {
    "placed": lambda p: replace(p, placements=tuple(s for s in p.placements if s.name != "b")),
    "placed type": lambda p: moved(p, "b", type=p.placement("dw").type),
    "placed order": lambda p: replace(
        p, launches=(replace(p.launches[0], buffers=p.launches[0].buffers[::-1]), *p.launches[1:])
    ),
    "aligned": lambda p: moved(p, "b", offset=4),
    "aligned end": lambda p: moved(p, "b", offset=p.arena_bytes),
    "ordered": lambda p: replace(p, launches=p.launches[::-1]),
    "ordered missing": lambda p: replace(p, launches=p.launches[1:]),
    "written-before-read": lambda p: rephased(p, "inner_product.2", 1),
    "no-overlap": lambda p: moved(p, "c", offset=p.placement("b").offset),
    "no-overlap kept": lambda p: moved(p, "d", offset=p.placement("a").offset),
    "no-overlap later": lambda p: moved(p, "d", offset=p.placement("c").offset),
    "update-last": lambda p: rephased(p, "inner_product_dw", 3),
    "kept": lambda p: replace(p, named=(("nothing", "nothing"),)),
    "kept state": lambda p: replace(
        moved(p, "dw", place="arena", offset=p.arena_bytes), arena_bytes=p.arena_bytes + 64
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_the_verifier_finds_broken_plans(name: str) -> None:
    text = CHAIN.replace("inner_product_dw(%a, %d)", "inner_product_dw(%a, %b)")
    graph, kernels, plan = plan_of(text)
    broken = BREAKS[name](plan)
    with pytest.raises(PlanError) as error:
        verify_plan(graph, kernels, broken)
    assert error.value.rule == name.split()[0]


LIVES = st.lists(st.tuples(st.integers(0, 20000), st.integers(0, 8), st.integers(0, 4)), max_size=24)


@pytest.mark.slow
@given(LIVES)
@settings(max_examples=settings.default.max_examples // 2, deadline=None)
def test_buffers_alive_together_share_no_byte(raw: list[tuple[int, int, int]]) -> None:
    lives = [Life(f"v{n}", size, first, first + more) for n, (size, first, more) in enumerate(raw)]
    offsets, total = place(lives)
    for n, a in enumerate(lives):
        assert offsets[a.name] % 64 == 0
        assert offsets[a.name] + a.size <= total
        for b in lives[n + 1 :]:
            apart = offsets[a.name] + a.size <= offsets[b.name] or offsets[b.name] + b.size <= offsets[a.name]
            assert apart or a.last < b.first or b.last < a.first or not min(a.size, b.size)
    assert total <= sum(padded(life.size) for life in lives)


@given(LIVES)
@settings(max_examples=settings.default.max_examples // 2, deadline=None)
def test_places_do_not_depend_on_the_order_of_the_list(raw: list[tuple[int, int, int]]) -> None:
    lives = [Life(f"v{n}", size, first, first + more) for n, (size, first, more) in enumerate(raw)]
    assert place(lives) == place(lives[::-1])


def drawn_lives(seed: int) -> list[Life]:
    """Buffers of very different sizes: any lives, those of activations kept for their gradients, or short ones."""
    rng = random.Random(seed)
    phases = rng.randint(4, 80)
    found = []
    for n in range(rng.randint(5, 120)):
        first = rng.randrange(phases)
        more = rng.randrange(1 + phases // 2)
        if seed % 3 == 1:
            first = rng.randrange(phases // 2 + 1)
            more = max(0, phases - 1 - 2 * first + rng.choice((0, 1, -1)))
        elif seed % 3 == 2:
            more = rng.choice((1, 1, 2, 3, phases))
        size = int(10 ** rng.uniform(2, 6))
        found.append(Life(f"v{n}", size, first, min(phases - 1, first + more)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_the_arena_is_within_a_tenth_of_what_is_alive_at_once(part: int) -> None:
    for seed in range(part, 450, 3):
        lives = drawn_lives(seed)
        assert live_bytes(lives) <= place(lives)[1] <= 1.1 * live_bytes(lives), seed


def test_few_lives_are_placed_as_well_as_can_be() -> None:
    for seed in range(12):
        lives = drawn_lives(seed)[:20]
        assert live_bytes(lives) <= place(lives)[1] <= 1.1 * live_bytes(lives), seed


@pytest.mark.slow
def test_plans_of_nets_are_within_a_tenth_of_what_is_alive_at_once() -> None:
    for seed in range(6):
        _, _, plan = planned(NetMaker(seed).make(), 4)
        assert plan.live_bytes <= plan.arena_bytes <= 1.1 * plan.live_bytes, seed


@pytest.mark.slow
def test_reuse_pays_on_a_net() -> None:
    totals = [(p.arena_bytes, p.unplanned_bytes) for _, _, p in (planned(NetMaker(s).make(), 4) for s in range(6))]
    assert sum(a for a, _ in totals) < 0.9 * sum(b for _, b in totals)


def device_plan(seed: int, branch_bytes: int = 1 << 40) -> tuple[Graph, tuple[Kernel, ...], Plan]:
    """A random net's plan for a device; the phases are the CPU's."""
    graph, kernels, _ = planned(NetMaker(seed).make())
    made = {k.name: Compiled(k.name, grid=1, block=1) for k in kernels}
    named = {name: name for name in graph.outputs}
    plan = plan_memory("step", graph, kernels, compiled=made, named=named, branch_bytes=branch_bytes)
    verify_plan(graph, kernels, plan)
    return graph, kernels, plan


@pytest.mark.parametrize("seed", range(6))
def test_places_on_a_device_make_no_kernel_wait(seed: int) -> None:
    """What kernels wait for by the bytes they touch is what they wait for by their data."""
    print("seed", seed)
    graph, kernels, plan = device_plan(seed)
    by_data = dependences(
        kernels,
        SharedMemory.of(graph),
        {s.name: s.key for s in plan.placements if s.place == "state" and s.name != s.key},
    )
    assert everything_before(by_data, [k.name for k in kernels]) == before_by_bytes(plan)
    assert {launch.writes for launch in plan.launches} == {len(k.outputs) for k in kernels}


def before_by_bytes(plan: Plan) -> dict[str, set[str]]:
    works = [w for w in outline(plan, 132, 4)[0] if w.name not in (BEGINS, ENDS)]
    return everything_before(by_bytes(works), [w.name for w in works])


def everything_before(needs: list[set[int]], names: list[str]) -> dict[str, set[str]]:
    before = ancestors(needs)
    return {name: {other for j, other in enumerate(names) if before[k] >> j & 1} for k, name in enumerate(names)}


@pytest.mark.parametrize("seed", range(3))
def test_where_branches_take_too_much_memory_places_are_used_again_by_phase(seed: int) -> None:
    print("seed", seed)
    _, _, plan = device_plan(seed, branch_bytes=1)
    _, _, cpu = planned(NetMaker(seed).make())
    assert (plan.placements, plan.arena_bytes) == (cpu.placements, cpu.arena_bytes)
