"""Cudnn: convolutions by cuDNN, through NVIDIA's frontend package (nvidia-cudnn-frontend, `import cudnn`).

open_library makes one. A call is a graph of one node in the frontend's terms; of the engines that cuDNN proposes those
that give other bits from run to run, or lower precision than the data's, are left out.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from mochac.ir.types import TensorType
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import LibraryCall

UNWANTED = ("NONDETERMINISTIC", "TENSOR_CORE", "DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION")
"""Numerical notes of engines that are not taken; tensor cores compute float32 products in TF32."""


class Cudnn:
    """See library.py.

    Raises:
        ImportError: the frontend, or cuDNN itself, is not installed. DeviceError: it refuses to start.
    """

    def __init__(self) -> None:
        self.cudnn: Any = importlib.import_module("cudnn")
        cudnn = self.cudnn
        try:
            self.handle = cudnn.create_handle()
            self.version = f"cudnn {cudnn.backend_version()}, frontend {cudnn.__version__}"
        except RuntimeError as error:
            raise DeviceError(f"cuDNN: {error}") from None

    def prepare(self, call: LibraryCall) -> PreparedConvolution:
        try:
            graph, tensors = conv_graph(self.cudnn, call, self.handle)
            graph.validate()
            graph.build_operation_graph()
            graph.create_execution_plans([self.cudnn.heur_mode.A, self.cudnn.heur_mode.FALLBACK])
            graph.deselect_numeric_notes([getattr(self.cudnn.numerical_note, note) for note in UNWANTED])
            graph.check_support()
            graph.build_plans(self.cudnn.build_plan_policy.HEURISTICS_CHOICE)
            return PreparedConvolution(self, graph, tensors, int(graph.get_workspace_size()))
        except (RuntimeError, self.cudnn.cudnnGraphNotSupportedError) as error:
            raise DeviceError(f"cuDNN has no {call.function} for this: {error}") from None

    def close(self) -> None:
        self.cudnn.destroy_handle(self.handle)


@dataclass(frozen=True)
class PreparedConvolution:
    """A convolution whose engine is chosen; `tensors` are the frontend's, in the order of the call's types."""

    library: Cudnn
    graph: Any
    tensors: tuple[Any, ...]
    workspace_bytes: int

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        handle = self.library.handle
        self.library.cudnn.set_stream(handle=handle, stream=stream)
        given = {t: int(address) for t, address in zip(self.tensors, addresses, strict=True)}
        try:
            self.graph.execute(given, int(workspace), handle=handle)
        except RuntimeError as error:
            raise DeviceError(f"cuDNN: {error}") from None


def conv_graph(cudnn: Any, call: LibraryCall, handle: Any = None) -> tuple[Any, tuple[Any, ...]]:
    """The call as a graph of the frontend, and its tensors in the order of the call's types."""
    kind = {"f32": cudnn.data_type.FLOAT, "f64": cudnn.data_type.DOUBLE}[call.types[0].dtype]
    how = {"io_data_type": kind, "intermediate_data_type": kind, "compute_data_type": kind}
    graph = cudnn.pygraph(handle=handle, **how)
    first, second = (
        graph.tensor(dim=list(t.shape), stride=strides(t), data_type=kind, name=name)
        for t, name in zip(call.types, ("first", "second"), strict=False)
    )
    geometry = {"padding": list(call.attrs["pad"]), "stride": list(call.attrs["stride"]), "dilation": [1, 1]}
    if call.of == "conv2d":
        result = graph.conv_fprop(image=first, weight=second, **geometry)
    elif call.of == "conv2d_dx":
        result = graph.conv_dgrad(loss=first, filter=second, **geometry)
    else:
        result = graph.conv_wgrad(image=first, loss=second, **geometry)
    out = call.types[2]
    result.set_output(True).set_data_type(kind).set_dim(list(out.shape)).set_stride(strides(out))
    return graph, (first, second, result)


def strides(t: TensorType) -> list[int]:
    """Of a row-major tensor, in elements.

    >>> from mochac.ir.types import parse_type
    >>> strides(parse_type("f32[b2,3,4,5]"))
    [60, 20, 5, 1]
    """
    return [prod(t.shape[axis + 1 :]) for axis in range(len(t.shape))]
