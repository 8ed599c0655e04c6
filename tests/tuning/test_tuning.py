"""compile(tune=): what may win a search, what may not, and what is kept of it. Nothing here asserts a time."""

import logging
import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import ir
from mochac.base.files.cache import Cache
from mochac.codegen.canonical import canonical
from mochac.codegen.cpu import schedules
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.picking import pick
from mochac.ir.index import Limit
from mochac.ir.kernel import Loop, rewrite
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.lowering.operands import alone, draw_inputs, operands
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_cache import CompiledPlan, compile_plan, plan_key
from mochac.lowering.plan_graphs import PlanGraph
from mochac.lowering.tuning import bench as stepping
from mochac.lowering.tuning import search as plan_search
from mochac.lowering.tuning import tuned as tuned_module
from mochac.lowering.tuning.bench import Bench
from mochac.lowering.tuning.schedules import (
    LEVELS,
    SearchLevel,
    TunedSchedule,
    TunedSchedules,
    kernel_key,
    read_schedule,
)
from mochac.lowering.tuning.tuned import Tuning, tuned
from mochac.runtime.cpu.backend import CpuBackend

PRODUCT = """graph @product(%x: f32[b64,96], %w: f32[48,96] param) {
  %y: f32[b64,48] = inner_product(%x, %w)
  return %y
}"""
SHORT = SearchLevel("quick", 1e6, 1e6, 4, 0.0, rounds=2, confirming=3, burst_s=0.0002, hops=1)
"""Few candidates, and all the time that a busy machine takes for them."""
NAIVE = Schedule("naive")


