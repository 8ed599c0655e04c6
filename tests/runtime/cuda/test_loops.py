"""Loops over time on a device: trainings, predictions and graphs of recurrent nets are those of the CPU."""

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx

import mochac
from mochac import (
    Adam,
    GRULayer,
    InnerProductLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    RNNLayer,
    SoftmaxLossLayer,
)
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.schedules import split_sum
from mochac.inspect.replay import replay
from mochac.runtime.cuda.measurements import DevicePeak

CLOSE = {"float32": 2e-5, "float64": 1e-12}
STEPS = 5
ONE_LAUNCH, STEP_BY_STEP = "all steps in one launch", "step by step"


@pytest.fixture(
    params=[pytest.param("emulated", marks=[needs_gxx, pytest.mark.slow]), pytest.param("real", marks=pytest.mark.gpu)],
    autouse=True,
)
def device(request, monkeypatch):
    if request.param == "emulated":
        use_device(monkeypatch, EmulatedDriver())


def classifier(layer: mochac.Layer, batch: int = 5) -> Net:
    rng = np.random.default_rng(7)
    x, y, lengths = rng.standard_normal((12, STEPS, 3)), rng.integers(0, 3, 12), rng.integers(1, STEPS + 1, 12)
    return Net("sequences", [
        MemoryDataLayer(name="in", data=[x, y, lengths], batch_size=batch, tops=["data", "label", "lengths"]),
        layer,
        InnerProductLayer(name="out", output_dim=3, bottoms=["steps"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


NETS = {
    "an LSTM": classifier(LSTMLayer(name="steps", output_dim=4, last=True, bottoms=["data"])),
    "both directions": classifier(GRULayer(name="steps", output_dim=7, bidirectional=True, bottoms=["data"])),
    "layers and lengths": classifier(
        RNNLayer(name="steps", output_dim=6, n_layers=2, lengths="lengths", last=True, bottoms=["data"])
    ),
    "entries of 12 bytes": classifier(LSTMLayer(name="steps", output_dim=3, bottoms=["data"]), batch=1),
}


@pytest.fixture(params=[ONE_LAUNCH, STEP_BY_STEP])
def together(request, monkeypatch, tmp_path):
    """Whether the kernels of a loop become one."""
    if request.param == STEP_BY_STEP:
        monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))  # which holds no plan of the other kind
        monkeypatch.setattr(CudaGenerator, "refuse_steps", lambda *args: "a test says so")
    return request.param == ONE_LAUNCH


@pytest.mark.parametrize(
    ("name", "dtype", "together"),
    [
        ("an LSTM", "float32", ONE_LAUNCH),
        ("an LSTM", "float64", STEP_BY_STEP),
        ("both directions", "float32", STEP_BY_STEP),
        ("layers and lengths", "float32", ONE_LAUNCH),
        ("entries of 12 bytes", "float32", STEP_BY_STEP),
    ],
    indirect=["together"],
)
def test_trainings_and_predictions_are_those_of_the_cpu(name, dtype, together):
    net = NETS[name]
    with (
        mochac.compile(net, backend="cpu", dtype=dtype) as cpu,
        mochac.compile(net, backend="cuda", dtype=dtype) as gpu,
    ):
        assert any(launch.loop for launch in gpu.session.main_plan().compiled.plan.launches) != together
        for program in (cpu, gpu):
            program.train(Adam(0.01), max_iter=6, verbose=0)
        for key, group in cpu.params.items():
            for parameter, values in group.items():
                found = gpu.params[key][parameter][...]
                np.testing.assert_allclose(found, values[...], rtol=CLOSE[dtype], atol=CLOSE[dtype])
        assert gpu.evaluate() == pytest.approx(cpu.evaluate(), rel=1e-4)
        given = dict(zip(net.sources[0].tops, net.sources[0].data, strict=True))
        np.testing.assert_allclose(gpu.predict(given), cpu.predict(given), rtol=1e-4, atol=1e-6)
        for program in (cpu, gpu):
            program.forward()
            program.backward()
        for key, group in cpu.grads.items():
            for parameter, gradient in group.items():
                np.testing.assert_allclose(gpu.grads[key][parameter], gradient, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_a_loop_in_explain_profile_and_dump(monkeypatch, tmp_path, together):
    monkeypatch.setattr(DevicePeak, "_timed", lambda *args: 1.0)  # loops this long are for devices
    with mochac.compile(NETS["an LSTM"], backend="cuda") as program:
        text = program.explain()
        assert (f"stream 0  {STEPS} times  after" in text) != together
        assert ("Loops launched step by step" in text) != together
        assert ("All steps of a loop in one launch" in text) == together
        launches = program.session.main_plan().compiled.plan.launches
        assert {launch.trips for launch in launches if launch.loop} == (set() if together else {STEPS})
        assert ("steps.scan" if together else "steps.sigmoid") in str(program.profile(1))
        program.dump(tmp_path / "dump")
    report = replay(tmp_path / "dump")
    assert report.agreed, str(report)


@pytest.mark.slow
def test_sums_in_two_grids_inside_of_a_loop(monkeypatch, tmp_path):
    """Their parts lie in memory of the whole plan."""

    def third(kernel, form, target):
        return -(-form.extent.get(split_sum.along(kernel, form), 1) // 3)

    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(split_sum, "terms_of_part", third)
    monkeypatch.setattr(CudaGenerator, "refuse_steps", lambda *args: "a test says so")
    net = classifier(LSTMLayer(name="steps", output_dim=12, last=True, bottoms=["data"]))
    with mochac.compile(net, backend="cpu") as cpu, mochac.compile(net, backend="cuda") as gpu:
        for program in (cpu, gpu):
            program.train(Adam(0.01), max_iter=4, verbose=0)
        launches = gpu.session.main_plan().compiled.plan.launches
        assert {launch.trips for launch in launches if launch.of} == {1, STEPS}
        for name, values in cpu.parameters().items():
            np.testing.assert_allclose(gpu.parameters()[name], values, rtol=2e-5, atol=2e-5)
        gpu.dump(tmp_path / "dump")
    report = replay(tmp_path / "dump")
    assert report.agreed, str(report)
