"""Calls of libraries in plans.

On the emulator with NumPy in cuBLAS's and cuDNN's place, with a stand-in libcublas under the real bindings, and with
-m gpu the libraries themselves.
"""

import importlib.util
import logging
from dataclasses import replace
from pathlib import Path

import fake_driver
import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from skips import needs_gxx
from stand_in_nets import NETS

import mochac
from mochac import BackendError, InnerProductLayer, MemoryDataLayer, Net, OptionError
from mochac.__main__ import main
from mochac.driver import cached
from mochac.driver.cuda_machine import CudaMachine
from mochac.driver.dump import main_graph
from mochac.driver.origins import origins
from mochac.driver.pipeline import lower
from mochac.driver.report import explain
from mochac.ir.op import OPS, run_reference
from mochac.ir.text import parse
from mochac.ir.types import DTYPES, parse_type
from mochac.passes import choose_library
from mochac.runtime import log
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.cudnn import unwanted
from mochac.runtime.cuda.libraries.gemm import gemm_of
from mochac.runtime.cuda.libraries.library import LibraryCall, parsed
from mochac.runtime.cuda.libraries.shelf import Shelf
from mochac.runtime.cuda.null import NullCall, NullDriver

pytest.importorskip("jinja2")
PRODUCTS = {
    "inner_product": ("f32[b6,7]", "f32[5,7]", "f32[b6,5]"),
    "inner_product_dx": ("f32[b6,5]", "f32[5,7]", "f32[b6,7]"),
    "inner_product_dw": ("f32[b6,7]", "f32[b6,5]", "f32[5,7]"),
}


@pytest.fixture
def everything_pays(monkeypatch):
    monkeypatch.setattr(choose_library, "LEAST_FLOPS", 1)


@pytest.mark.parametrize("op", list(PRODUCTS))
def test_a_product_in_column_major_terms(op):
    """C = op(A) op(B) as the BLAS standard reads the same memory."""
    types = tuple(map(parse_type, PRODUCTS[op]))
    rng = np.random.default_rng(0)
    operands = [rng.standard_normal(t.shape) for t in types[:2]]
    g = gemm_of(LibraryCall("cublas.gemm", op, {}, types))

    def matrix(index, turned, stored):
        found = np.lib.stride_tricks.as_strided(operands[index].reshape(-1), stored, (8, 8 * stored[0]))
        return found.T if turned else found

    c = matrix(g.a, g.turn_a, g.stored_a) @ matrix(g.b, g.turn_b, g.stored_b)
    want = run_reference(OPS[op], tuple(operands), {})[0]
    assert c.shape == (g.m, g.n)
    np.testing.assert_allclose(c.T.reshape(want.shape), want, rtol=1e-12)


def test_another_op_is_refused():
    with pytest.raises(DeviceError, match="cuBLAS computes no conv2d"):
        gemm_of(LibraryCall("cublas.gemm", "conv2d", {}, tuple(map(parse_type, PRODUCTS["inner_product"]))))


def test_a_call_is_read_from_a_plan():
    text = '{"function": "cudnn.conv_fprop", "group": 1, "of": "conv2d", "pad": [2, 2], "stride": [1, 1]}'
    call = parsed(text, ())
    assert (call.library, call.of, dict(call.attrs)) == (
        "cudnn",
        "conv2d",
        {"group": 1, "pad": (2, 2), "stride": (1, 1)},
    )
    assert (call.precision, call.deterministic, call.epilogue) == ("float32", True, "")


def test_what_is_asked_of_cudnns_engines():
    def notes(dtype, **how):
        return unwanted(LibraryCall("cudnn.conv_fprop", "conv2d", {}, (parse_type(f"{dtype}[1,1,1,1]"),), **how))

    always = ("DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION")
    assert notes("f32") == (*always, "TENSOR_CORE", "NONDETERMINISTIC")
    assert notes("f64") == (*always, "NONDETERMINISTIC")
    assert notes("f32", precision="tf32") == notes("f32", precision="bfloat16") == (*always, "NONDETERMINISTIC")
    assert notes("f32", precision="tf32", deterministic=False) == always


class Counting:
    """A library that refuses convolutions and counts who asks."""

    version = "counting"

    def __init__(self):
        self.asked = 0

    def prepare(self, call):
        self.asked += 1
        if call.of == "conv2d":
            raise DeviceError("no engine")
        return NullCall(call)

    def close(self):
        self.closed = True


def test_calls_are_prepared_once_and_refusals_kept():
    library = Counting()
    shelf = Shelf(lambda name: library)
    types = tuple(map(parse_type, PRODUCTS["inner_product"]))
    call, same = (LibraryCall("cublas.gemm", "inner_product", {}, types) for _ in "ab")
    assert shelf.prepared(call) is shelf.prepared(same)
    assert shelf.prepared(replace(call, epilogue="bias")).call.epilogue == "bias"
    for _ in range(2):
        with pytest.raises(DeviceError, match="no engine"):
            shelf.prepared(LibraryCall("cudnn.conv_fprop", "conv2d", {"pad": (1, 1)}, types))
    assert library.asked == 3
    shelf.close()
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
    monkeypatch.setattr(log, "_told", set())
    machine = CudaMachine(device=device, libraries=("cublas",), **how)
    return lower(parse(DENSE), machine.target, scalars={}, named={"z": "z"}, ask=machine.ask)


