"""dump: writes every stage of a plan to files, from the traced graph to assembly, with inputs for a replay.

Each file holds the text of one representation, for people and for replay. A picture (SVG) of the arena, also in
reports, shows which bytes hold which value during a step, from the kernel that writes it to the last reader.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mochac.base.drawing.svg import INK, PALE, cut, drawing, label, line, of_layers, rect
from mochac.base.errors import OptionError
from mochac.base.escaping import comment, file_name
from mochac.base.records import record
from mochac.base.support.array_like import unit
from mochac.inspect.explain import explain
from mochac.inspect.kernel_records import KernelRecord, kernel_records
from mochac.ir.passes import PASSES
from mochac.ir.plan import Placement, Plan
from mochac.lowering.operands import draw_inputs, save_inputs
from mochac.runtime.backend import BACKENDS, Backend, CodeForm
from mochac.runtime.lowered import Lowered
from mochac.training.session.session import next_inputs

if TYPE_CHECKING:
    from mochac.nets.net import Net
    from mochac.training.session.session import Session


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 1120, 420, 70, 14, 10, 44
NUMBER = 50
"""Approximate pixels between the numbers of kernels."""


@record
class Stay:
    """A value in the arena, and the positions of the first launch and of the last one that use it."""

    placement: Placement
    first: int
    last: int


def stays(plan: Plan) -> list[Stay]:
    """All values in the arena that launches use. Values that may be read after the step stay to its end."""
    used: dict[str, list[int]] = {}
    for k, launch in enumerate(plan.launches):
        for name in launch.buffers:
            used.setdefault(name, []).append(k)
    kept = {name for _, name in (*plan.named, *plan.scalars)}
    last = len(plan.launches) - 1
    placed = [p for p in plan.placements if p.place == "arena" and p.name in used]
    return [Stay(p, min(used[p.name]), last if p.name in kept else max(used[p.name])) for p in placed]


def arena(plan: Plan, wide: float = WIDTH) -> str:
    """The drawing, with this width in pixels; "" if the plan keeps nothing in an arena."""
    found = stays(plan)
    if not found or not plan.arena_bytes:
        return ""
    across = (wide - LEFT - RIGHT) / len(plan.launches)
    up = (HEIGHT - TOP - BOTTOM) / plan.arena_bytes
    colours = of_layers([_layer(stay.placement.name) for stay in found])
    parts = [rect(LEFT, TOP, wide - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, "#f8fafc", "", f'stroke="{PALE}"')]
    for stay in found:
        n = stay.placement.type.storage_bytes
        x, y = LEFT + stay.first * across, HEIGHT - BOTTOM - (stay.placement.offset + n) * up
        width, height = (stay.last - stay.first + 1) * across, n * up
        names = [plan.launches[k].kernel for k in (stay.first, stay.last)]
        tip = f"%{stay.placement.name}: {stay.placement.type}, {unit(n, 'B')} at {stay.placement.offset:,}, "
        tip += f"from {names[0]} to {names[1]}"
        edge = 'stroke="#fff" stroke-width="0.5" fill-opacity="0.85"'
        parts.append(rect(x, y, width, max(0.5, height), colours[_layer(stay.placement.name)], tip, edge))
        if height > 12 and (words := cut(stay.placement.name, width - 6)):
            parts.append(label(x + 4, y + height / 2 + 4, words, "start", 'fill="#fff" pointer-events="none"'))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = HEIGHT - BOTTOM - share * plan.arena_bytes * up
        parts += [line(LEFT - 4, y, LEFT, y, INK), label(LEFT - 8, y + 4, unit(share * plan.arena_bytes, "B"), "end")]
    middle = (LEFT + wide - RIGHT) / 2
    parts.append(
        label(middle, HEIGHT - 10, f"kernels in order, 0 to {len(plan.launches) - 1}", "middle", f'fill="{INK}"')
    )
    for k in range(0, len(plan.launches), max(1, round(NUMBER / across))):
        parts.append(label(LEFT + (k + 0.5) * across, HEIGHT - BOTTOM + 14, str(k), "middle"))
    return drawing(wide, HEIGHT, parts, "Memory of a step")


def _layer(name: str) -> str:
    """The layer that a value belongs to: a gradient has the colour of its blob."""
    return name.removeprefix("d.").partition(".")[0]


TITLE = "README.txt"
INPUTS = "inputs.npz"
PICTURE = "plan.svg"
NESTS = {
    "staged.kernel": "a loop nest per operation, as the ops describe them",
    "schedule": "how they are put into each other, cut, ordered and run, with the reason of each step",
    "naive.kernel": "one loop nest, after the first steps of the schedule",
    "scheduled.kernel": "loop nest after the schedule",
}
TRACE = "trace"
TRACED = "the net, its gradients and the solver's update, as written"


def dump_session(session: Session, directory: Path) -> None:
    """Dump the session's main plan, with the next batch, parameters and the solver's state as inputs."""
    bound = session.main_plan()
    dump(bound.lowered, session.plans.backend, directory, session.net, next_inputs(session, bound))


def dump(
    lowered: Lowered,
    backend: Backend,
    directory: Path,
    net: Net | None = None,
    inputs: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Write all stages of a plan.

    Args:
        directory: created if absent; files of an earlier dump are replaced, other files left alone.
        net: adds the table of layers to explain.txt.
        inputs: an array per input of the first graph, for replay; None: random ones.

    Raises:
        OptionError: the directory cannot be written, or holds files that do not belong to a dump.
    """
    try:
        _prepare(directory)
        files = dict(_texts(lowered, backend, net))
        title = _readme(lowered, backend, files)
        (directory / TITLE).write_text(title, encoding="utf-8")  # first, since it says what the folder is
        for name, (_, text) in files.items():
            path = directory / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        graph = lowered.stages[0][1]
        save_inputs(directory / INPUTS, draw_inputs(graph) if inputs is None else inputs)
    except OSError as error:
        raise OptionError(f"cannot write a dump to {directory}", got=error.strerror or str(error)) from None


