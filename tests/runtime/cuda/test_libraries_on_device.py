"""cuBLAS and cuDNN themselves, on a device (-m gpu): every function against the op it stands for."""

from dataclasses import replace

import numpy as np
import pytest
from library_products import PRODUCTS
from stand_in_nets import NETS

import mochac
from mochac.base.files.cache import Cache
from mochac.ir.op import OPS, run_reference
from mochac.ir.passes import choose_library
from mochac.ir.types import DTYPES, parse_type
from mochac.runtime.cuda.adviser import engine_times
from mochac.runtime.cuda.driver import DeviceError, Span
from mochac.runtime.cuda.libraries.library import LibraryCall

pytestmark = pytest.mark.gpu


@pytest.fixture
def everything_pays(monkeypatch):
    """Whatever it takes: nothing is timed."""
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 1)
    monkeypatch.setenv("MOCHAC_CUDA_TIME_CALLS", "0")


X, W, Y = "[b16,8,12,12]", "[12,8,5,5]", "[b16,12,12,12]"
IMAGES = {"conv": (X, W, Y), "conv_dx": (Y, W, X), "conv_dw": (X, Y, W)}
HOW = [{}, {"precision": "tf32"}, {"precision": "bfloat16"}, {"deterministic": False}]
UNIT = {"f64": 1e-13, "float32": 2.0**-16, "tf32": 2.0**-9, "bfloat16": 2.0**-6}


@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("of", [*PRODUCTS, *IMAGES])
def test_on_a_device(of, dtype, how):
    """Each function against the op's reference, twice the same bits."""
    if dtype == "f64" and "precision" in how:
        pytest.skip("float64 has one precision")
    found, call, operands, want, size = _problem(of, dtype, **how)
    results = [_on_device(found, call, operands) for _ in "ab"]
    if call.deterministic:
        np.testing.assert_array_equal(*results)
    unit = UNIT["f64" if dtype == "f64" else call.precision]
    assert (np.abs(results[0] - want) <= unit * size).all()


@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("of", [*PRODUCTS, *IMAGES])
def test_every_engine_that_is_timed(of, how, tmp_path):
    """Each computes the op, and takes some time; the times are kept."""
    found, call, operands, want, size = _problem(of, "f32", **how)
    times = engine_times(found, call, Cache(tmp_path))
    assert times and all(seconds > 0 for seconds in times.values())
    assert engine_times(found, call, Cache(tmp_path)) == times
    for engine in times:
        result = _on_device(found, replace(call, engine=engine), operands)
        assert (np.abs(result - want) <= UNIT[call.precision] * size).all(), engine


def _problem(of, dtype, **how):
    """The device, a call, its operands, what it gives in float64, and the sums of the absolute products."""
    found, library = _opened("cublas" if of in PRODUCTS else "cudnn")
    types = tuple(parse_type(dtype + t.removeprefix("f32")) for t in {**PRODUCTS, **IMAGES}[of])
    attrs = {} if of in PRODUCTS else {"pad": (2, 2), "stride": (1, 1), "group": 1}
    attrs |= {"conv_dx": {"shape": types[2].shape}, "conv_dw": {"kernel": (5, 5)}}.get(of, {})
    rng = np.random.default_rng(3)
    operands = [rng.standard_normal(t.shape).astype(DTYPES[dtype]) for t in types[:2]]
    exact = tuple(a.astype(np.float64) for a in operands)
    want, size = (run_reference(OPS[of], a, attrs)[0] for a in (exact, tuple(map(np.abs, exact))))
    return found, LibraryCall(f"{library}.x", of, attrs, types, **how), operands, want, size


ENDINGS = {
    "inner_product": (("[b64,800]", "[500,800]", "[500]", "[b64,500]"), {}),
    "conv": ((X, W, "[12]", Y), {"pad": (2, 2), "stride": (1, 1), "group": 1}),
}


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
    for of, types in {"conv": (x, w, y), "conv_dx": (y, w, x), "conv_dw": (x, y, w)}.items():
        attrs = {"pad": (pad, pad), "stride": (1, 1)}
        found.prepared(LibraryCall("cudnn.x", of, attrs, tuple(parse_type(f"f32{t}") for t in types), **how))


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