def test_what_a_library_does_not_have_is_generated(monkeypatch, everything_pays, caplog):
    found = Device(0, Refusing(lambda call: call.types[0].shape[1] == 7 and not call.epilogue))
    with caplog.at_level(logging.INFO, "mochac"):
        for _ in "ab":
            lowered = lowered_on(found, monkeypatch)
    assert [bool(launch.call) for launch in lowered.plan.launches] == [True, False, False]
    assert "  by no library: cublas has no engine for this\n    %z (inner_product)" in origins(lowered)
    assert "not called" not in explain(None, lowered, CudaMachine())
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
    machines = [CudaMachine(libraries=("cublas",), **how) for how in hows]
    assert len({cached._key(source, machine, "f32", True) for machine in machines}) == 4


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
            "precision is out of range\n  expected  'float32' or 'tf32' or 'bfloat16',  got  'tf23'\n"
            "  hint: did you mean 'tf32'?",
        ),
        ({"deterministic": 1}, "deterministic is out of range\n  expected  True or False,  got  1"),
        (
            {"precision": "tf32", "dtype": "float64", "backend": "cuda"},
            "precision='tf32' is of float32 products\n  expected  dtype=\"float32\",  got  dtype 'float64'",
        ),
        (
            {"precision": "tf32", "deterministic": False, "backend": "cpu"},
            "precision='tf32' and deterministic=False can only be had of cuBLAS and cuDNN\n"
            "  expected  backend=\"cuda\",  got  backend 'cpu'",
        ),
        (
            {"deterministic": False, "backend": "cuda", "libraries": False},
            "deterministic=False can only be had of cuBLAS and cuDNN\n"
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
        "libraries is out of range\n  expected  'cublas' or 'cudnn',  got  'cublass'\n  hint: did you mean 'cublas'?"
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
sys.path[:0] = [{str(Path(__file__).parents[2] / "driver")!r}, {str(Path(__file__).parents[1])!r}]
sys.modules[sys.argv[1]] = None
import os
import numpy as np
import mochac
from mochac.passes import choose_library
from stand_in_nets import NETS
choose_library.LEAST_FLOPS = 1
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


def test_convolutions_in_the_frontends_terms():
    cudnn = pytest.importorskip("cudnn", reason="nvidia-cudnn-frontend is not installed")
    from mochac.runtime.cuda.libraries.cudnn import conv_graph

    x, w, y = "f32[b4,8,10,10]", "f32[6,8,5,5]", "f32[b4,6,10,10]"
    attrs = {"pad": (2, 2), "stride": (1, 1), "group": 1}
    for of, types in (("conv2d", (x, w, y)), ("conv2d_dx", (y, w, x)), ("conv2d_dw", (x, y, w))):
        call = LibraryCall("cudnn.conv", of, attrs, tuple(map(parse_type, types)))
        _, tensors = conv_graph(cudnn, call)
        assert [tuple(t.get_dim()) for t in tensors] == [t.shape for t in call.types]
        assert [t.get_stride()[-1] for t in tensors] == [1, 1, 1]


X, W, Y = "[b16,8,12,12]", "[12,8,5,5]", "[b16,12,12,12]"
IMAGES = {"conv2d": (X, W, Y), "conv2d_dx": (Y, W, X), "conv2d_dw": (X, Y, W)}
HOW = [{}, {"precision": "tf32"}, {"precision": "bfloat16"}, {"deterministic": False}]
UNIT = {"f64": 1e-13, "float32": 2.0**-16, "tf32": 2.0**-9, "bfloat16": 2.0**-6}


@pytest.mark.gpu
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("of", [*PRODUCTS, *IMAGES])
def test_on_a_device(of, dtype, how):
    """Each function against the op's reference, twice the same bits."""
    if dtype == "f64" and "precision" in how:
        pytest.skip("float64 has one precision")
    found, library = _opened("cublas" if of in PRODUCTS else "cudnn")
    types = tuple(parse_type(dtype + t.removeprefix("f32")) for t in {**PRODUCTS, **IMAGES}[of])
    attrs = {} if of in PRODUCTS else {"pad": (2, 2), "stride": (1, 1), "group": 1}
    attrs |= {"conv2d_dx": {"shape": types[2].shape}, "conv2d_dw": {"kernel": (5, 5)}}.get(of, {})
    rng = np.random.default_rng(3)
    operands = [rng.standard_normal(t.shape).astype(DTYPES[dtype]) for t in types[:2]]
    exact = tuple(a.astype(np.float64) for a in operands)
    want, size = (run_reference(OPS[of], a, attrs)[0] for a in (exact, tuple(map(np.abs, exact))))
    call = LibraryCall(f"{library}.x", of, attrs, types, **how)
    results = [_on_device(found, call, operands) for _ in "ab"]
    if call.deterministic:
        np.testing.assert_array_equal(*results)
    unit = UNIT["f64" if dtype == "f64" else call.precision]
    assert (np.abs(results[0] - want) <= unit * size).all()


ENDINGS = {
    "inner_product": (("[b64,800]", "[500,800]", "[500]", "[b64,500]"), {}),
    "conv2d": ((X, W, "[12]", Y), {"pad": (2, 2), "stride": (1, 1), "group": 1}),
}


@pytest.mark.gpu
@pytest.mark.parametrize("epilogue", ["bias", "bias_relu"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("of", list(ENDINGS))
def test_epilogues_on_a_device(of, dtype, epilogue):
    found, library = _opened("cublas" if of in PRODUCTS else "cudnn")
    texts, attrs = ENDINGS[of]
    types = tuple(parse_type(dtype + t) for t in texts)
    rng = np.random.default_rng(4)
    operands = [rng.standard_normal(t.shape).astype(DTYPES[dtype]) for t in types[:3]]
    call = LibraryCall(f"{library}.x", of, attrs, types, epilogue=epilogue)
    try:
        got = _on_device(found, call, operands)
    except DeviceError as error:
        pytest.skip(f"the plain function is called instead: {error}")
    how = {"of": of, "epilogue": epilogue, **attrs}
    want = run_reference(OPS["call"], tuple(a.astype(np.float64) for a in operands), how)[0]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3 if dtype == "f32" else 1e-10)


@pytest.mark.gpu
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize(
    ("x", "w", "y", "pad"),
    [
        ("[b64,1,28,28]", "[20,1,5,5]", "[b64,20,24,24]", 0),
        ("[b64,20,12,12]", "[50,20,5,5]", "[b64,50,8,8]", 0),
        ("[b100,3,32,32]", "[32,3,5,5]", "[b100,32,32,32]", 2),
        ("[b100,32,16,16]", "[32,32,5,5]", "[b100,32,16,16]", 2),
        ("[b100,32,8,8]", "[64,32,5,5]", "[b100,64,8,8]", 2),
    ],
)
def test_cudnn_has_engines_for_small_images(x, w, y, pad, how):
    """As it has without a device, where it is told a device's properties (docs/developers/cuda.md)."""
    found, _ = _opened("cudnn")
    for of, types in {"conv2d": (x, w, y), "conv2d_dx": (y, w, x), "conv2d_dw": (x, y, w)}.items():
        attrs = {"pad": (pad, pad), "stride": (1, 1)}
        found.prepared(LibraryCall("cudnn.x", of, attrs, tuple(parse_type(f"f32{t}") for t in types), **how))


@pytest.mark.gpu
@pytest.mark.parametrize("name", list(NETS))
def test_a_net_trains_on_the_libraries_themselves(everything_pays, name):
    net, method = NETS[name]
    parameters = []
    for backend in ("cpu", "cuda", "cuda"):
        with mochac.compile(net(), backend=backend) as program:
            program.train(method, max_iter=6)
            parameters.append([np.array(p[...]) for group in program.params.values() for p in group.values()])
    cpu, first, again = parameters
    for a, b, c in zip(cpu, first, again, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(b, c)


def _opened(library):
    from mochac.runtime.cuda.device import device

    found = device()
    if library not in found.driver.libraries:
        pytest.skip(f"{library} is not installed")
    return found, library


def _on_device(found, call, operands):
    from mochac.runtime.cuda.driver import Span

    result = np.zeros(call.types[-1].shape, DTYPES[call.types[-1].dtype])
    prepared = found.prepared(call)
    arrays = [*operands, result]
    held = [found.alloc(a.nbytes, "a test") for a in arrays]
    room = found.alloc(max(1, prepared.workspace_bytes), "a test")
    with found.use() as driver:
        for address, a in zip(held, arrays, strict=True):
            driver.upload(address, a, found.stream)
        spans = [Span(address, a.nbytes) for address, a in zip(held, arrays, strict=True)]
        driver.call(prepared, spans, Span(room, prepared.workspace_bytes), found.stream)
        driver.download(result, held[-1], found.stream)
        driver.wait(found.stream)
    for address in (*held, room):
        found.free(address)
    return result


def test_explain_says_how_libraries_are_called(monkeypatch, everything_pays):
    found = Device(0, Refusing(lambda call: True))
    lowered = lowered_on(found, monkeypatch, precision="tf32", deterministic=False)
    text = explain(None, lowered, CudaMachine())
    assert "; cublas.gemm, epilogue bias, precision tf32, deterministic False\n" in text


def test_the_command_takes_precision_and_order(tmp_path, capsys):
    file = tmp_path / "net.py"
    file.write_text("from stand_in_nets import NETS\nnet = NETS['mlp'][0]()\n")
    assert main(["explain", str(file), "--backend", "cpu", "--precision", "tf32", "--nondeterministic"]) == 1
    assert "precision='tf32' and deterministic=False can only be had of" in capsys.readouterr().err
