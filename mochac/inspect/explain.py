"""What a compiled plan consists of: `explain`'s text, and a record per kernel with every form of its code.

Program and the command line print it, dump writes it to a file. It reads a net and a Lowered and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast

from mochac.errors import BackendError, OptionError
from mochac.ir.graph import Graph
from mochac.ir.program import Launch, Plan
from mochac.ir.schedule import Schedule
from mochac.ir.types import DTYPES
from mochac.lowering.backends import backend_of
from mochac.lowering.library_calls import LibraryCode
from mochac.lowering.machines import AnyMachine
from mochac.lowering.pipeline import Lowered, ScheduledKernel
from mochac.lowering.plan_cache import OBJECT_CODE
from mochac.passes.choose_library import NOT_CALLED
from mochac.runtime.support.columns import columns, duration, unit

if TYPE_CHECKING:
    from mochac.frontend.net import Net
    from mochac.layers.base import Layer
    from mochac.runtime.cpu.machine import Machine
    from mochac.runtime.cuda.compiler import Resources
    from mochac.runtime.cuda.machine import CudaMachine

REFUSED = " not fused: "


@dataclass(frozen=True)
class KernelRecord:
    """One kernel of a plan, in every form it had on the way to machine code.

    Attributes:
        name, layers, ops: what it computes.
        flops: 2 per multiply-add of the textbook layer; bytes: read and written once, in a perfect cache.
        items, phase: what threads share, and the phase it runs in.
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
    machine: AnyMachine = field(repr=False)

    @property
    def backend(self) -> str:
        """ "cpu" or "cuda"."""
        return self.machine.backend

    @property
    def text(self) -> str:
        """The loop nest as scheduled."""
        return str(self.scheduled.scheduled)

    @property
    def naive(self) -> str:
        """The loop nest before its schedule."""
        return str(self.scheduled.naive)

    @property
    def schedule(self) -> Schedule:
        """The schedule, as data; str() prints its steps."""
        return self.scheduled.schedule

    @property
    def origin(self) -> str:
        """Who chose the schedule: "by rule", or what a search found."""
        return self.scheduled.origin

    @cached_property
    def llvm(self) -> str:
        """LLVM IR of this kernel alone, as a module; OptionError on CUDA."""
        self._require("cpu", "llvm", "cuda")
        return backend_of(self.machine.target).module_text([self.scheduled.code])

    @cached_property
    def assembly(self) -> str:
        """Assembly of this kernel alone; made when first asked for. OptionError on CUDA."""
        from mochac.runtime.cpu.compiler import assembly

        return assembly(self.llvm, cast("Machine", self.machine).cpu)

    @cached_property
    def cuda(self) -> str:
        """CUDA C of this kernel alone, as a translation unit; a comment where a library computes it.

        Raises:
            OptionError: on a CPU.
        """
        self._require("cuda", "cuda", "llvm")
        if self.launch.call:
            return self.scheduled.code.text
        return backend_of(self.machine.target).module_text([self.scheduled.code])

    @cached_property
    def cubin(self) -> bytes:
        """Machine code of this kernel alone, empty where a library computes it; BackendError without a compiler."""
        if self.launch.call:
            return b""
        from mochac.runtime.cuda.compiler import compile_cubin

        return compile_cubin(self.cuda, self.machine.target.name, self.machine.store)

    @cached_property
    def ptx(self) -> str:
        """PTX of this kernel alone, empty where a library computes it; BackendError without a compiler."""
        if self.launch.call:
            return ""
        from mochac.runtime.cuda.compiler import compile_ptx

        return compile_ptx(self.cuda, self.machine.target.name, self.machine.store)

    @cached_property
    def resources(self) -> Resources:
        """Registers, shared and local memory of this kernel; BackendError without a CUDA compiler or where a library
        computes it."""
        if self.launch.call:
            raise BackendError(f"{self.launch.symbol} computes kernel {self.name!r}; what it takes is not known")
        from mochac.runtime.cuda.compiler import resource_use

        found = resource_use(self.cuda, self.machine.target.name, self.machine.store)
        if self.launch.symbol not in found:
            raise BackendError(f"the CUDA compiler does not say what kernel {self.name!r} takes")
        return found[self.launch.symbol]

    def _require(self, backend: str, what: str, instead: str) -> None:
        if self.machine.backend != backend:
            hint = f"its code is in .{instead}"
            raise OptionError(f"kernel {self.name!r} of backend {self.backend!r} has no .{what}", hint=hint)


