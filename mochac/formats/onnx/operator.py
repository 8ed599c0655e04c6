"""Nodes of ONNX models: their attributes, names of their layers, and CONVERTERS, the converters by operator.

A layer is called as viewers such as Netron show its node. A weight's name says which module it belongs to:
`conv1.weight` belongs to conv1. A node's name says its module, and which of the module's nodes it is:
/layers.0/attention/MatMul_1 of PyTorch's old exporter, or node_MatMul_7 with scopes in its metadata of the new one. If
a module computes one thing, its layer gets its name.

Converters (onnx/operators/) add mochac's layers for a node to the builder, and raise UnsupportedError for what they
cannot express. Most take the batch as axis 0 only; those that are registered with `anywhere` know where it is
(importing/place.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from mochac.base.files.onnx_file import onnx_package
from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.node import Constant, ImportedNode, Shape

_COSTS = {"Erf": 256, "Cast": 8, "CastLike": 8, "Exp": 8, "Log": 8, "Pow": 32, "Sigmoid": 16, "Tanh": 16, "Mod": 16}
"""Operations per element, of expensive operators."""
_WITHOUT_BLAS = 32
"""Slowdown of integer products compared with products of floats."""


@record(eq=False)
class OnnxNode(ImportedNode):
    """A node.

    Attributes:
        proto: the NodeProto.
        opset: version of its operators.
    """

    proto: Any = None
    opset: int = 0

    @property
    def type(self) -> str:
        """Its operator."""
        return self.proto.op_type

    @property
    def tops(self) -> Sequence[str]:
        """Names of its outputs."""
        return self.proto.output

    @property
    def name(self) -> str:
        """Its name, or that of its first output."""
        return self.proto.name or self.proto.output[0]

    def work(self, elements: int) -> int:
        """Elementary operations to compute `elements` elements of a constant."""
        arrays = [x.array for x in self.inputs if isinstance(x, Constant)]
        if self.type in ("MatMul", "Gemm") and arrays[0].ndim:
            summed = arrays[0].shape[0 if self.attribute("transA", 0) else -1]
            return elements * summed * (1 if arrays[0].dtype.kind == "f" else _WITHOUT_BLAS)
        return super().work(elements) * _COSTS.get(self.type, 1)

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute, as a number, a string or a list of these."""
        for attribute in self.proto.attribute:
            if attribute.name == name:
                value = onnx_package("helper").get_attribute_value(attribute)
                return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return default

    def integers(self, name: str, default: Sequence[int] | None = None, *, at: int = -1) -> tuple[int, ...] | None:
        """A list of integers that is an attribute, or, in later versions, the constant input `at`."""
        if 0 <= at < len(self.inputs) and self.inputs[at] is not None:
            return tuple(int(n) for n in self.constant(at, name).reshape(-1))
        found = self.attribute(name, default)
        return None if found is None else tuple(int(n) for n in found)


_ENDLESS = (2**31 - 1, 2**63 - 1)


def cuts(node: OnnxNode, extents: Shape) -> dict[int, range]:
    """Indices of the elements that a Slice of a tensor of these extents keeps, by axis.

    With a negative step, ONNX clamps the start to an element of the axis, where Python's slice may be empty.

    Raises:
        UnsupportedError: its operands do not fit.
    """
    rank = len(extents)
    starts, ends = (node.integers(name, at=k) or () for k, name in ((1, "starts"), (2, "ends")))
    axes = node.integers("axes", at=3) or tuple(range(len(starts)))
    steps = node.integers("steps", at=4) or (1,) * len(axes)
    unlike = not len(starts) == len(ends) == len(axes) == len(steps)
    if 0 in steps or unlike or not all(-rank <= a < rank for a in axes) or len({a % rank for a in axes}) < len(axes):
        raise node.refused("its operands do not fit", got=f"{starts}, {ends}, {axes}, {steps}")
    if any(step < 0 and end in _ENDLESS for end, step in zip(ends, steps, strict=True)):
        rule = "with a negative step, an end of INT_MAX selects nothing in ONNX, but all in front in onnxruntime"
        raise node.refused(rule, expected="INT_MIN", got=ends)
    return {
        axis % rank: _kept(extents[axis % rank], start, end, step)
        for axis, start, end, step in zip(axes, starts, ends, steps, strict=True)
    }


def _kept(extent: int, start: int, end: int, step: int) -> range:
    """The indices from start to end.

    >>> list(_kept(5, 9, -9, -2)), list(_kept(5, -9, -9, -1)), list(_kept(5, 0, -(2**62), 1))
    ([4, 2, 0], [0], [])
    """
    if not extent:
        return range(0)
    start, end = (n + extent if n < 0 else n for n in (start, end))
    if step > 0:
        return range(min(max(start, 0), extent), min(max(end, 0), extent), step)
    return range(min(max(start, 0), extent - 1), min(max(end, -1), extent), step)


Convert = Callable[[NetBuilder, OnnxNode], None]

CONVERTERS: Registry[Convert] = Registry("ONNX operator", "mochac.formats.onnx.operators")


_ANYWHERE: set[str] = set()


