"""What a program does with a device, seen on NullDriver: launches, copies, memory, and messages when it fails."""

import gc
import sys
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from emulated_device import use_device
from tiny_net import samples, tiny

import mochac
from mochac import InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.step import BEGIN, END
from mochac.nets.solvers.update import Update
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError, DeviceInfo
from mochac.runtime.cuda.null import INFO, NullDriver

SGD = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1))


@pytest.fixture
def driver(monkeypatch):
    found = NullDriver()
    use_device(monkeypatch, found)
    return found


def test_a_step_is_captured_once_and_replayed(driver):
    with mochac.compile(tiny(), backend="cuda") as program:
        program.train(SGD, max_iter=5)
        kernels = len(program.kernels)
        assert driver.counts["launches"] == 5 * (kernels + 2)
        assert (driver.counts["captures"], driver.counts["replays"]) == (1, 4)
        assert driver.launched[0] == BEGIN and driver.launched[kernels + 1] == END
        program.train(SGD, max_iter=3)
        assert (driver.counts["captures"], driver.counts["replays"]) == (1, 7)


class Nvtx:
    """The package nvtx, which notes what it is told."""

    def __init__(self):
        self.now, self.launched = "", []

    @contextmanager
    def annotate(self, name, domain):
        assert domain == "mochac"
        self.now = name
        yield
        self.now = ""


def test_kernels_are_ranges_for_a_profiler(driver, monkeypatch):
    nvtx, launch = Nvtx(), driver.launch
    monkeypatch.setitem(sys.modules, "nvtx", nvtx)
    monkeypatch.setenv("MOCHAC_CUDA_NVTX", "1")
    monkeypatch.setattr(driver, "launch", lambda *how: (nvtx.launched.append((how[0], nvtx.now)), launch(*how)))
    with mochac.compile(tiny(), backend="cuda") as program:
        program.train(SGD, max_iter=3)
    assert nvtx.launched.count(("mochac_ip_inner_product", "ip.inner_product")) == 3
    assert all(name for _, name in nvtx.launched) and not driver.counts["captures"]


def test_ranges_need_their_package(driver, monkeypatch):
    monkeypatch.setitem(sys.modules, "nvtx", None)
    monkeypatch.setenv("MOCHAC_CUDA_NVTX", "1")
    with (
        mochac.compile(tiny(), backend="cuda") as program,
        pytest.raises(mochac.BackendError, match="MOCHAC_CUDA_NVTX=1 needs the package nvtx") as error,
    ):
        program.train(SGD, max_iter=1)
    assert error.value.hint == "pip install nvtx"


def test_launches_bring_what_functions_may_not_declare(driver):
    """With few multiprocessors, a block computes so much that its panels take more than 48 KB."""
    driver.info = replace(INFO, multiprocessors=2)
    rng = np.random.default_rng(0)
    data = MemoryDataLayer(data=[rng.standard_normal((64, 512)), rng.integers(0, 40, 64)], batch_size=32)
    product = InnerProductLayer(name="ip", output_dim=40, bottoms=["data"])
    net = Net("wide", [data, product, SoftmaxLossLayer(bottoms=["ip", "label"])])
    with mochac.compile(net, backend="cuda") as program:
        program.train(SGD, max_iter=2)
    assert max(driver.shared_bytes.values()) > 48 << 10


def test_the_longest_path_of_a_step_is_urgent(driver):
    found = Device(0, driver)
    assert [stream.urgent for stream in found.branches(3)] == [True, False, False] and not found.copies.urgent


def test_nothing_is_collected_while_a_step_is_captured(driver, monkeypatch):
    ended, seen = driver.end_capture, []
    monkeypatch.setattr(driver, "end_capture", lambda stream: (seen.append(gc.isenabled()), ended(stream))[1])
    with mochac.compile(tiny(), backend="cuda") as program:
        program.train(SGD, max_iter=2)
    assert seen == [False] and gc.isenabled()


def test_parameters_travel_only_when_somebody_wants_them(driver):
    with mochac.compile(tiny(), backend="cuda") as program:
        trainer = mochac.Solver(SGD, max_iter=9)
        trainer.init_solve(program)
        trainer.step()
        before = driver.counts.copy()
        trainer.step()
        assert driver.counts["uploads"] - before["uploads"] == 3  # scalars, data, labels
        assert driver.counts["downloads"] - before["downloads"] == 1  # losses
        np.asarray(program.params["ip"]["weight"])
        assert driver.counts["downloads"] - before["downloads"] == 2
        trainer.step()  # the host only read: nothing is sent
        assert driver.counts["uploads"] - before["uploads"] == 6
        program.params["ip"]["bias"] = 1
        trainer.step()
        assert driver.counts["uploads"] - before["uploads"] == 10
        trainer.finalize()


def test_an_interrupted_step_has_changed_the_parameters(driver, monkeypatch):
    replay = driver.replay

    def interrupted(graph, stream):
        replay(graph, stream)
        raise KeyboardInterrupt

    with mochac.compile(tiny(), backend="cuda") as program:
        trainer = mochac.Solver(SGD, max_iter=9)
        trainer.init_solve(program)
        trainer.step()
        np.asarray(program.params["ip"]["weight"])
        before = driver.counts["downloads"]
        monkeypatch.setattr(driver, "replay", interrupted)
        with pytest.raises(KeyboardInterrupt):
            trainer.step()
        monkeypatch.setattr(driver, "replay", replay)
        np.asarray(program.params["ip"]["weight"])
        assert driver.counts["downloads"] == before + 1
        trainer.finalize()


