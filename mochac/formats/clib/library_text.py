"""LibraryText: what the templates of a library print, from its request, its plans and its memory."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac import __version__
from mochac.base.errors import UnsupportedError
from mochac.base.escaping import c_string, constants
from mochac.base.records import record
from mochac.formats.clib.data import (
    Data,
    Saved,
    drawing_bytes,
    drawings,
    drawn_in,
    initial_bytes,
    saved_parameters,
    saved_state,
)
from mochac.formats.clib.documents import code_bytes, explained, in_arena, largest, page_context, weights_of
from mochac.formats.clib.memory import (
    STRUCT_BYTES,
    InstanceMemory,
    KeptArray,
    alignment_of,
    kept_in,
    memory_of,
    stack_bound,
)
from mochac.formats.clib.plans import CpuPlan, LibraryPlan, compiled, library_plans, steps_of, with_integers
from mochac.formats.clib.request import Request, toolchain
from mochac.formats.clib.tables import PlanTables, Scalars, arguments, period, scalars_of, sources_of, tables_of
from mochac.ir.types import DTYPES
from mochac.lowering.measures import count_name, total_name
from mochac.lowering.plan_graphs import OBJECTIVE
from mochac.nets.declared import FeedInfo
from mochac.nets.trace import Traced

CODES = (
    ("NULL", "an argument is NULL"),
    ("NO_INSTANCE", "this memory holds no instance, or was moved"),
    ("UNALIGNED", "the memory does not begin at a multiple of {alignment}"),
    ("SIZE", "the memory is too small"),
    ("CPU", "this CPU lacks instructions that the library uses"),
    ("COUNT", "the number of samples is out of range"),
    ("LABEL", "a class index is not an integer, or is out of range"),
    ("DAMAGED", "the checksum or a number of the file is wrong"),
    ("OTHER", "the file is not of this net, or of another version"),
)
TRAINING_CODES = (
    ("SCALAR", "a learning rate or another scalar is out of range"),
    ("NAME", "there is no scalar of this name"),
    ("NOT_FINITE", "the loss is not finite"),
)


STACK_BYTES = 64 << 10
"""Stack of a WebAssembly module."""
ADDRESS_BYTES = 8
"""Bytes of an address of 64-bit CPUs."""


@record
class LibraryText:
    """Everything that is written of a library.

    Attributes:
        context: variables of the templates.
        objects: object code by the name of its file.
        explained: explain.txt.
        plans: of every CPU.
    """

    context: Mapping[str, Any]
    objects: Mapping[str, bytes]
    explained: str
    plans: Sequence[CpuPlan]


class _Library:
    """Intermediate results, each computed from earlier ones."""

    def __init__(self, request: Request, values: Mapping[str, np.ndarray]) -> None:
        self.request, self.values, self.data = request, values, Data(alignment_of(request))
        self.plans = tuple(with_integers(plan, request.inputs) for plan in library_plans(request))
        self.scalars = Scalars() if request.solver is None else scalars_of(request.solver.method)
        stays = request.weights == "flash"
        self.flash = stays and request.solver is None
        fixed = {p.value for p in (*request.net.params, *request.net.states) if self.flash or p.key in request.frozen}
        self.every = every = kept_in(
            request.net, request.dtype, self.plans, {n: values[n] for n in fixed} if stays else None
        )
        self.files = [k for k in every if k.role != "const"]
        self.kept = [k for k in every if k.values is None]
        constant = {k.name: self.data.take(_stored(k)) for k in every if k.values is not None}
        self.cpu_plans = [compiled(self.plans, cpu, request) for cpu in request.cpus]
        self.drawn = None if stays else drawn_in(request.net)
        least = (len(self.scalars.settable), drawing_bytes(self.drawn or ()))
        self.memory: InstanceMemory = memory_of(self.cpu_plans, self.kept, constant, least, request)
        self.feeds = _feeds(self.plans)
        self.arguments = arguments([*self.feeds, *request.outputs])
        periods = dict.fromkeys(name for plan in self.plans for name in plan.source.periods)
        self.periods = tuple(periods)
        self.sources = sources_of(self.scalars.names, self.periods)
        self.tables = [[self._tables(plan) for plan in plans] for plans in self.cpu_plans]

    def _tables(self, plan: CpuPlan) -> PlanTables:
        return tables_of(plan, self.memory, list(self.feeds), self.sources, self.request.outputs)

    def plan(self, kind: str) -> LibraryPlan:
        """The last plan of a kind."""
        return [plan for plan in self.plans if plan.kind == kind][-1]


def library_text(request: Request, values: Mapping[str, np.ndarray]) -> LibraryText:
    """A library.

    Args:
        values: its parameters and states, by graph input.
    """
    lib = _Library(request, values)
    context = {
        **_names(lib),
        **_signatures(lib),
        **_plan_rows(lib),
        **_memory_rows(lib),
        **_training(lib),
        **({} if lib.flash else _files(lib)),
        **drawings(lib.drawn, {k.name: n for n, k in enumerate(lib.files)}, lib.data),
        **_transforms(lib),
    }
    context |= _counted(lib)
    if request.page:
        statistics = _statistics(lib.plan("test").traced) if request.solver is not None else []
        context |= page_context(request, lib.feeds, context, statistics)
    context["arithmetic"] = bool(lib.scalars.values) or context["ziggurat"] >= 0
    objects = {f"{_id(k)}_{n}.o": image for k, plans in enumerate(lib.cpu_plans) for n, image in _images(plans)}
    objects["data.o"] = lib.data.object(f"{request.name}_data_", request.cpus[0].info)
    text = explained(request, lib.memory, lib.every, lib.cpu_plans, lib.tables)
    return LibraryText(context, objects, text, [plan for plans in lib.cpu_plans for plan in plans])


def _stored(k: KeptArray) -> bytes:
    """The bytes of an array that never changes."""
    values = np.ascontiguousarray(k.values, DTYPES[k.type.dtype])
    return values.astype(values.dtype.newbyteorder("<")).tobytes()


def _id(k: int) -> str:
    """The suffix of names for a CPU."""
    return f"cpu{k}"


def _images(plans: Sequence[CpuPlan]) -> list[tuple[int, bytes]]:
    """The distinct objects of the plans for a CPU."""
    return list(enumerate(dict.fromkeys(image for plan in plans for image in plan.objects)))


def _feeds(plans: Sequence[LibraryPlan]) -> dict[str, FeedInfo]:
    """The feeds that some plan reads, by top."""
    feeds = {feed.top: feed for plan in reversed(plans) for feed in plan.feeds}
    order = [feed.top for feed in plans[-1].traced.feeds]
    return {top: feeds[top] for top in order if top in feeds}


def _counted(lib: _Library) -> dict[str, Any]:
    """Sizes of memory in the header; called when the library's data is complete."""
    memory = lib.memory
    return {
        "instance_bytes": memory.fixed_bytes + memory.scratch_bytes,
        "arena_bytes": memory.fixed_bytes - memory.arena,
        "data_bytes": lib.data.n_bytes,
        "code_bytes": code_bytes(image for plans in lib.cpu_plans for plan in plans for image in plan.objects),
        "stack": stack_bound(lib.request, lib.cpu_plans),
        "largest_weights": largest(weights_of(lib.request, lib.every)),
        "largest_values": in_arena(lib.cpu_plans[0][-1]),
        "puts": any(plan.hypers for tables in lib.tables for plan in tables),
        "classes": any(feed.classes for feed in lib.feeds.values()),
    }


