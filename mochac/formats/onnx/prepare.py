"""Graphs of ONNX models are prepared for import.

without_sequences: an ONNX model in which Split makes the tensors that SplitToSequence and SequenceAt make.

PyTorch's new exporter writes torch.split and torch.chunk as sequences unless it optimizes the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, UnsupportedError
from mochac.base.files.onnx_file import numbers, onnx_package
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.rules import integer, names_of
from mochac.formats.importing.node import ELEMENTS, MAX_ELEMENTS, REALS, UNBATCHED, BlobTensor, too_large
from mochac.formats.importing.place import LEFT_OUT, BatchPlace
from mochac.formats.onnx.fold import FOLDED, inlined
from mochac.formats.onnx.trained import Trained, trained

_SIZES_ARE_INPUTS = 13
"""First version of ONNX's operators in which the sizes of Split are an input."""


def without_sequences(model: Any, path: str) -> Any:
    """The model without sequences that are split at constant positions and only read at constant indices. Other
    sequences stay."""
    version = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    if version < _SIZES_ARE_INPUTS or not any(node.op_type == "SplitToSequence" for node in model.graph.node):
        return model
    result = type(model)()
    result.CopyFrom(model)
    graph, helper = result.graph, onnx_package("helper")
    constants = _constants_sequences(graph, path)
    extents = {v.name: v.type.tensor_type.shape.dim for v in (*graph.input, *graph.value_info)}
    for node in graph.node:
        if node.op_type != "SplitToSequence":
            continue
        readers = [other for other in graph.node if node.output[0] in other.input]
        sizes, axis = _sizes(node, constants, extents), _axis(node)
        picked = [_index(other, constants, len(sizes)) for other in readers]
        if not sizes or None in picked or node.output[0] in {o.name for o in graph.output}:
            continue
        names = [f"{node.output[0]}.{k}" for k in range(len(sizes))]
        split = f"{node.output[0]}.sizes"
        graph.initializer.append(onnx_package("numpy_helper").from_array(np.asarray(sizes, np.int64), split))
        for other, k in zip(readers, picked, strict=True):
            other.CopyFrom(_as(other, helper.make_node("Identity", [names[k or 0]], other.output)))
        node.CopyFrom(_as(node, helper.make_node("Split", [node.input[0], split], names, axis=axis)))
    return result


def _as(old: Any, new: Any) -> Any:
    """The new node, with the name and module of the old one."""
    new.name = old.name
    new.metadata_props.extend(old.metadata_props)
    return new


def _constants_sequences(graph: Any, path: str) -> dict[str, np.ndarray]:
    """Integers in initializers and Constant nodes."""
    integer = onnx_package().TensorProto.INT64
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and len(node.attribute) == 1 and node.attribute[0].name == "value":
            tensors[node.output[0]] = node.attribute[0].t
    return {name: numbers(tensor, path) for name, tensor in tensors.items() if tensor.data_type == integer}


def _axis(node: Any) -> int:
    return next((a.i for a in node.attribute if a.name == "axis"), 0)


def _sizes(node: Any, constants: Mapping[str, np.ndarray], extents: Mapping[str, Any]) -> list[int]:
    """The extents of the parts along the axis; [] if they are unknown, or if the parts lack the axis."""
    split = constants.get(node.input[1]) if len(node.input) > 1 else None
    if split is None:
        return []
    if split.ndim:
        return [int(size) for size in split]
    dims, axis, size = extents.get(node.input[0], ()), _axis(node), int(split)
    extent = int(dims[axis].dim_value) if -len(dims) <= axis < len(dims) else 0
    return [min(size, extent - begin) for begin in range(0, extent, size)] if size > 0 else []


def _index(node: Any, constants: Mapping[str, np.ndarray], count: int) -> int | None:
    """The index of the sequence element that a node selects; None if it does anything else."""
    index = constants.get(node.input[1]) if node.op_type == "SequenceAt" else None
    if index is None or index.size != 1 or not -count <= int(index.reshape(-1)[0]) < count:
        return None
    return int(index.reshape(-1)[0]) % count


DEFAULT_BATCH = 64
OPEN = 61
"""Stands for an open batch size in shapes: a prime, so that it differs from all other extents."""
DOUBLE = 11
"""TensorProto.DataType of float64."""


