"""Which calls of libraries are made where a device times them: a device with a clock of its own, so always the same."""

import json
from pathlib import Path

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from fake_driver import blas, environment, run_script
from skips import needs_gxx
from stand_in_nets import NETS
from test_stand_in_driver import hidden  # noqa: F401 - a fixture
from test_stopwatch import EMPTY_S, HOST_S, Clocked

import mochac
from mochac import ConvolutionLayer, InputLayer, Net, Neurons, PoolingLayer
from mochac.ir.passes import choose_library
from mochac.runtime.cuda.adviser import fastest, in_words
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.null import NullCall


class Ranked(NullCall):
    """A call by one of a library's engines."""

    def __init__(self, call, engine):
        super().__init__(call)
        object.__setattr__(self, "engine", engine)


class Ranking:
    """A library with some engines; those of its calls that took nothing fail."""

    def __init__(self, name, took):
        self.version, self.took = f"{name} 1", took

    def engines(self, call):
        return {k: Ranked(call, k) for k in self.took}

    def prepare(self, call):
        engine = min(self.took) if call.engine is None else call.engine
        return Ranked(call, engine)

    def close(self):
        pass


class TimingDriver(Clocked):
    """A device whose kernels take what `kernel_s` says of their names, and the engines of its libraries `took`."""

    def __init__(self, kernel_s, took):
        super().__init__({})
        self.kernel_s, self.engines, self.libraries = kernel_s, took, ("cublas", "cudnn")
        self.ran = []

    def library(self, name):
        return Ranking(name, self.engines)

    def launch(self, function, *how):
        super().launch(function, *how)
        if function not in ("mochac_hold", "mochac_nothing"):
            self.device += self.kernel_s(function)

    def call(self, prepared, args, workspace, stream):
        super().call(prepared, args, workspace, stream)
        self.ran.append((prepared.call.function, prepared.engine))
        seconds = self.engines[prepared.engine]
        if not seconds:
            raise DeviceError("engine fails")
        self.device = max(self.device, self.host) + EMPTY_S + seconds


@pytest.fixture
def everything_pays(monkeypatch):
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 1)


@pytest.fixture
def cached(monkeypatch, tmp_path):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))


def always(seconds):
    return lambda function: seconds


def calls_of(program):
    return [json.loads(k.launch.call) for k in program.kernels if k.launch.call]


def forward(monkeypatch, driver):
    """The forward pass of a net of two products on a device: its calls."""
    use_device(monkeypatch, driver)
    with mochac.compile(NETS["mlp"][0](), backend="cuda") as program:
        program.forward()
        return calls_of(program), program.explain()


@pytest.mark.slow
@pytest.mark.usefixtures("everything_pays", "cached")
def test_the_fastest_engine_is_called_where_it_beats_the_generated_kernel(monkeypatch):
    driver = TimingDriver(always(5e-5), {0: 4e-5, 3: 1e-5, 4: 0.0, 7: 2e-5})
    calls, text = forward(monkeypatch, driver)
    assert {call["engine"] for call in calls} == {3} and calls
    assert "Calls of libraries, timed on this device\n" in text
    assert "generated 52.0 us, cublas.gemm 12.0 us  engine 3 10.0 us, 7 20.0 us, 0 40.0 us" in text
    assert "  called, cublas.gemm: faster than generated kernels\n" in text


@pytest.mark.usefixtures("everything_pays", "cached")
def test_a_generated_kernel_that_is_as_fast_is_taken(monkeypatch):
    calls, text = forward(monkeypatch, TimingDriver(always(1e-5), {2: 1e-5}))
    assert calls == []
    assert "by no library: generated 12.0 us, cublas.gemm 12.0 us; engine 2 10.0 us\n" in text


@pytest.mark.slow
@pytest.mark.usefixtures("everything_pays", "cached")
def test_what_was_timed_is_not_timed_again(monkeypatch):
    took = {0: 4e-5, 3: 1e-5}
    ran, answers = [], []
    for _ in range(2):
        driver = TimingDriver(always(5e-5), took)
        answers.append(forward(monkeypatch, driver)[0])
        ran.append(driver.ran)
    assert answers[0] == answers[1]
    assert {engine for _, engine in ran[0]} == {0, 3} and {engine for _, engine in ran[1]} == {3}
    driver = TimingDriver(always(5e-5), took)
    driver.library = lambda name: Ranking("newer", took)
    forward(monkeypatch, driver)
    assert {engine for _, engine in driver.ran} == {0, 3}


