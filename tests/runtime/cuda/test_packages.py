"""PyCUDA and cuda-bindings, unmodified, on the stand-in libcuda: a net trains through each as on the CPU."""

import importlib.util

import pytest
from fake_driver import run_script
from skips import needs_gxx

SCRIPT = """
import os, sys, threading, warnings
import numpy as np
import mochac
from mochac.runtime.cuda import device as devices
sys.path[:0] = sys.argv[2:]
from tiny_net import samples, tiny

package = sys.argv[1]
devices.PACKAGES = {package: devices.PACKAGES[package]}
method = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1))
cpu, gpu = mochac.compile(tiny(), backend="cpu"), mochac.compile(tiny())
for program in (cpu, gpu):
    program.train(method, max_iter=5)
    program.forward()
    program.backward()
for key, group in cpu.params.items():
    for name, parameter in group.items():
        np.testing.assert_allclose(gpu.params[key][name][...], parameter[...], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(gpu.grads[key][name], cpu.grads[key][name], rtol=1e-4, atol=1e-6)
np.testing.assert_allclose(gpu.predict(samples()[0]), cpu.predict(samples()[0]), rtol=1e-4, atol=1e-6)
other = mochac.compile(tiny(), params=gpu.params)
assert abs(other.evaluate()["end"] - cpu.evaluate()["end"]) < 1e-5

def elsewhere():
    for resident in "10":
        os.environ["MOCHAC_RESIDENT"] = resident
        with mochac.compile(tiny(), backend="cuda") as program:
            program.train(method, max_iter=2)
    print("a thread of its own, events and all")


warnings.simplefilter("error")  # PyCUDA warns of what it cannot destroy in the thread it is in
ignored = []
sys.unraisablehook = lambda what: ignored.append(str(what.exc_value))
thread = threading.Thread(target=elsewhere)
thread.start()
thread.join()
assert not ignored, ignored
try:
    mochac.compile(tiny(), backend="cuda", device=3)
except mochac.BackendError as error:
    print(error)
print(gpu.session.plans.backend)
gpu.close()
"""


def here(package):
    module = {"pycuda": "pycuda", "cuda-bindings": "cuda"}[package]
    return importlib.util.find_spec(module) is not None


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("package", ["pycuda", "cuda-bindings"])
def test_a_net_trains_through_a_package(package, pytestconfig, tmp_path):
    if not here(package):
        pytest.skip(f"{package} is not installed")
    helpers = str(pytestconfig.rootpath / "tests" / "session")
    said = run_script(SCRIPT, package, helpers, MOCHAC_CACHE_DIR=str(tmp_path))
    assert "there is no CUDA device 3" in said and "a thread of its own" in said
    assert f"{'PyCUDA' if package == 'pycuda' else package} " in said.splitlines()[-1]