@dataclass(frozen=True)
class Half(Step):
    """What no schedule may do: it leaves out half of a loop."""

    loop: str

    def apply(self, kernel):
        def halved(stmt):
            if isinstance(stmt, Loop) and stmt.var == self.loop:
                return replace(stmt, hi=Limit.of(stmt.extent // 2))
            return None

        return kernel.with_(body=rewrite(kernel.body, halved))


@dataclass(frozen=True)
class Misfit(Step):
    """A step that fits nothing."""

    def apply(self, kernel):
        raise ScheduleError("it fits nothing")


def product(dtype: str = "f32") -> PlanGraph:
    return PlanGraph(ir.parse(PRODUCT.replace("f32", dtype)), {}, {"y": "y"})


@pytest.fixture
def backend(tmp_path):
    """This CPU, with an empty cache."""
    made = CpuBackend()
    made.cache = Cache(tmp_path / "cache")
    return made


def compile_tuned(source: PlanGraph, backend: CpuBackend, dtype: str, tuning: Tuning) -> CompiledPlan:
    """A plan with the schedules that a search finds."""
    key = plan_key(source, backend, dtype, fused=True)
    return compile_plan(source, backend, dtype, True, tuned(source, backend, dtype, tuning, key))


def plant(monkeypatch, *options: Schedule, root: str = "inner_product") -> None:
    """A first rule for a root op that chooses `options[0]` and offers the others, then what the old rules choose."""
    old = schedules.RULES

    def rule(kernel, target):
        if kernel.root != root:
            return None
        return pick(*options, next(s for r in old if (s := r(kernel, target)) is not None))

    monkeypatch.setattr(schedules, "RULES", (rule, *old))


def the_schedule(found: TunedSchedules, root: str = "inner_product") -> TunedSchedule:
    """Of the only kernel with that root."""
    graph = product().graph
    lowered = lower(graph, CpuBackend().generator, scalars={}, named={"y": "y"})
    return found.by_kernel[next(kernel_key(k.staged) for k in lowered.kernels if k.naive.root == root)]


@pytest.fixture(autouse=True)
def naive_is_slow(monkeypatch):
    """What is timed is timed, but who wins is no question of this machine's mood: NAIVE takes ten times as long as
    other schedules, which all take as long as each other."""
    timed = Bench.ratios

    def ratios(bench, candidate, other, rounds, burst_s):
        assert min(timed(bench, candidate, other, rounds, burst_s)) > 0
        slow = [1.0 + 9.0 * (c.schedule.name == NAIVE.name) for c in (candidate, other)]
        return rounds * [slow[1] / slow[0]]

    def compared(first, second, parts, rounds):
        assert stepping.compared(first, second, parts, rounds).keys() == parts.keys()
        return dict.fromkeys(parts, 10.0)

    monkeypatch.setattr(Bench, "ratios", ratios)
    monkeypatch.setattr(plan_search, "compared", compared)


# -- what a kernel is run on ------------------------------------------------------------------------------------------


def fused(net) -> tuple:
    from mochac.lowering.main_plan import main_graph

    source = main_graph(net)
    return source, lower(source.graph, CpuBackend().generator, scalars=source.scalars, named=source.named)


POOLED = """graph @pooled(%x: f32[b4,2,4,4], %dy: f32[b4,2,2,2]) {
  %y: f32[b4,2,2,2], %at: i8[b4,2,2,2] = max_pool(%x) {kernel = (2,2), stride = (2,2), pad = (0,0)}
  %dx: f32[b4,2,4,4] = max_pool_dx(%dy, %at) {kernel = (2,2), stride = (2,2), pad = (0,0), shape = (4,2,4,4)}
  return %y, %dx
}"""


def test_positions_of_maxima_are_computed_and_floats_drawn():
    lowered = lower(ir.parse(POOLED), CpuBackend().generator, scalars={}, named={}, fused=False)
    kernel = next(k.naive for k in lowered.kernels if k.naive.root == "max_pool_dx")
    part = alone(lowered.graph, kernel)
    assert [node.op for node in part.nodes if "pool" in node.op] == ["max_pool", "max_pool_dx"]
    found = operands(lowered.graph, kernel, draw_inputs(lowered.graph))
    places = next(a for a in found.inputs if a.dtype == np.int8)
    assert places.shape == (4, 2, 2, 2)
    assert 0 <= places.min() < places.max() < 4


@pytest.mark.slow
def test_labels_are_the_graphs_whatever_their_layout():
    source, lowered = fused(tiny())
    kernel = next(k.naive for k in lowered.kernels if k.naive.root == "softmax_loss")
    inputs = draw_inputs(source.graph)
    found = operands(lowered.graph, kernel, inputs)
    assert any(np.array_equal(a, inputs["label"]) for a in found.inputs)
    assert all(np.isfinite(a).all() for a in found.wanted)


@pytest.mark.slow
def test_every_kernel_of_a_step_has_operands_of_its_shapes():
    source, lowered = fused(tiny())
    for k in lowered.kernels:
        found = operands(lowered.graph, k.naive, draw_inputs(source.graph))
        assert [a.shape for a in found.inputs] == [b.type.shape for b in k.naive.inputs], k.naive.name
        assert [a.shape for a in found.wanted] == [b.type.shape for b in k.naive.outputs], k.naive.name


def test_operands_are_drawn_again_where_the_results_would_be_no_numbers():
    text = "graph @g(%x: f32[b8,6]) { %a: f32[b8,6] = neg(%x) %y: f32[b8,6] = log(%x) return %a, %y }"
    graph = lower(ir.parse(text), CpuBackend().generator, scalars={}, named={}).graph
    lowered = lower(ir.parse(text), CpuBackend().generator, scalars={}, named={}, fused=False)
    kernel = next(k.naive for k in lowered.kernels if k.naive.root == "log")
    assert operands(lowered.graph, kernel, {}) is not None
    assert graph.name == "g"


# -- words and text ---------------------------------------------------------------------------------------------------


def test_what_explain_says_of_a_kernel():
    won = TunedSchedule(str(NAIVE), 1.123, 14, ("spills vector registers", "too much code", "too much code"))
    assert str(won) == (
        "by search: 1.12x of the rule, 14 candidates, 3 refused (2 too much code; spills vector registers)"
    )
    assert str(TunedSchedule("", 1.0, 1)) == "by rule: best of 1 candidate"
    assert str(TunedSchedule()) == "by rule: nothing else to try"
    assert str(TunedSchedule(remark="out of time")) == "by rule: out of time"


def test_findings_are_read_back():
    found = TunedSchedules(
        {"k": TunedSchedule(str(NAIVE), 1.5, 3, ("wrong result",)), "l": TunedSchedule(remark="out of time")}
    )
    assert TunedSchedules.from_json(found.to_json()) == found
    assert "naive" in found.schedules
    assert '"l"' not in found.schedules


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"refused": 3},
        [],
        "text",
        {"refused": [], "ratio": "1", "schedule": "schedule s"},
    ],
)
def test_damaged_schedules_are_no_schedules(fields):
    with pytest.raises(ValueError):
        read_schedule(fields)
    with pytest.raises(ValueError, match="not schedules"):
        TunedSchedules.from_json("[1]")


def test_the_origin_is_by_rule_without_a_search():
    lowered = lower(product().graph, CpuBackend().generator, scalars={}, named={})
    assert {k.origin for k in lowered.kernels} == {"by rule"}


# -- who wins ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_a_slow_rule_is_beaten_and_the_result_stays(monkeypatch, backend, dtype):
    plant(monkeypatch, NAIVE)
    source, tuning = product(dtype), Tuning(SHORT, 2)
    compiled = compile_tuned(source, backend, dtype, tuning)
    kernel = next(k for k in compiled.lowered().kernels if k.naive.root == "inner_product")
    assert kernel.schedule.name != "naive"
    assert kernel.origin.startswith("by search: ")
    assert "x of the rule, " in kernel.origin
    inputs = draw_inputs(source.graph)
    want = ir.run(source.graph, inputs)["y"]
    states = {"w": mochac.base.support.memory.aligned_empty(inputs["w"].shape, inputs["w"].dtype)}
    states["w"][...] = inputs["w"]
    plan = backend.bind(compiled.plan, compiled.objects, states, 2)
    plan.run(1, [{"x": inputs["x"]}])
    np.testing.assert_allclose(plan.read("y"), want, rtol=1e-4, atol=1e-4)
    plan.close()


