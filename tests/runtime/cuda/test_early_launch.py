"""Kernels that begin before the one that they follow has ended: which are launched so, that all of them wait, that
both packages say so to libcuda, and where it is done at all."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from emulated_device import use_device
from fake_driver import run_script
from skips import needs_gxx
from test_stand_in_driver import SCRIPT, hidden  # noqa: F401
from tiny_net import tiny

import mochac
from mochac.base.files.cache import Cache
from mochac.codegen.cuda.step import BEGIN, END
from mochac.runtime.cuda import measurements
from mochac.runtime.cuda.branches import Branches
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.launcher import early_launches
from mochac.runtime.cuda.null import INFO, NullDriver

SGD = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1))
WAITS = "mochac_begin_early();"


def bodies(source):
    """What each function of a translation unit begins with, by name."""
    functions = [text for text in source.split('extern "C" __global__ void')[1:]]
    return {text.split("mochac_", 1)[1].split("(")[0]: text.split("{\n", 1)[1].lstrip() for text in functions}


@pytest.fixture
def driver(monkeypatch):
    found = NullDriver()
    found.early = True
    use_device(monkeypatch, found)
    return found


@pytest.mark.slow
def test_kernels_that_follow_one_kernel_begin_early_and_all_wait(driver, monkeypatch):
    monkeypatch.setenv("MOCHAC_CUDA_EARLY", "1")
    with mochac.compile(tiny(), backend="cuda") as program:
        program.train(SGD, max_iter=3)
        source = program.session.main_plan().lowered.text
    began = bodies(source)
    assert {BEGIN.removeprefix("mochac_"), END.removeprefix("mochac_")} <= began.keys()
    assert all(body.startswith(WAITS) for body in began.values())
    assert not re.search(r"const [\w ]+\* __restrict__", source)
    (graph,) = driver.captured
    early = [node for node in graph.nodes if node.early]
    assert not graph.nodes[0].early and len(early) >= 3
    assert all(len(node.after) == 1 for node in early)
    chain = [a.early for a in graph.nodes if a.after and len(a.after) == 1]
    assert chain.count(True) == len(early)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [{}, {"MOCHAC_CUDA_EARLY": "0"}, {"MOCHAC_CUDA_EARLY": "1", "sm": "80"}])
def test_without_a_gain_nothing_begins_early(driver, monkeypatch, setting):
    """A driver that computes nothing counts wrong, so nothing is gained on it; devices before sm_90 cannot."""
    for name, value in setting.items():
        if name == "sm":
            driver.info = replace(INFO, sm=int(value))
        else:
            monkeypatch.setenv(name, value)
    with mochac.compile(tiny(), backend="cuda") as program:
        program.train(SGD, max_iter=3)
        assert WAITS not in program.session.main_plan().lowered.text
    assert not any(node.early for node in driver.captured[-1].nodes)


def test_a_library_call_neither_begins_early_nor_lets_others():
    one_stream = Branches((0,) * 4, ((),) * 4, (0, 1, 2, 3))
    assert early_launches(one_stream, [True, False, True, True]) == {3}


class Hopping(NullDriver):
    """Counts right, and tells each run of the chain `plain` or `hopped` seconds."""

    def __init__(self, plain, hopped, right=True):
        super().__init__()
        self.early, self.times, self.right, self.replayed = True, (plain, hopped), right, None

    def replay(self, graph, stream):
        self.replayed = graph
        super().replay(graph, stream)

    def seconds(self, first, last):
        return self.times[self.replayed.nodes[-1].early]

    def download(self, array, address, stream):
        super().download(array, address, stream)
        array[...] = measurements.KERNELS * (measurements.RUNS + 1) * self.right


@pytest.mark.parametrize(
    ("plain", "hopped", "right", "found"),
    [(1.0, 0.9, True, True), (1.0, 0.99, True, False), (1.0, 1.5, True, False), (1.0, 0.5, False, False)],
)
def test_early_launches_must_be_faster_and_right(tmp_path, plain, hopped, right, found):
    driver, cache = Hopping(plain, hopped, right), Cache(tmp_path)
    device = Device(0, driver)
    assert measurements.early_gain(device, cache) is found
    first, second = driver.captured
    assert not any(node.early for node in first.nodes)
    assert [node.early for node in second.nodes] == [False] + [True] * (measurements.KERNELS - 1)
    assert not driver.live
    assert measurements.early_gain(device, cache) is found and driver.counts["captures"] == 2
    assert measurements.early_gain(device, None) is False


def test_a_driver_that_refuses_the_chain_gains_nothing(tmp_path):
    class Refusing(Hopping):
        def launches_early(self, stream):
            raise DeviceError("not supported")

    driver = Refusing(1.0, 0.5)
    assert measurements.early_gain(Device(0, driver), Cache(tmp_path)) is False
    assert not driver.live and not driver.modules


BITS = """
from stand_in_nets import NETS
net, method = NETS[what]
with mochac.compile(net(), backend="cuda") as gpu:
    gpu.train(method, max_iter=int(sys.argv[3]))
    bits = sum(int(np.asarray(values).view(np.uint32).sum(dtype=np.uint64)) for values in gpu.parameters().values())
print(bits, fake_driver.early_launches())
"""


@needs_gxx
@pytest.mark.slow
def test_libcuda_is_told_and_the_bits_are_the_same(hidden, tmp_path):  # noqa: F811
    """The stand-in driver stops at a kernel that is launched early and does not wait."""
    where = {"MOCHAC_CACHE_DIR": str(tmp_path), "MOCHAC_RESIDENT": "0"}
    plain, none = run_script(SCRIPT + BITS, hidden, "mlp", "20", MOCHAC_CUDA_EARLY="0", **where).split()[-2:]
    bits, some = run_script(SCRIPT + BITS, hidden, "mlp", "20", MOCHAC_CUDA_EARLY="1", **where).split()[-2:]
    assert (bits, none) == (plain, "0") and int(some) > 3


HASTY = """
from mochac.runtime.cuda import measurements
made = measurements.template
class Hasty:
    def __init__(self, name): self.text = made(name).render()
    def render(self): return self.text.replace("    mochac_begin_early();", "") if sys.argv[3] == "hasty" else self.text
measurements.template = Hasty
measurements.GAIN = 0.0
from mochac.base.files.cache import Cache
print(measurements.early_gain(device.device(0), Cache(Path(sys.argv[4]))))
"""


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "found"), [("waiting", "True"), ("hasty", "False")])
def test_the_chain_runs_on_the_stand_in_driver(hidden, tmp_path, kernel, found):  # noqa: F811
    """Where every gain counts, a right chain is accepted; one whose kernels do not wait breaks the device."""
    printed = run_script("from pathlib import Path\n" + SCRIPT + HASTY, hidden, "", kernel, str(tmp_path))
    assert printed.split()[-1] == found