def operator(*types: str, anywhere: bool = False) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts nodes of these operators.

    Args:
        anywhere: it accepts tensors whose batch is not axis 0, or is joined with another axis.
    """

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, function)
        _ANYWHERE.update(types if anywhere else ())
        return function

    return add


def convert(b: NetBuilder, node: OnnxNode) -> None:
    """Add the layers of a node.

    Raises:
        UnsupportedError: it cannot be expressed.
    """
    converter = CONVERTERS[node.type]
    if node.type not in _ANYWHERE:
        node.needs_batch_first()
    b.convert(node, converter)


_SUFFIX = re.compile(r"[./_](weight|filter|bias|scale|shift|gamma|beta|slope|kernel)(:0)?$")
_SCOPES = "pkg.torch.onnx.name_scopes"
_REARRANGE = frozenset("Cast Flatten Identity Reshape Slice Squeeze Transpose Unsqueeze".split())
"""Operators that only surround the computation of a module."""


class NodeNames:
    """Names for the layers of some nodes.

    A weight that several nodes read names a layer only if its module is that of the node: exporters store equal
    weights, such as biases that are 0, once, under the name of one of their modules.

    Args:
        nodes: NodeProtos, in order.
        computed: names of tensors that are constants; nodes that make them become no layers.
        weights: names of the model's weights.
        origins: the weight of which another one is a copy.
    """

    def __init__(
        self, nodes: Sequence[Any], computed: Container[str], weights: Iterable[str], origins: Mapping[str, str]
    ) -> None:
        live = [node for node in nodes if node.output[0] not in computed]
        readers = _readers(nodes, computed, {name: origins.get(name, name) for name in weights})
        self._owners = frozenset(filter(None, map(owner, readers)))
        self._shared = frozenset(name for name, count in readers.items() if count > 1)
        self._mains = _mains(live)

    def of(self, node: OnnxNode) -> list[str]:
        """Names for the layer of a node, the best first. Two nodes have the same names only if the model names both
        so."""
        proto = node.proto
        scope, own = _parts(proto)
        weights = self.owners(node)
        whole = f"{scope}.{own}" if scope else own
        if self._mains.get(scope) == proto.output[0] and scope not in self._owners:
            weights.append(scope)
        if whole in self._owners:
            whole = f"{whole}.{proto.op_type.lower()}"
        return list(dict.fromkeys([*weights[:1], *weights[-1:], whole]))

    def owners(self, node: OnnxNode) -> list[str]:
        """Modules of the weights that a node reads, without weights that it shares with nodes of other modules."""
        scope, _ = _parts(node.proto)
        own = [owner(name) for name in node.weights if name not in self._shared or owner(name) == scope]
        return list(filter(None, own))


def _readers(nodes: Sequence[Any], computed: Container[str], weights: Mapping[str, str]) -> dict[str, int]:
    """How many nodes read each weight, directly, rearranged or a copy of it. An Identity that gives a weight the name
    of another module makes another weight."""
    origins = {name: frozenset([weight]) for name, weight in weights.items()}
    readers = dict.fromkeys(weights.values(), 0)
    for node in nodes:
        found = frozenset[str]().union(*(origins.get(name, ()) for name in node.input))
        if node.output[0] not in computed:
            readers.update((name, readers[name] + 1) for name in found)
        elif found and node.op_type == "Identity" and owner(node.output[0]):
            origins[node.output[0]], readers[node.output[0]] = frozenset(node.output), 0
        else:
            origins.update((name, found) for name in node.output)
    return readers


def owner(weight: str) -> str:
    """The module that a weight belongs to; "" if its name does not say it.

    >>> owner("layers.0.conv1.weight"), owner("onnx::Conv_7")
    ('layers.0.conv1', '')
    """
    found = _SUFFIX.search(weight)
    return weight[: found.start()].strip("/") if found else ""


def _parts(node: Any) -> tuple[str, str]:
    """The module of a node, and the node's name in it.

    >>> from types import SimpleNamespace as Proto
    >>> _parts(Proto(name="/layers.0/attention/MatMul_1", op_type="MatMul", metadata_props=[]))
    ('layers.0.attention', 'MatMul_1')
    >>> scopes = Proto(key="pkg.torch.onnx.name_scopes", value="['', 'attention', 'softmax']")
    >>> _parts(Proto(name="node_Softmax_7", op_type="Softmax", metadata_props=[scopes]))
    ('attention', 'Softmax_7')
    """
    scopes = _scopes({p.key: p.value for p in node.metadata_props})
    parts = [part for part in node.name.split("/") if part]
    own = (parts[-1] if parts else "").removeprefix("node_") or node.op_type.lower()
    return (scopes[-2] if len(scopes) > 1 else ".".join(parts[:-1])), own


def _scopes(metadata: Mapping[str, str]) -> list[str]:
    """The modules around a node, and PyTorch's name for it, if its metadata have them."""
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        found = ast.literal_eval(metadata.get(_SCOPES, ""))
        if isinstance(found, list) and all(isinstance(scope, str) for scope in found):
            return found
    return []


def _mains(nodes: Sequence[Any]) -> dict[str, str]:
    """The first output of the node that gets the name of its module, for each module of one node besides those that
    rearrange, or of nodes each of which reads what the one before it makes."""
    inside: dict[str, list[Any]] = {}
    for node in nodes:
        inside.setdefault(_parts(node)[0], []).append(node)
    found: dict[str, str] = {}
    for scope, own in inside.items():
        mains = [node for node in own if node.op_type not in _REARRANGE] or own[:1]
        chained = all(set(a.output).intersection(b.input) for a, b in pairwise(own))
        if scope and (chained or len(mains) == 1):
            found[scope] = mains[0].output[0]
    return found
