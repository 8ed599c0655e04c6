"""Cudnn: convolutions by cuDNN, through NVIDIA's frontend package (nvidia-cudnn-frontend, `import cudnn`).

A call is a graph of one node in the frontend's terms. Of the engines that cuDNN proposes, those that the call's
precision and determinism exclude are dropped. An engine is known by its place in cuDNN's ranking, which is the same for
one version, kind of device and problem.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import prod
from typing import Any

from mochac.base.records import record
from mochac.ir.types import TensorType
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import CUBLAS_LT, CUDNN, ENGINES, LibraryCall, load


class Cudnn:
    """See library.py.

    Raises:
        ImportError: the frontend is not installed. OSError: cuDNN or cuBLASLt is not. DeviceError: it does not start.
    """

    def __init__(self) -> None:
        load(CUBLAS_LT)  # cuDNN 9.19 looks for it by name among the loaded libraries, and aborts if it is missing
        load(CUDNN)  # the frontend looks for wheels in one folder only, and does not report that it found none
        try:
            self.cudnn: Any = importlib.import_module("cudnn")
            self.handle = self.cudnn.create_handle()
            self.version = f"cudnn {self.cudnn.backend_version()}, frontend {self.cudnn.__version__}"
        except ImportError:
            raise
        except Exception as error:
            raise _refused("cuDNN", error) from None

    def prepare(self, call: LibraryCall) -> PreparedConvolution:
        return next(iter(self._built(call, 1).values()))

    def engines(self, call: LibraryCall) -> Mapping[int, PreparedConvolution]:
        return self._built(call, ENGINES)

    def _built(self, call: LibraryCall, most: int) -> dict[int, PreparedConvolution]:
        try:
            graph, tensors = conv_graph(self.cudnn, call, handle=self.handle)
            plan(self.cudnn, graph, unwanted(call))
            return {
                index: PreparedConvolution(self, graph, tensors, index, workspace)
                for index, workspace in islice(built(graph, call.engine), most)
            }
        except Exception as error:
            raise _refused(f"cuDNN has no {call.function} for this", error) from None

    def close(self) -> None:
        self.cudnn.destroy_handle(self.handle)


@record
class PreparedConvolution:
    """A convolution with its engine, the graph's plan number `index`; `tensors` are the frontend's, in the order of the
    call's types."""

    library: Cudnn
    graph: Any
    tensors: tuple[Any, ...]
    index: int
    workspace_bytes: int

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        handle = self.library.handle
        pointers = {t: int(address) for t, address in zip(self.tensors, addresses, strict=True)}
        try:
            self.library.cudnn.set_stream(handle=handle, stream=stream)
            self.graph.execute_plan_at_index(pointers, int(workspace), self.index, handle=handle)
        except Exception as error:
            raise _refused("cuDNN", error) from None


def unwanted(call: LibraryCall) -> tuple[str, ...]:
    """Numerical notes of engines that must not be used.

    Tensor cores compute float32 products in TF32 and float64 ones in float64. Engines that convert their operands use
    half precision, whose range is smaller than float32's, so no option allows them.
    """
    notes = ["DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION"]
    if call.precision == "float32" and call.types[0].dtype == "f32":
        notes.append("TENSOR_CORE")
    if call.deterministic:
        notes.append("NONDETERMINISTIC")
    return tuple(notes)


def plan(cudnn: Any, graph: Any, notes: Sequence[str]) -> None:
    """Let cuDNN rank its engines without any of these notes; raises the frontend's error if there is none."""
    graph.validate()
    graph.build_operation_graph()
    graph.create_execution_plans([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
    graph.deselect_numeric_notes([getattr(cudnn.numerical_note, note) for note in notes])
    graph.check_support()


def built(graph: Any, engine: int | None) -> Iterator[tuple[int, int]]:
    """Build a ranked graph's engines one by one: the place of each, and bytes of its workspace. What is excluded, or
    cannot be built, is left out; raises the frontend's last error if nothing is left.

    Args:
        engine: the only place that is tried.
    """
    refusal, some = RuntimeError("it ranks no engine"), False
    for index in range(graph.get_execution_plan_count()) if engine is None else (engine,):
        try:
            graph.build_plan_at_index(index)
            workspace = int(graph.get_workspace_size_plan_at_index(index))
        except Exception as error:  # RuntimeError, ValueError or the frontend's own
            refusal = error
            continue
        some = True
        yield index, workspace
    if not some:
        raise refusal


def conv_graph(cudnn: Any, call: LibraryCall, **where: Any) -> tuple[Any, tuple[Any, ...]]:
    """The call as a graph of the frontend, and its tensors in the order of the call's types.

    Args:
        where: handle= of the device, or device_property= and the like without one.
    """
    kind = {"f32": cudnn.data_type.FLOAT, "f64": cudnn.data_type.DOUBLE}[call.types[0].dtype]
    how = {"io_data_type": kind, "intermediate_data_type": kind, "compute_data_type": kind}
    graph = cudnn.pygraph(**how, **where)
    rank = len(call.types[0].shape)
    first, second, *bias = (
        graph.tensor(dim=(dim := dims(t, rank)), stride=strides(dim), data_type=kind, name=name)
        for t, name in zip(call.types[:-1], ("first", "second", "bias"), strict=False)
    )
    geometry = {
        "padding": per_axis(call.attrs["pad"], 0),
        "stride": per_axis(call.attrs["stride"], 1),
        "dilation": per_axis(call.attrs.get("dilation", (1,) * (rank - 2)), 1),
    }
    if call.of == "conv":
        result = graph.conv_fprop(image=first, weight=second, **geometry)
    elif call.of == "conv_dx":
        result = graph.conv_dgrad(loss=first, filter=second, **geometry)
    else:
        result = graph.conv_wgrad(image=first, loss=second, **geometry)
    if bias:
        result = graph.bias(input=result, bias=bias[0])
    if call.epilogue == "bias_relu":
        result = graph.relu(input=result)
    out = dims(call.types[-1], rank)
    result.set_output(True).set_data_type(kind).set_dim(out).set_stride(strides(out))
    return graph, (first, second, *bias, result)


def dims(t: TensorType, rank: int) -> list[int]:
    """Dimensions of a tensor in the frontend's terms, in which a bias has as many axes as the images, and images have
    at least two spatial axes.

    >>> from mochac.ir.types import parse_type
    >>> dims(parse_type("f32[20]"), 4), dims(parse_type("f32[64,20,9]"), 3)
    ([1, 20, 1, 1], [64, 20, 1, 9])
    """
    if len(t.shape) == 1:
        return [1, t.shape[0], *per_axis((1,) * (rank - 2), 1)]
    return [*t.shape[:2], *per_axis(t.shape[2:], 1)]


def per_axis(sizes: Sequence[int], missing: int) -> list[int]:
    """Numbers for each of at least two spatial axes."""
    return [missing] * (2 - len(sizes)) + list(sizes)


def strides(dim: Sequence[int]) -> list[int]:
    """Strides of a row-major tensor, in elements.

    >>> strides([2, 3, 4, 5])
    [60, 20, 5, 1]
    """
    return [prod(dim[axis + 1 :]) for axis in range(len(dim))]


def _refused(what: str, error: Exception) -> DeviceError:
    """The frontend raises RuntimeError, its own exception class, and others in its Python part."""
    return DeviceError(f"{what}: {' '.join(str(error).split()) or type(error).__name__}")
