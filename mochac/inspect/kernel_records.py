"""Records of a plan's kernels, exchanges and loops over time, for explain, profiles and reports.

Records of loops say which values they carry, and which ones the gradient keeps or computes again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.support.array_like import columns, unit
from mochac.base.threads import cached_property
from mochac.codegen.machine import Machine
from mochac.codegen.prediction.prediction import Prediction
from mochac.inspect.roofline import Forecast, written
from mochac.ir.graph import Graph, Node, Value
from mochac.ir.ops.scan import MAX_KEPT_BYTES, Parts, is_cheap
from mochac.ir.passes.phases import is_loop
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, Launch, Plan
from mochac.ir.schedule import Schedule
from mochac.runtime.backend import Backend
from mochac.runtime.lowered import Lowered, ScheduledKernel


def loop_lines(graph: Graph) -> Iterator[str]:
    """Lines about the scans of a graph, in order."""
    loops = [Parts.of(node) for node in graph.nodes if is_loop(node)]
    for k, parts in enumerate(loops):
        way = "backward" if parts.reverse else "forward"
        yield f"  {parts.node.outputs[0].name}: {parts.length} steps {way}; carries {_carried(parts)}"
        forward = next((f for f in reversed(loops[:k]) if parts.body.name == f"d.{f.body.name}"), None)
        if forward is not None:
            yield from (f"    {line}" for line in _gradient(forward, parts))


def _carried(parts: Parts) -> str:
    return ", ".join(str(i.type) for i in parts.body.inputs[: parts.carried]) or "nothing"


def _gradient(forward: Parts, backward: Parts) -> Iterator[str]:
    """Values that a gradient reads from its forward loop."""
    results = {out.name for node in forward.body.nodes for out in node.outputs}
    read = [i for i in backward.body.inputs[backward.carried :] if i.name in results]
    stacks = [Value(i.name, i.type) for i in read]
    size = sum(s.type.storage_bytes for s in stacks) * backward.length
    yield f"kept of each step besides the carried values: {_names(stacks)}; {unit(size, 'B')} for all steps"
    again = [node for node in backward.body.nodes if node.outputs[0].name in results]
    dear = [node.outputs[0] for node in again if not is_cheap(node)]
    cheap = [node.outputs[0] for node in again if is_cheap(node)]
    if dear:
        yield f"computed again, since all would take more than {unit(MAX_KEPT_BYTES, 'B')}: {_names(dear)}"
    if cheap:
        yield f"computed again, since that costs no more than to read: {_names(cheap)}"


def _names(values: Sequence[Value]) -> str:
    return ", ".join(value.name for value in values) or "nothing"


HEAD = ("bucket", "sums", "size", "begins in phase", "is waited for in phase", "of")
NAMED = 4
"""Layers that a row names, at most."""


def exchanges(graph: Graph) -> int:
    """How many buckets a step exchanges."""
    return sum(node.op == EXCHANGE_START for node in graph.nodes)


def exchange_lines(graph: Graph, plan: Plan) -> str:
    """A row for each bucket; "" if nothing is exchanged.

    >>> exchange_lines(Graph("empty", (), (), ()), Plan("empty", (), (), (), (), 0, 0))
    ''
    """
    waits = {node.attr["bucket"]: node for node in graph.nodes if node.op == EXCHANGE_WAIT}
    starts = [node for node in graph.nodes if node.op == EXCHANGE_START]
    if not starts:
        return ""
    rows = [_row(start, waits[start.attr["bucket"]], plan) for start in starts]
    return columns(HEAD, sorted(rows, key=lambda row: int(row[3])), right={0, 1, 2, 3, 4})


def _row(start: Node, wait: Node, plan: Plan) -> list[str]:
    token = start.outputs[0]
    layers = list(dict.fromkeys(loc.layer for loc in start.loc))
    more = f" and {len(layers) - NAMED} more" if len(layers) > NAMED else ""
    begins = min(launch.phase for launch in plan.launches if launch.call and token.name in launch.buffers)
    until = min(launch.phase for launch in plan.launches if wait.outputs[0].name in launch.buffers)
    size = unit(token.type.storage_bytes, "B")
    return [
        str(start.attr["bucket"]),
        str(len(start.inputs)),
        size,
        str(begins),
        str(until),
        ", ".join(layers[:NAMED]) + more,
    ]


@record
class KernelRecord:
    """One launch of a plan, with its kernel in all forms, from loop nest to machine code.

    A kernel that a device runs as several grids (ir/grids.py) has a record for each of them.

    Attributes:
        name, layers, ops: name of the kernel, and the layers and ops that it computes.
        flops: 2 per multiply-add of the layer's formula.
        bytes: size of its operands and results, each read or written once.
        items: number of items that threads share.
        phase: phase of the plan; kernels of one phase run at the same time.
    """

    name: str
    layers: tuple[str, ...]
    ops: tuple[str, ...]
    flops: int
    bytes: int
    items: int
    phase: int
    launch: Launch = field(repr=False)
    scheduled: ScheduledKernel = field(repr=False)
    backend: Backend = field(repr=False)
    forecast: Forecast = field(repr=False)

    @property
    def predicted(self) -> Prediction | None:
        """The prediction by the model of the machine, for one thread; None without a model."""
        return self.forecast.prediction(self.launch)

    @property
    def predicted_s(self) -> float | None:
        """Predicted seconds of its slowest thread, in a loop of all steps; None without a model or a clock rate."""
        seconds = self.forecast.seconds(self.launch)
        return seconds and self.launch.trips * seconds

    @property
    def finishes(self) -> bool:
        """Whether its kernel is finished after this launch, which is then the last of its grids."""
        return not self.launch.of

    @property
    def written(self) -> frozenset[str]:
        """The buffers that it writes."""
        return written(self.launch, self.scheduled)

    @property
    def text(self) -> str:
        """The scheduled loop nest."""
        return str(self.scheduled.scheduled)

    @property
    def staged(self) -> str:
        """The loop nests as the ops describe them, to which the schedule is applied."""
        return str(self.scheduled.staged)

    @property
    def naive(self) -> str:
        """The single loop nest after the first steps of the schedule."""
        return str(self.scheduled.naive)

    @property
    def schedule(self) -> Schedule:
        """The schedule, as data; str() prints its steps."""
        return self.scheduled.schedule

    @property
    def origin(self) -> str:
        """How the schedule was chosen: "by rule", or by a search."""
        return self.scheduled.origin

    def code(self, form: str) -> Any:
        """Code of this kernel alone, in one of the backend's forms, such as "llvm" or "ptx".

        Raises:
            OptionError: the backend has no such form. BackendError: its compiler is missing.
        """
        forms = self.backend.forms
        if form not in forms:
            rule = f"kernel {self.name!r} of backend {self.backend.name!r} has no .{form}"
            raise OptionError(rule, hint=f"its code is in .{next(iter(forms))}")
        return forms[form].make(self.backend, self.scheduled, self.launch)

    @cached_property
    def llvm(self) -> str:
        """LLVM IR of this kernel alone, as a module (CPU only)."""
        return self.code("llvm")

    @cached_property
    def assembly(self) -> str:
        """Assembly of this kernel alone (CPU only)."""
        return self.code("assembly")

    @cached_property
    def cuda(self) -> str:
        """CUDA C of this kernel alone, as a translation unit (CUDA only); a comment if a library computes it."""
        return self.code("cuda")

    @cached_property
    def cubin(self) -> bytes:
        """Machine code of this kernel alone (CUDA only); empty if a library computes it."""
        return self.code("cubin")

    @cached_property
    def ptx(self) -> str:
        """PTX of this kernel alone (CUDA only); empty if a library computes it."""
        return self.code("ptx")

    @cached_property
    def resources(self) -> Any:
        """Registers, shared and local memory of this kernel (CUDA only); BackendError if a library computes it."""
        return self.code("resources")


def kernel_records(
    lowered: Lowered, backend: Backend, threads: int | None = None, machine: Machine | None = None
) -> list[KernelRecord]:
    """A record per launch of the plan, in the order they run.

    Args:
        threads, machine: basis of predictions; None: the backend's number of threads and its model.
    """
    kernels = {kernel.naive.name: kernel for kernel in lowered.kernels}
    layers = {loc.layer for node in lowered.graph.nodes for loc in node.loc}
    forecast = Forecast(lowered, backend, backend.threads(threads), machine)
    return [
        _record(launch, kernels[launch.of or launch.kernel], layers, backend, forecast)
        for launch in lowered.plan.launches
    ]


def _record(
    launch: Launch, kernel: ScheduledKernel, layers: set[str], backend: Backend, forecast: Forecast
) -> KernelRecord:
    own = tuple(dict.fromkeys(_layer_of(loc.layer, layers) for loc in kernel.naive.loc))
    return KernelRecord(
        name=launch.kernel,
        layers=own,
        ops=kernel.naive.ops,
        flops=launch.flops,
        bytes=launch.moved_bytes,
        items=launch.items,
        phase=launch.phase,
        launch=launch,
        scheduled=kernel,
        backend=backend,
        forecast=forecast,
    )


def _layer_of(origin: str, layers: set[str]) -> str:
    """The layer of an origin; that of a parameter's update is `<layer>.<parameter>`."""
    layer = origin.rpartition(".")[0]
    return layer if layer in layers else origin
