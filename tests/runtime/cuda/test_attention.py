"""Attention on a device: training, prediction, explain, profile and dump of kernels that compute strips of queries."""

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx

import mochac
from mochac import (
    SGD,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    Net,
    Rotary,
    SoftmaxLossLayer,
)
from mochac.inspect.replay import replay
from mochac.runtime.cuda.measurements import DevicePeak

METHOD = SGD(lr_policy=LRPolicy.Fixed(0.05))
CLOSE = {"float32": 2e-5, "float64": 1e-12}


@pytest.fixture(
    params=[pytest.param("emulated", marks=[needs_gxx, pytest.mark.slow]), pytest.param("real", marks=pytest.mark.gpu)],
    autouse=True,
)
def device(request, monkeypatch):
    if request.param == "emulated":
        use_device(monkeypatch, EmulatedDriver())


def classifier(**how) -> Net:
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal((8, 16, 16)), rng.integers(0, 3, 8)
    return Net("sequences", [
        MemoryDataLayer(name="in", data=[x, y], batch_size=4, tops=["data", "label"]),
        MultiHeadAttentionLayer(name="heads", heads=2, bottoms=["data"], **how),
        InnerProductLayer(name="out", output_dim=3, bottoms=["heads"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("dtype", "how"),
    [
        ("float32", {}),
        ("float64", {"causal": True}),
        ("float32", {"causal": True, "rotary": Rotary(), "dropout": 0.2}),
        ("float32", {"kv_heads": 1, "window": 5}),
    ],
)
def test_trainings_and_predictions_are_those_of_the_cpu(dtype, how):
    net = classifier(**how)
    with (
        mochac.compile(net, backend="cpu", dtype=dtype) as cpu,
        mochac.compile(net, backend="cuda", dtype=dtype) as gpu,
    ):
        for program in (cpu, gpu):
            program.train(METHOD, max_iter=6, verbose=0)
        assert ("Computed item by item" in gpu.explain()) == ("kv_heads" not in how)  # it has too few items
        for key, group in cpu.params.items():
            for parameter, values in group.items():
                found = gpu.params[key][parameter][...]
                np.testing.assert_allclose(found, values[...], rtol=CLOSE[dtype], atol=CLOSE[dtype])
        given = dict(zip(net.sources[0].tops, net.sources[0].data, strict=True))
        np.testing.assert_allclose(gpu.predict(given), cpu.predict(given), rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_profile_and_dump(monkeypatch, tmp_path):
    monkeypatch.setattr(DevicePeak, "_timed", lambda *args: 1.0)  # loops this long are for devices
    with mochac.compile(classifier(causal=True), backend="cuda") as program:
        program.train(METHOD, max_iter=1, verbose=0)
        assert "softmax" in str(program.profile(1))
        program.dump(tmp_path / "dump")
    report = replay(tmp_path / "dump")
    assert report.agreed, str(report)
