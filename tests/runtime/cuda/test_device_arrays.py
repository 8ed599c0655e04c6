"""Parameters and predictions where they are on a device: DLPack, the CUDA array interface, and who waits for what."""

import ctypes
import gc

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from fake_driver import run_script
from skips import needs_gxx
from stand_in_nets import NETS
from test_stand_in_driver import SCRIPT, hidden  # noqa: F401 - a fixture

import mochac
from mochac.base.support.array_like import DLTensor, tensor_of
from mochac.runtime.cuda.null import NullDriver

SGD = NETS["mlp"][1]


class Waiting(NullDriver):
    """Counts how often it is waited for."""

    waits = 0

    def wait(self, stream):
        super().wait(stream)
        self.waits += 1


@pytest.fixture
def driver(monkeypatch):
    made = Waiting()
    use_device(monkeypatch, made)
    return made


class Tensor(DLTensor):
    """All of dlpack.h's DLTensor."""

    _fields_ = (
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


def tensor(capsule):
    return Tensor.from_address(ctypes.addressof(tensor_of(capsule)))


def trained():
    program = mochac.compile(NETS["mlp"][0](), backend="cuda")
    program.train(SGD, max_iter=2)
    return program, program.params["a"]["weight"]


@pytest.mark.slow
@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (1, 3)])
def test_a_parameter_is_lent_by_dlpack_where_it_is(driver, version):
    program, weight = trained()
    assert weight.__dlpack_device__() == (2, 0)
    capsule = weight.__dlpack__(stream=7, max_version=version)
    assert ("versioned" in repr(capsule)) == (version is not None and version >= (1, 0))
    found = tensor(capsule)
    assert (found.data, found.device_type, found.device_id) == (weight.copies[0].address, 2, 0)
    assert (found.ndim, found.shape[:2], found.code, found.bits, found.lanes) == (2, [9, 7], 2, 32, 1)
    assert found.byte_offset == 0 and (not found.strides or found.strides[:2] == [7, 1])
    program.close()


@pytest.mark.parametrize(("stream", "waits"), [(None, 1), (1, 1), (2, 1), (94_000_000, 1), (-1, 0)])
def test_the_consumers_stream_says_who_waits(driver, stream, waits):
    """The values are there for work on that stream; at -1 nothing is waited for."""
    program, weight = trained()
    result = program.predict(np.zeros((3, 7), np.float32), on_device=True)
    for lender in (weight, result):
        before = driver.waits
        lender.__dlpack__(stream=stream)
        assert driver.waits - before == waits
    before = driver.waits
    assert weight.__cuda_array_interface__["stream"] is result.__cuda_array_interface__["stream"] is None
    assert driver.waits == before + 2
    program.close()


@pytest.mark.parametrize("stream", [0, -2, "1", True])
def test_no_stream(driver, stream):
    program, weight = trained()
    with pytest.raises(ValueError) as error:
        weight.__dlpack__(stream=stream)
    assert str(error.value) == (
        "__dlpack__: stream is None, -1 (do not wait), 1 or 2 (the default streams), or the handle of a stream; "
        f"got {stream!r}"
    )
    program.close()


def test_lent_memory_outlives_the_program(driver):
    program, weight = trained()
    address, capsule = weight.copies[0].address, weight.__dlpack__()
    program.close()
    gc.collect()
    assert address in driver.live and weight.__dlpack_device__() == (2, 0)
    del capsule
    assert address not in driver.live and weight.__dlpack_device__() == (1, 0)


def test_what_cannot_be_lent(driver):
    program, weight = trained()
    result = program.predict(np.zeros((3, 7), np.float32), on_device=True)
    for how in ({"dl_device": (2, 1)}, {"copy": True}, {"dl_device": (4, 0)}):
        words = f"dl_device={how.get('dl_device')}, copy={how.get('copy')}"
        with pytest.raises(BufferError) as error:
            weight.__dlpack__(**how)
        assert str(error.value) == (f"parameter a.weight is lent on CUDA device 0, or copied to the CPU; got {words}")
        with pytest.raises(BufferError, match="a result is lent on CUDA device 0, or copied to the CPU"):
            result.__dlpack__(**how)
    with pytest.raises(BufferError, match="a result on a CUDA device is copied to be read"):
        result.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(ValueError, match="a result on a CUDA device is copied to be read"):
        np.asarray(result, copy=False)
    program.close()