@pytest.mark.usefixtures("everything_pays")
@pytest.mark.parametrize("how", [{"MOCHAC_CUDA_TIME_CALLS": "0"}, {"MOCHAC_CACHE": "0"}])
def test_without_timing_the_model_decides_and_the_first_engine_is_called(monkeypatch, cached, how):
    """Without a cache nothing is timed either: every process would time it anew, and could decide otherwise."""
    for name, value in how.items():
        monkeypatch.setenv(name, value)
    driver = TimingDriver(always(1e-7), {2: 4e-5, 3: 1e-5})
    calls, text = forward(monkeypatch, driver)
    assert calls and not any("engine" in call for call in calls)
    assert {engine for _, engine in driver.ran} == {2} and "timed on this device" not in text


@pytest.mark.usefixtures("everything_pays", "cached")
def test_calls_for_which_there_is_no_memory_are_not_timed(monkeypatch):
    driver = TimingDriver(always(5e-5), {0: 1e-5})
    alloc, refuse = driver.alloc, [True]

    def short(n_bytes):
        if refuse[0] and n_bytes == 64:  # the workspace
            raise mochac.runtime.cuda.driver.DeviceMemoryError("out of memory")
        return alloc(n_bytes)

    driver.alloc = short
    use_device(monkeypatch, driver)
    backend = mochac.runtime.cuda.backend.CudaBackend(device=use_device(monkeypatch, driver), libraries=("cublas",))
    types = tuple(map(mochac.ir.types.parse_type, ("f32[b6,7]", "f32[5,7]", "f32[b6,5]")))
    offer = backend.adviser.offer({"function": "cublas.gemm", "of": "inner_product"}, types)
    assert (offer.refused, offer.engine, driver.live) == ("", None, {})


@pytest.mark.usefixtures("everything_pays", "cached")
def test_engines_that_all_fail_are_no_offer(monkeypatch, caplog):
    calls, text = forward(monkeypatch, TimingDriver(always(5e-5), {0: 0.0, 1: 0.0}))
    assert calls == []
    assert "by no library: no engine runs cublas.gemm of " in text


def pooled():
    """A convolution whose kernel pools its image."""
    layers = [
        InputLayer(name="data", shape=(4, 1, 12, 12)),
        ConvolutionLayer(name="conv", n_filter=3, kernel=5, bottoms=["data"]),
        PoolingLayer(name="pool", kernel=2, stride=2, neuron=Neurons.ReLU(), bottoms=["conv"]),
    ]
    return Net("pooled", layers)


@pytest.mark.usefixtures("everything_pays", "cached")
@pytest.mark.parametrize(("engine_s", "called"), [(2e-6, True), (4e-6, False)])
def test_a_kernel_that_pools_is_timed_against_the_call_and_the_pool(monkeypatch, engine_s, called):
    """Each launch counts with its 2 us: 12 us generated, else 9 us and what the engine takes. The model would not have
    looked at a convolution of so few operations per byte."""
    driver = TimingDriver(lambda function: 1e-5 if "conv" in function else 5e-6, {0: engine_s})
    use_device(monkeypatch, driver)
    with mochac.compile(pooled(), backend="cuda") as program:
        program.predict(np.zeros((4, 1, 12, 12), np.float32))
        text = program.explain()
    both = f"generated 12.0 us, cudnn.conv_fprop and what it leaves {9 + 1e6 * engine_s:.1f} us"
    assert (f"%conv  {both}  engine 0" in text) == called
    assert (f"by no library: {both}" in text) != called