def test_all_memory_is_given_back(driver):
    program = mochac.compile(tiny(), backend="cuda")
    other = mochac.compile(tiny(), backend="cuda", params=program.params)
    program.train(SGD, max_iter=2)
    other.evaluate()
    program.predict(samples()[0])
    program.close()
    assert driver.live
    other.close()
    other.close()
    assert not driver.live and not driver.modules


@pytest.mark.usefixtures("young_heap")
def test_a_program_nobody_holds_leaves_nothing_behind(driver):
    program = mochac.compile(tiny(), backend="cuda")
    program.train(SGD, max_iter=2)
    weight = program.params["ip"]["weight"]
    del program
    gc.collect()
    assert not driver.live and not driver.modules and not weight.copies


def test_programs_that_share_parameters_share_them_on_the_device(driver):
    with mochac.compile(tiny(), backend="cuda") as program:
        with mochac.compile(tiny(), backend="cuda", params=program.params) as test:
            program.train(SGD, max_iter=2)
            test.evaluate()
            (copy,) = program.params["ip"]["weight"].copies
            assert copy.users == 2 and copy.newer  # nothing was brought to the host in between


@pytest.mark.slow
def test_out_of_memory_says_what_was_asked_and_needed(monkeypatch):
    info = DeviceInfo(INFO.name, 90, 40_000, 1, INFO.shared_bytes, 1024, "null")
    driver = NullDriver(info)
    use_device(monkeypatch, driver)
    with mochac.compile(tiny(), backend="cuda") as program, pytest.raises(mochac.BackendError) as error:
        program.train(SGD, max_iter=1)
    text = str(error.value)
    assert "not enough memory on CUDA device 0 (null" in text
    assert "plan 'step' (1,152 bytes of blobs, 568 of parameters and state, " in text
    assert " of 40,000 bytes free" in text and "batch_size" in error.value.hint
    assert not driver.live


class Faulty(NullDriver):
    """Its kernels fail where `symbol` has run."""

    symbol = "mochac_ip_inner_product"

    def wait(self, stream):
        super().wait(stream)
        if self.launched and self.launched[-1] == self.symbol:
            raise DeviceError("an illegal memory access was encountered")


def test_a_fault_names_kernel_and_layer(monkeypatch):
    use_device(monkeypatch, Faulty())
    with mochac.compile(tiny(), backend="cuda") as program, pytest.raises(mochac.BackendError) as error:
        program.train(SGD, max_iter=1)
    text = str(error.value)
    assert text.startswith("running plan 'step' on CUDA device 0 (null, sm_90, null) failed")
    assert "illegal memory access" in text
    assert "kernel 'ip.inner_product', function mochac_ip_inner_product" in text


def test_several_runs_of_rows_and_pieces_of_the_ring(driver, monkeypatch):
    monkeypatch.setattr("mochac.runtime.cuda.executor.ROWS", 3)
    monkeypatch.setattr("mochac.codegen.cuda.step.MOST_STEPS", 2)
    with mochac.compile(tiny(loss=False), backend="cuda") as program:
        bound = program.session.plans.test()
        feed = {f.value: np.zeros(program.net.blobs[f.top].shape, np.float32) for f in bound.traced.feeds}
        result = bound.runner.run(7, [feed] * 7, {"n_valid": 4})
        assert {len(values) for values in result.values()} == {7}
        assert driver.launched.count(END) == 7
        with pytest.raises(ValueError, match="7 steps need as many feeds, got 1"):
            bound.runner.run(7, [feed], {"n_valid": 4})
    with pytest.raises(ValueError, match="closed"):
        bound.runner.run(1, [feed], {"n_valid": 4})


def test_a_forked_process_is_told(driver, monkeypatch):
    with mochac.compile(tiny(), backend="cuda") as program:
        monkeypatch.setattr("os.getpid", lambda: -1)
        with pytest.raises(mochac.BackendError, match="forked"):
            program.session.plans.step(Update(SGD, 0.0))
        monkeypatch.undo()


@pytest.mark.slow
@pytest.mark.parametrize("apart", ["", "a test says so"])
def test_loops_over_time_are_launched_as_often_as_they_repeat(driver, monkeypatch, tmp_path, apart):
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(CudaGenerator, "refuse_steps", lambda *args: apart)
    x, y = np.zeros((8, 6, 3), np.float32), np.arange(8) % 3
    net = mochac.Net("sequences", [
        mochac.MemoryDataLayer(name="in", data=[x, y], batch_size=4, tops=["data", "label"]),
        mochac.GRULayer(name="gru", output_dim=5, last=True, bottoms=["data"]),
        mochac.SoftmaxLossLayer(name="loss", bottoms=["gru", "label"]),
    ])  # fmt: skip
    with mochac.compile(net, backend="cuda") as program:
        program.train(SGD, max_iter=3)
        plan = program.session.main_plan().compiled.plan
        repeated = [launch for launch in plan.launches if launch.loop]
        runs = len(plan.launches) + 5 * len(repeated)
        assert len(list(plan.runs())) == runs and {launch.trips for launch in repeated} == ({6} if apart else set())
        assert driver.counts["launches"] == 3 * (runs + 2)
        assert (driver.counts["captures"], driver.counts["replays"]) == (1, 2)
