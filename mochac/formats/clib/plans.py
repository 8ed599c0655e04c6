"""Plans of a library: their graphs, which do not depend on a CPU, and their code for each CPU.

A plan may take bytes or 16-bit integers, as sensors and files have them, in place of real numbers:

    %data: f32[b1,1,28,28]     ->     %data: u8[b1,1,28,28]
                                      %data.real = mul(to_f32(%data), 0.0039)      the transformers of the data layer

In a quantized net whose integers for the input are these same numbers, nothing is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, UnsupportedError, shown
from mochac.base.options import Options
from mochac.base.records import record
from mochac.formats.clib.request import Cpu, Request
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Node, Value
from mochac.ir.plan import Plan
from mochac.ir.types import DTYPES, TensorType
from mochac.lowering.plan_cache import CompiledPlan, compile_plan
from mochac.lowering.plan_graphs import PlanGraph, accumulate_plan, meeting_layer, step_plan, test_plan
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import DataLayer
from mochac.nets.net import Net
from mochac.nets.solvers.update import scheduled_weights
from mochac.nets.trace import DTYPE, Traced, trace
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.data.source import checked_use


@record
class LibraryPlan:
    """One of the plans of a library.

    Attributes:
        kind: "predict", "step", "accumulate" or "test".
    """

    kind: str
    traced: Traced
    source: PlanGraph

    @property
    def name(self) -> str:
        """In C."""
        return f"{self.kind}_{self.traced.batch}" if self.kind == "predict" else self.kind

    @property
    def feeds(self) -> tuple[FeedInfo, ...]:
        """The feeds that it reads."""
        read = {i.name for i in self.source.graph.inputs}
        return tuple(feed for feed in self.traced.feeds if feed.value in read)


def library_plans(request: Request) -> tuple[LibraryPlan, ...]:
    """Plans of predictions, in the order of their batches; then those of training and evaluation.

    Raises:
        UnsupportedError: the net does not work with one of the batch sizes.
    """
    how = {"convolutions": request.convolutions}
    return tuple(replace(plan, source=replace(plan.source, **how)) for plan in _plans(request))


def _plans(request: Request) -> Iterator[LibraryPlan]:
    net, dtype, seed = request.net, request.dtype, request.seed
    for layer in trace(net, "test", dtype, seed=seed).carried.values():
        rule = f"build: layer {layer!r} carries its state from batch to batch"
        raise UnsupportedError(rule, hint="stateful=False, with the state as an input (initial) and a top")
    for batch in request.batches:
        if request.calibrated is not None:
            traced, predicts, arrays = request.calibrated.quantized.plan(batch)
            yield LibraryPlan("predict", replace(traced, tables=arrays), predicts)
            continue
        traced = trace(net, "test", dtype, seed=seed, batch=batch)
        predicts = test_plan(traced, request.outputs)
        if batch > 1 and (layer := meeting_layer(predicts.graph)):
            rule = f"build: the samples of a batch meet in layer {layer!r}, so that the net predicts one at a time"
            raise UnsupportedError(rule, got=f"batches={request.batches}", hint="batches=(1,), or --batch 1")
        yield LibraryPlan("predict", traced, predicts)
    if request.solver is not None:
        for name in scheduled_weights(net.losses):
            layer = name.removesuffix(".weight")
            raise UnsupportedError(f"build: the weight of loss {layer!r} is a policy", hint="a number")
        update, traced = request.solver.update_of(request.solver.method), trace(net, "train", dtype, seed=seed)
        if update.accumulate > 1:
            yield LibraryPlan("accumulate", traced, accumulate_plan(traced, frozen=request.frozen))
        yield LibraryPlan("step", traced, step_plan(traced, update, frozen=request.frozen))
        tested = trace(net, "test", dtype, seed=seed)
        yield LibraryPlan("test", tested, test_plan(tested))


@record
class CpuPlan:
    """A plan with its code for a CPU, and the compiler of that CPU."""

    of: LibraryPlan
    backend: CpuBackend
    compiled: CompiledPlan

    @property
    def plan(self) -> Plan:
        return self.compiled.plan

    @property
    def objects(self) -> Sequence[bytes]:
        return self.compiled.objects


def compiled(plans: tuple[LibraryPlan, ...], cpu: Cpu, request: Request) -> tuple[CpuPlan, ...]:
    """The plans with code for a CPU, which may be another machine's."""
    backend = CpuBackend(Options.from_env(), cpu.info, precision=request.precision, tiles=False)
    backend.warn_of_slow_pairs()
    compiled = (compile_plan(p.source, backend, DTYPE[request.dtype], fused=True, runs_here=False) for p in plans)
    return tuple(CpuPlan(p, backend, found) for p, found in zip(plans, compiled, strict=True))


