"""trace: turns a Net into a forward Graph, with records of its parameters, feeds, losses and statistics.

It runs once per mode and batch size. ir/pullback.py and the solvers add gradients and updates later.

find_objective determines which scalars are minimized. A loss is an ordinary node. If later layers compute another
scalar from it, that scalar takes its place in the objective, as in nets made of "building blocks", where the backward
pass starts from the last node.

A net is built in one mode, which says what its blobs and parameters are; the other mode is traced when a plan needs it.
There an `emit` may fail, or make other tops or parameters, which is an error here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.errors import MochacError, OptionError, UnsupportedError, combined, shown
from mochac.base.records import record
from mochac.ir.graph import Graph, Value
from mochac.ir.types import TensorType
from mochac.nets.declared import FeedInfo, LossInfo, OutputInfo, ParamInfo, StateInfo, StatisticInfo, value_name
from mochac.nets.layers.base import Layer
from mochac.nets.tracer import Tracer, unlike

if TYPE_CHECKING:
    from mochac.nets.net import Net


WORDS = {"train": "training", "test": "test mode"}


def faults(net: Net, tracer: Tracer) -> list[MochacError]:
    """The problems of a traced net: differences from the mode in which it was built, else what failed. A layer whose
    tops differ comes first, since layers that read them fail because of it.
    """
    return [*_other_tops(net, tracer), *_other_arrays(net, tracer)] or list(tracer.problems)


def _other_tops(net: Net, tracer: Tracer) -> Iterator[MochacError]:
    here, there = _modes(net, tracer)
    spoiled: set[str] = set()
    for layer in net.layers:
        types = net.top_types[layer.name], tracer.top_types.get(layer.name, ())
        for top, known, traced in zip(net.tops[layer.name], *types, strict=False):
            if _fits(traced, known, tracer.batch, net.batch):
                continue
            if spoiled.isdisjoint(layer.reads):
                rule = f"its emit makes {top!r} of another shape in {here} than in {there}"
                yield unlike(layer, rule, str(known.shape), str(traced.shape))
            spoiled.add(top)


def _other_arrays(net: Net, tracer: Tracer) -> Iterator[MochacError]:
    """Parameters and states that the net lacks. It may have more, which are for training only."""
    here, there = _modes(net, tracer)
    found: list[tuple[str, ParamInfo | StateInfo, ParamInfo | StateInfo | None]] = []
    params, states = ({(p.key, p.name): p for p in each} for each in (net.params, net.states))
    found += [("parameter", p, params.get(place)) for place, p in tracer.params.items()]
    found += [("state", s, states.get(place)) for place, s in tracer.states.items()]
    for what, traced, known in found:
        layer = net.layer(traced.layer)
        if known is None:
            rule = f"its emit makes the {what} {traced.name!r} in {here} but not in {there}"
            yield unlike(layer, rule, hint=f"make it in {there}, too, where the net gets its parameters")
        elif known.shape != traced.shape:
            rule = f"its emit makes the {what} {traced.name!r} of another shape in {here} than in {there}"
            yield unlike(layer, rule, str(known.shape), str(traced.shape))


def _modes(net: Net, tracer: Tracer) -> tuple[str, str]:
    """The mode of this trace, and the mode in which the net was built."""
    return WORDS["train" if tracer.training else "test"], WORDS[net.mode]


def _fits(traced: TensorType, known: TensorType, batch: int, known_batch: int) -> bool:
    """Whether a blob has the shape that it has in the net, except for the number of samples, also along other axes."""
    if not traced.batch:
        return not known.batch and (traced.shape == known.shape or batch != known_batch)
    if not known.batch or len(traced.shape) != len(known.shape):
        return False
    pairs = zip(traced.shape[1:], known.shape[1:], strict=True)
    return all(a == b or a * known_batch == b * batch for a, b in pairs)


def find_objective(tracer: Tracer, net: Net) -> None:
    """Add the scalars that layers computed from losses, and unmark the losses that are contained in another term."""
    inside, means = _losses_inside(tracer), _same_as_means(tracer)
    for layer, value in _ends(tracer, net):
        if inside.get(value.name) and value.name not in means:
            tracer.derived_loss(layer, value)
    for k, loss in enumerate(tracer.losses):
        others = (other for other in tracer.losses if other is not loss)
        contained = any(loss.mean in inside.get(other.mean, ()) for other in others)
        tracer.losses[k] = replace(loss, objective=not contained)


def _losses_inside(tracer: Tracer) -> dict[str, frozenset[str]]:
    """The means of losses that each value depends on, by the value's name."""
    means = {record.mean for record in tracer.losses}
    inside: dict[str, frozenset[str]] = {}
    for node in tracer.b.nodes:
        reached = frozenset[str]()
        for read in node.inputs:
            if more := inside.get(read):
                reached = reached | more if reached else more
        for out in node.outputs:
            inside[out.name] = reached | {out.name} if out.name in means else reached
    return inside