def test_a_result_is_the_callers_own(driver):
    program, _ = trained()
    program.predict(np.zeros((3, 7), np.float32))
    before = set(driver.live)
    result = program.predict(np.zeros((3, 7), np.float32), on_device=True)
    (address,) = set(driver.live) - before
    assert (result.shape, result.dtype, len(result)) == ((3, 3), np.float32, 3)
    assert repr(result) == "<result float32[3, 3] on CUDA device 0>"
    capsule = result.__dlpack__()
    program.close()
    del result
    gc.collect()
    assert address in driver.live and tensor(capsule).data == address
    del capsule
    assert address not in driver.live


def test_on_a_cpu_there_is_no_device():
    with mochac.compile(NETS["mlp"][0](), backend="cpu") as program, pytest.raises(mochac.OptionError) as error:
        program.predict(np.zeros((3, 7), np.float32), on_device=True)
    assert str(error.value) == (
        "on_device=True leaves a prediction on a GPU\n  expected  backend=\"cuda\",  got  backend 'cpu'\n"
        "  hint: np.asarray and from_dlpack read the arrays that predict() returns without on_device"
    )


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 5, 13])
def test_predictions_on_the_device_are_those_of_the_host(monkeypatch, count):
    """No sample, one, a batch, and two batches with a part of a third."""
    use_device(monkeypatch, EmulatedDriver())
    x = np.random.default_rng(2).standard_normal((13, 7)).astype(np.float32)[:count]
    with mochac.compile(NETS["mlp"][0](), backend="cuda") as program:
        for blob in (None, "a", "data"):
            result = program.predict(x, blob, on_device=True)
            np.testing.assert_array_equal(np.asarray(result), program.predict(x, blob))
            np.testing.assert_array_equal(np.from_dlpack(result, device="cpu"), program.predict(x, blob))
            assert np.asarray(result, dtype=np.float64).dtype == np.float64


ON_STAND_IN = """
from stand_in_nets import NETS
from mochac.base.support.array_like import tensor_of

def read(lender, **how):
    '''The capsule's memory, which on the stand-in the CPU can read.'''
    class Here:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, max_version=None, **_):
            capsule = lender.__dlpack__(max_version=max_version, **how)
            found = tensor_of(capsule)
            assert (found.device_type, found.device_id) == lender.__dlpack_device__() == (2, 0)
            found.device_type = 1
            return capsule

    return np.from_dlpack(Here())

net, method = NETS[what]
program = mochac.compile(net(), backend="cuda")
program.train(method, max_iter=3)
x = program.net.sources[0].data[0]
weight, result = program.params["a"]["weight"], program.predict(x, on_device=True)
there = read(result, stream=1)
np.testing.assert_array_equal(there, program.predict(x))
lent, before = read(weight), weight[...]
np.testing.assert_array_equal(lent, before)
lent *= 2
np.testing.assert_array_equal(weight, 2 * before)  # another reader's writes, without a step between
np.testing.assert_array_equal(program.predict(x[:5], "a").shape, (5, 9))
weight[...] = before
assert program.predict(x[:5]).tobytes() == there[:5].tobytes()
np.testing.assert_array_equal(lent, before)  # the next step has sent it
again = weight.__cuda_array_interface__
assert again["data"] == (lent.ctypes.data, False) and again["version"] == 3 and again["strides"] is None
program.train(method, max_iter=1)
np.testing.assert_array_equal(lent, weight)
program.close()
np.testing.assert_array_equal(lent, weight)
del lent, there, result
print("allocations left", fake_driver.allocations())
"""


@needs_gxx
@pytest.mark.slow
def test_what_is_lent_on_the_stand_in_is_what_its_kernels_wrote(hidden, tmp_path):  # noqa: F811
    printed = run_script(SCRIPT + ON_STAND_IN, hidden, "mlp", MOCHAC_CACHE_DIR=str(tmp_path))
    assert printed.endswith("allocations left 0\n")