def kernel_stem(position: int, name: str) -> str:
    """File name of a kernel without extension: its position in the order of execution, and its name made safe.

    >>> kernel_stem(3, "conv1.conv+a/b")
    '03-conv1.conv+a_b'
    """
    return f"{position:02}-{file_name(name)}"


def _texts(lowered: Lowered, backend: Backend, net: Net | None) -> Iterator[tuple[str, tuple[str, str]]]:
    """(file name, (description, text)) of every text file but the README."""
    for k, (name, graph) in enumerate(lowered.stages):
        yield f"{k:02}-{name}.graph", (_pass_line(name), str(graph))
    for k, kernel in enumerate(kernel_records(lowered, backend)):
        for ending, file in _files(kernel).items() if kernel.finishes else ():
            yield f"kernels/{kernel_stem(k, kernel.name)}.{ending}", file
    yield "plan.txt", ("order of kernels, phases, and where every value lies", str(lowered.plan))
    if picture := arena(lowered.plan):
        yield PICTURE, ("a picture of plan.txt: which bytes of the arena hold which value, kernel by kernel", picture)
    yield f"module.{backend.ending}", (f"{backend.language} of all kernels, as compiled", lowered.text)
    yield "explain.txt", ("layers, memory, kernels, fusions and why not", explain(net, lowered, backend))


def _pass_line(name: str) -> str:
    """Description of a stage: the traced graph, or the first sentence of a pass's file."""
    if name == TRACE:
        return TRACED
    module = PASSES[name].__module__ if name in PASSES else f"mochac.ir.passes.{name}"
    doc = sys.modules[module].__doc__ or name
    sentence = " ".join(doc.partition("\n\n")[0].split()).removeprefix(f"{name}: ")
    return f"after {name}: {sentence}"


def _files(record: KernelRecord) -> dict[str, tuple[str, str]]:
    """(description, text) of a kernel's files, by extension."""
    texts = zip(NESTS.items(), (record.staged, record.schedule.annotated, record.naive, record.text), strict=True)
    files = {ending: (what, text) for (ending, what), text in texts}
    for name, form in _dumped(type(record.backend)).items():
        files[form.ending] = (form.title, _headed(record, form, record.code(name)))
    return files


def _dumped(backend: type[Backend]) -> dict[str, CodeForm]:
    """The forms of code that a dump for this backend contains, by name."""
    return {name: form for name, form in backend.forms.items() if form.ending}


def _headed(record: KernelRecord, form: CodeForm, text: str) -> str:
    """Code with a heading, unless it has one: the names of the kernel and of its function."""
    if not form.comment:
        return text
    lines = [
        f"kernel {record.name}: layers {', '.join(record.layers)}; ops {', '.join(record.ops)}",
        *record.backend.signature(record.scheduled, record.launch),
    ]
    return "".join(f"{form.comment} {comment(line)}\n" for line in lines) + "\n" + text


def _prepare(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    if not (directory / TITLE).exists():
        if any(directory.iterdir()):
            hint = "name a new or empty directory"
            raise OptionError(f"{directory} holds files that are not a dump's", hint=hint)
        return
    old = [
        *directory.glob("[0-9][0-9]-*.graph"),
        *directory.glob("module.*"),
        *directory.glob(PICTURE),
        *(file for ending in _endings() for file in directory.glob(f"kernels/*.{ending}")),
    ]
    for path in old:
        path.unlink()


def _endings() -> list[str]:
    """Extensions of kernel files in a dump for any backend."""
    return [*NESTS, *(form.ending for backend in BACKENDS.everything() for form in _dumped(backend).values())]


def _readme(lowered: Lowered, backend: Backend, files: dict[str, tuple[str, str]]) -> str:
    plain = {name: what for name, (what, _) in files.items() if not name.startswith("kernels/")}
    plain[INPUTS] = "inputs of the first graph, for replay"
    width = max(map(len, plain))
    forms = {**NESTS, **{form.ending: form.title for form in _dumped(type(backend)).values()}}
    lines = [f"mochac dump of plan '{lowered.name}' for {backend.kind} {lowered.generator.target_name}", ""]
    lines += [f"{name:{width}}  {what}" for name, what in sorted(plain.items())]
    lines += ["", "kernels/NN-name.*, NN the order they run in:"]
    lines += [f"  .{form:{width - 3}}  {what}" for form, what in forms.items()]
    lines += ["", "`mochac replay .` runs every stage on the inputs and compares; `mochac replay . fuse` runs one."]
    return "\n".join(lines) + "\n"