def _same_as_means(tracer: Tracer) -> set[str]:
    """The means of losses under all their names: the tops of a SplitLayer are the loss itself."""
    means = {record.mean for record in tracer.losses}
    for node in tracer.b.nodes:
        if node.op == "reshape" and node.inputs[0] in means:
            means.update(out.name for out in node.outputs)
    return means


def _ends(tracer: Tracer, net: Net) -> Iterator[tuple[Layer, Value]]:
    """Scalar tops of ordinary layers that no layer computes with."""
    used = {blob for layer in net.layers if layer.is_loss or net.tops[layer.name] for blob in layer.reads}
    for layer in net.layers:
        for top in () if layer.is_loss else net.tops[layer.name]:
            value = tracer.blobs.get(top)
            if top not in used and value is not None and not value.type.shape:
                yield layer, value


DTYPE = {"float32": "f32", "float64": "f64", "f32": "f32", "f64": "f64"}


@record
class Traced:
    """A net as a graph.

    Attributes:
        graph: forward only. Inputs: data, parameters `<key>.<param>`, states `<key>.<state>`, and as needed `step` and
            `n_valid`. Outputs: total_loss, losses, statistics, then the tops that no layer reads. Updates: of states,
            in train mode.
        mode: "train" or "test".
        batch: number of samples of the plan.
        blobs: the value of each blob, by name; the value has the blob's name if possible.
        params, states: in the order of the layers.
        feeds: the data inputs.
        tables: constant arrays, by the name of the input that holds them.
        losses, statistics: scalar values; see LossInfo and StatisticInfo for what they sum.
        outputs: values that collectors return to the program after every step.
        total_loss: the value to differentiate, or None without losses.
        carried: the layer of each input with a state of samples that is carried from batch to batch.
    """

    graph: Graph
    mode: str
    batch: int
    blobs: dict[str, str]
    params: tuple[ParamInfo, ...]
    states: tuple[StateInfo, ...]
    feeds: tuple[FeedInfo, ...]
    tables: Mapping[str, np.ndarray]
    losses: tuple[LossInfo, ...]
    statistics: tuple[StatisticInfo, ...]
    outputs: tuple[OutputInfo, ...]
    total_loss: str | None
    carried: Mapping[str, str] = field(default_factory=dict)

    @property
    def crosses_samples(self) -> bool:
        """Whether the samples of a batch meet, as in a loss across samples or ConcatLayer along axis 0. Then nothing
        tells the rows of samples from those that pad the last batch."""
        return any(node.op == "all_samples" for node in self.graph.nodes)


