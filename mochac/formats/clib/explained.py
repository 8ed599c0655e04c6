"""explain.txt of a library: its memory and code size, its functions, and what each plan runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mochac.base.support.array_like import columns, unit
from mochac.formats.clib.memory import InstanceMemory, KeptArray, stack_bound
from mochac.formats.clib.plans import CpuPlan
from mochac.formats.clib.request import Request
from mochac.formats.clib.tables import PlanTables
from mochac.formats.quantization.quantized import Calibrated
from mochac.ir.notes import InFloat
from mochac.runtime.cpu.loader import read_functions

_WASM, _CODE = b"\0asm", 10
MAX_LISTED = 5
"""Entries in a list of the largest values."""


def code_bytes(images: Iterable[bytes]) -> int:
    """Code size of object files; equal ones count once."""
    return sum(_wasm_bytes(i) if i[:4] == _WASM else sum(f.size for f in read_functions(i)) for i in set(images))


def _wasm_bytes(image: bytes) -> int:
    """Size of the code section of a WebAssembly module."""
    at = len(_WASM) + 4
    while at < len(image):
        kind, (size, begin) = image[at], _number(image, at + 1)
        if kind == _CODE:
            return size
        at = begin + size
    return 0


def _number(image: bytes, at: int) -> tuple[int, int]:
    """A LEB128 number, and the offset behind it."""
    value = shift = 0
    while True:
        byte = image[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def largest(sizes: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The largest sizes; entries with one name are added up.

    >>> largest([("conv1", 5), ("ip1", 9), ("conv1", 6)])
    [('conv1', 11), ('ip1', 9)]
    """
    total: dict[str, int] = {}
    for name, n_bytes in sizes:
        total[name] = total.get(name, 0) + n_bytes
    return sorted(total.items(), key=lambda row: -row[1])[:MAX_LISTED]


def in_arena(plan: CpuPlan) -> list[tuple[str, int]]:
    """The largest values in the arena of a plan."""
    return largest([(p.name, p.type.storage_bytes) for p in plan.plan.placements if p.place == "arena"])


def weights_of(request: Request, arrays: Sequence[KeptArray]) -> list[tuple[str, int]]:
    """Bytes of the parameters and tables of a library, by layer or name."""
    keys = {p.value: p.key for p in (*request.net.params, *request.net.states)}
    return [(keys.get(k.name, k.name), k.type.storage_bytes) for k in arrays if k.role != "slot"]


ROLES = {"param": "parameters and states", "slot": "solver's slots", "const": "tables"}


def explained(
    request: Request,
    memory: InstanceMemory,
    arrays: Sequence[KeptArray],
    cpu_plans: Sequence[Sequence[CpuPlan]],
    tables: Sequence[Sequence[PlanTables]],
) -> str:
    """The text of explain.txt.

    Args:
        arrays: all kept arrays, also constant ones.
        cpu_plans, tables: of each CPU.
    """
    return "\n\n".join(_parts(request, memory, arrays, cpu_plans, tables)) + "\n"


def _parts(
    request: Request,
    memory: InstanceMemory,
    arrays: Sequence[KeptArray],
    cpu_plans: Sequence[Sequence[CpuPlan]],
    tables: Sequence[Sequence[PlanTables]],
) -> Iterator[str]:
    how = ", direct convolutions" if request.convolutions == "direct" else ""
    how += ", factors rounded to bfloat16" if request.precision == "bfloat16" else ""
    yield f"library {request.name!r} of net {request.net.name!r}, batch {request.net.batch}, {request.dtype}{how}"
    yield _memory(memory, [k for k in arrays if k.values is None])
    if request.calibrated is not None:
        yield _integers(request.calibrated)
    yield _read_only(request, arrays, cpu_plans)
    for cpu, plans, rows in zip(request.cpus, cpu_plans, tables, strict=True):
        target = f"CPU {cpu.info.name} ({cpu.info.arch})"
        yield f"Functions for {target}\n{_functions(plans)}"
        for plan, table in zip(plans, rows, strict=True):
            yield _plan(plan, table, target)


