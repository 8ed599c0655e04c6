"""Calls of libraries in plans.

On the emulator with NumPy in place of cuBLAS and cuDNN, and with a stand-in libcublasLt under the real bindings. The
libraries themselves: test_libraries_on_device.py.
"""

import importlib.util
import logging
from dataclasses import replace
from pathlib import Path

import fake_driver
import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from library_products import PRODUCTS
from skips import needs_gxx
from stand_in_nets import NETS

import mochac
from mochac import BackendError, InnerProductLayer, MemoryDataLayer, Net, OptionError
from mochac.__main__ import main
from mochac.base.support import log
from mochac.inspect.explain import explain
from mochac.ir.passes import choose_library
from mochac.ir.text import parse
from mochac.ir.types import parse_type
from mochac.lowering.main_plan import main_graph
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_cache import plan_key
from mochac.runtime.cuda.backend import CudaBackend
from mochac.runtime.cuda.device import Device, LibraryCache
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import LibraryCall, parsed
from mochac.runtime.cuda.null import NullCall, NullDriver
from mochac.runtime.cuda.origins import origins


@pytest.fixture
def everything_pays(monkeypatch):
    """Whatever it takes: nothing is timed."""
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 1)
    monkeypatch.setenv("MOCHAC_CUDA_TIME_CALLS", "0")


def test_a_call_is_read_from_a_plan():
    text = '{"function": "cudnn.conv_fprop", "group": 1, "of": "conv", "pad": [2, 2], "stride": [1, 1]}'
    call = parsed(text, ())
    assert (call.library, call.of, dict(call.attrs)) == (
        "cudnn",
        "conv",
        {"group": 1, "pad": (2, 2), "stride": (1, 1)},
    )
    assert (call.precision, call.deterministic, call.epilogue) == ("float32", True, "")


class Counting:
    """A library that refuses convolutions and counts who asks."""

    version = "counting"

    def __init__(self):
        self.asked = 0

    def prepare(self, call):
        self.asked += 1
        if call.of == "conv":
            raise DeviceError("no engine")
        return NullCall(call)

    def close(self):
        self.closed = True


def test_calls_are_prepared_once_and_refusals_kept():
    library = Counting()
    cache = LibraryCache(lambda name: library)
    types = tuple(map(parse_type, PRODUCTS["inner_product"]))
    call, same = (LibraryCall("cublas.gemm", "inner_product", {}, types) for _ in "ab")
    assert cache.prepared(call) is cache.prepared(same)
    assert cache.prepared(replace(call, epilogue="bias")).call.epilogue == "bias"
    for _ in range(2):
        with pytest.raises(DeviceError, match="no engine"):
            cache.prepared(LibraryCall("cudnn.conv_fprop", "conv", {"pad": (1, 1)}, types))
    assert library.asked == 3
    cache.close()
    assert library.closed


class Refusing(NullDriver):
    """Its libraries have only what `serves` says."""

    libraries = ("cublas", "cudnn")

    def __init__(self, serves):
        super().__init__()
        self.serves, self.opened, self.asked = serves, [], []

    def library(self, name):
        self.opened.append(name)
        library = super().library(name)
        prepare, library.version = library.prepare, "refusing"

        def checked(call):
            self.asked.append(call)
            if not self.serves(call):
                raise DeviceError(f"{name} has no engine for this")
            return prepare(call)

        library.prepare = checked
        return library


DENSE = """
graph @dense(%x: f32[b5,7], %w: f32[9,7] param, %b: f32[9] param, %v: f32[3,9] param) {
  %y: f32[b5,9] = inner_product(%x, %w, %b)
  %z: f32[b5,3] = inner_product(%y, %v)
  return %z
}
"""


def lowered_on(device, monkeypatch, **how):
    """DENSE, compiled for a device whose libraries are asked."""
    monkeypatch.setattr(log, "_logged_lines", set())
    backend = CudaBackend(device=device, libraries=("cublas",), **how)
    return lower(parse(DENSE), backend.generator, scalars={}, named={"z": "z"}, adviser=backend.adviser)