class LoadingDriver(TimingDriver):
    """A device on which the first call of an engine waits for all work, as the lazy loading of its kernels may, and on
    which the host takes HOST_S for a call."""

    def __init__(self, kernel_s, took):
        super().__init__(kernel_s, took)
        self.loaded = set()

    def call(self, prepared, args, workspace, stream):
        if (prepared.call, prepared.engine) not in self.loaded:
            self.loaded.add((prepared.call, prepared.engine))
            self.host = max(self.host, self.device)
        self.host += HOST_S
        super().call(prepared, args, workspace, stream)


@pytest.mark.usefixtures("everything_pays", "cached")
def test_loading_an_engine_is_not_timed(monkeypatch):
    """Engines take less than the host to call them: without a held stream, the host would be timed."""
    driver = LoadingDriver(always(5e-5), {0: 3e-6, 3: 1e-6})
    _, text = forward(monkeypatch, driver)
    assert text.count("engine 3 1.0 us, 0 3.0 us") == 2


def test_less_than_noise_does_not_decide():
    assert fastest({0: 1.01e-5, 5: 1.0e-5}) == 0
    assert fastest({0: 1.03e-5, 5: 1.0e-5}) == 5
    assert in_words({0: 1.0e-5}) == "engine 0 10.0 us"


@needs_gxx
@pytest.mark.slow
@pytest.mark.usefixtures("everything_pays", "cached")
@pytest.mark.parametrize("name", list(NETS))
def test_parts_are_timed_as_they_would_run(monkeypatch, name):
    """On the emulator: the kernels and calls of every group run on memory of their own, whatever is in it."""
    driver = EmulatedDriver(libraries=("cublas", "cudnn"))
    use_device(monkeypatch, driver)
    net, method = NETS[name]
    with mochac.compile(net(), backend="cpu") as cpu, mochac.compile(net(), backend="cuda") as gpu:
        for program in (cpu, gpu):
            program.train(method, max_iter=3)
        for key, group in cpu.params.items():
            for p, parameter in group.items():
                np.testing.assert_allclose(gpu.params[key][p][...], parameter[...], rtol=2e-5, atol=2e-5)
    assert list(driver.live.values()) == [8]  # the stopwatch's


ON_STAND_IN = f"""
import sys
sys.path[:0] = [{str(Path(__file__).parents[2] / "session")!r}, {str(Path(__file__).parents[1])!r}]
sys.modules[sys.argv[1]] = None
import json
import numpy as np
import mochac
from mochac.ir.passes import choose_library
from mochac.runtime.cuda.libraries import library
from stand_in_nets import NETS
library.wheel_file = lambda names: ""  # the stand-in, even if NVIDIA's wheel is installed
choose_library.MIN_FLOPS = 1
net, method = NETS["mlp"]
with mochac.compile(net(), backend="cpu") as cpu, mochac.compile(net(), backend="cuda", libraries="cublas") as gpu:
    for program in (cpu, gpu):
        program.train(method, max_iter=3)
    for key, group in cpu.params.items():
        for name, p in group.items():
            np.testing.assert_allclose(gpu.params[key][name][...], p[...], rtol=2e-5, atol=2e-5)
    print("calls", *(json.loads(k.launch.call)["engine"] for k in gpu.kernels if k.launch.call))
    print(gpu.explain().partition("timed on this device")[2].partition("Fused")[0])
"""


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize(("ns", "engines"), [("4000 10 2000", {"1"}), ("90000 80000", set())])
def test_real_bindings_time_a_stand_in_cublas(hidden, tmp_path, ns, engines):  # noqa: F811
    """Events on the stream, operands on the device, algorithms by their places: on a clock that only work moves."""
    path = environment()["LD_LIBRARY_PATH"]
    how = {"MOCHAC_FAKE_CUDA_CLOCK": "1", "MOCHAC_FAKE_CUBLAS_NS": ns, "MOCHAC_CACHE_DIR": str(tmp_path)}
    said = [run_script(ON_STAND_IN, hidden, LD_LIBRARY_PATH=f"{blas()}:{path}", **how) for _ in range(2)]
    first, second = (text.partition("\ncalls")[2] for text in said)
    assert set(first.splitlines()[0].split()) == engines and first == second
    assert not engines or "engine 1 0.0 us, 2 2.0 us, 0 4.0 us" in first
