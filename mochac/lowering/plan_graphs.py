"""The graphs of a net's plans: training step, forward and backward (debug), test and predict.

Each starts from a traced net; gradients, regularizers, clipping and the solver's update are added as needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Loc, Value
from mochac.ir.passes.fold_scale import fold_scale
from mochac.ir.passes.simplify import apply_rule
from mochac.ir.pullback import gradients, pulled_back
from mochac.ir.types import FLOATS, TensorType
from mochac.lowering.measures import measures, state_names
from mochac.nets.declared import ParamInfo, diff_of, gradient_of
from mochac.nets.solvers._graph_code import extra_gradient, projected
from mochac.nets.solvers.method import append_row_update, append_update
from mochac.nets.solvers.update import Averaging, Update, norm_of, require_groups
from mochac.nets.trace import Traced

OBJECTIVE = "obj_val"
"""Name under which a plan reports the total loss."""
EVERY_N_ITER = "every_n_iter."
"""Prefix, followed by n, of the scalar that is 1 in the iterations in which a constraint or an average is due."""


GRADIENT_SUM = "gradient_sum"
"""The slot of a parameter that adds up the gradients of the batches before the last one of an update."""
GRADIENT, NEXT = "gradient", "of_batch"
"""The slots in which backward() leaves a parameter's gradient, and a state's new value, for an update."""
HOW = ("scalars", "named", "first", "parts", "ranks", "nets", "own", "convolutions", "layout", "natural")
"""The fields of a PlanGraph that lowering takes besides the graph."""
FIRST_BATCH = "first_batch"
"""Name of the scalar that is 1 in the first batch of an update, whose gradient starts the sum, and 0 in the others."""


@record
class PlanGraph:
    """The graph of a plan.

    Attributes:
        scalars: values reported after every step, by the name they are reported under.
        named: values that can be read after a run, by the name they are read under.
        first: values that are computed before the others, and may be computed alone.
        parts: into how many parts the batch is cut, on all ranks together.
        ranks: how many share the parts, each with a plan of the same text.
        nets: how many nets a step trains, each with its own of the inputs `own`; 0: the graph's one.
        convolutions: which algorithms they may use, "auto" or "direct"; see compile().
        layout: False: values of batches are not blocked.
        natural: True: named values are natural, even if they are computed in blocks.
        seconds: time to make the graph, by stage.
    """

    graph: Graph
    scalars: dict[str, str]
    named: dict[str, str]
    first: tuple[str, ...] = ()
    parts: int = 1
    ranks: int = 1
    nets: int = 0
    own: tuple[str, ...] = ()
    convolutions: str = "auto"
    layout: bool = True
    natural: bool = False
    seconds: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def how(self) -> dict[str, Any]:
        """The other arguments for lowering the graph (pipeline.lower)."""
        return {name: getattr(self, name) for name in HOW}

    @cached_property
    def periods(self) -> dict[str, int]:
        """Scalars that are 1 in every n-th iteration and 0 in the others, with their n."""
        scalars = (i.name for i in self.graph.inputs if i.role == "hyper")
        return {name: int(name.removeprefix(EVERY_N_ITER)) for name in scalars if name.startswith(EVERY_N_ITER)}


class _Results(NamedTuple):
    """The fields of a PlanGraph."""

    scalars: dict[str, str]
    named: dict[str, str]


def step_plan(
    traced: Traced, update: Update, *, frozen: frozenset[str] = frozenset(), keep: Sequence[str] = ()
) -> PlanGraph:
    """Forward, backward and update of one batch: the last of those whose gradients make an update together.

    Args:
        frozen: keys of parameters and states that are not updated.
        keep: blobs that must be readable after train().
    """
    b, plan, grads = _with_gradients(traced, frozen, keep)
    norms = _append_update(b, traced, frozen, grads, update)
    return _finished(b, plan._replace(scalars=plan.scalars | norms), "step")


def update_plan(traced: Traced, update: Update, *, frozen: frozenset[str] = frozenset()) -> PlanGraph:
    """The update of a training step alone, by the gradients that the plan of backward() has left in slots."""
    b, grads = _with_kept_gradients(traced, frozen)
    return _finished(b, _Results(_append_update(b, traced, frozen, grads, update), {}), "update")


def accumulate_plan(traced: Traced, *, frozen: frozenset[str] = frozenset(), keep: Sequence[str] = ()) -> PlanGraph:
    """Forward and backward of a batch before the last one of an update: its gradients are added to the sums."""
    b, plan, grads = _with_gradients(traced, frozen, keep)
    _append_sums(b, traced, frozen, grads)
    return _finished(b, plan, "accumulate")


def add_plan(traced: Traced, *, frozen: frozenset[str] = frozenset()) -> PlanGraph:
    """Adds the gradients that the plan of backward() has left in slots to the sums of an update."""
    b, grads = _with_kept_gradients(traced, frozen)
    _append_sums(b, traced, frozen, grads)
    return _finished(b, _Results({}, {}), "add")


def _append_update(
    b: GraphBuilder, traced: Traced, frozen: frozenset[str], grads: dict[str, Value], update: Update
) -> dict[str, str]:
    """The update of the parameters that are trained, by the gradients of the last batch; the norms of these gradients,
    by the names they are reported under, if the update has them reported."""
    trained = _trained(traced, frozen)
    require_groups(update.method, traced.params)
    if update.accumulate > 1:
        grads = {p.value: _mean_gradient(b, p, grads[p.value], update.accumulate) for p in trained}
    grads = _regularized(b, trained, grads, update.regu_coef)
    norms = _norms(b, trained, grads) if update.norms else {}
    grads = update.clipping.clipped(b, grads)
    new = {p.value: b.values[p.value] for p in traced.params}
    rows_of = _Rows(b)
    for p in trained:
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            value, constrain = b.values[p.value], _constraint(b, p)
            group = update.method.group_of(p.names)
            method = group.method
            rows = rows_of.gradient(grads[p.value]) if update.rows and constrain is None else None
            if rows is not None:
                new[p.value] = append_row_update(b, method, value, rows, p.lr_mult, prefix=group.prefix)
                continue
            decays = p.decays or update.decay_all
            how = (grads[p.value], p.lr_mult, constrain)
            new[p.value] = append_update(b, method, value, *how, decays=decays, prefix=group.prefix)
    if update.averaging is not None:
        _append_averages(b, traced.params, new, update.averaging)
    return norms


def row_tables(traced: Traced) -> list[ParamInfo]:
    """The tables of a net, of which a step may update only the rows that it reads."""
    read = {node.inputs[0] for node in traced.graph.nodes if node.op == "gather"}
    return [p for p in traced.params if p.value in read]


def updated_by_rows(graph: Graph) -> list[str]:
    """The tables that the graph of a step updates by rows."""
    return [node.inputs[0] for node in graph.nodes if node.op == "add_rows"]


class _Rows:
    """Which gradients are sums of rows, in the graph built so far."""

    def __init__(self, b: GraphBuilder) -> None:
        self.values = b.values
        self.uses = Counter(name for node in b.nodes for name in node.inputs)
        self.producers = {out.name: node for node in b.nodes for out in node.outputs}

    def gradient(self, gradient: Value) -> list[tuple[Value, Value]] | None:
        """The gradients of rows, with their ids, that a gradient adds up; None if it is not such a sum, or if something
        else reads it."""
        found: list[tuple[Value, Value]] = []
        stack = [(gradient.name, 0)]
        while stack:
            name, readers = stack.pop()
            node = self.producers.get(name)
            if node is None or self.uses[name] > readers or node.op not in ("gather_dx", "add"):
                return None
            if node.op == "add":
                stack.extend((operand, 1) for operand in reversed(node.inputs))
            else:
                dy, ids = node.inputs
                found.append((self.values[dy], self.values[ids]))
        return found


def _norms(b: GraphBuilder, params: Sequence[ParamInfo], grads: dict[str, Value]) -> dict[str, str]:
    """The 2-norm of each gradient, by the name it is reported under."""
    found: dict[str, str] = {}
    for p in params:
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            g = grads[p.value]
            total = b.op("reduce_sum", b.op("square", g), axes=tuple(range(len(g.type.shape))))
            found[norm_of(p.value)] = b.op("sqrt", total).name
    return found


def _append_sums(b: GraphBuilder, traced: Traced, frozen: frozenset[str], grads: dict[str, Value]) -> None:
    """Add the gradients of a batch to those of the batches before it."""
    for p in _trained(traced, frozen):
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            total = _gradient_sum(b, p)
            b.update(total, b.op("add", _unless_first(b, total), grads[p.value]))


def _with_kept_gradients(traced: Traced, frozen: frozenset[str]) -> tuple[GraphBuilder, dict[str, Value]]:
    """Parameters and states alone, with the gradients and the new states of the last backward()."""
    inputs = tuple(i for i in traced.graph.inputs if i.role in ("param", "state") or i.name in traced.carried)
    b = GraphBuilder.extending(traced.graph.with_(inputs=inputs, nodes=(), outputs=(), updates=()))
    changed = {target for target, _ in traced.graph.updates}
    for s in traced.states:
        if s.value in changed and s.key not in frozen:
            b.update(b.values[s.value], _kept(b, s.value, NEXT))
    for name in traced.carried:
        b.update(b.values[name], _kept(b, name, NEXT))
    return b, {p.value: _kept(b, p.value, GRADIENT) for p in _trained(traced, frozen)}


def _kept(b: GraphBuilder, name: str, slot: str) -> Value:
    """The values that the plan of backward() keeps for an update of a parameter or state."""
    return b.input(f"{name}.{slot}", b.values[name].type, "slot")


def _trained(traced: Traced, frozen: frozenset[str]) -> list[ParamInfo]:
    """The parameters that an update changes. Those whose factor of the learning rate is 0 cost no gradient, and limits
    do not count them."""
    return [p for p in traced.params if p.key not in frozen and (p.lr_mult or p.cons.every_n_iter)]


def _with_gradients(
    traced: Traced, frozen: frozenset[str], keep: Sequence[str]
) -> tuple[GraphBuilder, _Results, dict[str, Value]]:
    """Forward and backward of a batch, what its plan reports, and the gradients of the parameters that are trained."""
    scalars = {record.layer: record.value for record in traced.losses}
    named = {**{blob: traced.blobs[blob] for blob in keep}, **_outputs(traced)}
    assert traced.total_loss is not None, "a net without a loss has no objective"
    results = _unique([traced.total_loss, *scalars.values(), *named.values()])
    kept = {s.value for s in traced.states if s.key in frozen}
    updates = tuple((state, new) for state, new in traced.graph.updates if state not in kept)
    b = GraphBuilder.extending(apply_rule("pool_first", traced.graph.with_(outputs=results, updates=updates)))
    loss = _objective(b, traced)
    scalars[OBJECTIVE] = loss.name
    trained = [b.values[p.value] for p in _trained(traced, frozen)]
    return b, _Results(scalars, named), gradients(b, loss, trained)


def _finished(b: GraphBuilder, results: _Results, name: str) -> PlanGraph:
    scalars, named = results
    graph = b.finish(_unique([*scalars.values(), *named.values()])).with_(name=name)
    return PlanGraph(state_names(reached(graph)), scalars, named)


def _gradient_sum(b: GraphBuilder, p: ParamInfo) -> Value:
    return b.input(f"{p.value}.{GRADIENT_SUM}", b.values[p.value].type, "slot")


def _mean_gradient(b: GraphBuilder, p: ParamInfo, last: Value, n: int) -> Value:
    """The mean over n batches, of which `last` is the last one's gradient."""
    with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
        return b.scaled(b.op("add", _gradient_sum(b, p), last), 1.0 / n)