def records(lowered: Lowered, machine: AnyMachine) -> list[KernelRecord]:
    """A record per launch of the plan, in the order they run."""
    made = {kernel.naive.name: kernel for kernel in lowered.kernels}
    known = {loc.layer for node in lowered.graph.nodes for loc in node.loc}
    return [_record(launch, made[launch.kernel], known, machine) for launch in lowered.plan.launches]


def _record(launch: Launch, kernel: ScheduledKernel, known: set[str], machine: AnyMachine) -> KernelRecord:
    layers = tuple(dict.fromkeys(_layer_of(loc.layer, known) for loc in kernel.naive.loc))
    how = {"flops": launch.flops, "bytes": launch.moved_bytes, "items": launch.items, "phase": launch.phase}
    return KernelRecord(
        launch.kernel, layers, kernel.naive.ops, **how, launch=launch, scheduled=kernel, machine=machine
    )


def _layer_of(origin: str, known: set[str]) -> str:
    """The layer an origin belongs to: a parameter's update comes from `<layer>.<parameter>`."""
    layer = origin.rpartition(".")[0]
    return layer if layer in known else origin


def explain(net: Net | None, lowered: Lowered, machine: AnyMachine, data: str = "") -> str:
    """Layers, memory, the plan's kernels and their schedules, fusions made and refused, compile time.

    Args:
        net: None leaves the table of layers out.
        data: where a device has the data sets; "": where it would have them.
    """
    if machine.backend == "cuda" and net is not None:
        data = data or _data_sets(net, lowered)
    made = records(lowered, machine)
    parts = [_head(net, lowered, machine)]
    parts += [_section("Layers", _layers(net))] if net is not None else []
    parts += [
        _section("Memory", _memory(lowered, data)),
        _section(_plan_title(lowered.plan), "\n".join(_phases(made))),
        *_beside(lowered, machine),
        *_origins(lowered, machine),
        _section("Fused", _fused(made)),
        _section("Not fused, and why", "\n".join(_refused(lowered.graph))),
        _section("Compile time", _seconds(lowered)),
    ]
    return "\n\n".join(parts) + "\n"


def _head(net: Net | None, lowered: Lowered, machine: AnyMachine) -> str:
    dtype = _float(lowered.graph)
    lanes = lowered.backend.lanes(dtype)
    where = f"{machine}" + (f", {lanes} lanes of {dtype}" if lanes else "")
    name = f"net {net.name!r}, batch {net.batch}, " if net is not None else ""
    return f"{name}plan '{lowered.name}', {where}"


def _section(title: str, body: str) -> str:
    return f"{title}\n{body or '  none'}"


def _plan_title(plan: Plan) -> str:
    kernels = len(plan.launches)
    return f"Plan: {kernels} kernels in {plan.phases} phases, {unit(plan.flops, 'flop')} a run"


def _layers(net: Net) -> str:
    header = ["layer", "type", "bottoms -> tops", "output", "parameters", "neuron"]
    rows = [_layer(net, layer) for layer in net.layers]
    total = sum(_count(p.shape) for p in net.params)
    return f"{columns(header, rows)}\n  {total:,} parameters in {len(net.params)} arrays"


def _layer(net: Net, layer: Layer) -> list[str]:
    tops = net.tops[layer.name]
    wires = f"{', '.join(layer.reads)} -> {', '.join(tops)}".strip()
    shapes = ", ".join(_extents(net.blobs[top].shape) for top in tops)
    params = [p for p in net.params if layer.name in p.sharers]
    held = ", ".join(f"{p.name} {_extents(p.shape)}" for p in params)
    if any(p.layer != layer.name for p in params):
        held += f" (of {params[0].layer})"
    neuron = type(getattr(layer, "neuron", None)).__name__
    return [layer.name, layer.kind, wires, shapes, held, "" if neuron in ("NoneType", "Identity") else neuron]


