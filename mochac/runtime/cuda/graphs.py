"""CUDA graphs through five calls of libcuda, for PyCUDA, which lacks them."""

from __future__ import annotations

from ctypes import byref, c_int, c_ulonglong, c_void_p

from mochac.runtime.cuda.libcuda import Libcuda

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
        graph, made = c_void_p(), c_void_p()
        self.call("cuStreamEndCapture", c_void_p(stream), byref(graph))
        try:
            self.call("cuGraphInstantiateWithFlags", byref(made), graph, c_ulonglong(0))
        finally:
            self.call("cuGraphDestroy", graph)
        return made

    def launch(self, graph: c_void_p, stream: int) -> None:
        """Enqueue the recorded work on a stream."""
        self.call("cuGraphLaunch", graph, c_void_p(stream))

    def free(self, graph: c_void_p) -> None:
        """Free a graph; it must not be launched after this."""
        self.call("cuGraphExecDestroy", graph)