def _unless_first(b: GraphBuilder, total: Value) -> Value:
    """0 in place of a sum that belongs to the last update."""
    first = b.input(FIRST_BATCH, TensorType(total.type.dtype, ()), "hyper")
    zero = b.const(0.0, total.type)
    begins = b.op("gt", b.op("broadcast", first, shape=total.type.shape, axes=(), batch=False), zero)
    return b.op("select", begins, zero, total)


def debug_plan(
    traced: Traced, *, backward: bool, regu_coef: float = 0.0, diffs: Sequence[str] | None = None
) -> PlanGraph:
    """forward(), or forward and backward(): every blob and its gradient, every parameter's gradient. No parameter and
    no state is updated: gradients and new states are left in slots, for update_plan().

    `named` has blobs under their names, blob gradients under diff_of(), parameter gradients (with regularizers) as
    gradient_of(). Losses are sums in test mode; there the objective is their mean over the batch.

    Args:
        diffs: blobs whose gradients are inputs, called diff_input(blob), instead of the net's own objective.

    With `backward`, forward is the first part of the plan.
    """
    b = GraphBuilder.extending(traced.graph.with_(updates=()))
    named = {**traced.blobs, **_outputs(traced)}
    scalars = measures(traced)
    loss = _test_mean(b, traced) if traced.losses else None
    if loss is not None:
        scalars[OBJECTIVE] = loss.name
    first = _unique([*scalars.values(), *named.values()]) if backward else ()
    if backward:
        named.update(_append_backward(b, traced, loss, regu_coef, diffs))
    graph = b.finish(_unique([*scalars.values(), *named.values()])).with_(name="backward" if backward else "forward")
    return PlanGraph(reached(graph), scalars, named, first)


