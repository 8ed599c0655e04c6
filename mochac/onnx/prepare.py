"""prepare: an ONNX model reduced to what is wanted, with functions inlined and the extents of its inputs known."""

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
from mochac.onnx.operator import ELEMENTS, UNBATCHED, Shape
from mochac.registry import did_you_mean

DEFAULT_BATCH = 64
OPEN = 61
"""Samples in shapes where the model leaves their number open: a prime, so that no other extent looks like it."""
DOUBLE = 11
"""TensorProto.DataType of float64."""
ROUNDS = 4
"""How often functions inside functions are inlined."""


@dataclass(frozen=True)
class PreparedModel:
    """What a model says.

    Attributes:
        name: of its graph.
        nodes: NodeProtos on which the outputs depend, in order.
        arrays: initializers.
        inputs: extents of blobs, batch first, and element types, by name.
        outputs: names.
        computed: tensors that do not depend on inputs.
        opset: version of ONNX's operators.
        batch: the extent of axis 0 in all shapes. step: samples per step of the net.
        lead: see OnnxNode.
        open: inputs and outputs whose own axis 0, a batch of any size, is 1 in the blobs of a net that takes each
            sample by itself.
    """

    name: str
    nodes: tuple[Any, ...]
    arrays: dict[str, np.ndarray]
    inputs: dict[str, tuple[Shape, int]]
    outputs: tuple[str, ...]
    computed: frozenset[str]
    opset: int
    batch: int
    step: int
    dtype: str
    lead: int
    open: frozenset[str]

    def computes(self, node: Any) -> bool:
        """Whether a node without a converter computes a constant."""
        return node.op_type in ("Shape", "Size") or (node.op_type in FOLDED and node.output[0] in self.computed)


def prepare(
    model: Any, path: str, batch_size: int | None, wanted: Sequence[str], batched: bool = True
) -> PreparedModel:
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
    stated = _stated_batch(fed, path) if batched else 1
    batch = stated or OPEN
    inputs = {i.name: (_shape(i, path, batch if batched else None), _element(i, path)) for i in fed}
    opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    kept = {name: array for name, array in arrays.items() if name in read}
    dtype = "float64" if any(element == DOUBLE for _, element in inputs.values()) else "float32"
    return PreparedModel(
        name=graph.name or "onnx",
        nodes=nodes,
        arrays=kept,
        inputs=inputs,
        outputs=outputs,
        computed=_constants(nodes, kept),
        opset=opset,
        batch=batch,
        step=batch_size or stated or DEFAULT_BATCH,
        dtype=dtype,
        lead=0 if batched else 1,
        open=frozenset() if batched else _open(fed, graph.output),
    )


def _inlined(model: Any, path: str) -> Any:
    """The model without calls of its own functions, nor of ONNX's operators that are functions of others."""
    inline = onnx_package("inliner").inline_selected_functions
    try:
        for _ in range(ROUNDS):
            before = len(model.graph.node)
            model = _with_defaults(model)
            keep = [("", name) for name in {*CONVERTERS, *FOLDED}]
            model = inline(model, keep, exclude=True, inline_schema_functions=True)
            if len(model.graph.node) == before:
                break
    except Exception as error:  # the inliner's own
        raise UnsupportedError(f"{path}: its functions cannot be inlined", got=str(error)) from None
    return model


def _with_defaults(model: Any) -> Any:
    """The model with the default attributes of ONNX's operators that are functions, which the inliner forgets."""
    onnx = onnx_package()
    made = onnx.ModelProto()
    made.CopyFrom(model)
    version = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    for node in made.graph.node:
        if node.domain not in ("", "ai.onnx") or not onnx.defs.has(node.op_type):
            continue
        schema = onnx.defs.get_schema(node.op_type, version)
        if schema.has_function or schema.has_context_dependent_function:
            stated = {attribute.name for attribute in node.attribute}
            defaults = [a.default_value for name, a in schema.attributes.items() if name not in stated]
            node.attribute.extend(value for value in defaults if value.type)
    return made


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


def _open(inputs: Sequence[Any], outputs: Sequence[Any]) -> frozenset[str]:
    """Inputs whose first extent is open, and outputs that have it by the same name."""
    named = {i.name: i.type.tensor_type.shape.dim[0].dim_param for i in inputs if _is_open(i)}
    sizes = {name for name in named.values() if name}
    same = {o.name for o in outputs if _is_open(o) and o.type.tensor_type.shape.dim[0].dim_param in sizes}
    return frozenset({*named, *same})


def _is_open(info: Any) -> bool:
    dims = info.type.tensor_type.shape.dim
    return bool(dims) and not dims[0].HasField("dim_value")


def _first(info: Any) -> int:
    """The first extent of an input, 0 if it is open."""
    dims = info.type.tensor_type.shape.dim
    return int(dims[0].dim_value) if dims else 0


def _element(info: Any, path: str) -> int:
    """The element type of an input."""
    element = int(info.type.tensor_type.elem_type)
    if element not in ELEMENTS:
        rule = f"{path}: input {info.name!r} has elements of another type"
        raise UnsupportedError(rule, expected="numbers or truth values", got=f"element type {element}")
    return element


def _shape(info: Any, path: str, batch: int | None) -> Shape:
    """The extents of the blob of an input: its own, the first of which is the batch; or, without a batch, its own
    behind a batch of 1."""
    kind = info.type.tensor_type
    dims = [int(d.dim_value) for d in kind.shape.dim]
    if batch is None and _is_open(info):
        dims[0] = 1
    known = dims if batch is None else dims[1:]
    if not kind.HasField("shape") or not all(d > 0 for d in known):
        text = ", ".join(str(d.dim_param or d.dim_value or "?") for d in kind.shape.dim)
        hint = "give the model fixed sizes with onnx.tools.update_model_dims"
        rule = f"{path}: input {info.name!r} has no fixed shape"
        raise UnsupportedError(rule, expected="(batch, ...)", got=f"({text})", hint=hint)
    if batch is not None and not dims:
        raise UnsupportedError(f"{path}: input {info.name!r} has no batch", expected="(batch, ...)", hint=UNBATCHED)
    return (1 if batch is None else batch, *known)
