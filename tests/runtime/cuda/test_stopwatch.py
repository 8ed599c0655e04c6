"""Times of kernels are those of the device, however long the host takes to enqueue them."""

from functools import partial

import numpy as np
import pytest
from emulated_device import EmulatedDriver
from skips import needs_gxx

from mochac.runtime.cuda import stopwatch
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.null import NullDriver
from mochac.runtime.cuda.stopwatch import CYCLES_PER_SECOND, MOST_HOLD_S, Stopwatch

HOST_S, EMPTY_S = 8e-6, 2e-6


class Clocked(NullDriver):
    """A device with a clock: kernels take the seconds that `took` says, the host takes HOST_S for a launch."""

    def __init__(self, took):
        super().__init__()
        self.took = took
        self.host = self.device = 0.0
        self.held, self.number = [], 0

    def upload(self, address, array, stream):
        super().upload(address, array, stream)
        if array.dtype == np.int64 and array.shape == (1,):
            self.number = int(array[0])

    def launch(self, function, grid, block, shared_bytes, args, stream):
        super().launch(function, grid, block, shared_bytes, args, stream)
        self.host += HOST_S
        held = self.number / CYCLES_PER_SECOND
        if function == "mochac_hold":
            self.held.append(held)
        seconds = {"mochac_hold": held, "mochac_nothing": 0.0}.get(function, self.took.get(function, 0.0))
        self.device = max(self.device, self.host) + EMPTY_S + seconds

    def record(self, event, stream):
        super().record(event, stream)
        self.device = max(self.device, self.host)
        event.seconds = self.device

    def seconds(self, first, last):
        return last.seconds - first.seconds

    def wait(self, stream):
        super().wait(stream)
        self.host = max(self.host, self.device)


@pytest.fixture
def clocked(monkeypatch):
    driver = Clocked({"short": 1e-6, "long": 5e-5})
    monkeypatch.setattr(stopwatch.time, "perf_counter", lambda: driver.host)
    return driver


def test_short_kernels_take_what_they_take(clocked):
    device = Device(0, clocked)
    with device.use() as driver:
        watch = Stopwatch(driver, device.stream)
        calls = [partial(driver.launch, name, 1, 1, 0, (), device.stream) for name in ("short", "long", "short")]
        for _ in range(3):
            assert watch.times(calls) == pytest.approx([1e-6, 5e-5, 1e-6])
        assert watch.empty_s == pytest.approx(EMPTY_S)
        assert clocked.held[0] == pytest.approx(MOST_HOLD_S)  # before it knows how long the host takes
        assert clocked.held[-1] < 1e-3
        watch.close()
    assert not clocked.live and not clocked.modules


def test_a_device_has_one_for_all_plans(clocked):
    device = Device(0, clocked)
    assert device.stopwatch is device.stopwatch
    assert clocked.modules == 1
    device.close()
    assert not clocked.live and not clocked.modules


@needs_gxx
@pytest.mark.slow
def test_its_kernels_compile_and_end():
    device = Device(0, EmulatedDriver())
    with device.use():
        assert all(s >= 0 for s in device.stopwatch.times([lambda: None] * 2))
    device.close()


def test_without_it_the_host_would_be_timed(clocked):
    """What the stopwatch is for: events around kernels on an idle stream count the host's time."""
    device = Device(0, clocked)
    with device.use() as driver:
        driver.upload(driver.alloc(8), np.zeros(1, np.int64), device.stream)
        marks = [driver.event() for _ in range(2)]
        driver.record(marks[0], device.stream)
        driver.launch("short", 1, 1, 0, (), device.stream)
        driver.record(marks[1], device.stream)
        assert driver.seconds(*marks) > HOST_S
