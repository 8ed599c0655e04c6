"""Functions of the driver's library, libcuda, that the packages lack, called by ctypes.

Graphs: CUDA graphs by five calls, for PyCUDA.

EarlyLaunches: in a captured graph, a kernel that begins while the one it follows is still running, which CUDA calls
programmatic dependent launch. The edge between the two kernels says that the second may begin once every block of the
first has allowed it. Before the second touches memory, it waits until the first has ended: `mochac_begin_early()`, the
first statement of every kernel, does both. So the launch of the second kernel overlaps with the first one. Two calls
serve PyCUDA and cuda-bindings alike.
"""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_ubyte, c_uint, c_ulonglong, c_void_p
from typing import Self

from mochac.runtime.cuda.driver import DeviceError


class Libcuda:
    """Some functions of libcuda; a subclass names them and calls them. Raises DeviceError.

    Attributes:
        needs: the functions.
    """

    needs: tuple[str, ...] = ()

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.cuGetErrorString.argtypes = [c_int, ctypes.POINTER(c_char_p)]

    @classmethod
    def load(cls) -> Self | None:
        """The functions, or None if libcuda is absent or too old."""
        try:
            library = ctypes.CDLL("libcuda.so.1")
            for name in cls.needs:
                getattr(library, name)
        except (OSError, AttributeError):
            return None
        return cls(library)

    def call(self, name: str, *args: object) -> None:
        """Call a function and check its status."""
        status = getattr(self._library, name)(*args)
        if status:
            text = c_char_p()
            self._library.cuGetErrorString(status, byref(text))
            raise DeviceError(f"{name}: {(text.value or b'').decode() or f'error {status}'}")


RELAXED = 2
"""CU_STREAM_CAPTURE_MODE_RELAXED: other threads may call the driver meanwhile."""


class Graphs(Libcuda):
    """The calls; stream handles are integers. Raises DeviceError."""

    needs = ("cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags")

    def begin(self, stream: int) -> None:
        """Record the work of a stream from here on."""
        self.call("cuStreamBeginCapture_v2", c_void_p(stream), c_int(RELAXED))

    def end(self, stream: int) -> c_void_p:
        """The recorded work, ready to launch."""
        graph, executable = c_void_p(), c_void_p()
        self.call("cuStreamEndCapture", c_void_p(stream), byref(graph))
        try:
            self.call("cuGraphInstantiateWithFlags", byref(executable), graph, c_ulonglong(0))
        finally:
            self.call("cuGraphDestroy", graph)
        return executable

    def launch(self, graph: c_void_p, stream: int) -> None:
        """Enqueue the recorded work on a stream."""
        self.call("cuGraphLaunch", graph, c_void_p(stream))

    def free(self, graph: c_void_p) -> None:
        """Free a graph; it must not be launched after this."""
        self.call("cuGraphExecDestroy", graph)


LEAST_SM = 90
"""Compute capability of the first devices that support it."""
SET = 1
"""CU_STREAM_SET_CAPTURE_DEPENDENCIES."""


class Edge(ctypes.Structure):
    """CUgraphEdgeData."""

    _fields_ = (("from_port", c_ubyte), ("to_port", c_ubyte), ("type", c_ubyte), ("reserved", c_ubyte * 5))


PROGRAMMATIC = Edge(from_port=1, to_port=0, type=1)
"""From CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, of type CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC."""


class EarlyLaunches(Libcuda):
    """The calls, which CUDA has since 12.3; stream handles are integers."""

    needs = ("cuStreamGetCaptureInfo_v3", "cuStreamUpdateCaptureDependencies_v2")

    def next(self, stream: int) -> None:
        """The next launch of a stream that is being captured may begin early, if it follows a single kernel.

        Raises:
            DeviceError: the stream is not being captured, or a call fails.
        """
        state, number, graph = c_int(), c_ulonglong(), c_void_p()
        nodes, edges, count = ctypes.POINTER(c_void_p)(), c_void_p(), c_size_t()
        results = map(byref, (state, number, graph, nodes, edges, count))
        self.call("cuStreamGetCaptureInfo_v3", c_void_p(stream), *results)
        if not state.value:
            raise DeviceError("an early launch outside of a capture")
        if count.value == 1:
            follows = (c_void_p * 1)(nodes[0])
            size, how = c_size_t(1), c_uint(SET)
            self.call("cuStreamUpdateCaptureDependencies_v2", c_void_p(stream), follows, byref(PROGRAMMATIC), size, how)