@record
class PreparedModel:
    """The content of a model that conversion needs.

    Attributes:
        name: name of its graph.
        nodes: NodeProtos on which the outputs depend, in order.
        arrays: initializers.
        inputs: tensors of the inputs by name.
        outputs: names of the outputs.
        computed: tensors that do not depend on inputs.
        opset: version of ONNX's operators.
        batch: the extent of the batch in all shapes.
        step: samples per step of the net.
        lead: see OnnxNode.
        open: inputs and outputs whose own axis 0 is a batch of any size; it is 1 in the blobs of a net that takes each
            sample by itself.
        trained: initializers that are trained.
    """

    name: str
    nodes: tuple[Any, ...]
    arrays: dict[str, np.ndarray]
    inputs: dict[str, BlobTensor]
    outputs: tuple[str, ...]
    computed: frozenset[str]
    opset: int
    batch: int
    step: int
    dtype: str
    lead: int
    open: frozenset[str]
    trained: Trained

    def computes(self, node: Any) -> bool:
        """Whether a node without a converter computes a constant."""
        return node.op_type in ("Shape", "Size") or (node.op_type in FOLDED and node.output[0] in self.computed)


def prepare(
    model: Any,
    path: str,
    batch_size: int | None,
    wanted: Sequence[str],
    batch_axis: int | None = 0,
    extents: Mapping[str, int] | None = None,
    train: Sequence[str] = (),
) -> PreparedModel:
    """Reduce a model to what the wanted outputs need.

    Args:
        train: patterns of names of initializers to train.

    Raises:
        OptionError: no such output, extent or initializer. UnsupportedError: inputs that mochac cannot have.
    """
    model = inlined(without_sequences(model, path), path)
    graph = model.graph
    arrays = {tensor.name: numbers(tensor, path) for tensor in graph.initializer}
    outputs = _outputs(graph, path, wanted)
    nodes = _needed(graph, outputs)
    read = {name for node in nodes for name in node.input} | set(outputs)
    fed = [_copied(i) for i in graph.input if i.name not in arrays and i.name in read]
    _fix(fed, extents or {}, path)
    axes = _batch_axes(fed, batch_axis, path)
    stated = _stated_batch(fed, axes, path) if batch_axis is not None else 1
    batch = stated or OPEN
    inputs = {i.name: _blob(i, path, batch, axes[i.name]) for i in fed}
    opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    kept = {name: array for name, array in arrays.items() if name in read}
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
        dtype=_dtype(inputs.values(), kept.values()),
        lead=1 if batch_axis is None else 0,
        open=_open(fed, graph.output) if batch_axis is None else frozenset(),
        trained=trained(graph, kept, train, path),
    )


def _dtype(inputs: Iterable[BlobTensor], arrays: Iterable[np.ndarray]) -> str:
    """The dtype of the net: that of its inputs or, if they are all integers or booleans, of its weights."""
    found = {x.element for x in inputs} & set(REALS)
    double = DOUBLE in found if found else any(array.dtype == np.float64 for array in arrays)
    return "float64" if double else "float32"


def _outputs(graph: Any, path: str, wanted: Sequence[str]) -> tuple[str, ...]:
    known = [o.name for o in graph.output]
    names = names_of("outputs").check("outputs", wanted, "onnx.load")
    for name in names:
        if name not in known:
            hint = misspelt(name, known)
            raise OptionError(f"{path} has no output {name!r}", details=[f"outputs: {' '.join(known)}"], hint=hint)
    return tuple(dict.fromkeys(names or known))


def _needed(graph: Any, outputs: Sequence[str]) -> tuple[Any, ...]:
    """The nodes on which outputs depend. A model that was checked has its nodes in order."""
    needed, kept = set(outputs), list[Any]()
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    return tuple(reversed(kept))


def _constants(nodes: Sequence[Any], arrays: dict[str, np.ndarray]) -> frozenset[str]:
    """Names of constant tensors; the result of Shape is always constant."""
    known = {"", *arrays}
    for node in nodes:
        if node.op_type in ("Shape", "Size") or known.issuperset(node.input):
            known.update(node.output)
    return frozenset(known)


def _copied(info: Any) -> Any:
    copy = type(info)()
    copy.CopyFrom(info)
    return copy


def _fix(inputs: Sequence[Any], extents: Mapping[str, int], path: str) -> None:
    """Set open extents of inputs to the user's numbers, by their names in the model."""
    dims = [d for i in inputs for d in i.type.tensor_type.shape.dim]
    known = list(dict.fromkeys(d.dim_param for d in dims if d.dim_param))
    for name, extent in extents.items():
        if name not in known:
            hint = misspelt(name, known)
            details = [f"open extents: {' '.join(known) or 'none'}"]
            raise OptionError(f"{path} has no open extent {name!r}", details=details, hint=hint)
        integer(1).check(f"extent {name!r}", extent)
    for dim in dims:
        if dim.dim_param in extents:
            dim.dim_value = extents[dim.dim_param]