KINDS = {"int8": "i8", "uint8": "u8", "int16": "i16"}
"""Dtypes of inputs, and their names in graphs."""
OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
"""Operations of transformers, by sign."""
EQUAL = 1e-6
"""Relative difference of two scales that count as the same: that of float32."""

Steps = Sequence[tuple[str, float | np.ndarray]]
"""Arithmetic operations of transformers on a sample, in order."""


def checked_inputs(net: Net, inputs: Any) -> dict[str, str]:
    """The integer dtypes of inputs, by top.

    Raises:
        OptionError: no such input, no such dtype.
    """
    if inputs is None:
        return {}
    if not isinstance(inputs, Mapping):
        raise OptionError("build: inputs= takes a dict", expected="{'data': 'uint8'}", got=shown(inputs))
    net.require_tops(inputs, "build")
    for top, dtype in inputs.items():
        if dtype not in KINDS:
            raise OptionError(f"build: no such dtype of input {top!r}", expected=" ".join(KINDS), got=shown(dtype))
    return dict(inputs)


def steps_of(feed: FeedInfo, shape: tuple[int, ...]) -> list[tuple[str, float | np.ndarray]]:
    """The arithmetic of the transformers of a feed.

    Raises:
        UnsupportedError: a transformer is Python code.
    """
    found: list[tuple[str, float | np.ndarray]] = []
    transformers = feed.layer.transformers if isinstance(feed.layer, DataLayer) else ()
    for transformer in (t for name, t in transformers if name == feed.top):
        steps = checked_use(feed.layer, feed.top, transformer, lambda t: t.whole_arithmetic(shape))
        if steps is None:
            rule = f"build: transformer {type(transformer).__name__} of top {feed.top!r} is Python code"
            raise UnsupportedError(rule, hint="give it the method arithmetic(shape), or transform before the call")
        found += steps
    return found


def factor_of(steps: Steps) -> float | None:
    """The factor by which transformers scale a sample; None if they do anything else."""
    factor = 1.0
    for op, value in steps:
        if not isinstance(value, float) or op not in "*/" or value <= 0:
            return None
        factor = factor * value if op == "*" else factor / value
    return factor


def own_range(feed: FeedInfo, shape: tuple[int, ...], dtype: str) -> tuple[float, float] | None:
    """The range of an input for which its bytes are the integers of the quantized net; None if there is no such
    range."""
    factor = factor_of(steps_of(feed, shape)) if dtype != "int16" else None
    if factor is None:
        return None
    info = np.iinfo(dtype)
    return factor * int(info.min), factor * int(info.max)


def with_integers(plan: LibraryPlan, dtypes: Mapping[str, str]) -> LibraryPlan:
    """The plan with integers as inputs, and their transformers as operations.

    Raises:
        OptionError: an input holds class indices. UnsupportedError: a transformer is Python code.
    """
    feeds = {feed.value: feed for feed in plan.feeds if feed.top in dtypes}
    for feed in feeds.values():
        if feed.classes is not None:
            raise OptionError(f"build: input {feed.top!r} holds class indices, which are checked as floats")
    if not feeds:
        return plan
    writer = _Writer(plan, feeds, dtypes)
    tables = {**plan.traced.tables, **writer.tables}
    source = replace(plan.source, graph=writer.graph)
    return replace(plan, traced=replace(plan.traced, tables=tables), source=source)


