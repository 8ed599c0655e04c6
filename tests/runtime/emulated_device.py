"""A CUDA device for tests: memory is NumPy's, kernels run through the emulator; everything else is NullDriver's.

`use_device(monkeypatch, driver)` puts a driver in the place of the real ones, so that mochac.compile(backend="cuda")
runs on it.
"""

from __future__ import annotations

import numpy as np
from emulated import Module

from mochac.ir.op import OPS, run_reference
from mochac.ir.types import DTYPES
from mochac.runtime.cuda import device as devices
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError, DeviceInfo, Span
from mochac.runtime.cuda.null import NullDriver

INFO = DeviceInfo("emulator", 90, 1 << 30, 132, 48 * 1024, 1024, "emulator")

BITS = {
    "cublas": {"float32": 23, "tf32": 10, "bfloat16": 7},
    "cudnn": {"float32": 23, "tf32": 10, "bfloat16": 10},
}
"""After the point, of the factors that a library multiplies."""


class EmulatedDriver(NullDriver):
    """Computes what a device would; calls of libraries by the reference of the op they stand for, with factors as
    short as the call allows."""

    def __init__(self, *, watched: bool = False, libraries: tuple[str, ...] = ()) -> None:
        super().__init__(INFO)
        self.libraries = libraries
        self.watched = watched
        self.bytes: dict[int, np.ndarray] = {}
        self.loaded: list[Module] = []

    def alloc(self, n_bytes):
        address = super().alloc(n_bytes)
        self.bytes[address] = np.full(-(-n_bytes // 16) * 16, 0xFF, np.uint8)  # NaN, in whole words
        return address

    def free(self, address):
        super().free(address)
        del self.bytes[address]

    def load(self, image):
        super().load(image)
        return Module(image.decode(), watched=self.watched)

    def function(self, module, symbol, shared_bytes=0):
        if symbol not in module.kernels:
            raise DeviceError(f"no {symbol}")
        self.shared_bytes[module, symbol] = shared_bytes
        return module, symbol

    def upload(self, address, array, stream):
        super().upload(address, array, stream)
        self._view(Span(address, array.nbytes))[...] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)

    def download(self, array, address, stream):
        super().download(array, address, stream)
        array[...] = self._view(Span(address, array.nbytes)).view(array.dtype).reshape(array.shape)

    def copy(self, to, source, n_bytes, stream):
        super().copy(to, source, n_bytes, stream)
        self._view(Span(to, n_bytes))[...] = self._view(Span(source, n_bytes))

    def clear(self, address, n_bytes, stream):
        super().clear(address, n_bytes, stream)
        self._view(Span(address, n_bytes))[...] = 0

    def execute(self, function, grid, block, shared_bytes, args):
        if not grid:
            return self._compute(function.call, args)
        module, symbol = function
        super().execute(symbol, grid, block, shared_bytes, args)
        views: dict[Span, np.ndarray] = {}
        arrays = [views.setdefault(span, self._view(span)) for span in args]
        module.launch(symbol, grid, block, shared_bytes, arrays)

    def _compute(self, call, args):
        self.counts["calls"] += 1
        *operands, result = (
            self._view(span).view(DTYPES[t.dtype]).reshape(t.shape) for span, t in zip(args, call.types, strict=False)
        )
        bits = BITS[call.library][call.precision]
        factors = [shortened(a, bits) for a in operands[:2]]
        how = {name: getattr(call, name) for name in ("function", "of", "epilogue")}
        result[...] = run_reference(OPS["call"], (*factors, *operands[2:]), {**how, **call.attrs})[0]

    def _view(self, span):
        for base, held in self.bytes.items():
            if base <= span.address and span.address + span.n_bytes <= base + len(held):
                return held[span.address - base : span.address - base + span.n_bytes]
        raise DeviceError(f"{span} is not allocated")


def shortened(a, bits):
    """Float32 numbers cut off after so many bits: the worst that a library may do."""
    if a.dtype != np.float32:
        return a
    return (a.view(np.uint32) & np.uint32(0xFFFFFFFF << (23 - bits) & 0xFFFFFFFF)).view(np.float32)


def use_device(monkeypatch, driver):
    """mochac's device 0 is one that `driver` drives."""
    found = Device(0, driver)
    monkeypatch.setattr(devices, "_open", {0: found})
    monkeypatch.setattr(devices, "missing", lambda: "")
    return found
