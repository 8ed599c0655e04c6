"""prepare: an ONNX model reduced to what is wanted, with functions inlined and the extents of all tensors known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.errors import OptionError, UnsupportedError
from mochac.onnx.converters import CONVERTERS
from mochac.onnx.files.package import onnx_package
from mochac.onnx.files.read import numbers
from mochac.onnx.fold import FOLDED
from mochac.onnx.operator import Shape
from mochac.registry import did_you_mean

DEFAULT_BATCH = 64
OPEN = 61
"""Samples in shapes where the model leaves their number open: a prime, so that no other extent looks like it."""
ROUNDS = 4
"""How often functions inside functions are inlined."""
_FLOATS = {1: "float32", 11: "float64"}
"""TensorProto.DataType of inputs."""


@dataclass(frozen=True)
class PreparedModel:
    """What a model says.

    Attributes:
        name: of its graph.
        nodes: NodeProtos on which the outputs depend, in order.
        arrays: initializers.
        inputs: extents by name, batch first.
        outputs: names.
        shapes: extents of tensors as far as onnx can infer them.
        computed: tensors that do not depend on inputs.
        opset: version of ONNX's operators.
        batch: the extent of axis 0 in all shapes. step: samples per step of the net.
    """

    name: str
    nodes: tuple[Any, ...]
    arrays: dict[str, np.ndarray]
    inputs: dict[str, Shape]
    outputs: tuple[str, ...]
    shapes: dict[str, Shape]
    computed: frozenset[str]
    opset: int
    batch: int
    step: int
    dtype: str

    def computes(self, node: Any) -> bool:
        """Whether a node without a converter computes a constant."""
        return node.op_type in ("Shape", "Size") or (node.op_type in FOLDED and node.output[0] in self.computed)


def prepare(model: Any, path: str, batch_size: int | None, wanted: Sequence[str]) -> PreparedModel:
    """Reduce a model to what the wanted outputs need.

    Raises:
        OptionError: no such output. UnsupportedError: inputs that mochac cannot have.
    """
    model = _inlined(model, path)
    graph = model.graph
    arrays = {tensor.name: numbers(tensor, path) for tensor in graph.initializer}
    outputs = _outputs(graph, path, wanted)
    nodes = _needed(graph, outputs)
    read = {name for node in nodes for name in node.input} | set(outputs)
    fed = [i for i in graph.input if i.name not in arrays and i.name in read]
    stated, dtype = _stated_batch(fed, path), _dtype(fed, path)
    batch = stated or OPEN
    inputs = {i.name: _shape(i, path, batch) for i in fed}
    _check_types([o for o in graph.output if o.name in outputs], path, dtype)
    shapes = _inferred(model, path, inputs)
    opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    kept = {name: array for name, array in arrays.items() if name in read}
    name = graph.name or "onnx"
    step = batch_size or stated or DEFAULT_BATCH
    return PreparedModel(name, nodes, kept, inputs, outputs, shapes, _constants(nodes, kept), opset, batch, step, dtype)


def _inlined(model: Any, path: str) -> Any:
    """The model without calls of its own functions, nor of ONNX's operators that are functions of others."""
    inline = onnx_package("inliner").inline_selected_functions
    try:
        for _ in range(ROUNDS):
            before = len(model.graph.node)
            keep = [("", name) for name in {*CONVERTERS, *FOLDED}]
            model = inline(model, keep, exclude=True, inline_schema_functions=True)
            if len(model.graph.node) == before:
                break
    except Exception as error:  # the inliner's own
        raise UnsupportedError(f"{path}: its functions cannot be inlined", got=str(error)) from None
    return model


def _outputs(graph: Any, path: str, wanted: Sequence[str]) -> tuple[str, ...]:
    known = [o.name for o in graph.output]
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known).removeprefix("; ")
            raise OptionError(f"{path} has no output {name!r}", details=[f"outputs: {' '.join(known)}"], hint=hint)
    return tuple(dict.fromkeys(wanted or known))