def _names(lib: _Library) -> dict[str, Any]:
    request = lib.request
    trains = request.solver is not None
    return {
        "name": request.name,
        "NAME": request.name.upper(),
        "net": request.net.name,
        "version": __version__,
        "cpus": ", ".join(f"{cpu.info.name} ({cpu.info.arch})" for cpu in request.cpus),
        "arch": request.cpus[0].info.arch,
        "x86": request.cpus[0].info.arch == "x86_64",
        "hosted": request.hosted,
        "wasm": (wasm := request.cpus[0].info.arch == "wasm32"),
        "product": f"{request.name}.wasm" if wasm else f"lib{request.name}.a",
        "stack_bytes": STACK_BYTES,
        "exports": _exports(request),
        "threads": request.threads,
        "page": request.page,
        "flash": lib.flash,
        "fixed": not lib.flash and any(k.values is not None for k in lib.files),
        "alignment": lib.memory.alignment,
        "word": "int64_t" if request.cpus[0].info.address_bytes == ADDRESS_BYTES else "int32_t",
        "toolchain": toolchain(request.cpus[0].info),
        "real": {"float32": "float", "float64": "double"}[request.dtype],
        "trains": trains,
        "method": request.solver.method.title if request.solver is not None else "",
        "codes": [
            (code, text.format(alignment=lib.memory.alignment))
            for code, text in CODES + (TRAINING_CODES if trains else ())
        ],
        "mark": f"{zlib.crc32(request.name.encode()) & 0xFFFF:04x}",
    }