def diff_input(traced: Traced, blob: str) -> str:
    """The input for the gradient of a blob that a user passes."""
    return f"{traced.blobs[blob]}.diff"


def _append_backward(
    b: GraphBuilder, traced: Traced, loss: Value | None, regu_coef: float, diffs: Sequence[str] | None
) -> dict[str, str]:
    """The gradients of blobs and parameters, by the names that they are read under."""
    blobs = {blob: b.values[value] for blob, value in traced.blobs.items()}
    shown = {diff_of(blob): v for blob, v in blobs.items() if v.type.dtype in FLOATS}
    shown.update({gradient_of(p.value): b.values[p.value] for p in traced.params})
    wrt = list({v.name: v for v in shown.values()}.values())
    if diffs is None:
        assert loss is not None, "a net without a loss has no objective"
        grads = gradients(b, loss, wrt)
    else:
        cotangents = {blobs[blob].name: b.input(diff_input(traced, blob), blobs[blob].type) for blob in diffs}
        grads = pulled_back(b, cotangents, wrt)
    grads.update(_regularized(b, traced.params, grads, regu_coef))
    for p in traced.params:
        b.update(_kept(b, p.value, GRADIENT), grads[p.value])
    for state, new in traced.graph.updates:
        b.update(_kept(b, state, NEXT), b.values[new])
    return {name: grads[v.name].name for name, v in shown.items()}