def _needed(graph: Any, outputs: Sequence[str]) -> tuple[Any, ...]:
    """The nodes on which outputs depend. A model that was checked has its nodes in order."""
    needed, kept = set(outputs), list[Any]()
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    return tuple(reversed(kept))


def _constants(nodes: Sequence[Any], arrays: dict[str, np.ndarray]) -> frozenset[str]:
    """Names of tensors that are constants; Shape makes one of any tensor."""
    known = {"", *arrays}
    for node in nodes:
        if node.op_type in ("Shape", "Size") or known.issuperset(node.input):
            known.update(node.output)
    return frozenset(known)


def _stated_batch(inputs: Sequence[Any], path: str) -> int:
    """The first extent of the inputs, 0 if it is open."""
    stated = {_first(i) for i in inputs} - {0}
    if len(stated) > 1:
        raise UnsupportedError(
            f"{path}: its inputs differ in samples", expected="one number", got=" ".join(map(str, sorted(stated)))
        )
    return next(iter(stated), 0)


def _first(info: Any) -> int:
    """The first extent of an input, 0 if it is open."""
    dims = info.type.tensor_type.shape.dim
    return int(dims[0].dim_value) if dims else 0


def _dtype(inputs: Sequence[Any], path: str) -> str:
    found = {_FLOATS.get(i.type.tensor_type.elem_type, "") for i in inputs}
    if len(found) != 1 or "" in found:
        names = " ".join(i.name for i in inputs) or "none"
        raise UnsupportedError(f"{path}: its inputs are not all float32, or all float64", got=f"inputs {names}")
    return found.pop()


def _check_types(outputs: Sequence[Any], path: str, dtype: str) -> None:
    for info in outputs:
        if _FLOATS.get(info.type.tensor_type.elem_type) != dtype:
            hint = "outputs=[...] names the outputs that are wanted"
            raise UnsupportedError(f"{path}: output {info.name!r} is not {dtype}, as the inputs are", hint=hint)


def _shape(info: Any, path: str, batch: int) -> Shape:
    """The extents of an input, with `batch` in front."""
    kind = info.type.tensor_type
    dims = [int(d.dim_value) for d in kind.shape.dim]
    if len(dims) < 2 or not all(d > 0 for d in dims[1:]):
        text = ", ".join(str(d.dim_param or d.dim_value or "?") for d in kind.shape.dim)
        hint = "give the model fixed sizes with onnx.tools.update_model_dims"
        rule = f"{path}: input {info.name!r} has no fixed shape"
        raise UnsupportedError(rule, expected="(batch, ...)", got=f"({text})", hint=hint)
    return (batch, *dims[1:])


def _inferred(model: Any, path: str, inputs: dict[str, Shape]) -> dict[str, Shape]:
    """The extents of all tensors for this batch, those that onnx can infer."""
    onnx = onnx_package()
    fixed = onnx.ModelProto()
    fixed.CopyFrom(model)
    for info in fixed.graph.input:
        for dim, extent in zip(info.type.tensor_type.shape.dim, inputs.get(info.name, ()), strict=False):
            dim.dim_value = extent
    del fixed.graph.value_info[:]
    for info in fixed.graph.output:
        info.type.tensor_type.ClearField("shape")
    try:
        found = onnx.shape_inference.infer_shapes(fixed, data_prop=True).graph
    except Exception as error:  # the package's own
        raise UnsupportedError(f"{path}: onnx cannot infer its shapes", got=str(error)) from None
    shapes: dict[str, Shape] = {}
    for info in (*found.value_info, *found.output, *found.input):
        dims = info.type.tensor_type.shape.dim if info.type.tensor_type.HasField("shape") else None
        if dims is not None and all(d.HasField("dim_value") for d in dims):
            shapes[info.name] = tuple(int(d.dim_value) for d in dims)
    return shapes