def test_what_a_library_does_not_have_is_generated(monkeypatch, everything_pays, caplog):
    found = Device(0, Refusing(lambda call: call.types[0].shape[1] == 7 and not call.epilogue))
    with caplog.at_level(logging.INFO, "mochac"):
        for _ in "ab":
            lowered = lowered_on(found, monkeypatch)
    assert [bool(launch.call) for launch in lowered.plan.launches] == [True, False, False]
    assert "  by no library: cublas has no engine for this\n    %z (inner_product)" in origins(lowered)
    assert "not called" not in explain(None, lowered, CudaBackend())
    assert [r.getMessage() for r in caplog.records][:2] == [
        f"{found}: cublas.gemm{call} is not called, generated code takes its place: cublas has no engine for this"
        for call in (" with bias of f32[b5,7], f32[9,7], f32[9]", " of f32[b5,9], f32[3,9]")
    ]


def test_a_second_start_does_not_ask_again(monkeypatch, everything_pays):
    """A plan in the cache holds what was decided: only its own calls are prepared."""
    asked = []
    for _ in range(2):
        driver = Refusing(lambda call: not call.epilogue)
        use_device(monkeypatch, driver)
        with mochac.compile(NETS["mlp"][0](), backend="cuda") as program:
            program.forward()
        asked.append([call.epilogue for call in driver.asked])
    assert asked == [["bias", "", "bias", ""], ["", ""]]


def test_a_library_that_does_not_open_is_done_without(monkeypatch, everything_pays, caplog):
    driver = NullDriver()

    def absent(name):
        raise OSError(f"lib{name}.so.13: cannot open shared object file")

    monkeypatch.setattr(driver, "library", absent)
    found = Device(0, driver)
    with caplog.at_level(logging.INFO, "mochac"):
        lowered = lowered_on(found, monkeypatch)
    why = f"{found} has no cublas: libcublas.so.13: cannot open shared object file"
    assert not any(launch.call for launch in lowered.plan.launches)
    assert f"  by no library: {why}\n    %y (inner_product), %z" in origins(lowered)
    assert [r.getMessage() for r in caplog.records] == [f"{why}; generated kernels take its place"]
    with pytest.raises(BackendError, match="has no cublas"):
        lowered_on(found, monkeypatch, insist=True)


def test_a_net_with_nothing_to_call_opens_no_library(monkeypatch):
    driver = Refusing(lambda call: True)
    use_device(monkeypatch, driver)
    with mochac.compile(NETS["mlp"][0](), backend="cuda") as program:
        program.forward()
    assert driver.opened == []


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize(("precision", "unit"), [("tf32", 2.0**-9), ("bfloat16", 2.0**-6)])
def test_shortened_factors_err_as_much_as_stated(monkeypatch, everything_pays, precision, unit):
    """compile() states the error relative to the sum of the products' absolute values."""
    driver = EmulatedDriver(libraries=("cublas", "cudnn"))
    use_device(monkeypatch, driver)
    rng = np.random.default_rng(7)
    x, w = (rng.standard_normal(shape).astype("float32") for shape in ((8, 300), (5, 300)))
    net = Net("product", [
        MemoryDataLayer(name="in", data=[x], batch_size=8, tops=["data"]),
        InnerProductLayer(name="ip", output_dim=5, bottoms=["data"]),
    ])  # fmt: skip
    with mochac.compile(net, backend="cuda", precision=precision) as program:
        program.params["ip"]["weight"][...] = w
        program.forward()
        got = program.blobs["ip"]
        assert f'"precision": "{precision}"' in program.kernels[0].cuda
    off = np.abs(got - x.astype("float64") @ w.T.astype("float64"))
    limit = unit * (np.abs(x) @ np.abs(w.T))
    assert (off < limit).all()
    assert off.max() > limit.mean() / 300  # and shortened they are


