"""CUDA graphs through five calls of libcuda, for PyCUDA, which lacks them."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int, c_ulonglong, c_void_p

from mochac.runtime.cuda.driver import DeviceError

RELAXED = 2
"""CU_STREAM_CAPTURE_MODE_RELAXED: other threads may call the driver meanwhile."""


class Graphs:
    """The calls; stream handles are integers. Raises DeviceError."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.cuGetErrorString.argtypes = [c_int, ctypes.POINTER(c_char_p)]

    @classmethod
    def load(cls) -> Graphs | None:
        """The calls, or None if libcuda is absent or too old."""
        try:
            library = ctypes.CDLL("libcuda.so.1")
            for name in ("cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags"):
                getattr(library, name)
        except (OSError, AttributeError):
            return None
        return cls(library)

    def begin(self, stream: int) -> None:
        """Record the work of a stream from here on."""
        self._call("cuStreamBeginCapture_v2", c_void_p(stream), c_int(RELAXED))

    def end(self, stream: int) -> c_void_p:
        """The recorded work, ready to launch."""
        graph, made = c_void_p(), c_void_p()
        self._call("cuStreamEndCapture", c_void_p(stream), byref(graph))
        try:
            self._call("cuGraphInstantiateWithFlags", byref(made), graph, c_ulonglong(0))
        finally:
            self._call("cuGraphDestroy", graph)
        return made

    def launch(self, graph: c_void_p, stream: int) -> None:
        """Enqueue the recorded work on a stream."""
        self._call("cuGraphLaunch", graph, c_void_p(stream))

    def free(self, graph: c_void_p) -> None:
        """Free a graph; it must not be launched after this."""
        self._call("cuGraphExecDestroy", graph)

    def _call(self, name: str, *args: object) -> None:
        status = getattr(self._library, name)(*args)
        if status:
            text = c_char_p()
            self._library.cuGetErrorString(status, byref(text))
            raise DeviceError(f"{name}: {(text.value or b'').decode() or f'error {status}'}")