def _extents(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def _count(shape: Sequence[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def _data_sets(net: Net, lowered: Lowered) -> str:
    """What becomes of a net's data on a device of enough memory."""
    from mochac.lowering.drawn_inputs import without_data
    from mochac.runtime.cuda.resident_sets import forecast
    from mochac.runtime.data.source import open_source

    if without_data(net):
        return ""
    return forecast([open_source(layer) for layer in net.sources], DTYPES[_float(lowered.graph)])


def _float(graph: Graph) -> str:
    return next((i.type.dtype for i in graph.inputs if i.type.dtype in ("f32", "f64")), "f32")


def _memory(lowered: Lowered, data: str) -> str:
    plan = lowered.plan
    saved = 1 - plan.arena_bytes / plan.unplanned_bytes if plan.unplanned_bytes else 0.0
    over = plan.arena_bytes / plan.live_bytes - 1 if plan.live_bytes else 0.0
    arena = f"{unit(plan.arena_bytes, 'B')}, {over:.1%} over the {unit(plan.live_bytes, 'B')} alive at once"
    scratch = max((launch.scratch_bytes for launch in plan.launches), default=0)
    has_tables = any(i.role == "const" for i in lowered.graph.inputs)
    rows = [
        ["parameters", _inputs(lowered.graph, "param")],
        ["solver state", _inputs(lowered.graph, "slot")],
        *([["tables", _inputs(lowered.graph, "const")]] if has_tables else []),
        ["batch", _inputs(lowered.graph, "data")],
        *([["data sets", data]] if data else []),
        ["arena", f"{arena}; {unit(plan.unplanned_bytes, 'B')} without reuse, {saved:.0%} saved"],
        *([["scratch", f"{unit(scratch, 'B')} a thread"]] if lowered.backend.name == "cpu" else []),
    ]
    return columns([], rows)


def _inputs(graph: Graph, role: str) -> str:
    sizes = [i.type.storage_bytes for i in graph.inputs if i.role == role]
    return f"{unit(sum(sizes), 'B')} in {len(sizes)} arrays"


def _phases(made: Sequence[KernelRecord]) -> Iterator[str]:
    phase = -1
    for record in made:
        if record.phase != phase:
            phase = record.phase
            yield f"  phase {phase}"
        yield f"    {record.name}"
        yield f"      layers {', '.join(record.layers) or '-'}; ops {', '.join(record.ops)}"
        cost = f"{unit(record.flops, 'flop')}, {unit(record.bytes, 'B')} moved, {record.items} items"
        if record.launch.grid:
            cost += f"; {record.launch.grid} blocks of {record.launch.block} threads"
        how = f"schedule {record.schedule.name}, {record.origin}"
        code = record.scheduled.code
        yield f"      {cost}; {code.described if isinstance(code, LibraryCode) else how}"
        yield from (f"        {step}" for step in record.schedule.steps)


def _beside(lowered: Lowered, machine: AnyMachine) -> list[str]:
    """On a device kernels wait for data, not for phases."""
    if machine.backend == "cpu":
        return []
    from mochac.inspect.streams import beside

    target = cast("CudaMachine", machine).target
    return [_section(*beside(lowered.plan, target.multiprocessors, machine.options.cuda_streams))]


def _origins(lowered: Lowered, machine: AnyMachine) -> list[str]:
    """Where there is more than one place: a CPU's kernels are all generated, by a schedule that each names."""
    if machine.backend == "cpu":
        return []
    from mochac.inspect.origins import origins

    called = [k.code.symbol.partition(".")[0] for k in lowered.kernels if isinstance(k.code, LibraryCode)]
    remark = cast("CudaMachine", machine).remark(called)
    return [_section("Where kernels come from", "\n".join(filter(None, (origins(lowered), remark))))]


def _fused(made: Sequence[KernelRecord]) -> str:
    return "\n".join(f"  {r.name} = {' + '.join(r.ops)}" for r in made if len(r.ops) > 1)


def _refused(graph: Graph) -> Iterator[str]:
    """Refusals by reason, in the order they were first met."""
    reasons: dict[str, list[str]] = {}
    for note in graph.notes:
        if NOT_CALLED in note:
            continue  # origins.py says it
        what, found, why = note.partition(REFUSED)
        reasons.setdefault(why if found else "remarks", []).append(what)
    for why, what in reasons.items():
        yield f"  {why}"
        yield from (f"    {item}" for item in what)


def _seconds(lowered: Lowered) -> str:
    """By stage, then schedules and printing by kernel, longest first."""
    rows = [[stage, duration(s)] for stage, s in lowered.seconds.items()]
    whole = "all" if OBJECT_CODE in lowered.seconds else "all but object code"
    rows.append([whole, duration(sum(lowered.seconds.values()))])
    kernels = sorted(lowered.kernel_seconds.items(), key=lambda row: -row[1])
    stages = columns([], rows, right=[1])
    return f"{stages}\n  of schedule and print\n" + columns(
        [], [[name, duration(s)] for name, s in kernels], right=[1], indent="    "
    )