def test_nothing_of_another_precision_is_found_in_the_cache():
    source = main_graph(NETS["mlp"][0]())
    hows = ({}, {"precision": "tf32"}, {"precision": "bfloat16"}, {"deterministic": False})
    backends = [CudaBackend(libraries=("cublas",), **how) for how in hows]
    assert len({plan_key(source, backend, "f32", True) for backend in backends}) == 4


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(NETS))
def test_training_with_libraries_gives_the_cpus_parameters(monkeypatch, everything_pays, name, dtype):
    driver = EmulatedDriver(libraries=("cublas", "cudnn"))
    use_device(monkeypatch, driver)
    net, method = NETS[name]
    with (
        mochac.compile(net(), backend="cpu", dtype=dtype) as cpu,
        mochac.compile(net(), backend="cuda", dtype=dtype) as gpu,
    ):
        for program in (cpu, gpu):
            program.train(method, max_iter=6)
        for key, group in cpu.params.items():
            for p, parameter in group.items():
                close = 2e-5 if dtype == "float32" else 1e-12
                np.testing.assert_allclose(gpu.params[key][p][...], parameter[...], rtol=close, atol=close)
        called = {record.launch.symbol for record in gpu.kernels if record.launch.call}
        assert "cublas.gemm" in called
        assert ("cudnn.conv_wgrad" in called) == (name != "mlp")
        text = gpu.explain()
        assert "; cublas.gemm\n" in text
        assert "a library computes it" in text
        assert gpu.kernels[0].cuda
    assert driver.counts["calls"] > 0
    assert not driver.live


@pytest.mark.slow
def test_a_graph_holds_the_calls(monkeypatch, everything_pays):
    driver = NullDriver()
    driver.libraries = ("cublas",)
    use_device(monkeypatch, driver)
    net, method = NETS["mlp"]
    with mochac.compile(net(), backend="cuda") as program:
        program.train(method, max_iter=9)
        per_step = sum(1 for record in program.kernels if record.launch.call)
        assert per_step == 5  # two forward, two weight gradients, one data gradient
        assert driver.counts["captures"] == 1
        assert driver.counts["calls"] == 9 * per_step
        assert driver.launched.count("cublas.gemm") == 9 * per_step


@pytest.mark.parametrize(("libraries", "calls"), [(True, True), (False, False), ("cublas", True), (["cudnn"], False)])
def test_what_libraries_says(monkeypatch, everything_pays, libraries, calls):
    driver = NullDriver()
    driver.libraries = ("cublas",)
    use_device(monkeypatch, driver)
    with mochac.compile(NETS["mlp"][0](), backend="cuda", libraries=libraries) as program:
        assert any(record.launch.call for record in program.kernels) == calls


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"precision": "tf23"},
            "precision is out of range\n  expected  'float32', 'tf32' or 'bfloat16',  got  'tf23'\n"
            "  hint: did you mean 'tf32'?",
        ),
        ({"deterministic": 1}, "deterministic is out of range\n  expected  True or False,  got  1"),
        (
            {"precision": "tf32", "dtype": "float64", "backend": "cuda"},
            "precision='tf32' applies to float32 only\n  expected  dtype=\"float32\",  got  dtype 'float64'",
        ),
        (
            {"precision": "tf32", "deterministic": False, "backend": "cpu"},
            "precision='tf32' and deterministic=False can only be used with cuBLAS and cuDNN\n"
            "  expected  backend=\"cuda\",  got  backend 'cpu'",
        ),
        (
            {"deterministic": False, "backend": "cuda", "libraries": False},
            "deterministic=False can only be used with cuBLAS and cuDNN\n"
            "  expected  libraries= that are installed and not switched off,  got  generated kernels only",
        ),
    ],
)
def test_precision_and_order_are_the_libraries_to_give(monkeypatch, how, message):
    use_device(monkeypatch, NullDriver())
    with pytest.raises(OptionError) as wrong:
        mochac.compile(NETS["mlp"][0](), **how)
    assert str(wrong.value) == message


