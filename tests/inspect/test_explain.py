"""explain's text and the records of kernels."""

import re

import pytest
from tiny_net import tiny

import mochac
from mochac.inspect.explain import explain
from mochac.inspect.kernel_records import kernel_records
from mochac.ir.text import parse
from mochac.lowering.main_plan import main_graph
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.compiler import CpuInfo

HASWELL = CpuInfo("haswell", "", 32)

LAYERS = """\
net 'tiny', batch 4, plan 'step', backend cpu (haswell): vectors of 32 bytes, 8 lanes of f32

Layers
  layer  type          bottoms -> tops  output        parameters              neuron
  in     MemoryData    -> data, label   4x1x6x6, 4x1
  conv   Convolution   data -> conv     4x2x4x4       filter 2x1x3x3, bias 2
  pool   Pooling       conv -> pool     4x2x2x2
  ip     InnerProduct  pool -> ip       4x4           weight 4x8, bias 4      ReLU
  out    InnerProduct  ip -> out        4x3           weight 3x4, bias 3
  end    SoftmaxLoss   out, label ->
  71 parameters in 6 arrays

Memory
  parameters    284 B in 6 arrays
  solver state  284 B in 6 arrays
  batch         592 B in 2 arrays
"""


@pytest.fixture(scope="module")
def backend():
    return CpuBackend(cpu=HASWELL)


@pytest.fixture(scope="module")
def lowered(backend):
    source = main_graph(tiny())
    return lower(source.graph, backend.generator, scalars=source.scalars, named=source.named)


@pytest.fixture(scope="module")
def text(lowered, backend):
    return explain(tiny(), lowered, backend)


@pytest.mark.slow
def test_head_layers_and_memory(text):
    assert text.startswith(LAYERS)


def test_arena_is_compared_with_the_unplanned_sum(text, lowered):
    line = next(line for line in text.splitlines() if line.startswith("  arena"))
    assert re.search(r"B, \d+\.\d% over the [\d.]+ .?B alive at once; [\d.]+ .?B without reuse, \d+% saved", line)
    assert lowered.plan.live_bytes <= lowered.plan.arena_bytes <= lowered.plan.unplanned_bytes


def test_every_kernel_has_its_phase_cost_and_schedule(text, lowered):
    lines = text.splitlines()
    for launch in lowered.plan.launches:
        assert f"    {launch.kernel}" in lines
    for kernel in lowered.kernels:
        assert f"schedule {kernel.schedule.name}" in text
        assert all(f"        {step}" in lines for step in kernel.schedule.steps)
    assert sum(line.startswith("  phase ") for line in lines) == lowered.plan.phases


def test_what_predictions_are_made_from(text, lowered):
    assert "\n  predictions: haswell, " in text
    assert ", in cycles, with the rates that its model assumes\n  phase 0\n" in text
    here = explain(None, lowered, CpuBackend())
    assert re.search(
        r"\n  predictions: \S+ at \d+\.\d\d GHz, \d+ threads?, "
        r"with rates of caches and memory last measured here\n  phase 0\n",
        here,
    )


def test_every_refused_fusion_is_there_with_its_reason(text, lowered):
    assert lowered.graph.notes
    refusals = text.partition("Not fused, and why\n")[2]
    for note in lowered.graph.notes:
        assert f"    {note.edge}\n" in refusals and f"  {note.why}\n" in refusals


def test_fusions_made_are_there(text):
    fused = text.partition("\nFused\n")[2].partition("\n\n")[0]
    assert "conv" in fused and "max_pool" in fused


def test_compile_time_by_stage(text, lowered, backend):
    tail = text.partition("Compile time")[2]
    assert all(f"  {stage} " in tail for stage in lowered.seconds)
    assert "all but object code" in tail
    alike = [k.name for k in kernel_records(lowered, backend) if k.name not in lowered.kernel_seconds]
    assert len(alike) < len(lowered.kernels)
    assert all(f"    {kernel} " in tail for kernel in lowered.kernel_seconds)


@pytest.mark.slow
def test_compile_time_of_a_program(tmp_path, monkeypatch):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path))
    for stages in (
        ("trace", "graph of the plan", "fuse", "schedule", "print", "plan_memory", "object code", "all"),
        ("all but object code",),
    ):
        with mochac.compile(tiny()) as program:
            tail = program.explain().partition("Compile time")[2]
        assert all(f"  {stage} " in tail for stage in stages)


def test_records_follow_the_plan(lowered, backend):
    records = kernel_records(lowered, backend)
    assert [r.name for r in records] == [launch.kernel for launch in lowered.plan.launches]
    assert sum(r.flops for r in records) == lowered.plan.flops > 0
    assert all(r.bytes > 0 for r in records)
    assert {layer for r in records for layer in r.layers} == {"conv", "pool", "ip", "out", "end"}


def test_a_record_has_every_form(lowered, backend):
    record = next(r for r in kernel_records(lowered, backend) if "conv" in r.ops)
    assert parse(record.text).name == record.name == parse(record.naive).name
    assert mochac.ir.apply(record.schedule, parse(record.staged)) == parse(record.text)
    assert record.llvm.count("define void @") == 1
    made = [r.assembly for r in kernel_records(lowered, backend)]
    assert any("ymm" in text for text in made) and not any("zmm" in text for text in made)


@pytest.mark.slow
def test_program_explains_itself():
    with mochac.compile(tiny()) as program:
        assert "net 'tiny'" in program.explain()
        assert [k.name for k in program.kernels]
        assert any("layers=('conv'" in repr(kernel) for kernel in program.kernels)


@pytest.mark.slow
def test_a_net_without_a_loss_is_explained_by_its_test_plan():
    text = mochac.explain(tiny(loss=False))
    assert "plan 'test'" in text
    assert "solver state  0 B in 0 arrays" in text


def test_a_net_that_only_predicts_is_explained_by_its_prediction():
    net = mochac.Net(
        "small",
        [mochac.InputLayer(name="x", shape=(4, 3)), mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["x"])],
    )
    with mochac.compile(net) as program:
        explained, (kernel,) = program.explain(), program.kernels
        assert program.session.main_plan() is program.session.plans.predict(("ip",), 4)
    assert "plan 'predict'" in explained and kernel.layers == ("ip",)
