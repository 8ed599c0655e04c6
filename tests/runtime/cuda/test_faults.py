"""What is said when a kernel fails on the device: in the first step, in replayed graphs, under MOCHAC_CUDA_WATCH, and
afterwards, when nothing works any more."""

import re
from types import SimpleNamespace

import pytest
from emulated_device import use_device
from tiny_net import tiny

import mochac
from mochac.runtime.cuda.bindings_driver import BindingsDriver
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.null import NullDriver
from mochac.runtime.cuda.pycuda_driver import PycudaDriver

KERNEL = "mochac_ip_inner_product"
SGD = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1))


class Faulty(NullDriver):
    """The kernel's n-th run breaks the context, as the next call that waits tells, and all others after that."""

    def __init__(self, n):
        super().__init__()
        self.left, self.told = n, False

    def execute(self, symbol, *how):
        super().execute(symbol, *how)
        self.left -= symbol == KERNEL

    def wait(self, stream):
        super().wait(stream)
        self._check(None)

    def _check(self, span):
        if self.left <= 0:
            raise DeviceError("an illegal memory access was encountered")
        if span is not None:
            super()._check(span)


def failed(monkeypatch, n, steps=9):
    """The error of training on such a device, and the program, closed."""
    driver = Faulty(n)
    use_device(monkeypatch, driver)
    with mochac.compile(tiny(), backend="cuda") as program, pytest.raises(mochac.BackendError) as error:
        program.train(SGD, max_iter=steps)
    return error.value, program


@pytest.mark.parametrize("package", ["pycuda", "bindings"])
def test_a_context_that_cannot_be_popped_hides_no_error(package):
    """After a fault even that fails; without one its error is told."""
    driver = broken_driver(package)
    with pytest.raises(ValueError, match="the first"), driver.current():
        raise ValueError("the first")
    with pytest.raises(DeviceError, match="pop"), driver.current():
        pass


def broken_driver(package):
    """A driver, made without a device, of a package whose contexts cannot be popped."""

    class Error(Exception):
        pass

    def pop():
        raise Error("pop")

    if package == "pycuda":
        driver = PycudaDriver.__new__(PycudaDriver)
        driver._cuda = SimpleNamespace(Error=Error, MemoryError=MemoryError)
        driver._context = SimpleNamespace(push=lambda: None, pop=pop)
        return driver
    driver = BindingsDriver.__new__(BindingsDriver)
    driver._context = None
    failed = Failed(700, "CUDA_ERROR_ILLEGAL_ADDRESS")
    driver._cuda = SimpleNamespace(
        cuCtxPushCurrent=lambda context: (0,),
        cuCtxPopCurrent=lambda: (failed, None),
        cuGetErrorString=lambda status: (0, b"pop"),
        CUresult=SimpleNamespace(CUDA_ERROR_OUT_OF_MEMORY=2),
    )
    return driver


class Failed(int):
    """A status, with its name."""

    def __new__(cls, number, name):
        made = super().__new__(cls, number)
        made.name = name
        return made


def test_in_the_first_step_the_kernel_is_named(monkeypatch):
    error, _ = failed(monkeypatch, 1)
    assert re.sub(r"\d+ threads", "N threads", str(error)) == (
        "running plan 'step' on CUDA device 0 (null, sm_90, null) failed\n"
        "  an illegal memory access was encountered\n"
        "  kernel 'ip.inner_product', function mochac_ip_inner_product\n"
        "  1 blocks of N threads, 0 bytes of shared memory\n"
        "  hint: `compute-sanitizer python ...` names the access at fault"
    )


def test_later_the_steps_are_named_and_how_to_learn_more(monkeypatch):
    error, program = failed(monkeypatch, 5)
    assert re.sub(r"steps \d to \d", "steps A to B", str(error)) == (  # how many run at once is a matter of time
        "running plan 'step' on CUDA device 0 (null, sm_90, null) failed\n"
        "  an illegal memory access was encountered\n"
        "  some kernel of steps A to B of this plan, which were replayed as CUDA graphs\n"
        "  hint: MOCHAC_CUDA_WATCH=1 waits for every kernel and names the one at fault"
    )
    with pytest.raises(mochac.BackendError) as later:
        program.params["ip"]["weight"][...]
    assert str(later.value) == (
        "fetching 'ip.weight' on CUDA device 0 (null, sm_90, null) failed\n"
        "  an illegal memory access was encountered\n"
        "  the device has been of no use since running plan 'step' failed: start the process again"
    )


def test_watched_steps_name_the_kernel_at_any_time(monkeypatch):
    monkeypatch.setenv("MOCHAC_CUDA_WATCH", "1")
    error, _ = failed(monkeypatch, 5)
    assert "  kernel 'ip.inner_product', function mochac_ip_inner_product\n" in str(error)
    assert "compute-sanitizer" in error.hint and "some kernel" not in str(error)
