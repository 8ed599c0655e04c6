"""Ctrl-C while llvmlite frees something, or a thread starts: the process lives, and the next call works."""

import signal
import threading

import numpy as np
import pytest
from script_kit import script

import mochac
from mochac.base.support.interrupts import ctrl_c_later, listening

RELEASES = """
import os, signal, sys, traceback
import numpy as np
import mochac
from llvmlite.binding import ffi
from mochac import SGD, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer

freed, sites, wanted = 0, {}, 0


def counted(free):
    # free(self), and Ctrl-C where Python may see it before the object knows that it is freed; but not in __del__, whose
    # errors Python ignores
    def close(self):
        global freed
        callers = [frame.f_code for frame, _ in traceback.walk_stack(sys._getframe(1))][:5]
        if not any(code.co_name == "__del__" for code in callers):
            freed += 1
            sites.setdefault(tuple((code.co_filename, code.co_name) for code in callers), freed)
            if freed == wanted:
                free(self, lambda: signal.raise_signal(signal.SIGINT))
                return
        free(self, lambda: None)
    return close


def free_text(self, interrupt):
    if self._ptr is not None:
        if self._owned:
            ffi.lib.LLVMPY_DisposeString(self._ptr)
        interrupt()
        self._ptr = None
        del self._as_parameter_


def free_object(self, interrupt):
    if not self._closed and not self._owned:
        self._dispose()
    interrupt()
    self.detach()


def use():
    data = MemoryDataLayer(data=[np.ones((8, 4)), np.zeros(8, int)], batch_size=4)
    product = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    net = Net("net", [data, product, SoftmaxLossLayer(bottoms=["ip", "label"])])
    with mochac.compile(net, threads=1) as program:
        if program.train(SGD(0.1), max_iter=2, verbose=0).interrupted:
            raise KeyboardInterrupt
        return program.predict(np.ones((3, 4))).tobytes()


right = use()
ffi.OutputString.close, ffi.ObjectRef.close = counted(free_text), counted(free_object)
signal.signal(signal.SIGINT, signal.default_int_handler)
use()
found = list(sites.values())
for number in found:
    if not (child := os.fork()):
        freed, wanted, status = 0, number, 3
        try:
            use()
        except KeyboardInterrupt:
            wanted = 0
            status = int(use() != right)
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, (status, [key for key in sites if sites[key] == number])
print(len(found), "places")
"""


@pytest.mark.slow
def test_ctrl_c_wherever_llvmlite_frees_something():
    places = int(script(RELEASES, MOCHAC_CACHE="0").split()[0])
    assert places >= 4


def test_a_second_signal_while_ctrl_c_waits():
    """It restores the handlers from before the training, and they stay."""
    heard = []
    before = signal.signal(signal.SIGHUP, lambda number, frame: heard.append(number))
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with listening(), ctrl_c_later():
            signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGHUP)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, interrupt)
        signal.signal(signal.SIGHUP, before)
    assert heard == [signal.SIGHUP, signal.SIGHUP]  # the second, and the first once the training has ended


@pytest.mark.slow
def test_ctrl_c_while_a_reader_of_data_starts(monkeypatch):
    layers = [
        mochac.MemoryDataLayer(data=[np.ones((8, 4)), np.ones((8, 1))], batch_size=4),
        mochac.InnerProductLayer(name="ip", output_dim=1, bottoms=["data"]),
        mochac.SquareLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    start, interrupt = threading.Thread.start, signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(self):
        if self.name == "mochac-reader":
            signal.raise_signal(signal.SIGINT)
        start(self)

    try:
        with mochac.compile(mochac.Net("net", layers), backend="cpu") as program:
            usual = program.evaluate()
            with monkeypatch.context() as patched:
                patched.setattr(threading.Thread, "start", interrupted)
                with pytest.raises(KeyboardInterrupt):
                    program.evaluate()
            assert program.evaluate() == usual
    finally:
        signal.signal(signal.SIGINT, interrupt)