def _memory(memory: InstanceMemory, kept: Sequence[KeptArray]) -> str:
    """The regions of an instance; each ends where the next begins."""
    roles = dict.fromkeys(k.role for k in kept)
    begins = {
        "struct, scalars of a step": 0,
        **{ROLES[role]: min(memory.kept[k.name] for k in kept if k.role == role) for role in roles},
        "copies of batches": min(memory.inputs.values(), default=memory.arguments),
        "arguments of the functions": memory.arguments,
        "arena": memory.arena,
        "scratch of each thread": memory.fixed_bytes,
    }
    ends = [*begins.values(), memory.fixed_bytes + memory.scratch_bytes][1:]
    rows = [[name, unit(end - begin, "B")] for (name, begin), end in zip(begins.items(), ends, strict=True)]
    return f"Memory of an instance: {unit(ends[-1], 'B')} with one thread\n{columns([], rows, right={1})}"


def _integers(made: Calibrated) -> str:
    """Which values are integers, which are computed in float, and the accuracy lost."""
    _, quantized = made.quantized.simulated(1)
    _, graph = made.quantized.integers(1)
    rows = [
        [name, scale.dtype, f"{scale.scale:.6g}", str(scale.zero), *(f"{x:.4g}" for x in made.quantized.ranges[name])]
        for name, scale in quantized.scales.items()
    ]
    table = columns(["value", "type", "scale", "zero", "from", "to"], rows, right={2, 3, 4, 5})
    floats = [str(note) for note in graph.graph.notes if isinstance(note, InFloat)]
    losses = [f"Loss of {loss}" for loss in made.loss]
    title = f"Integers, by {made.samples.n} samples of {made.samples.source}: real = scale * (integer - zero)"
    return "\n".join([title, table, *losses, *floats])


def _read_only(request: Request, arrays: Sequence[KeptArray], cpu_plans: Sequence[Sequence[CpuPlan]]) -> str:
    """The content of read-only memory, and the largest values in it and in the arena."""
    weights = weights_of(request, arrays)
    kernels = code_bytes(image for plans in cpu_plans for plan in plans for image in plan.objects)
    where = "read where they are" if request.weights == "flash" else "copied to instances"
    rows = [
        ["code of the kernels", unit(kernels, "B"), ""],
        ["parameters and tables", unit(sum(n for _, n in weights), "B"), where],
    ]
    rows += [[f"  {key}", unit(n, "B"), ""] for key, n in largest(weights)]
    if stack := stack_bound(request, cpu_plans):
        rows.append(["stack", unit(stack.n_bytes, "B"), f"at most, {stack.kernels} of it for the largest kernel"])
    for plan in cpu_plans[0]:
        rows.append([f"largest values of {plan.of.name}", unit(plan.plan.arena_bytes, "B"), "of its arena"])
        rows += [[f"  {name}", unit(n, "B"), ""] for name, n in in_arena(plan)]
    return f"Read-only memory and arena\n{columns([], rows, right={1})}"


def _functions(plans: Sequence[CpuPlan]) -> str:
    """What each function computes, and for which plans."""
    images = dict.fromkeys(image for plan in plans for image in plan.objects)
    sizes = {f.name: f.size for image in images for f in read_functions(image)}
    kernels: dict[str, dict[str, None]] = {}
    used: dict[str, dict[str, None]] = {}
    for plan in plans:
        for launch in plan.plan.launches:
            kernels.setdefault(launch.symbol, {})[launch.kernel] = None
            used.setdefault(launch.symbol, {})[plan.of.name] = None
    rows = [
        [symbol, unit(sizes.get(symbol, 0), "B"), ", ".join(kernels[symbol]), ", ".join(used[symbol])]
        for symbol in kernels
    ]
    return columns(["function", "code", "kernels", "plans"], rows, right={1})


def _plan(plan: CpuPlan, table: PlanTables, target: str) -> str:
    """The functions that a plan runs, in order."""
    made = plan.plan
    title = f"Plan {plan.of.name} for {target}: {len(made.launches)} kernels in {made.phases} phases"
    header = ["phase", "function", "kernel", "items", "threads", "work", "moved", "times"]
    rows = [
        [
            str(launch.phase), launch.symbol, launch.kernel, str(launch.items), str(min(row.worth, launch.items)),
            unit(launch.flops, "flop"), unit(launch.moved_bytes, "B"), str(launch.trips),
        ]
        for launch, row in zip(made.launches, table.launches, strict=True)
    ]  # fmt: skip
    return f"{title}, {unit(made.flops, 'flop')} a run\n{columns(header, rows, right={0, 3, 4, 5, 6, 7})}"