def _exports(request: Request) -> str:
    """Options of the linker for the functions of a WebAssembly module."""
    functions = ["init", "bytes", "text", "predict"]
    if request.weights == "ram":
        functions += ["init_saved", "save", "save_bytes", "load"]
    if request.solver is not None:
        functions += ["step", "evaluate", "iteration", "set_scalar", "get_scalar", "save_state", "save_state_bytes"]
    names = ["__heap_base", *(f"{request.name}_{function}" for function in functions)]
    return " ".join(f"--export-if-defined={name}" for name in names)


def _signatures(lib: _Library) -> dict[str, Any]:
    """The arguments of the functions."""
    request, argument, blobs = lib.request, lib.arguments, lib.request.net.blobs
    constant = constants(argument)
    real = "float" if request.dtype == "float32" else "double"
    if not lib.plan("predict").feeds:
        raise UnsupportedError(f"build: {' '.join(request.outputs)} depends on no input")

    types = {argument[top]: _c_type(request.inputs.get(top), real) for top in lib.feeds}

    def input_names(plan: LibraryPlan) -> list[str]:
        read = {feed.top for feed in plan.feeds}
        return [argument[top] for top in lib.feeds if top in read]

    def declared(names: Sequence[str]) -> str:
        return ", ".join(f"const {types[name]} *{name}" for name in names)

    def row(blob: str) -> dict[str, Any]:
        shape = blobs[blob].shape[1:]
        return {
            "name": argument[blob],
            "constant": constant[blob],
            "shape": _shape(shape),
            "elems": int(np.prod(shape)),
        }

    inputs = [
        {
            **row(top), "top": top, "what": _what(feed), "type": types[argument[top]],
            "numpy": request.inputs.get(top, request.dtype),
        }
        for top, feed in lib.feeds.items()
    ]  # fmt: skip
    outputs = [row(blob) for blob in request.outputs]
    context: dict[str, Any] = {
        "inputs": inputs,
        "outputs": outputs,
        "batches": " or ".join(map(str, request.batches)),
        "predict_outputs": ", ".join(f"{real} *{output['name']}" for output in outputs),
        "made": ", ".join(str(output["name"]) for output in outputs),
        "needed": {},
    }
    for kind in ("predict", "step", "test") if request.solver is not None else ("predict",):
        names = input_names(lib.plan(kind))
        tops = [argument[top] for top in lib.feeds]
        context |= {f"{kind}_arguments": names, f"{kind}_inputs": declared(names)}
        context[f"{kind}_given"] = ", ".join(name if name in names else "NULL" for name in tops)
        context["needed"][kind] = [int(name in names) for name in tops]
    return context


def _c_type(integer: str | None, real: str) -> str:
    """The type of an input in C."""
    return real if integer is None else f"{integer}_t"


