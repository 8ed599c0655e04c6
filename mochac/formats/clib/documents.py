"""Documents of a library: explain.txt, and the web page of a WebAssembly library.

explain.txt lists the library's memory and code size, its functions, and what each plan runs. The page draws inputs and
shows predictions; its JavaScript module describes the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mochac.base.errors import MochacError, OptionError, UnsupportedError
from mochac.base.support.array_like import columns, unit
from mochac.formats.clib.memory import InstanceMemory, KeptArray, stack_bound
from mochac.formats.clib.plans import CpuPlan
from mochac.formats.clib.request import Request
from mochac.formats.clib.tables import PlanTables
from mochac.formats.quantization.quantized import Calibrated
from mochac.ir.notes import InFloat
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import DataLayer
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


def _integers(calibrated: Calibrated) -> str:
    """Which values are integers, which are computed in float, and the accuracy lost."""
    _, quantized = calibrated.quantized.simulated(1)
    _, graph = calibrated.quantized.integers(1)
    rows = [
        [
            name,
            scale.dtype,
            f"{scale.scale:.6g}",
            str(scale.zero),
            *(f"{x:.4g}" for x in calibrated.quantized.ranges[name]),
        ]
        for name, scale in quantized.scales.items()
    ]
    table = columns(["value", "type", "scale", "zero", "from", "to"], rows, right={2, 3, 4, 5})
    floats = [str(note) for note in graph.graph.notes if isinstance(note, InFloat)]
    losses = [f"Loss of {loss}" for loss in calibrated.loss]
    title = (
        f"Integers, by {calibrated.samples.n} samples of {calibrated.samples.source}: real = scale * (integer - zero)"
    )
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
    compiled = plan.plan
    title = f"Plan {plan.of.name} for {target}: {len(compiled.launches)} kernels in {compiled.phases} phases"
    header = ["phase", "function", "kernel", "items", "threads", "work", "moved", "times"]
    rows = [
        [
            str(launch.phase), launch.symbol, launch.kernel, str(launch.items), str(min(row.worth, launch.items)),
            unit(launch.flops, "flop"), unit(launch.moved_bytes, "B"), str(launch.trips),
        ]
        for launch, row in zip(compiled.launches, table.launches, strict=True)
    ]  # fmt: skip
    return f"{title}, {unit(compiled.flops, 'flop')} a run\n{columns(header, rows, right={0, 3, 4, 5, 6, 7})}"


FILES = {
    "{name}.js": "module.js.j2",
    "worker.js": "worker.js.j2",
    "index.html": "index.html.j2",
    "page.js": "page.js.j2",
}
"""Files of a page, and their templates."""
BYTE_RANGE, MOST_CLASSES = 255.0, 100


def check_page(request: Request, missing: str, package: str) -> None:
    """Refuse a page for another target, for inputs that are not drawings, or if tools are missing.

    Args:
        missing: a command that this machine lacks; "": none.
    """
    target = request.cpus[0].name
    if request.cpus[0].info.arch != "wasm32":
        raise OptionError("build: a page needs WebAssembly", expected="wasm32 or wasm32-simd", got=target)
    if missing:
        hint = f"on Debian: apt install {package}; without page=, build() writes sources to link elsewhere"
        raise MochacError(f"build: a page needs {missing}, which is not on this machine's PATH", hint=hint)


def page_context(
    request: Request, feeds: Mapping[str, FeedInfo], context: Mapping[str, Any], statistics: Sequence[str]
) -> dict[str, Any]:
    """Variables of the page's templates, in addition to the library's.

    Args:
        context: the library's variables.
        statistics: names of the results of evaluate().

    Raises:
        UnsupportedError: the net predicts something else than classes of images of one channel.
    """
    tops = {row["name"]: row["top"] for row in context["inputs"]}
    predicts = [tops[name] for name in context["predict_arguments"]]
    side_y, side_x = _sides(request, predicts)
    source = feeds[predicts[0]].layer
    transformed = source.transformers if isinstance(source, DataLayer) else ()
    kinds = ("predict", "step", "test") if request.solver is not None else ("predict",)
    outputs = zip(request.outputs, context["outputs"], strict=True)
    about = {
        "net": request.net.name,
        "name": request.name,
        "real": context["real"],
        "bytes": context["instance_bytes"],
        "alignment": context["alignment"],
        "batch": context.get("samples", 0),
        "inputs": [{"name": row["top"], "elems": row["elems"]} for row in context["inputs"]],
        "outputs": [{"name": blob, "elems": row["elems"]} for blob, row in outputs],
        "statistics": list(statistics),
        **{kind: [tops[name] for name in context[f"{kind}_arguments"]] for kind in kinds},
    }  # fmt: skip
    white = BYTE_RANGE if any(top == predicts[0] for top, _ in transformed) else 1.0
    return {"about": about, "side_x": side_x, "side_y": side_y, "white": white}


def _sides(request: Request, predicts: Sequence[str]) -> tuple[int, int]:
    """Height and width of the drawings that a net takes."""
    shape = list(request.net.blobs[predicts[0]].shape[1:])
    image = shape[1:] if len(shape) == len((1, "height", "width")) and shape[0] == 1 else shape
    classes = list(request.net.blobs[request.outputs[0]].shape[1:])
    if len(predicts) > 1 or len(image) != len(("height", "width")) or len(request.outputs) != 1:
        rule = "build: a page draws images of one channel, and shows one output"
        got = " ".join(f"{top} {request.net.blobs[top].shape[1:]}" for top in (*predicts, *request.outputs))
        raise UnsupportedError(rule, expected="an input (1, height, width) or (height, width)", got=got)
    if len(classes) != 1 or max(classes) > MOST_CLASSES:
        rule = f"build: a page shows the classes of output {request.outputs[0]!r}"
        raise UnsupportedError(rule, expected=f"a row of at most {MOST_CLASSES} numbers", got=str(classes))
    if request.solver is not None and not _learns(request):
        rule = "build: a page trains on drawings and their classes"
        expected = "a second top of data layers, of one number"
        got = " ".join(request.net.data_tops)
        raise UnsupportedError(rule, expected=expected, got=got)
    height, width = image
    return height, width


def _learns(request: Request) -> bool:
    tops = request.net.data_tops
    return len(tops) == len(("image", "label"))
