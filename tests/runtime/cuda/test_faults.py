"""What is said when a kernel fails on the device: in the first step, in replayed graphs, under MOCHAC_CUDA_WATCH, and
afterwards, when nothing works any more."""

import re

import pytest
from emulated_device import use_device
from tiny_net import tiny

import mochac
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.null import NullDriver

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
