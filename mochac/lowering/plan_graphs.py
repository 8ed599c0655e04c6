"""The graphs of a Program's plans: step, forward/backward (debug) and test, written from one traced net.

Program asks for them lazily. Backward and update are derived here from ops, regularizers and the solver's rule; nothing
is said about layout, fusion or machines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mochac.frontend.trace import Traced
from mochac.frontend.tracer import ParamInfo
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Loc, Value
from mochac.ir.types import TensorType
from mochac.lowering.measures import measures
from mochac.lowering.state_names import state_names
from mochac.passes.autodiff import gradients
from mochac.passes.pool_first import pool_first
from mochac.solvers.clipping import Clipping
from mochac.solvers.method import Method, append_update

OBJECTIVE = "obj_val"
DUE = "every_n_iter."
"""Names of the scalars behind constraints that are not always applied; n follows."""


@dataclass(frozen=True)
class PlanGraph:
    """A graph and the names its results are reported under: scalars after every step, named values after a run.
    `seconds` is what making it took, by stage."""

    graph: Graph
    scalars: dict[str, str]
    named: dict[str, str]
    seconds: dict[str, float] = field(default_factory=dict, compare=False)

    @cached_property
    def rhythms(self) -> dict[str, int]:
        """Scalars that are 1 in every n-th iteration and 0 in the others, with their n."""
        found = (i.name for i in self.graph.inputs if i.role == "hyper" and i.name.startswith(DUE))
        return {name: int(name.removeprefix(DUE)) for name in found}


def step_plan(
    traced: Traced,
    method: Method,
    *,
    regu_coef: float,
    clipping: Clipping = Clipping(),  # noqa: B008 - frozen
    frozen: frozenset[str] = frozenset(),
    keep: Sequence[str] = (),
) -> PlanGraph:
    """Forward, backward and update of one batch.

    Args:
        frozen: keys of parameters that stay as they are.
        keep: blobs that must be readable after train().
    """
    scalars = {record.layer: record.value for record in traced.losses}
    named = {**{blob: traced.blobs[blob] for blob in keep}, **_outputs(traced)}
    assert traced.total_loss is not None, "a net without a loss has no objective"
    wanted = _unique([traced.total_loss, *scalars.values(), *named.values()])
    b = GraphBuilder.extending(pool_first(traced.graph.with_(outputs=wanted)))
    trained = [p for p in traced.params if p.key not in frozen]
    loss = _objective(b, traced)
    grads = _regularized(b, trained, gradients(b, loss, [b.values[p.value] for p in trained]), regu_coef)
    grads = clipping.clipped(b, grads)
    for p in trained:
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            append_update(b, method, b.values[p.value], grads[p.value], p.lr_mult, _constraint(b, p))
    scalars[OBJECTIVE] = loss.name
    graph = b.finish(_unique([*scalars.values(), *named.values()])).with_(name="step")
    return PlanGraph(state_names(reached(graph)), scalars, named)


def debug_plan(traced: Traced, *, backward: bool, regu_coef: float = 0.0) -> PlanGraph:
    """forward(), or forward and backward(): every blob and its gradient, every parameter's gradient, no update.

    `named` has blobs under their names, blob gradients as "diff <blob>", parameter gradients (regularizers included) as
    "grad <key>.<name>". In test mode, whose losses are sums, the objective is their mean over the batch.
    """
    b = GraphBuilder.extending(traced.graph)
    named = {**traced.blobs, **_outputs(traced)}
    scalars = measures(traced)
    if traced.losses:
        loss = _objective(b, traced)
        if traced.mode == "test":
            loss = b.scaled(loss, 1.0 / traced.batch)
        scalars[OBJECTIVE] = loss.name
        if backward:
            blobs = {blob: b.values[value] for blob, value in traced.blobs.items()}
            wanted = {f"diff {blob}": v for blob, v in blobs.items() if v.type.dtype in ("f32", "f64")}
            wanted.update({f"grad {p.value}": b.values[p.value] for p in traced.params})
            found = gradients(b, loss, list({v.name: v for v in wanted.values()}.values()))
            found.update(_regularized(b, traced.params, found, regu_coef))
            named.update({name: found[v.name].name for name, v in wanted.items()})
    graph = b.finish(_unique([*scalars.values(), *named.values()])).with_(name="backward" if backward else "forward")
    return PlanGraph(reached(graph), scalars, named)


def test_plan(traced: Traced, blobs: Sequence[str] = ()) -> PlanGraph:
    """Statistics of the first n_valid samples and what sinks take; with `blobs`, those blobs alone (for predict)."""
    named = {blob: traced.blobs[blob] for blob in blobs}
    scalars: dict[str, str] = {}
    if not blobs:
        named.update(_outputs(traced))
        scalars = measures(traced)
    name = "test" if not blobs else "predict"
    graph = traced.graph.with_(name=name, outputs=tuple(_unique([*scalars.values(), *named.values()])))
    return PlanGraph(reached(graph), scalars, named)


def _objective(b: GraphBuilder, traced: Traced) -> Value:
    assert traced.total_loss is not None, "a net without a loss has no objective"
    return b.values[traced.total_loss]


def _regularized(
    b: GraphBuilder, params: Sequence[ParamInfo], grads: dict[str, Value], regu_coef: float
) -> dict[str, Value]:
    """Gradients with each parameter's regularizer added."""
    found: dict[str, Value] = {}
    for p in params:
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            extra = p.regu.gradient(b, b.values[p.value], regu_coef)
            found[p.value] = grads[p.value] if extra is None else b.op("add", grads[p.value], extra)
    return found


def _constraint(b: GraphBuilder, p: ParamInfo) -> Callable[[Value], Value] | None:
    """What a parameter's constraint makes of its new value, in the iterations in which it is due."""
    every = p.cons.every_n_iter
    if not every:
        return None
    scalar = TensorType(b.values[p.value].type.dtype, ())
    due = b.input(f"{DUE}{every}", scalar, "hyper") if every > 1 else None
    return lambda new: p.cons.project(b, new, due)


def _outputs(traced: Traced) -> dict[str, str]:
    """What sinks take, by the names it is read under."""
    return {name: value for r in traced.outputs for name, value in zip(r.names, r.values, strict=True)}


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def reached(graph: Graph) -> Graph:
    """The graph without nodes and inputs that no result needs."""
    needed = graph.results() | {target for target, _ in graph.updates}
    nodes = []
    for node in reversed(graph.nodes):
        if any(out.name in needed for out in node.outputs):
            needed.update(node.inputs)
            nodes.append(node)
    inputs = tuple(i for i in graph.inputs if i.name in needed)
    return graph.with_(nodes=tuple(reversed(nodes)), inputs=inputs)
