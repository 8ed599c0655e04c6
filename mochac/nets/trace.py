"""trace: turns a Net into a forward Graph, with records of its parameters, feeds, losses and statistics.

It runs once per mode and batch size. ir/pullback and the solvers add gradients and updates later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.errors import OptionError, UnsupportedError, combined, shown
from mochac.base.records import record
from mochac.ir.graph import Graph, Value
from mochac.nets.declared import FeedInfo, LossInfo, OutputInfo, ParamInfo, StateInfo, StatisticInfo, value_name
from mochac.nets.mode_errors import faults
from mochac.nets.objective import find_objective
from mochac.nets.tracer import Tracer

if TYPE_CHECKING:
    from mochac.nets.net import Net

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
        outputs: what collectors return to the program after every step.
        total_loss: the value to differentiate, or None without losses.
        carried: the layer of each input that holds a state of samples, which goes on from batch to batch.
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
        seed: of the random streams (dropout).
        batch: samples of the plan; None: the data layers' batch_size.

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
