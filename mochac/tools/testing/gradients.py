"""check_gradients: compares derived gradients with central differences, and generated code with the interpreter.

Central differences are taken in the interpreter, in float64, and check the definition of a net or layer. The gradients
of the code that training runs, in float32, are then compared with the interpreter's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.hints.calls import checked_call
from mochac.base.options import CompileOptions, Options
from mochac.base.records import record
from mochac.base.rules import real
from mochac.base.support.memory import difference
from mochac.ir.graph import Graph, Input
from mochac.ir.interp import run
from mochac.ir.types import DTYPES
from mochac.lowering.backends import open_backend
from mochac.lowering.plan_graphs import FIRST_BATCH, GRADIENT_SUM, accumulate_plan, debug_plan, reached
from mochac.lowering.run_graph import run_graph
from mochac.nets.declared import ParamInfo, gradient_of
from mochac.nets.net import Net, require_net
from mochac.nets.trace import Traced, trace
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.params import Params
from mochac.runtime.data.source import open_source

NATIVE_TOLERANCE = 1e-3
"""Allowed error of gradients in float32: sums of many terms, and of few that nearly cancel."""
ROUNDINGS = 16
"""Allowed error of gradients whose terms cancel, in errors of the interpreter in float32, or in roundings of the
largest gradient in the layer."""


@record
class GradientCheck:
    """Largest errors by "key.name", relative to the gradient's largest element; `ok` if all are small.

    Gradients whose terms cancel, such as that of a bias before a BatchNormLayer, are 0 but for rounding: there `native`
    is relative to what rounding may change.

    Attributes:
        errors: errors of derived gradients against central differences, in float64.
        native: errors of generated code in float32 against the interpreter in float64; empty if no code ran.
    """

    errors: Mapping[str, float]
    tolerance: float
    native: Mapping[str, float] = field(default_factory=dict)
    native_tolerance: float = NATIVE_TOLERANCE

    @property
    def ok(self) -> bool:
        """Whether every error is at most its tolerance."""
        pairs = ((self.errors, self.tolerance), (self.native, self.native_tolerance))
        return all(e <= tolerance for errors, tolerance in pairs for e in errors.values())

    def __str__(self) -> str:
        lines = ["gradients against central differences", *_rows(self.errors, self.tolerance)]
        if self.native:
            lines += ["gradients by generated code against the interpreter", *_rows(self.native, self.native_tolerance)]
        return "\n".join(lines)


def _rows(errors: Mapping[str, float], tolerance: float) -> list[str]:
    width = max((len(n) for n in errors), default=0)
    return [f"  {n:{width}}  {e:.2e}  {_verdict(e, tolerance)}" for n, e in errors.items()]


def _verdict(error: float, tolerance: float) -> str:
    if not math.isfinite(error):
        return "WRONG: the loss or the gradient is NaN or infinite"
    return "ok" if error <= tolerance else "WRONG"


@checked_call
def check_gradients(
    net: Net,
    *,
    epsilon: float = 1e-6,
    tolerance: float = 1e-5,
    samples: int = 20,
    seed: int = 0,
    native: bool = True,
) -> GradientCheck:
    """Compare the gradient of the total loss on one batch with central differences, and with generated code.

        (loss(w + epsilon) - loss(w - epsilon)) / (2 epsilon)   for `samples` elements of every parameter

    Differences are taken in the interpreter, in float64. The code that computes gradients in a training step is then
    compiled, in float32, for the backend that compile(net) takes, and all elements of its results are compared with the
    interpreter's; they may differ by 1e-3 of the largest.

    Kinks (ReLU at 0, ties of max pooling) within epsilon of a parameter's value show up as errors. If a layer excludes
    a value from its gradient on purpose (the weight of a TiedInnerProductLayer), the differences keep it constant, too.
    Parameters whose factor of the learning rate is 0 are left out, since steps compute no gradient for them.

    Args:
        epsilon: half the distance, > 0.
        tolerance: the largest error that passes, relative to the largest gradient of the parameter (or to 1 if that
            is smaller).
        native: False compiles nothing.

    Raises:
        OptionError: the net has no loss or no parameters, or an argument is out of range.
    """
    require_net("check_gradients()", net)
    for name, value in {"epsilon": epsilon, "tolerance": tolerance, "samples": samples}.items():
        real(above=0).check(name, value)
    if not net.losses or not net.params:
        raise OptionError(f"check_gradients: net {net.name!r} needs a loss layer and parameters")
    traced = trace(net, "train", "float64", seed=seed)
    values = _batch(net, traced, seed)
    source = debug_plan(traced, backward=True)
    graph = reached(source.graph.with_(updates=()))
    results = run(graph, {i.name: values[i.name] for i in graph.inputs}, dtype="f64")
    forward, values = _without_stops(traced, values)
    rng = np.random.default_rng(seed)
    errors = {}
    for p in filter(_is_trained, traced.params):
        gradient = np.asarray(results[source.named[gradient_of(p.value)]])
        picks = rng.choice(gradient.size, min(samples, gradient.size), replace=False)
        slopes = np.array([_slope(forward, values, p.value, int(k), epsilon) for k in picks])
        scale = max(1.0, float(np.abs(gradient).max()))
        errors[p.value] = float(np.abs(gradient.reshape(-1)[picks] - slopes).max()) / scale
    return GradientCheck(errors, tolerance, _native_errors(net, seed) if native else {})


def _is_trained(p: ParamInfo) -> bool:
    """Whether steps compute its gradient: not of constants, such as ids, by which nothing can be differentiated."""
    return p.lr_mult > 0 or bool(p.cons.every_n_iter)


def _native_errors(net: Net, seed: int) -> dict[str, float]:
    """Differences of the gradients that generated code computes from the interpreter's, for all parameters."""
    traced = trace(net, "train", "float32", seed=seed)
    graph = accumulate_plan(traced).graph
    values = {FIRST_BATCH: 1.0, **_batch(net, traced, seed)}
    inputs = {
        i.name: np.zeros(i.type.shape) if i.role == "slot" else np.asarray(values[i.name], DTYPES[i.type.dtype])
        for i in graph.inputs
    }
    wanted = run(graph, inputs, dtype="f64").values
    got = run_graph(graph, inputs, backend=open_backend(CompileOptions(), Options.from_env(), run=True))
    sums = {
        target.removesuffix(f".{GRADIENT_SUM}"): (target, new)
        for target, new in graph.updates
        if target.endswith(f".{GRADIENT_SUM}")
    }
    exact = {name: np.asarray(wanted[new]) for name, (_, new) in sums.items()}
    results = {name: np.asarray(got[f"update {target}"]) for name, (target, _) in sums.items()}
    errors = {name: difference(exact[name], results[name]) for name in sums}
    if all(error <= NATIVE_TOLERANCE for error in errors.values()):
        return errors
    rounded = run(graph, inputs).values
    for name, (_, new) in sums.items():
        rounding = np.abs(np.asarray(rounded[new], np.float64) - exact[name]).max(initial=0.0)
        near = [_largest(array) for other, array in exact.items() if _layer_of(other) == _layer_of(name)]
        rounding = max(rounding, np.finfo(np.float32).eps * max(near))
        unit = max(_largest(exact[name]), ROUNDINGS * rounding / NATIVE_TOLERANCE)
        if unit > 0:
            errors[name] = min(errors[name], _largest(results[name] - exact[name]) / unit)
    return errors


