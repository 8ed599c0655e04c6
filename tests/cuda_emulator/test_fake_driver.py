"""The stand-in driver by itself, through ctypes; under PyCUDA and cuda-bindings where they are installed."""

import ctypes
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fake_driver import NVCC, environment, run_script
from skips import needs_gxx
from toolchain import build_module

pytestmark = [needs_gxx, pytest.mark.slow]
SOURCE = Path(__file__).parent / "buggy.cu"

START = """
import ctypes, sys
import numpy as np
import fake_driver
cuda = fake_driver.load()
P, Z, I = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_uint
def out(function, *arguments, type=P):
    made = type()
    check(function(ctypes.byref(made), *arguments))
    return made
def check(code):
    if code:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(code, ctypes.byref(text))
        raise SystemExit(f"{code} {text.value.decode()}")
assert cuda.cuMemAlloc_v2(ctypes.byref(P()), Z(4)) == 3  # not initialized
check(cuda.cuInit(0))
check(cuda.cuCtxPushCurrent_v2(out(cuda.cuDevicePrimaryCtxRetain, 0)))
module = out(cuda.cuModuleLoadData, open(sys.argv[1], "rb").read())
def function(name): return out(cuda.cuModuleGetFunction, module, name.encode())
def on_device(array):
    address = out(cuda.cuMemAlloc_v2, Z(array.nbytes))
    check(cuda.cuMemcpyHtoD_v2(address, array.ctypes.data_as(ctypes.c_void_p), Z(array.nbytes)))
    return address
def on_host(address, array):
    check(cuda.cuMemcpyDtoH_v2(array.ctypes.data_as(ctypes.c_void_p), address, Z(array.nbytes)))
    return array
def launch(name, grid, block, stream, *buffers):
    slots = (ctypes.c_void_p * len(buffers))(*(ctypes.addressof(b) for b in buffers))
    return cuda.cuLaunchKernel(function(name), I(grid), 1, 1, I(block), 1, 1, 0, stream, slots, None)
x = np.arange(300, dtype=np.float32).reshape(3, 100)
xd, yd = on_device(x), out(cuda.cuMemAlloc_v2, Z(12))
stream = out(cuda.cuStreamCreate, 1)
def result(): return on_host(yd, np.zeros(3, np.float32)).tolist()
"""


@pytest.fixture(scope="module")
def module():
    return str(build_module(SOURCE.read_text(), watched=False))


def on_fake(module, script, **variables):
    return run_script(START + script, module, **variables).split("\n")


def test_fresh_memory_is_nan_and_work_waits_for_its_stream(module):
    printed = on_fake(
        module,
        """
check(launch("row_sums", 3, 64, stream, xd, yd))
print(result())
check(cuda.cuStreamSynchronize(stream))
print(result() == x.sum(1).tolist())
""",
    )
    assert printed[:2] == ["[nan, nan, nan]", "True"]


def test_graph_replays_with_what_lies_in_memory(module):
    printed = on_fake(
        module,
        """
check(cuda.cuStreamBeginCapture_v2(stream, 2))
check(cuda.cuMemsetD32Async(yd, 0, Z(3), stream))
check(launch("row_sums", 3, 64, stream, xd, yd))
graph = out(cuda.cuGraphInstantiateWithFlags, out(lambda g: cuda.cuStreamEndCapture(stream, g)), P(0))
x *= 2
check(cuda.cuMemcpyHtoD_v2(xd, x.ctypes.data_as(ctypes.c_void_p), Z(x.nbytes)))
print(result())
check(cuda.cuGraphLaunch(graph, stream))
check(cuda.cuStreamSynchronize(stream))
print(result() == x.sum(1).tolist())
""",
    )
    assert printed[:2] == ["[nan, nan, nan]", "True"]


def test_capture_forbids_what_a_device_forbids(module):
    printed = on_fake(
        module,
        """
check(cuda.cuStreamBeginCapture_v2(stream, 0))
print(cuda.cuMemAlloc_v2(ctypes.byref(P()), Z(4)), cuda.cuStreamEndCapture(stream, ctypes.byref(P())))
check(cuda.cuStreamBeginCapture_v2(stream, 2))
print(cuda.cuStreamSynchronize(stream), cuda.cuStreamEndCapture(stream, ctypes.byref(P())))
print(cuda.cuStreamEndCapture(stream, ctypes.byref(P())), cuda.cuStreamBeginCapture_v2(None, 0))
""",
    )
    assert printed[:3] == ["900 901", "900 901", "903 900"]