def trace(net: Net, mode: str = "train", dtype: str = "float32", *, seed: int = 0, batch: int | None = None) -> Traced:
    """Trace a net: let its layers write their operations into a graph.

    Args:
        net: a wired net.
        mode: "train": dropout draws masks, losses are means over the batch. "test": dropout does nothing, losses and
            statistics are sums over the first `n_valid` samples.
        dtype: "float32" or "float64".
        seed: seed of the random streams (dropout).
        batch: number of samples; None: the data layers' batch_size.

    Raises:
        OptionError: an unknown mode or dtype.
        UnsupportedError: layers that fit the net's batch size do not fit `batch`.
        MochacError: an `emit` fails in this mode only, or makes other tops or parameters than when the net was built.
    """
    if mode not in ("train", "test"):
        raise OptionError("no such mode", expected="'train' or 'test'", got=shown(mode))
    if dtype not in DTYPE:
        raise OptionError("no such dtype", expected="'float32' or 'float64'", got=shown(dtype))
    tracer = _emitted(net, mode, dtype, seed, batch or net.batch)
    find_objective(tracer, net)
    total = _total(tracer)
    blobs = {blob: value for blob, value in tracer.blobs.items() if value is not None}
    ends = [blobs[blob] for blob in net.unconsumed if blob in blobs]
    records = (*tracer.losses, *tracer.statistics)
    scalars = [*([total.name] if total else []), *(r.value for r in records)]
    scalars += [name for loss in tracer.losses if loss.count for name in (loss.total, loss.count)]
    scalars += [s.count for s in tracer.statistics if s.count]
    outputs = tuple(dict.fromkeys([*scalars, *(v.name for v in ends)]))
    graph = tracer.b.finish(outputs).with_(updates=tracer.updates)
    names = _new_names(graph, blobs, total)
    return Traced(
        graph=graph.renamed(names),
        mode=mode,
        batch=tracer.batch,
        blobs={blob: names.get(v.name, v.name) for blob, v in blobs.items()},
        params=tuple(tracer.params.values()),
        states=tuple(tracer.states.values()),
        feeds=tuple(tracer.feeds.values()),
        tables=tracer.tables,
        losses=tuple(
            replace(r, value=names.get(r.value, r.value), mean=names.get(r.mean, r.mean)) for r in tracer.losses
        ),
        statistics=tuple(replace(r, value=names.get(r.value, r.value)) for r in tracer.statistics),
        outputs=tuple(replace(r, values=tuple(names.get(v, v) for v in r.values)) for r in tracer.outputs),
        total_loss=names.get(total.name, total.name) if total else None,
        carried=tracer.carried,
    )


def _emitted(net: Net, mode: str, dtype: str, seed: int, batch: int) -> Tracer:
    """All layers traced; raises if they do not fit this mode or batch."""
    emitted = partial(net.emitted, training=mode == "train", dtype=DTYPE[dtype], seed=seed)
    tracer = emitted(batch=batch)
    problems = faults(net, tracer)
    if not problems:
        return tracer
    of_mode = problems if batch == net.batch else faults(net, emitted(batch=net.batch))
    if of_mode:
        raise combined(of_mode, f"net {net.name!r}")
    raise UnsupportedError(
        f"net {net.name!r} only works with {net.batch} samples at a time",
        got=f"{batch} samples",
        details=[problem.report for problem in problems],
        hint=f"a number of samples that {net.batch} divides, or another batch_size",
    )


def _total(tracer: Tracer) -> Value | None:
    """The sum of the terms of the objective."""
    values = [tracer.b.values[loss.value] for loss in tracer.losses if loss.objective]
    total = values[0] if values else None
    for value in values[1:]:
        assert total is not None
        total = tracer.b.op("add", total, value, name="total.loss")
    return total


def _new_names(graph: Graph, blobs: Mapping[str, Value], total: Value | None) -> dict[str, str]:
    """Old -> new names of values that are blobs. Inputs keep their names; a value of several blobs gets the first's."""
    taken = {i.name for i in graph.inputs}
    names: dict[str, str] = {}
    for blob, value in blobs.items():
        new = value_name(blob)
        if value.name not in taken and value.name not in names and new not in taken:
            names[value.name] = new
            taken.add(new)
    if total is not None and total.name not in names:
        names[total.name] = "total_loss"
    return names