def test_errors(monkeypatch, everything_pays):
    net = NETS["mlp"][0]()
    with pytest.raises(OptionError) as wrong:
        mochac.compile(net, libraries=["cublass"])
    assert str(wrong.value) == (
        "libraries is out of range\n  expected  True, False or a list of 'cublas' and 'cudnn',  got  ['cublass']\n"
        "  hint: did you mean 'cublas'?"
    )
    driver = NullDriver()
    use_device(monkeypatch, driver)

    def absent(name):
        raise OSError(f"lib{name}.so.13: cannot open shared object file")

    monkeypatch.setattr(driver, "library", absent)
    with (
        mochac.compile(net, backend="cuda", libraries="cublas") as program,
        pytest.raises(BackendError) as missing,
    ):
        program.forward()
    assert str(missing.value) == (
        "CUDA device 0 (null, sm_90, null) has no cublas\n  got  libcublas.so.13: cannot open shared object file\n"
        "  hint: libraries=False, or pip install 'mochac[cuda-libraries]'"
    )


SCRIPT = f"""
import sys
sys.path[:0] = [{str(Path(__file__).parents[2] / "session")!r}, {str(Path(__file__).parents[1])!r}]
sys.modules[sys.argv[1]] = None
import os
import numpy as np
import mochac
from mochac.ir.passes import choose_library
from mochac.runtime.cuda.libraries import library
library.wheel_file = lambda names: ""  # the stand-in, even if NVIDIA's wheel is installed
os.environ["MOCHAC_CUDA_TIME_CALLS"] = "0"
from stand_in_nets import NETS
choose_library.MIN_FLOPS = 1
for dtype, refused in (("float32", "0"), ("float64", "4")):  # CUBLASLT_EPILOGUE_BIAS
    os.environ["MOCHAC_FAKE_CUBLAS_REFUSES"] = refused
    net, method = NETS["mlp"]
    with mochac.compile(net(), backend="cpu", dtype=dtype) as cpu, \\
         mochac.compile(net(), backend="cuda", dtype=dtype, libraries="cublas") as gpu:
        for program in (cpu, gpu):
            program.train(method, max_iter=3)
        for key, group in cpu.params.items():
            for name, p in group.items():
                np.testing.assert_allclose(gpu.params[key][name][...], p[...], rtol=2e-5, atol=2e-5)
        calls = [k.launch.call for k in gpu.kernels if k.launch.call]
        print(len(calls), "calls,", sum("epilogue" in call for call in calls), "with a bias")
"""


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize(("package", "hidden"), [("pycuda", "cuda"), ("cuda", "pycuda")])
def test_the_real_bindings_call_a_stand_in_cublas(package, hidden):
    """Arguments as cublasLt.h has them, calls inside a captured graph; no epilogue where that is refused."""
    if importlib.util.find_spec(package) is None or (package == "cuda" and not _has("cuda.bindings")):
        pytest.skip(f"{package} is not installed")
    path = fake_driver.environment()["LD_LIBRARY_PATH"]
    printed = fake_driver.run_script(SCRIPT, hidden, LD_LIBRARY_PATH=f"{fake_driver.blas()}:{path}")
    assert [line for line in printed.splitlines() if "calls" in line] == [
        "5 calls, 2 with a bias",
        "5 calls, 0 with a bias",
    ]


def _has(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def test_explain_says_how_libraries_are_called(monkeypatch, everything_pays):
    found = Device(0, Refusing(lambda call: True))
    lowered = lowered_on(found, monkeypatch, precision="tf32", deterministic=False)
    text = explain(None, lowered, CudaBackend())
    assert "; cublas.gemm, epilogue bias, precision tf32, deterministic False\n" in text


def test_the_command_takes_precision_and_order(tmp_path, capsys):
    file = tmp_path / "net.py"
    file.write_text("from stand_in_nets import NETS\nnet = NETS['mlp'][0]()\n")
    assert main(["explain", str(file), "--backend", "cpu", "--precision", "tf32", "--nondeterministic"]) == 1
    assert "precision='tf32' and deterministic=False can only be used with" in capsys.readouterr().err