@pytest.mark.slow
def test_a_wrong_candidate_never_wins(monkeypatch, backend):
    staged = lower(product().graph, backend.generator, scalars={}, named={}).kernels[-1].staged
    right = choose(canonical(staged)[0], backend.generator.target)
    wrong = Schedule("wrong", (Half("f"), *right.steps))
    plant(monkeypatch, NAIVE, wrong, Schedule("misfit", (Misfit(),)))
    monkeypatch.setattr(schedules, "BLOCKINGS", 0)  # nothing else is tried first
    every = replace(SHORT, candidates=100)  # what does not fit is tried last
    found = the_schedule(tuned(product(), backend, "f32", Tuning(every, 1), None))
    assert "wrong" not in found.schedule
    assert "wrong result" in found.refused
    assert "misfit does not apply" in found.refused


@pytest.mark.slow
def test_a_wrong_rule_is_not_searched(monkeypatch, backend):
    plant(monkeypatch, Schedule("wrong", (Half("f"),)))
    found = the_schedule(tuned(product(), backend, "f32", Tuning(SHORT, 1), None))
    assert str(found) == "by rule: its own schedule is refused (wrong result)"


@pytest.mark.slow
def test_a_candidate_has_a_time_limit(monkeypatch, backend):
    plant(monkeypatch, NAIVE)
    found = the_schedule(tuned(product(), backend, "f32", Tuning(replace(SHORT, candidate_s=0.0), 1), None))
    assert str(found) == "by rule: its own schedule is refused (too long to compile)"


@pytest.mark.slow
def test_the_search_has_a_time_limit(monkeypatch, backend):
    monkeypatch.setattr(plan_search, "search", None)
    found = tuned(product(), backend, "f32", Tuning(replace(SHORT, total_s=0.0), 1), None)
    assert {str(f) for f in found.by_kernel.values()} == {"by rule: out of time"}


@pytest.mark.slow
def test_a_schedule_that_wins_alone_must_be_faster_in_the_plan(monkeypatch, backend):
    plant(monkeypatch, NAIVE)
    monkeypatch.setattr(plan_search, "compared", lambda *args: dict.fromkeys(args[2], 0.9))
    found = the_schedule(tuned(product(), backend, "f32", Tuning(SHORT, 1), None))
    assert not found.schedule
    assert str(found).endswith("x alone, 0.90x in the plan")


@pytest.mark.slow
def test_schedules_that_together_slow_the_plan_down_are_dropped(monkeypatch, backend):
    plant(monkeypatch, NAIVE)
    monkeypatch.setattr(plan_search, "compared", lambda *args: {**dict.fromkeys(args[2], 1.05), "": 0.95})
    found = the_schedule(tuned(product(), backend, "f32", Tuning(SHORT, 1), None))
    assert not found.schedule
    assert str(found).endswith("x alone, 0.95x in the plan")


# -- what is kept -----------------------------------------------------------------------------------------------------


def nobody(*args):
    raise AssertionError("there was a search")


@pytest.mark.slow
def test_a_second_search_is_answered_by_the_cache(monkeypatch, backend):
    plant(monkeypatch, NAIVE)
    tuning = Tuning(SHORT, 1)
    first = compile_tuned(product(), backend, "f32", tuning)
    monkeypatch.setattr(plan_search, "search", nobody)
    again = compile_tuned(product(), backend, "f32", tuning)
    assert again.objects == first.objects
    assert [k.origin for k in again.lowered().kernels] == [k.origin for k in first.lowered().kernels]
    assert the_schedule(tuned(product(), backend, "f32", tuning, None)).schedule  # by kernel too
    with pytest.raises(AssertionError, match="there was a search"):
        tuned(product(), backend, "f32", Tuning(SHORT, 2), None)
    monkeypatch.setattr(schedules, "RULES", schedules.RULES[1:])  # other rules, other candidates
    with pytest.raises(AssertionError, match="there was a search"):
        tuned(product(), backend, "f32", tuning, None)