def _test_mean(b: GraphBuilder, traced: Traced) -> Value:
    """The objective; in test mode, where losses are sums, their mean over the batch."""
    loss = _objective(b, traced)
    return b.scaled(loss, 1.0 / traced.batch) if traced.mode == "test" else loss


def test_plan(traced: Traced, blobs: Sequence[str] = (), constant: bool = False) -> PlanGraph:
    """Statistics of the first n_valid samples, and the inputs of collectors; or only `blobs` (for predict).

    Args:
        constant: parameters never change.
    """
    named = {blob: traced.blobs[blob] for blob in blobs}
    scalars: dict[str, str] = {}
    if not blobs:
        named.update(_outputs(traced))
        scalars = measures(traced)
    name = "test" if not blobs else "predict"
    graph = traced.graph.with_(name=name, outputs=tuple(_unique([*scalars.values(), *named.values()])), updates=())
    read = {i.name for i in reached(graph).inputs}
    graph = graph.with_(updates=tuple(update for update in traced.graph.updates if update[0] in read))
    return PlanGraph(state_names(fold_scale(reached(graph), constant)), scalars, named, natural=True)


def meeting_layer(predicts: Graph) -> str:
    """The first layer of a prediction in which the samples of a batch meet, so that results depend on which samples are
    in a batch; "" if there is none."""
    meetings = (node for node in predicts.nodes if node.op in ("all_samples", "mask_batch"))
    return next((node.loc[0].layer if node.loc else node.outputs[0].name for node in meetings), "")


def _objective(b: GraphBuilder, traced: Traced) -> Value:
    assert traced.total_loss is not None, "a net without a loss has no objective"
    return b.values[traced.total_loss]


def _regularized(
    b: GraphBuilder, params: Sequence[ParamInfo], grads: dict[str, Value], regu_coef: float
) -> dict[str, Value]:
    """Gradients with each parameter's regularizer added."""
    regularized: dict[str, Value] = {}
    for p in params:
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            extra = extra_gradient(p.regu, b, f"{p.layer}.{p.name}", b.values[p.value], regu_coef)
            regularized[p.value] = grads[p.value] if extra is None else b.op("add", grads[p.value], extra)
    return regularized


def _append_averages(b: GraphBuilder, params: Sequence[ParamInfo], new: dict[str, Value], averaging: Averaging) -> None:
    """Average all parameters, frozen ones too, whose average approaches them."""
    for p in params:
        with b.at(Loc(f"{p.layer}.{p.name}", p.loc.file, p.loc.line)):
            w = b.values[p.value]
            averaging.append(b, w, new[p.value], _due(b, averaging.every_n_iter, w.type.dtype))


def _due(b: GraphBuilder, every: int, dtype: str) -> Value | None:
    """The scalar that is 1 in every n-th iteration, None for n = 1."""
    return b.input(f"{EVERY_N_ITER}{every}", TensorType(dtype, ()), "hyper") if every > 1 else None


def _constraint(b: GraphBuilder, p: ParamInfo) -> Callable[[Value], Value] | None:
    """A parameter's constraint, which applies to its new value in the iterations in which it is due."""
    every = p.cons.every_n_iter
    if not every:
        return None
    due = _due(b, every, b.values[p.value].type.dtype)
    return lambda new: projected(p.cons, b, f"{p.layer}.{p.name}", new, due)


def _outputs(traced: Traced) -> dict[str, str]:
    """The inputs of collectors, by the names they are read under."""
    return {name: value for record in traced.outputs for name, value in zip(record.names, record.values, strict=True)}


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def reached(graph: Graph) -> Graph:
    """The graph without the nodes and inputs that no result depends on."""
    needed = graph.results() | {target for target, _ in graph.updates}
    nodes = []
    for node in reversed(graph.nodes):
        if any(out.name in needed for out in node.outputs):
            needed.update(node.inputs)
            nodes.append(node)
    inputs = tuple(i for i in graph.inputs if i.name in needed)
    return graph.with_(nodes=tuple(reversed(nodes)), inputs=inputs)