class _Writer:
    """Writes the graph with integer inputs, and its additional tables."""

    def __init__(self, plan: LibraryPlan, feeds: Mapping[str, FeedInfo], dtypes: Mapping[str, str]) -> None:
        self.old: Graph = plan.source.graph
        self.tables: dict[str, np.ndarray] = {}
        self.b = GraphBuilder(self.old.name)
        self.taken = set(self.old.types())
        self.real: dict[str, Value] = {}
        self.same: dict[str, Value] = {}
        for i in self.old.inputs:
            feed = feeds.get(i.name)
            kind = i.type if feed is None else i.type.with_(dtype=KINDS[dtypes[feed.top]])
            self.b.input(i.name, kind, i.role)
        read_as_real = {name for node in self.old.nodes for name in node.inputs if node.op != "quantize"}
        for name, feed in feeds.items():
            self._take(name, feed, name in read_as_real)
        names = {name: value.name for name, value in self.real.items()}
        for node in self.old.nodes:
            if node.op == "quantize" and node.outputs[0].name in self.same:
                continue
            self.b.nodes.append(self._renamed(node, names))
        self.graph = self.old.with_(inputs=tuple(self.b.inputs), nodes=tuple(self.b.nodes))

    def _renamed(self, node: Node, names: Mapping[str, str]) -> Node:
        known = {**names, **{name: value.name for name, value in self.same.items()}}
        return replace(node, inputs=tuple(known.get(name, name) for name in node.inputs))

    def _take(self, name: str, feed: FeedInfo, read_as_real: bool) -> None:
        x = self.b.values[name]
        shape = x.type.shape[1:]
        steps = steps_of(feed, shape)
        factor = factor_of(steps)
        for node in self.old.nodes:
            if node.op == "quantize" and node.inputs == (name,):
                same = None if factor is None else self._same(node, x, factor)
                if same is None:
                    read_as_real = True
                else:
                    self.same[node.outputs[0].name] = same
        if read_as_real:
            self.real[name] = self._transformed(x, steps, self._real_dtype(name))

    def _real_dtype(self, name: str) -> str:
        return self.old.types()[name].dtype

    def _same(self, quantize: Node, x: Value, factor: float) -> Value | None:
        """The result of a quantize as integers of the input, shifted by their zero points; None if scales differ."""
        scale, zero = quantize.attr["scale"], quantize.attr["zero"]
        assert isinstance(scale, float)
        assert isinstance(zero, int)
        result = quantize.outputs[0]
        if abs(scale / factor - 1) > EQUAL:
            return None
        if result.type.dtype == x.type.dtype and zero == 0:
            return x
        moved = self.b.op("to_i32", x, name=self._free(f"{x.name}.whole"))
        if zero:
            moved = self.b.op("add", moved, self.b.const(zero, moved.type), name=self._free(f"{x.name}.moved"))
        return self.b.op(f"narrow_{result.type.dtype}", moved, name=self._free(f"{x.name}.narrow"))

    def _transformed(self, x: Value, steps: Steps, dtype: str) -> Value:
        y = self.b.op(f"to_{dtype}", x, name=self._free(f"{x.name}.real"))
        for k, (op, value) in enumerate(steps):
            other = self._operand(f"{x.name}.constant{k}", value, y.type)
            y = self.b.op(OPERATIONS[op], y, other, name=self._free(f"{x.name}.real"))
        return y

    def _operand(self, name: str, value: float | np.ndarray, like: TensorType) -> Value:
        if isinstance(value, float):
            return self.b.const(value, like, name=self._free(name))
        array = np.broadcast_to(value, like.shape[1:]).astype(DTYPES[like.dtype])
        name = self._free(name)
        self.tables[name] = array
        table = self.b.input(name, TensorType(like.dtype, array.shape), "const")
        axes = tuple(range(1, len(like.shape)))
        return self.b.op("broadcast", table, shape=like.shape, axes=axes, batch=True, name=self._free(f"{name}.rows"))

    def _free(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name
