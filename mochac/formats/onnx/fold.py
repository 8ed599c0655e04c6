"""Constant folding in ONNX models: functions are expanded and constants computed, within a budget.

Exporters compute the shapes for Reshape from other shapes, so these must be known before nodes are converted. The
package onnx infers the extents and types of a node's results before it runs, node by node while the graph is converted.
Even a small file may expand to many nodes or to huge constants; ordinary models need a small fraction of the budget.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import DataError, UnsupportedError
from mochac.base.files.onnx_file import numbers, onnx_package
from mochac.formats.importing.node import MAX_WORK, BlobTensor, Budget, Constant, Shape, Tensor
from mochac.formats.onnx.operator import CONVERTERS, OnnxNode, cuts, owner

MAX_KNOWN = 4096
"""Maximum elements of a constant whose numbers inference looks at."""


class NodeInference:
    """Infers extents and types of the nodes of a model, one by one."""

    def __init__(self, opset: int) -> None:
        self._imports = [onnx_package("helper").make_opsetid("", opset)]
        self._opset = opset

    def outputs(self, node: Any, inputs: Sequence[Tensor | None]) -> tuple[tuple[Shape | None, int], ...]:
        """Extents and element types of the outputs: None and 0 where they are not known."""
        types, data = dict[str, Any](), dict[str, Any]()
        for name, x in zip(node.input, inputs, strict=True):
            if x is not None:
                types[name] = self._type(x)
            if isinstance(x, Constant) and x.array.size <= MAX_KNOWN and x.array.dtype.kind in "fiub":
                data[name] = onnx_package("numpy_helper").from_array(x.array, name)
        found = self._found(node, types, data)
        return tuple(_known(found[name]) if name in found else (None, 0) for name in node.output)

    def _found(self, node: Any, types: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
        onnx = onnx_package()
        try:
            schema = onnx.defs.get_schema(node.op_type, self._opset)
            return onnx.shape_inference.infer_node_outputs(schema, node, types, data, opset_imports=self._imports)
        except Exception:  # the package's own, of operands that do not fit; converters say what does not
            return {}

    def _type(self, x: Tensor) -> Any:
        helper = onnx_package("helper")
        if isinstance(x, BlobTensor):
            return helper.make_tensor_type_proto(x.element, x.extents)
        return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(np.dtype(x.array.dtype)), x.array.shape)


def _known(type: Any) -> tuple[Shape | None, int]:
    tensor = type.tensor_type
    if not tensor.HasField("shape") or not all(d.HasField("dim_value") for d in tensor.shape.dim):
        return None, int(tensor.elem_type)
    return tuple(int(d.dim_value) for d in tensor.shape.dim), int(tensor.elem_type)


MAX_NODES = 10_000
"""Maximum nodes of a model, with its functions expanded."""
MAX_CALLS = 2_000
"""Maximum calls of functions that are expanded at once: the package onnx takes seconds for these, and its time grows
quadratically."""
_STRING = 8
"""TensorProto.DataType of strings, which become Python objects."""


def itemsize(element: int) -> int:
    """Bytes of an element of a type of TensorProto; 8 if it is not known."""
    if element == _STRING:
        return 128
    try:
        return max(1, int(np.dtype(onnx_package("helper").tensor_dtype_to_np_dtype(element)).itemsize))
    except (KeyError, TypeError):
        return 8


def expanded_nodes(model: Any) -> int:
    """How many nodes a model has after the calls of its own functions are replaced by their bodies.

    The checker of the package onnx has found that functions do not call themselves.
    """
    bodies = {(f.domain, f.name, f.overload): f.node for f in model.functions}
    known: dict[tuple[str, str, str], int] = {}

    def count(nodes: Any) -> int:
        return sum(of_node(node) for node in nodes)

    def of_node(node: Any) -> int:
        inner = sum(count(a.g.node) + sum(count(g.node) for g in a.graphs) for a in node.attribute)
        key = (node.domain, node.op_type, node.overload)
        if key not in bodies:
            return 1 + inner
        if key not in known:
            known[key] = count(bodies[key])
        return known[key] + inner

    return count(model.graph.node)


FOLDED = frozenset(
    "Abs Add And ArgMax ArgMin BatchNormalization Cast CastLike Ceil Clip Concat Constant ConstantOfShape Cos CumSum "
    "DepthToSpace Div Elu Equal Erf Exp Expand EyeLike Flatten Floor Gather GatherElements GatherND Gelu Gemm Greater "
    "GreaterOrEqual HardSigmoid HardSwish Identity InstanceNormalization IsInf IsNaN LayerNormalization LeakyRelu Less "
    "LessOrEqual Log LogSoftmax MatMul Max Min Mod Mul Neg Not OneHot Or PRelu Pad Pow Range Reciprocal ReduceL1 "
    "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Round ScatterElements ScatterND "
    "Shape Sigmoid Sign Sin Size Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze Sub Tanh Tile TopK "
    "Transpose Trilu Unsqueeze Where Xor".split()
)

_REARRANGE = frozenset("Flatten Gather Reshape Slice Squeeze Transpose Unsqueeze".split())
_BY_NUMBERS = ("ConstantOfShape", "Expand", "Tile")
"""Operators whose last operand says how large their result is."""


def folded(node: OnnxNode, budget: Budget) -> list[Constant] | None:
    """The outputs of a node whose inputs are constants, or None.

    Raises:
        UnsupportedError: they cannot be computed, or not within the budget.
    """
    if node.type == "CastLike" and isinstance(node.inputs[0], Constant):
        budget.take(node, node.inputs[0].array.size, 8)
        return [_cast_like(node.inputs[0], node.inputs[1])]
    if node.type not in FOLDED or any(x is not None and not isinstance(x, Constant) for x in node.inputs):
        return None
    if node.proto.domain not in ("", "ai.onnx"):
        return None
    if node.type == "Constant":
        return [Constant(_constant(node))]
    if node.type == "Identity":
        (value,) = node.inputs
        own = node.proto.output[0]
        if not isinstance(value, Constant):
            return None
        renamed = owner(own) and value.name
        return [replace(value, name=own, roots=value.roots | {own}) if renamed else value]
    budget.take(node, _size(node), max((itemsize(element) for _, element in node.outputs), default=8))
    name = _weight(node)
    found = [_cut(node)] if node.type == "Slice" else _computed(node)
    return [Constant(array, name, node.roots if array.dtype.kind == "f" else frozenset()) for array in found]


def _weight(node: OnnxNode) -> str:
    """The weight whose numbers a node selects or rearranges, so that its result is a weight, too; "" if the node
    computes."""
    x = node.inputs[0]
    return x.name if node.type in _REARRANGE and isinstance(x, Constant) and x.array.dtype.kind == "f" else ""


def _cast_like(x: Constant, like: Tensor | None) -> Constant:
    """A constant in the element type of another tensor."""
    if isinstance(like, BlobTensor):
        return replace(x, array=x.array.astype(onnx_package("helper").tensor_dtype_to_np_dtype(like.element)))
    return replace(x, array=x.array.astype(like.array.dtype)) if like else x


def shape_constant(node: OnnxNode, shape: tuple[int, ...]) -> Constant:
    """The result of Shape or Size for a tensor with these extents."""
    if node.type == "Size":
        return Constant(np.asarray(math.prod(shape), np.int64))
    return Constant(np.asarray(shape[node.attribute("start", 0) : node.attribute("end", len(shape))], np.int64))


def _size(node: OnnxNode) -> int:
    """A bound on the elements that a node computes, without running it."""
    if all(shape is not None for shape, _ in node.outputs):
        return sum(math.prod(shape or ()) for shape, _ in node.outputs)
    arrays = [x.array for x in node.inputs if isinstance(x, Constant)]
    if node.type == "Range":
        start, limit, step = (float(array.reshape(-1)[0]) for array in arrays)
        return int(abs((limit - start) / step)) if step and math.isfinite((limit - start) / step) else MAX_WORK + 1
    if node.type in _BY_NUMBERS:
        return math.prod(array.size for array in arrays[:-1]) * math.prod(abs(int(n)) for n in arrays[-1].reshape(-1))
    return math.prod(max(1, array.size) for array in arrays)


def _constant(node: OnnxNode) -> np.ndarray:
    for name in ("value_float", "value_floats", "value_int", "value_ints"):
        if (found := node.attribute(name)) is not None:
            return np.asarray(found, np.float32 if "float" in name else np.int64)
    value = node.attribute("value")
    if value is None:
        raise node.refused("a constant that is not made of numbers")
    return numbers(value, node.path)


def _cut(node: OnnxNode) -> np.ndarray:
    """The result of Slice. The reference implementation takes starts and ends as Python does."""
    array = node.constant(0, "its data")
    for axis, places in cuts(node, array.shape).items():
        array = array.take(places, axis)
    return array


def _computed(node: OnnxNode) -> list[np.ndarray]:
    """The outputs, by the reference implementation of the package onnx."""
    helper = onnx_package("helper")
    names = [f"x{k}" if x is not None else "" for k, x in enumerate(node.inputs)]
    fed: dict[str, Any] = {name: x.array for name, x in zip(names, node.inputs, strict=True) if isinstance(x, Constant)}
    copy = onnx_package().NodeProto()
    copy.CopyFrom(node.proto)
    copy.input[:] = names
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for name, a in fed.items()
    ]
    results = [helper.make_empty_tensor_value_info(name) for name in copy.output if name]
    graph = helper.make_graph([copy], "folded", infos, results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", node.opset)])
    try:
        return [np.asarray(y) for y in onnx_package("reference").ReferenceEvaluator(model).run(None, fed)]
    except Exception as error:  # whatever the reference raises for operands that do not fit
        raise node.refused("its constant cannot be computed", got=" ".join(str(error).split())[:200]) from None


ROUNDS = 4
"""Maximum depth of functions inside functions that are inlined."""


def inlined(model: Any, path: str) -> Any:
    """The model without calls of its own functions, nor of ONNX's operators that are functions of others.

    Raises:
        UnsupportedError: they stand for too many nodes, or cannot be inlined.
        DataError: one of them reads or returns what it does not compute; the package onnx checks only the graph.
    """
    if model.functions and (count := expanded_nodes(model)) > MAX_NODES:
        raise _too_many(path, "nodes", MAX_NODES, count)
    keep, most = {*CONVERTERS, *FOLDED}, max(MAX_NODES, len(model.graph.node))
    for _ in range(ROUNDS):
        calls = _calls(model, keep)
        if not calls:
            break
        if calls > MAX_CALLS:
            raise _too_many(path, "calls of functions", MAX_CALLS, calls)
        try:
            inline, names = onnx_package("inliner").inline_selected_functions, [("", name) for name in keep]
            model = inline(_with_defaults(model), names, exclude=True, inline_schema_functions=True)
        except Exception as error:  # the inliner's own
            raise UnsupportedError(f"{path}: its functions cannot be inlined", got=str(error)) from None
        if (count := len(model.graph.node)) > most:
            raise _too_many(path, "nodes", most, count)
        _require_computed(model.graph, path)
    return model


def _require_computed(graph: Any, path: str) -> None:
    """Refuse a graph that reads or returns a value before anything computes it."""
    known = {"", *(x.name for x in graph.initializer), *(x.values.name for x in graph.sparse_initializer)}
    known.update(x.name for x in graph.input)
    for node in graph.node:
        _require_known(node.input, known, path)
        known.update(node.output)
    _require_known((x.name for x in graph.output), known, path)


def _require_known(names: Iterable[str], known: Container[str], path: str) -> None:
    name = next((name for name in names if name not in known), None)
    if name is not None:
        rule = f"{path} is damaged or not an ONNX model"
        raise DataError(rule, details=[f"a function does not compute {name!r}, which is read"])


def _too_many(path: str, what: str, most: int, count: int) -> UnsupportedError:
    rule = f"{path}: its functions stand for too many {what}"
    return UnsupportedError(rule, expected=f"at most {most:,}", got=f"{count:,}")


def _calls(model: Any, keep: Container[str]) -> int:
    """Number of calls of the model's own functions, and of operators that are functions of others, except those in
    `keep`."""
    own = {(function.domain, function.name) for function in model.functions}
    versions = {o.domain if o.domain != "ai.onnx" else "": o.version for o in model.opset_import}
    counts = Counter((node.domain if node.domain != "ai.onnx" else "", node.op_type) for node in model.graph.node)

    def expands(domain: str, operator: str) -> bool:
        if (domain, operator) in own:
            return True
        defs = onnx_package().defs
        if (not domain and operator in keep) or not defs.has(operator, domain):
            return False
        try:
            schema = defs.get_schema(operator, versions.get(domain, 0), domain)
        except defs.SchemaError:  # newer than the model
            return False
        return schema.has_function or schema.has_context_dependent_function

    return sum(count for (domain, operator), count in counts.items() if expands(domain, operator))


def _with_defaults(model: Any) -> Any:
    """The model with default attributes of those ONNX operators that are functions; the inliner leaves them out."""
    onnx = onnx_package()
    result = onnx.ModelProto()
    result.CopyFrom(model)
    version = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    for node in result.graph.node:
        if node.domain not in ("", "ai.onnx") or not onnx.defs.has(node.op_type):
            continue
        schema = onnx.defs.get_schema(node.op_type, version)
        if schema.has_function or schema.has_context_dependent_function:
            stated = {attribute.name for attribute in node.attribute}
            defaults = [a.default_value for name, a in schema.attributes.items() if name not in stated]
            node.attribute.extend(value for value in defaults if value.type)
    return result
