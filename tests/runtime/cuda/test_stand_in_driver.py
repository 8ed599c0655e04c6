"""Training through the unmodified PyCUDA and cuda-bindings, on the stand-in driver and compiler of tests/cuda_emulator.

Here the driver code itself runs: contexts, modules, pinned memory, streams, capture and replay. Streams of the stand-in
are lazy, so a synchronisation that is missing gives wrong numbers.
"""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fake_driver import run_script
from skips import needs_gxx

pytestmark = [needs_gxx, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
DRIVER = ROOT / "cuda_emulator/fake_driver.py"


def test_the_driver_as_a_command_wants_one():
    done = subprocess.run([sys.executable, str(DRIVER)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "usage: python fake_driver.py COMMAND [ARGUMENT ...]\nruns a command that sees the stand-in driver\n"
    )


SCRIPT = f"""
import sys, warnings
sys.path[:0] = [{str(ROOT / "session")!r}, {str(ROOT / "runtime")!r}]
warnings.simplefilter("error")
hidden, what = sys.argv[1:3]
sys.modules[hidden] = None
import numpy as np
import fake_driver
import mochac
from mochac.runtime.cuda import device
from mochac.codegen.cuda import step as step_text
step_text.MOST_STEPS = step_text.MOST_PIECES = 2  # so that the ring of batches is used again
"""

TRAIN = """
from stand_in_nets import NETS
net, method = NETS[what]
with mochac.compile(net(), backend="cpu") as cpu, mochac.compile(net(), backend="cuda") as gpu:
    print(device.device(0))
    for program in (cpu, gpu):
        program.train(method, max_iter=int(sys.argv[3]))
    for key, group in cpu.params.items():
        for name, parameter in group.items():
            np.testing.assert_allclose(gpu.params[key][name][...], parameter[...], rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(gpu.forward(), cpu.forward(), rtol=1e-5)
    assert gpu.evaluate().keys() == cpu.evaluate().keys()
    x = cpu.net.sources[0].data[0]
    np.testing.assert_allclose(gpu.predict(x), cpu.predict(x), rtol=1e-4, atol=1e-6)
print(f"launches {fake_driver.launches() > 0}, allocations left {fake_driver.allocations()}")
"""

PACKAGES = {"pycuda": "cuda", "cuda": "pycuda"}  # the one that drives: the one that is hidden


def installed(package):
    try:
        return find_spec({"cuda": "cuda.bindings"}.get(package, package)) is not None
    except ModuleNotFoundError:
        return False


@pytest.fixture(params=list(PACKAGES))
def hidden(request):
    if not installed(request.param):
        pytest.skip(f"{request.param} is not installed")
    return PACKAGES[request.param]


@pytest.mark.slow
@pytest.mark.parametrize(("net", "steps"), [("tiny", "7"), ("mlp", "70"), ("images", "3")])
def test_training_gives_the_cpus_parameters(hidden, net, steps, tmp_path):
    where = {"MOCHAC_CACHE_DIR": str(tmp_path), "MOCHAC_RESIDENT": "0"}
    printed = run_script(SCRIPT + TRAIN, hidden, net, steps, **where)
    drives = "PyCUDA" if hidden == "cuda" else "cuda-bindings"
    assert f"(CPU emulation of sm_90, sm_90, {drives} " in printed
    assert printed.endswith("launches True, allocations left 0\n")


POOL = """
from mochac.runtime.cuda.pycuda_driver import PycudaDriver
driver = PycudaDriver(0)
with driver.current():
    kept, first = driver.pinned(5000), driver.pinned(1000)
    address = first.ctypes.data
    driver.free_pinned(first)
    again = driver.pinned(1000)
    assert again.ctypes.data == address and again.shape == (1000,)
    print("held", fake_driver.allocations())
    driver.free_pinned(again)
    driver.free_pinned(kept)
    print("left", fake_driver.allocations())
driver.close()
"""


@pytest.mark.slow
def test_page_locked_memory_comes_from_pycudas_pool():
    """Locked once while any of it is in use, given back with the last."""
    if not installed("pycuda"):
        pytest.skip("pycuda is not installed")
    assert run_script(SCRIPT + POOL, "cuda", "tiny").splitlines()[-2:] == ["held 2", "left 0"]


EARLY = """
from mochac.runtime.cuda.bindings_driver import BindingsDriver
from mochac.runtime.cuda.pycuda_driver import PycudaDriver
for driver in (BindingsDriver, PycudaDriver):
    driver.stream_waits = lambda self, stream, event: None
"""


@pytest.mark.slow
def test_a_step_that_does_not_wait_for_its_batch_is_seen(hidden, tmp_path):
    how = {"MOCHAC_RESIDENT": "0", "MOCHAC_CUDA_STREAMS": "1"}  # no other waits are left out
    with pytest.raises(AssertionError, match=r"(?i)nan"):
        run_script(SCRIPT + EARLY + TRAIN, hidden, "mlp", "7", MOCHAC_CACHE_DIR=str(tmp_path), **how)


CHUNKS = """
from mochac.runtime.cuda import resident
resident.CHUNK_BYTES = 100
"""


@pytest.mark.slow
def test_a_data_set_travels_in_chunks(hidden, tmp_path):
    printed = run_script(SCRIPT + CHUNKS + TRAIN, hidden, "mlp", "20", MOCHAC_CACHE_DIR=str(tmp_path))
    assert "data resident" in printed and printed.endswith("launches True, allocations left 0\n")


FULL = """
from stand_in_nets import NETS
try:
    mochac.compile(NETS[what][0](), backend="cuda").train(NETS[what][1], max_iter=1)
except mochac.BackendError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_full_device_says_what_was_asked(hidden, tmp_path):
    printed = run_script(SCRIPT + FULL, hidden, "mlp", MOCHAC_CACHE_DIR=str(tmp_path), MOCHAC_FAKE_CUDA_MEMORY="4000")
    assert "not enough memory" in printed and "of 4,000 bytes free" in printed


FAULT = """
from stand_in_nets import NETS
net, method = NETS[what]
warnings.simplefilter("ignore")  # PyCUDA's, when it gives things back
with mochac.compile(net(), backend="cuda") as program:
    try:
        program.train(method, max_iter=9)
    except mochac.BackendError as error:
        print(str(error).partition("failed")[2])
try:
    program.params["ip"]["weight"][...]
except mochac.BackendError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("watch", ["0", "1"])
def test_a_fault_in_a_later_step(hidden, watch, tmp_path):
    how = {"MOCHAC_FAKE_CUDA_FAULT": "mochac_ip_inner_product 5", "MOCHAC_CUDA_WATCH": watch}
    printed = run_script(SCRIPT + FAULT, hidden, "tiny", MOCHAC_CACHE_DIR=str(tmp_path), **how)
    assert "an illegal memory access was encountered: somewhere\n" in printed
    if watch == "1":
        assert "\n  kernel 'ip.inner_product', function mochac_ip_inner_product\n" in printed
    else:
        assert re.search(r"\n  some kernel of steps \d to \d of this plan, which were replayed as CUDA graphs", printed)
    assert "\nfetching 'ip.weight' on CUDA device 0 " in printed
    assert "\n  the device has been of no use since running plan 'step' failed: start the process again\n" in printed


RACE = """
from mochac.runtime.cuda import branches
waits = branches._waits
branches._waits = lambda *how: tuple((0,) if found else () for found in waits(*how))
"""


@pytest.mark.slow
def test_branches_that_do_not_wait_for_their_data_are_seen(hidden, tmp_path):
    with pytest.raises(AssertionError, match="Mismatched elements"):
        run_script(SCRIPT + RACE + TRAIN, hidden, "mlp", "9", MOCHAC_CACHE_DIR=str(tmp_path))


OPEN_TO_THE_END = """
import os, threading
from stand_in_nets import NETS
net, method = NETS[what]
kept = []

def elsewhere():
    kept.append(mochac.compile(net(), backend="cuda"))
    kept[0].train(method, max_iter=2)

thread = threading.Thread(target=elsewhere)
thread.start()
thread.join()
print("trained", len(kept), flush=True)
os.dup2(1, 2)  # what is said when modules are gone is seen, too
"""


@pytest.mark.slow
def test_a_device_opened_by_a_thread_is_left_in_peace_at_the_end(hidden, tmp_path):
    printed = run_script(SCRIPT + OPEN_TO_THE_END, hidden, "tiny", MOCHAC_CACHE_DIR=str(tmp_path))
    assert printed.endswith("trained 1\n")