def _shape(shape: tuple[int, ...]) -> str:
    return f"[n][{']['.join(map(str, shape))}]" if shape else "[n]"


def _what(feed: FeedInfo) -> str:
    if feed.classes is None:
        return "numbers"
    besides = "".join(f", or {label}" for label in sorted(feed.classes.ignored))
    return f"integers 0 .. {feed.classes.n - 1}{besides}"


def _plan_rows(lib: _Library) -> dict[str, Any]:
    cpus, symbols = [], dict[str, None]()
    for k, (cpu, tables) in enumerate(zip(lib.request.cpus, lib.tables, strict=True)):
        rows, at = [], lib.memory.arguments
        for plan in tables:
            symbols |= dict.fromkeys(launch.symbol for launch in plan.launches)
            rows.append({
                "name": plan.name, "batch": plan.batch, "launches": plan.launches, "places": plan.places,
                "strides": plan.strides, "hypers": plan.hypers, "outputs": plan.outputs,
                "reported": list(plan.reported.values()), "at": at,
            })  # fmt: skip
            at += cpu.info.address_bytes * len(plan.places)
        cpus.append({"id": _id(k), "name": cpu.info.name, "level": cpu.level, "plans": rows})
    return {"cpus_tables": cpus, "symbols": list(symbols), "n_predicting": len(lib.request.batches)}


def _memory_rows(lib: _Library) -> dict[str, Any]:
    memory = lib.memory
    arrays = [{"place": memory.array(k.name), "bytes": k.type.storage_bytes, "name": k.name} for k in lib.files]
    blobs = lib.request.net.blobs
    feeds = [
        {
            "top": top,
            "elems": int(np.prod(blobs[top].shape[1:])),
            "offset": memory.inputs[top],
            "item_bytes": np.dtype(lib.request.inputs.get(top, lib.request.dtype)).itemsize,
            "classes": f"{feed.classes.n}.0" if feed.classes else "0.0",
            "ignored": [f"{label}.0" for label in sorted(feed.classes.ignored)] if feed.classes else [],
        }
        for top, feed in lib.feeds.items()
    ]
    return {
        "arrays": arrays,
        "feeds": feeds,
        "fixed_bytes": memory.fixed_bytes,
        "moved": memory.moved,
        "left": memory.left,
        "arena": memory.arena,
        "begins": memory.begins,
        "scratch_bytes": memory.scratch_bytes,
        "struct_bytes": STRUCT_BYTES + 9 * len(lib.scalars.settable),
        "n_settable": len(lib.scalars.settable),
        "sources": [f"VALUE_{name}" for name in constants(lib.sources).values()],
    }


def _training(lib: _Library) -> dict[str, Any]:
    solver, scalars = lib.request.solver, lib.scalars
    if solver is None:
        return {}
    tested = lib.plan("test")
    reported = list(lib.tables[0][-1].reported)
    step = next(t for t in lib.tables[0] if t.name == "step")
    return {
        "crosses": tested.traced.crosses_samples,
        "batch": lib.request.net.batch,
        "samples": lib.request.net.batch * solver.accumulate,
        "accumulate": solver.accumulate,
        "objective": list(step.reported).index(OBJECTIVE),
        "lines": scalars.lines,
        "values": scalars.values,
        "periods": [(f"VALUE_{constants(lib.sources)[name]}", period(name)) for name in lib.periods],
        "measures": _measures(tested.traced, reported),
        "n_measured": len(reported),
        "settable": ", ".join(f'"{name}"' for name in scalars.settable),
        "settable_names": ", ".join(f'"{c_string(name)}"' for name in scalars.settable),
        "highest": ", ".join("1.0" if name.rpartition(".")[2] == "momentum" else "1e300" for name in scalars.settable),
        "scalar_numbers": ", ".join(str(scalars.names.index(name)) for name in scalars.settable),
    }