@pytest.mark.slow
def test_what_was_found_is_for_those_who_ask(monkeypatch, backend):
    plant(monkeypatch, NAIVE)
    plain = compile_plan(product(), backend, "f32", True)
    compile_tuned(product(), backend, "f32", Tuning(SHORT, 1))
    monkeypatch.setattr(tuned_module, "tuned", nobody)
    again = compile_plan(product(), backend, "f32", True)
    assert again.objects == plain.objects
    assert [k.schedule.name for k in again.lowered().kernels][-1] == "naive"


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"{}x", b"[]", b'{"k": {"refused": []', b"\xff"])
def test_a_damaged_entry_is_as_good_as_none(monkeypatch, backend, damage):
    searched = []
    monkeypatch.setattr(plan_search, "search", lambda *args: searched.append(1) or TunedSchedule(remark="tried"))
    tuning = Tuning(SHORT, 1)
    tuned(product(), backend, "f32", tuning, "key")
    n = len(searched)
    kept = [path.stem for path in backend.cache.folder.glob("*/*.bin") if b'"refused"' in path.read_bytes()]
    assert len(kept) == n + 1  # by kernel, and by plan
    for key in kept:
        backend.cache.put(key, damage)
    tuned(product(), backend, "f32", tuning, "key")
    assert len(searched) == 2 * n > 0


# -- programs ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch, tmp_path):
    """A quick search, no findings yet, and a product that is easily made faster."""
    monkeypatch.setitem(LEVELS, "quick", SHORT)
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))
    plant(monkeypatch, NAIVE)


def wide(loss: bool = True) -> mochac.Net:
    rng = np.random.default_rng(7)
    samples = rng.standard_normal((64, 96)).astype(np.float32), rng.integers(0, 5, 64)
    judge = mochac.SoftmaxLossLayer if loss else mochac.AccuracyLayer
    return mochac.Net(
        "wide",
        [
            mochac.MemoryDataLayer(name="in", data=samples, batch_size=32),
            mochac.InnerProductLayer(name="ip", output_dim=64, neuron=mochac.Neurons.ReLU(), bottoms=["data"]),
            mochac.InnerProductLayer(name="out", output_dim=5, bottoms=["ip"]),
            judge(name="end", bottoms=["out", "label"]),
        ],
    )


def trained(tune: str | None, dtype: str = "float32", frozen: bool = False) -> mochac.Program:
    program = mochac.compile(wide(), tune=tune, dtype=dtype, seed=3, threads=2)
    if frozen:
        program.freeze("out")
    program.train(mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.05)), max_iter=4)
    return program


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "frozen"), [("float32", False), ("float64", True)])
def test_a_tuned_program_learns_what_another_learns(short, dtype, frozen):
    with trained("quick", dtype, frozen) as tuned_program, trained(None, dtype, frozen) as plain:
        text = tuned_program.explain()
        assert "schedule naive" in plain.explain()
        assert "by search" not in plain.explain()
        assert ", by rule" in text
        assert "by search: " in text
        np.testing.assert_allclose(
            tuned_program.params["ip"]["weight"][...], plain.params["ip"]["weight"][...], rtol=1e-4, atol=1e-5
        )
        assert tuned_program.forward() == pytest.approx(plain.forward(), rel=1e-4)


@pytest.mark.slow
def test_a_test_plan_is_tuned_and_dumped(short, tmp_path):
    with mochac.compile(wide(loss=False), tune="quick") as program, mochac.compile(wide(loss=False)) as plain:
        found = program.evaluate()
        assert found == plain.evaluate()
        program.dump(tmp_path / "dump")
    assert "by search: " in (tmp_path / "dump" / "explain.txt").read_text()
    texts = [p.read_text() for p in (tmp_path / "dump" / "kernels").glob("*inner_product*.schedule")]
    assert texts
    assert not all(text.startswith("schedule naive") for text in texts)


@pytest.mark.slow
def test_ctrl_c_ends_the_search_and_keeps_what_was_found(short, monkeypatch, caplog):
    calls = []

    def impatient(*args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return TunedSchedule(remark="tried")

    monkeypatch.setattr(plan_search, "search", impatient)
    monkeypatch.setitem(LEVELS, "quick", SHORT)
    with caplog.at_level(logging.INFO, "mochac"), trained("quick") as program:
        origins = [kernel.origin for kernel in program.kernels]
    assert origins.count("by rule: tried") == 1
    assert len(calls) == 2
    assert "tune: interrupted, going on with what was found" in caplog.text
    with trained("quick"):  # not taken for complete: the search goes on where it was
        assert len(calls) > 3


def test_wrong_values():
    with pytest.raises(mochac.OptionError) as caught:
        mochac.compile(tiny(), tune="quik")
    assert str(caught.value) == (
        "tune is out of range\n  expected  'quick' or 'full', or None,  got  'quik'\n  hint: did you mean 'quick'?"
    )


def test_nothing_of_the_search_is_loaded_without_it(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("mochac.lowering.tuning")]:
        monkeypatch.delitem(sys.modules, name)
    with mochac.compile(tiny(loss=False)) as program:
        program.evaluate()
    assert not [name for name in sys.modules if name.startswith("mochac.lowering.tuning")]
