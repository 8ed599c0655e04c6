"""The main plan of a net, which explain, dump and profile show; and the training step of many nets of one shape.

The latter is the step of one net, with its numbers taken out, over an axis of nets:

    %d: f32[4,3] = fill() {value = 0.001}              %d: f32[4,3] = broadcast(%number.0) {axes = (), shape = (4,3)}
    %m = dropout_mask(%step) {key = 17, ..}     ->     %m = dropout_mask(%step, %key.0) {key = 0, ..}

Constants of the update (regularizers, decay, beta) and keys of random streams become inputs, so nets that differ in
them have the same graph. Everything else that differs, such as shapes or the kind of method, makes another graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.graph import Graph, Input, Loc, Node, make_attrs
from mochac.ir.types import DTYPES, FLOATS, TensorType, dtype_name
from mochac.lowering.parts import checked_parts, parts_of
from mochac.lowering.plan_graphs import PlanGraph, step_plan, test_plan
from mochac.nets.net import Net
from mochac.nets.solvers.update import Update
from mochac.nets.trace import DTYPE, Traced, trace
from mochac.runtime.backend import Backend

if TYPE_CHECKING:
    from mochac.lowering.plan_cache import ChosenSchedules
    from mochac.runtime.lowered import Lowered


BLOCK = 32
"""Nets of a plan where no vectors hold one net per lane: the threads of a warp."""


@record
class NetStep:
    """The step of one net.

    Attributes:
        source: its graph, without numbers of its own.
        numbers: those numbers, by input.
        tables: constant arrays, by input.
    """

    traced: Traced
    source: PlanGraph
    numbers: dict[str, np.ndarray]
    tables: Mapping[str, np.ndarray]

    @cached_property
    def shape(self) -> tuple[str, ...]:
        """Equal for nets that fit one plan."""
        tables = (f"{name} {table.dtype} {table.tobytes().hex()}" for name, table in self.tables.items())
        return str(_without_places(self.source.graph)), str(self.source.scalars), *tables


def net_step(traced: Traced, update: Update) -> NetStep:
    """The step of a net whose layers and update are these."""
    source = step_plan(traced, update)
    numbers: dict[str, np.ndarray] = {}
    of_update = {f"{p.layer}.{p.name}" for p in traced.params}
    nodes = tuple(_lifted(node, of_update, numbers) for node in source.graph.nodes)
    inputs = tuple(Input(name, TensorType(dtype_name(value.dtype), ()), "const") for name, value in numbers.items())
    graph = source.graph.with_(name="many", nodes=nodes, inputs=(*source.graph.inputs, *inputs))
    used = {name for node in graph.nodes for name in node.inputs}
    tables = {name: table for name, table in traced.tables.items() if name in used}
    return NetStep(traced, replace(source, graph=graph), numbers, tables)


def many_plan(step: NetStep, n_nets: int, *, own_data: bool) -> PlanGraph:
    """The plan of `n_nets` nets, which lowering maps (passes/map_nets.py).

    Args:
        own_data: every net has batches of its own; False: all nets share each batch.
    """
    graph = step.source.graph
    roles = {"param", "state", "slot", *(["data"] if own_data else [])}
    periods = {"step", *step.source.periods}
    own = {i.name for i in graph.inputs if i.role in roles or (i.role == "hyper" and i.name not in periods)}
    return replace(step.source, nets=n_nets, own=tuple(sorted(own | step.numbers.keys())))


def main_many_plan(net: Net, lanes: int, dtype: str = "float32") -> PlanGraph:
    """The step of many such nets that share their batches, by SGD with its defaults; for explain and dump."""
    return many_plan(net_step(trace(net, "train", dtype), Update()), block_of_nets(lanes), own_data=False)


def block_of_nets(lanes: int) -> int:
    """Number of nets of a plan, whatever the number of nets to train: so their results do not depend on it."""
    return lanes or BLOCK


def _lifted(node: Node, of_update: set[str], numbers: dict[str, np.ndarray]) -> Node:
    """The node, with its number as an operand."""
    attrs = node.attr
    if "key" in attrs and node.inputs:
        name = f"key.{len(numbers)}"
        numbers[name] = np.uint64(int(attrs["key"]) % 2**64)  # type: ignore[arg-type]
        return replace(node, inputs=(*node.inputs, name), attrs=make_attrs({**attrs, "key": 0}))
    dtype = node.outputs[0].type.dtype
    if node.op == "fill" and dtype in FLOATS and of_update & {loc.layer for loc in node.loc}:
        name = f"number.{len(numbers)}"
        numbers[name] = DTYPES[dtype].type(attrs["value"])
        spread = {"shape": attrs["shape"], "axes": (), "batch": attrs.get("batch", False)}
        return replace(node, op="broadcast", inputs=(name,), attrs=make_attrs(spread))
    return node


def _without_places(graph: Graph) -> Graph:
    """The graph without names of layers' files: equal nets may be built on several lines."""
    nodes = tuple(replace(node, loc=tuple(Loc(loc.layer) for loc in node.loc)) for node in graph.nodes)
    return graph.with_(nodes=nodes)


def main_kind(net: Net) -> Literal["step", "test", "predict"]:
    """The training step if the net has a loss, else the test plan if it has statistics, else the prediction of every
    blob that no layer reads."""
    if net.losses:
        return "step"
    return "test" if net.statistics else "predict"


def main_graph(net: Net, dtype: str = "float32", parts: int | None = None, ranks: int = 1) -> PlanGraph:
    """The graph of a net's main plan; that of a training step is of SGD with its defaults, cut into `parts`, which
    `ranks` share."""
    kind = main_kind(net)
    if kind == "step":
        cut = checked_parts(net.batch, parts or (parts_of(net.batch, ranks) if ranks > 1 else 1), ranks)
        return replace(step_plan(trace(net, "train", dtype), Update(rows=cut == 1)), parts=cut, ranks=ranks)
    return test_plan(trace(net, "test", dtype), net.unconsumed if kind == "predict" else ())


def lowered_net(
    net: Net,
    backend: Backend,
    dtype: str = "float32",
    parts: int | None = None,
    ranks: int = 1,
    chosen: ChosenSchedules | None = None,
    convolutions: str | None = None,
) -> Lowered:
    """Lower a net's main plan without running it; keep every stage.

    Args:
        chosen: schedules that replace the rules'.
        convolutions: see compile().
    """
    return _lowered(main_graph(net, dtype, parts, ranks), backend, dtype, convolutions, chosen)


def lowered_many(net: Net, backend: Backend, dtype: str = "float32", convolutions: str | None = None) -> Lowered:
    """Lower the step in which many such nets are trained at once, without running it; keep every stage."""
    lanes = backend.generator.lanes(DTYPE[dtype])
    return _lowered(main_many_plan(net, lanes, dtype), backend, dtype, convolutions)


def _lowered(
    source: PlanGraph,
    backend: Backend,
    dtype: str,
    convolutions: str | None,
    chosen: ChosenSchedules | None = None,
) -> Lowered:
    from mochac.lowering.pipeline import lower  # lazily: a program with cached plans runs without the passes

    source = replace(source, convolutions=backend.convolutions(convolutions))
    how: dict[str, Any] = {**source.how, "dtype": DTYPE[dtype], "adviser": backend.adviser}
    if chosen is not None:
        how.update(chooser=chosen.choose, origin=chosen.origin)
    return lower(source.graph, backend.generator, **how)
