"""NodeNames: what the layers of nodes are called, after what viewers such as Netron show.

A weight's name says which module it belongs to: `conv1.weight` belongs to conv1. A node's name says its module, and
which of the module's nodes it is: /layers.0/attention/MatMul_1 of PyTorch's old exporter, or node_MatMul_7 with scopes
in its metadata of the new one. Where a module computes one thing, its layer gets its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from mochac.formats.onnx.operator import OnnxNode

_SUFFIX = re.compile(r"[./_](weight|filter|bias|scale|shift|gamma|beta|slope|kernel)(:0)?$")
_SCOPES = "pkg.torch.onnx.name_scopes"
_REARRANGE = frozenset("Cast Flatten Identity Reshape Slice Squeeze Transpose Unsqueeze".split())
"""Operators around what a module computes."""


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
