"""Which values are constants, weights and activations.

constant_part: a graph with everything that depends on parameters alone computed, as constants.

A net that is quantized has no parameters any more, such as those of a BatchNormLayer that is folded into a convolution.

Roles: what the nodes of a float graph are in a quantized one, and which values become integers.

    product     conv and inner_product by constant weights: sums of integers
    add         of two values of a shape
    mean        mean_pool, and sums over all cells of a channel that are divided by their number
    clamp       relu and clips by numbers of one of these, as limits of its integers
    move        max_pool, concat, reshape, other clamps: they rearrange or choose integers, and all that they connect
                has one scale

A value becomes integers if a product reads it, or a node of another role whose result is; everything else is
computed in float.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import STORED, Graph, Input, Node
from mochac.ir.op import OPS, run_reference
from mochac.ir.passes.groups import is_alias
from mochac.ir.types import DTYPES


@record
class WithConstants:
    """A graph without parameters: its stored inputs are constants, whose arrays come with it."""

    graph: Graph
    arrays: Mapping[str, np.ndarray]


def constant_part(graph: Graph, arrays: Mapping[str, np.ndarray]) -> WithConstants:
    """The graph after constant folding: values that depend only on stored inputs become inputs.

    Args:
        arrays: arrays of all stored inputs.
    """
    known = {i.name: np.asarray(arrays[i.name], DTYPES[i.type.dtype]) for i in graph.inputs if i.role in STORED}
    types, fills, nodes = graph.types(), set[str](), list[Node]()
    for node in graph.nodes:
        fill = node.op == "fill"
        if all(name in known for name in node.inputs) and not any(out.type.batch for out in node.outputs):
            operands = tuple(known[name] for name in node.inputs)
            for out, array in zip(node.outputs, run_reference(OPS[node.op], operands, node.attr), strict=True):
                known[out.name] = array.astype(DTYPES[out.type.dtype], copy=False)
                fills |= {out.name} if fill else set()
            if not fill:
                continue
        nodes.append(node)
    read = {name for node in nodes for name in node.inputs} | graph.results()
    fed = [i for i in graph.inputs if i.role not in STORED]
    constants = [name for name in known if name in read and name not in fills]
    inputs = (*fed, *(Input(name, types[name], "const") for name in constants))
    kept = tuple(node for node in nodes if any(out.name in read for out in node.outputs))
    return WithConstants(graph.with_(inputs=inputs, nodes=kept), {name: known[name] for name in constants})


PRODUCTS = ("conv", "inner_product")
LIMITS = {"relu": (0.0, inf)}
"""Limits of clamps whose only operand is x."""


@record
class Clamp:
    """A node that clamps `value` to low..high."""

    value: str
    low: float
    high: float


@dataclass
class Roles:
    """The roles of a graph's nodes.

    Attributes:
        role: role of each node, by its first result; nodes without one are computed in float.
        clamps: clamps by their result.
        limits: limits of clamps with the role "move", by their results.
        means: operand of each mean over all cells, and the factor of the sum, by its result.
        whole: the integer values, in the order of the graph.
    """

    graph: Graph
    role: dict[str, str] = field(default_factory=dict)
    clamps: dict[str, Clamp] = field(default_factory=dict)
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)
    means: dict[str, tuple[str, float]] = field(default_factory=dict)
    whole: tuple[str, ...] = ()


def roles_of(source: WithConstants) -> Roles:
    """The roles in a graph with constants."""
    return _Finder(source).found()


class _Finder:
    def __init__(self, source: WithConstants) -> None:
        self.graph, self.constants = source.graph, source.arrays
        self.types, self.makers = self.graph.types(), self.graph.producers()
        self.reads = Counter(name for node in self.graph.nodes for name in node.inputs) + Counter(self.graph.results())
        self.roles = Roles(self.graph)

    def found(self) -> Roles:
        for node in self.graph.nodes:
            if role := self._role(node):
                self.roles.role[node.outputs[0].name] = role
        whole = self._whole()
        self.roles.whole = tuple(name for name in self.types if name in whole)
        return self.roles

    def _role(self, node: Node) -> str:
        out = node.outputs[0]
        if out.type.dtype != "f32" or not out.type.batch:
            return ""
        if node.op in PRODUCTS:
            fits = node.inputs[0] not in self.constants and all(name in self.constants for name in node.inputs[1:])
            return "product" if fits else ""
        if node.op == "mean_pool":
            return "mean"
        if node.op == "add":
            return "add" if all(self._varies(name) for name in node.inputs) else ""
        if limits := self._limits(node):
            x = node.inputs[0]
            if self.roles.role.get(x) not in ("product", "add", "mean") or self.reads[x] != 1:
                self.roles.limits[out.name] = limits
                return "move"
            self.roles.clamps[out.name] = Clamp(x, *limits)
            return "clamp"
        if self._is_mean(node):
            return "mean"
        moves = node.op in ("max_pool", "concat") or is_alias(node)
        fits = moves and all(self.types[name].batch and self.types[name].dtype == "f32" for name in node.inputs)
        return "move" if fits and (node.op != "concat" or node.attr["axis"] != 0) else ""

    def _varies(self, name: str) -> bool:
        """Whether a value depends on samples; False for a repeated number or parameter."""
        maker = self.makers.get(name)
        return self.types[name].batch and (maker is None or maker.op not in ("fill", "broadcast"))

    def _number(self, name: str) -> float | None:
        """The number that fills a value; None if there are several."""
        maker = self.makers.get(name)
        value = maker.attr["value"] if maker is not None and maker.op == "fill" else None
        return float(value) if isinstance(value, (int, float)) else None

    def _limits(self, node: Node) -> tuple[float, float] | None:
        """The limits of relu, and of clips by numbers; None of other nodes."""
        if node.op in LIMITS:
            return LIMITS[node.op]
        if node.op not in ("clip", "min", "max"):
            return None
        x, *others = node.inputs
        numbers = [number for number in map(self._number, others) if number is not None]
        if len(numbers) < len(others) or not self._varies(x):
            return None
        return {"clip": tuple(numbers), "min": (-inf, *numbers), "max": (*numbers, inf)}[node.op]  # type: ignore[return-value]

    def _is_mean(self, node: Node) -> bool:
        """Whether a node multiplies the sums over all cells of each channel by a number."""
        if node.op != "mul":
            return False
        for total, other in (node.inputs, node.inputs[::-1]):
            maker, factor = self.makers.get(total), self._number(other)
            if maker is None or maker.op != "reduce_sum" or factor is None or factor <= 0 or self.reads[total] != 1:
                continue
            axes = len(self.types[maker.inputs[0]].shape)
            if maker.attr["axes"] == tuple(range(2, axes)) and self.types[maker.inputs[0]].batch:
                self.roles.means[node.outputs[0].name] = (maker.inputs[0], factor)
                return True
        return False

    def _whole(self) -> set[str]:
        """The integer values, found from the last node to the first."""
        whole, results = set[str](), set[str]()
        for node in reversed(self.graph.nodes):
            name = node.outputs[0].name
            role = self.roles.role.get(name, "")
            if role == "product":
                whole.add(node.inputs[0])
            elif name not in whole and name not in results:
                continue
            elif role == "clamp":
                results.add(self.roles.clamps[name].value)
            elif role in ("add", "mean", "move"):
                means, limits = self.roles.means, self.roles.limits
                whole.update((means[name][0],) if name in means else node.inputs[:1] if name in limits else node.inputs)
        return whole
