"""Early launches: in a captured graph, a kernel that begins while the one it follows is still running.

CUDA calls it programmatic dependent launch. The edge between the two kernels says that the second may begin once every
block of the first has allowed it. Before the second touches memory, it waits until the first has ended:
`mochac_begin_early()`, the first statement of every kernel, does both. So the launch of the second kernel overlaps with
the first one. Two calls of libcuda, which serve PyCUDA and cuda-bindings alike.
"""

from __future__ import annotations

import ctypes
from ctypes import byref, c_int, c_size_t, c_ubyte, c_uint, c_ulonglong, c_void_p

from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libcuda import Libcuda

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
        told = map(byref, (state, number, graph, nodes, edges, count))
        self.call("cuStreamGetCaptureInfo_v3", c_void_p(stream), *told)
        if not state.value:
            raise DeviceError("an early launch outside of a capture")
        if count.value == 1:
            follows = (c_void_p * 1)(nodes[0])
            size, how = c_size_t(1), c_uint(SET)
            self.call("cuStreamUpdateCaptureDependencies_v2", c_void_p(stream), follows, byref(PROGRAMMATIC), size, how)