def _statistics(traced: Traced) -> list[str]:
    """Names of the results of evaluate()."""
    return [*(s.name for s in traced.statistics), *(loss.layer for loss in traced.losses)]


def _measures(traced: Traced, reported: Sequence[str]) -> list[dict[str, Any]]:
    """How the results of evaluate() follow from sums, in the order of an evaluation's Statistics."""
    rows: list[dict[str, Any]] = []
    constant = constants(_statistics(traced))
    for s in traced.statistics:
        count = reported.index(count_name(s.name)) if s.count else -1
        total = reported.index(s.name)
        rows.append({"constant": constant[s.name], "total": total, "count": count, "per_sample": s.per_sample})
    for loss in traced.losses:
        total = reported.index(total_name(loss.layer) if loss.count else loss.layer)
        count = reported.index(count_name(loss.layer)) if loss.count else -1
        rows.append({"constant": constant[loss.layer], "total": total, "count": count, "per_sample": 1})
    return rows


def _files(lib: _Library) -> dict[str, Any]:
    net, kept, solver = lib.request.net, lib.files, lib.request.solver
    forms = [_form("parameters", saved_parameters(net, kept), lib, ())]
    if solver is not None:
        known, method = {k.name for k in kept}, solver.method
        slots = [f"{p.value}.{slot}" for p in net.params for slot in method.group_of(p.names).method.slots]
        slots = [name for name in slots if name in known]
        state = saved_state(net, kept, method.title, slots, lib.scalars.settable)
        forms.append(_form("state", state, lib, lib.scalars.settable))
    rows = [", ".join(f"0x{_crc_entry(n):08x}u" for n in range(k, k + 8)) + "," for k in range(0, 256, 8)]
    return {
        "forms": forms,
        "crc_rows": rows,
        "initial": lib.data.take(initial_bytes(net, lib.values, lib.memory.constant)),
    }


def _crc_entry(n: int) -> int:
    """Entry n of the table of CRC-32."""
    for _ in range(8):
        n = n >> 1 ^ (0xEDB88320 if n & 1 else 0)
    return n


def _form(name: str, saved: Saved, lib: _Library, settable: Sequence[str]) -> dict[str, Any]:
    numbers = {k.name: n for n, k in enumerate(lib.files)}
    sizes: dict[str, KeptArray] = {k.name: k for k in lib.files}
    n_bytes = saved.begins + sum(sizes[array].type.storage_bytes for array in saved.arrays)
    return {
        "name": name,
        "at": lib.data.take(saved.header),
        "begins": saved.begins,
        "bytes": n_bytes,
        "arrays": [numbers[array] for array in saved.arrays],
        "checksum": saved.fields["crc32"],
        "iteration": saved.fields.get("iteration", 0),
        "batches": saved.fields.get("rng_step", 0),
        "scalars": [saved.fields[f"hyper {name}"] for name in settable],
    }


def _transforms(lib: _Library) -> dict[str, Any]:
    """The arithmetic of the data layers' transformers on samples."""
    rows, transformed = [], []
    for k, (top, feed) in enumerate(lib.feeds.items()):
        shape = lib.request.net.blobs[top].shape[1:]
        steps: list[dict[str, Any]] = []
        if top not in lib.request.inputs:  # plans compute those of integers
            steps = [_transform(op, value, shape, lib) for op, value in steps_of(feed, shape)]
        transformed.append(int(bool(steps)))
        if steps:
            rows.append({"feed": k, "steps": steps, "elems": int(np.prod(shape))})
    return {"transforms": rows, "transformed": transformed}


def _transform(op: str, value: float | np.ndarray, shape: tuple[int, ...], lib: _Library) -> dict[str, Any]:
    if isinstance(value, float):
        return {"op": op, "scalar": repr(value), "at": 0}
    kind = DTYPES["f32" if lib.request.dtype == "float32" else "f64"]
    return {"op": op, "scalar": "", "at": lib.data.take(np.broadcast_to(value, shape).astype(kind).tobytes())}