def _largest(gradient: np.ndarray) -> float:
    return float(np.abs(gradient).max(initial=0.0))


def _layer_of(parameter: str) -> str:
    return parameter.rpartition(".")[0]


def _batch(net: Net, traced: Traced, seed: int) -> dict[str, np.ndarray]:
    """The first batch of the data layers, initial parameters, step 0."""
    feed = Feed([open_source(layer) for layer in net.sources], np.float64)
    try:
        feed.wait(1)
        arrays = feed.arrays()
        values = {f.value: np.array(arrays[f.top], np.float64) for f in traced.feeds}
    finally:
        feed.close()
    store = Params()
    for table, infos in ((store, traced.params), (store.states, traced.states)):
        for p in infos:
            values[p.value] = table.ensure(p.key, p.name, p.shape, np.float64, p.init, seed=seed, first=True)[...]
    values.update({name: np.asarray(table, np.float64) for name, table in traced.tables.items()})
    values.update({i.name: np.int64(0) for i in traced.graph.inputs if i.role == "hyper"})  # type: ignore[misc]
    return values


def _without_stops(traced: Traced, values: dict[str, np.ndarray]) -> tuple[Graph, dict[str, np.ndarray]]:
    """The graph of the loss, with the values of its stop_gradient nodes as inputs, and all inputs."""
    assert traced.total_loss is not None
    stops = [node.outputs[0] for node in traced.graph.nodes if node.op == "stop_gradient"]
    names = tuple(v.name for v in stops)
    constants = run(traced.graph.with_(outputs=names), values, dtype="f64") if stops else {}
    graph = traced.graph.with_(
        updates=(),
        inputs=(*traced.graph.inputs, *(Input(v.name, v.type, "data") for v in stops)),
        nodes=tuple(node for node in traced.graph.nodes if node.outputs[0] not in stops),
        outputs=(traced.total_loss,),
    )
    return graph, {**values, **{name: np.asarray(constants[name]) for name in names}}


def _slope(graph: Graph, values: Mapping[str, np.ndarray], name: str, element: int, epsilon: float) -> float:
    (loss,) = graph.outputs
    losses = []
    for sign in (1, -1):
        moved = values[name].copy()
        moved.reshape(-1)[element] += sign * epsilon
        losses.append(float(run(graph, {**values, name: moved}, dtype="f64")[loss]))
    return (losses[0] - losses[1]) / (2 * epsilon)