def _batch_axes(inputs: Sequence[Any], axis: int | None, path: str) -> dict[str, int | None]:
    """The batch axis of each input: `axis`, or the last axis if there are fewer. An input whose only open axis is
    another one, with the name of another input's batch, has it there."""
    if axis is None:
        return {i.name: None for i in inputs}
    for i in inputs:
        if not i.type.tensor_type.shape.dim:
            raise UnsupportedError(f"{path}: input {i.name!r} has no batch", expected="(batch, ...)", hint=UNBATCHED)
    axes = {i.name: min(axis, len(i.type.tensor_type.shape.dim) - 1) for i in inputs}
    symbols = {i.type.tensor_type.shape.dim[axes[i.name]].dim_param for i in inputs} - {""}
    for i in inputs:
        dims = i.type.tensor_type.shape.dim
        same = [k for k, d in enumerate(dims) if d.dim_param in symbols]
        if len(same) == 1 and dims[axes[i.name]].HasField("dim_value"):
            axes[i.name] = same[0]
    return dict(axes)


def _stated_batch(inputs: Sequence[Any], axes: dict[str, int | None], path: str) -> int:
    """The extent of the batch of the inputs, 0 if it is open."""
    stated = {int(i.type.tensor_type.shape.dim[axes[i.name] or 0].dim_value) for i in inputs} - {0}
    if len(stated) > 1:
        raise UnsupportedError(
            f"{path}: its inputs differ in samples",
            expected="one number",
            got=" ".join(map(str, sorted(stated))),
            hint=UNBATCHED,
        )
    return next(iter(stated), 0)


def _open(inputs: Sequence[Any], outputs: Sequence[Any]) -> frozenset[str]:
    """Inputs whose first extent is open, and outputs whose first extent has the same name."""
    named = {i.name: i.type.tensor_type.shape.dim[0].dim_param for i in inputs if _is_open(i)}
    sizes = {name for name in named.values() if name}
    same = {o.name for o in outputs if _is_open(o) and o.type.tensor_type.shape.dim[0].dim_param in sizes}
    return frozenset({*named, *same})


def _is_open(info: Any) -> bool:
    dims = info.type.tensor_type.shape.dim
    return bool(dims) and not dims[0].HasField("dim_value")


def _element(info: Any, path: str) -> int:
    """The element type of an input."""
    element = int(info.type.tensor_type.elem_type)
    if element not in ELEMENTS:
        rule = f"{path}: input {info.name!r} has elements of another type"
        raise UnsupportedError(rule, expected="numbers or truth values", got=f"element type {element}")
    return element


def _blob(info: Any, path: str, batch: int, axis: int | None) -> BlobTensor:
    """The blob of an input: with the batch first, or, if the model computes one sample, with a batch of 1 in front."""
    kind = info.type.tensor_type
    dims = [int(d.dim_value) for d in kind.shape.dim]
    if axis is None and _is_open(info):
        dims[0] = 1
    known = [d for k, d in enumerate(dims) if k != axis]
    if not kind.HasField("shape") or not all(d > 0 for d in known):
        text = ", ".join(str(d.dim_param or d.dim_value or "?") for d in kind.shape.dim)
        named = [d.dim_param for k, d in enumerate(kind.shape.dim) if k != axis and d.dim_param]
        hint = "give the model fixed sizes with onnx.tools.update_model_dims"
        if named:
            hint = f"load(path, extents={{{', '.join(f'{name!r}: ...' for name in named)}}})"
        rule = f"{path}: input {info.name!r} has no fixed shape"
        wanted = "fixed extents" if axis is None else f"fixed extents but for axis {axis}, the batch"
        raise UnsupportedError(rule, expected=wanted, got=f"({text})", hint=hint)
    if too_large(tuple(known)):
        rule = f"{path}: a sample of input {info.name!r} is too large"
        raise UnsupportedError(rule, expected=f"at most {MAX_ELEMENTS:,} elements", got=str(tuple(known)))
    place = LEFT_OUT if axis is None else BatchPlace(axis)
    return BlobTensor(info.name, (1 if axis is None else batch, *known), _element(info, path), place)
