"""What the nodes of a module's graph are for: losses, numbers that are only reported, or results of each sample.

A scalar that the module returns is a loss if a gradient reaches a parameter from it. Any other one, such as an accuracy
or a detached loss, is reported. If no scalar has a gradient, as with frozen parameters, all of them are losses.
"""

from __future__ import annotations

from typing import Any

from mochac.formats.pytorch.converters import takes_weights
from mochac.formats.pytorch.exported import ExportedModule, operation_of

_LOSS, _REPORTED, _OTHER, _WEIGHTS, _BUFFER = 1, 2, 4, 8, 16
"""What is reached from a node: outputs of three kinds, layers with parameters of their own, and changed buffers."""


class NodeUses:
    """The uses of all nodes of a graph.

    Attributes:
        losses: outputs that are minimized.
        reported: outputs that are not, and the nodes that only these depend on.
        aimed: nodes that a loss depends on.
        of_losses: nodes that only scalars and buffers depend on, without layers with parameters in between.
        sampled: nodes that depend on an input.
    """

    def __init__(self, graph: ExportedModule) -> None:
        learned = _learned(graph)
        numbers = [fx for fx in graph.outputs if _is_number(fx)]
        self.losses = frozenset(fx for fx in numbers if fx in learned) or frozenset(numbers)
        reached = self._reached(graph)
        self.reported = frozenset(fx for fx, found in reached.items() if found & ~_WEIGHTS == _REPORTED)
        self.aimed = frozenset(fx for fx, found in reached.items() if found & _LOSS)
        self.of_losses = frozenset(fx for fx, found in reached.items() if found and not found & (_OTHER | _WEIGHTS))
        self.sampled = _from(graph, set(graph.inputs))

    def _reached(self, graph: ExportedModule) -> dict[Any, int]:
        found = dict.fromkeys(graph.nodes, 0)
        for fx in graph.outputs:
            found[fx] = found.get(fx, 0) | (_LOSS if fx in self.losses else _REPORTED if _is_number(fx) else _OTHER)
        for fx in graph.updated.values():
            found[fx] = found.get(fx, 0) | _BUFFER
        for fx in reversed(graph.nodes):
            for user in fx.users:
                found[fx] |= found.get(user, 0) | (_WEIGHTS if _has_weights(graph, user) else 0)
        return found


def _has_weights(graph: ExportedModule, fx: Any) -> bool:
    return takes_weights(operation_of(fx)) and any(
        graph.leaves[n].trained for n in fx.all_input_nodes if n in graph.leaves
    )


def _is_number(fx: Any) -> bool:
    value = fx.meta.get("val")
    return hasattr(value, "shape") and not value.shape


def _learned(graph: ExportedModule) -> frozenset[Any]:
    """The nodes from which a gradient reaches a trained parameter."""
    found = {fx for fx, leaf in graph.leaves.items() if leaf.trained}
    for fx in graph.nodes:
        if operation_of(fx) != "detach" and _is_real(fx) and not found.isdisjoint(fx.all_input_nodes):
            found.add(fx)
    return frozenset(found)


def _is_real(fx: Any) -> bool:
    value = fx.meta.get("val")
    parts = value if isinstance(value, list | tuple) else [value]
    return any(x is not None and hasattr(x, "dtype") and x.dtype.is_floating_point for x in parts)


def _from(graph: ExportedModule, found: set[Any]) -> frozenset[Any]:
    """These nodes, and all that depend on them."""
    for fx in graph.nodes:
        if not found.isdisjoint(fx.all_input_nodes):
            found.add(fx)
    return frozenset(found)