FORK = """
other, event, joined = out(cuda.cuStreamCreate, 1), out(cuda.cuEventCreate, 2), out(cuda.cuEventCreate, 2)
check(cuda.cuStreamBeginCapture_v2(stream, 2))
check(launch("row_sums", 3, 64, stream, xd, yd))
check(cuda.cuEventRecord(event, stream))
check(cuda.cuStreamWaitEvent(other, event, 0))
check(cuda.cuMemsetD32Async(yd, 0, Z(3), other))
check(cuda.cuMemcpyDtoDAsync_v2(zd, yd, Z(12), stream))  # nothing orders it with the memset
check(cuda.cuEventRecord(joined, other))
"""


def test_a_graph_keeps_only_the_order_of_its_events(module):
    printed = on_fake(
        module,
        "zd = on_device(np.zeros(3, np.float32))"
        + FORK
        + """
check(cuda.cuStreamWaitEvent(stream, joined, 0))
graph = out(cuda.cuGraphInstantiateWithFlags, out(lambda g: cuda.cuStreamEndCapture(stream, g)), P(0))
found = set()
for _ in range(9):
    check(cuda.cuGraphLaunch(graph, stream))
    check(cuda.cuStreamSynchronize(stream))
    found.add(on_host(zd, np.zeros(3, np.float32)).tobytes())
print(len(found), result())
""",
    )
    assert printed[0] == "2 [0.0, 0.0, 0.0]"


def test_forks_of_a_capture_must_join_and_keep_to_themselves(module):
    printed = on_fake(
        module,
        "zd = on_device(np.zeros(3, np.float32))"
        + FORK
        + """
print(cuda.cuStreamEndCapture(other, ctypes.byref(P())), cuda.cuStreamEndCapture(stream, ctypes.byref(P())))
ms = ctypes.c_float()
print(cuda.cuStreamWaitEvent(stream, event, 0), cuda.cuEventElapsedTime_v2(ctypes.byref(ms), event, joined))
check(cuda.cuEventRecord(event, other))
check(cuda.cuStreamBeginCapture_v2(stream, 2))
print(cuda.cuStreamWaitEvent(stream, event, 0), cuda.cuStreamEndCapture(stream, ctypes.byref(P())))
""",
    )
    assert printed[:3] == ["903 904", "907 400", "905 901"]


def test_events_order_streams(module):
    printed = on_fake(
        module,
        """
other, event = out(cuda.cuStreamCreate, 1), out(cuda.cuEventCreate, 0)
check(launch("row_sums", 3, 64, stream, xd, yd))
check(cuda.cuEventRecord(event, stream))
print(cuda.cuEventQuery(event))
check(cuda.cuStreamWaitEvent(other, event, 0))
pinned = out(cuda.cuMemHostAlloc, Z(12), 0)
check(cuda.cuMemcpyDtoHAsync_v2(pinned, yd, Z(12), other))
got = np.frombuffer((ctypes.c_float * 3).from_address(pinned.value), np.float32)
print(np.isnan(got).all())
check(cuda.cuStreamSynchronize(other))
print((got == x.sum(1)).all(), cuda.cuEventQuery(event))
""",
    )
    assert printed[:3] == ["600", "True", "True 0"]


def test_pinned_memory_is_read_when_the_stream_gets_there(module):
    printed = on_fake(
        module,
        """
pinned = out(cuda.cuMemHostAlloc, Z(12), 0)
values = np.frombuffer((ctypes.c_float * 3).from_address(pinned.value), np.float32)
values[:] = 1
check(cuda.cuMemcpyHtoDAsync_v2(yd, pinned, Z(12), stream))
values[:] = 2  # too early
check(cuda.cuStreamSynchronize(stream))
print(result())
""",
    )
    assert printed[0] == "[2.0, 2.0, 2.0]"


def test_a_fault_names_its_kernel_and_line_and_stays(module):
    printed = on_fake(
        module,
        """
small = on_device(np.zeros(64, np.float32))
print(launch("writes_beside", 1, 64, stream, xd, small))
code, text = cuda.cuStreamSynchronize(stream), ctypes.c_char_p()
cuda.cuGetErrorString(code, ctypes.byref(text))
print(code, text.value.decode())
print(cuda.cuMemAlloc_v2(ctypes.byref(P()), Z(4)), fake_driver.allocations())
fake_driver.reset()
print(cuda.cuMemAlloc_v2(ctypes.byref(P()), Z(4)), fake_driver.allocations())
""",
    )
    assert printed[0] == "0"
    assert printed[1].startswith("700 an illegal memory access was encountered: kernel writes_beside, line ")
    assert printed[2:4] == ["700 3", "0 1"]


def test_writes_into_the_rest_of_a_page_are_seen(module):
    printed = on_fake(
        module,
        """
small = on_device(np.zeros(63, np.float32))
check(launch("writes_beside", 1, 63, stream, xd, small))
print(cuda.cuStreamSynchronize(stream))
""",
    )
    assert printed[0] == "700"


def test_refusals(module, tmp_path):
    real = tmp_path / "real.cubin"
    head = bytearray(Path(module).read_bytes()[:64])
    head[18:20] = (190).to_bytes(2, "little")  # EM_CUDA
    real.write_bytes(head)
    printed = on_fake(
        module,
        f"""
print(cuda.cuModuleLoadData(ctypes.byref(P()), open({str(real)!r}, "rb").read()))
print(cuda.cuModuleLoadData(ctypes.byref(P()), b".version 9.0"))
print(launch("row_sums", 3, 128, stream, xd, yd), launch("row_sums", 0, 64, stream, xd, yd))
print(cuda.cuModuleGetFunction(ctypes.byref(P()), module, b"softmax"))
print(cuda.cuMemcpyHtoD_v2(yd, x.ctypes.data_as(ctypes.c_void_p), Z(x.nbytes)))
print(cuda.cuMemAlloc_v2(ctypes.byref(P()), Z(100000)), cuda.cuMemFree_v2(P(12345)))
""",
        MOCHAC_FAKE_CUDA_MEMORY="100000",
    )
    assert printed[:6] == ["209", "200", "1 1", "500", "1", "2 1"]


def test_stand_in_nvcc(tmp_path):
    made = tmp_path / "out.cubin"
    run = [sys.executable, str(NVCC), "-cubin", "-arch=sm_90", "-o", str(made), str(SOURCE)]
    subprocess.run(run, check=True, env=environment())
    assert ctypes.CDLL(str(made)).emu_launch_row_sums
    said = subprocess.run([sys.executable, str(NVCC), "--version"], capture_output=True, text=True, check=True)
    assert "release 13.0" in said.stdout
    broken = tmp_path / "broken.cu"
    broken.write_text('extern "C" __global__ void k(float* x) { x[0] = y; }')
    refused = subprocess.run([*run[:-1], str(broken)], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "kernel.cu:1" in refused.stderr


def installed(name):
    """Whether a module of a package, itself perhaps missing, can be imported."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


PYCUDA = """
import atexit, sys
import numpy as np
import pycuda.driver as cuda
cuda.init()
cuda.Device(0).retain_primary_context().push()
atexit.register(cuda.Context.pop)
module = cuda.module_from_buffer(open(sys.argv[1], "rb").read())
x = np.arange(300, dtype=np.float32).reshape(3, 100)
xd, yd, stream = cuda.to_device(x), cuda.mem_alloc(12), cuda.Stream(1)
module.get_function("row_sums")(xd, yd, grid=(3, 1), block=(64, 1, 1), stream=stream)
stream.synchronize()
print(np.array_equal(cuda.from_device(yd, 3, np.float32), x.sum(1)))
"""


@pytest.mark.skipif(not installed("pycuda"), reason="PyCUDA is not installed")
def test_unmodified_pycuda(module):
    assert run_script(PYCUDA, module) == "True\n"


BINDINGS = """
import sys
import numpy as np
from cuda.bindings import driver
def check(result):
    assert result[0] == 0, driver.cuGetErrorString(result[0])
    return result[1] if len(result) == 2 else result[1:]
check(driver.cuInit(0))
check(driver.cuCtxPushCurrent(check(driver.cuDevicePrimaryCtxRetain(check(driver.cuDeviceGet(0))))))
module = check(driver.cuModuleLoadData(open(sys.argv[1], "rb").read()))
kernel = check(driver.cuModuleGetFunction(module, b"row_sums"))
x, y = np.arange(300, dtype=np.float32).reshape(3, 100), np.zeros(3, np.float32)
xd, yd, stream = check(driver.cuMemAlloc(1200)), check(driver.cuMemAlloc(12)), check(driver.cuStreamCreate(1))
check(driver.cuStreamBeginCapture(stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
slots = np.array([int(xd), int(yd)], np.uint64)
places = np.array([slots.ctypes.data, slots.ctypes.data + 8], np.uint64)
check(driver.cuLaunchKernel(kernel, 3, 1, 1, 64, 1, 1, 0, stream, places.ctypes.data, 0))
graph = check(driver.cuGraphInstantiate(check(driver.cuStreamEndCapture(stream)), 0))
check(driver.cuMemcpyHtoD(xd, x.ctypes.data, x.nbytes))
check(driver.cuGraphLaunch(graph, stream))
check(driver.cuStreamSynchronize(stream))
check(driver.cuMemcpyDtoH(y.ctypes.data, yd, y.nbytes))
print(np.array_equal(y, x.sum(1)))
"""


@pytest.mark.skipif(not installed("cuda.bindings"), reason="cuda-bindings is not installed")
def test_unmodified_cuda_bindings(module):
    assert run_script(BINDINGS, module) == "True\n"
