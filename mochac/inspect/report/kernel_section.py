"""The section of a report about a kernel, with its code by loop: each line of its nest, its LLVM IR and its assembly.

Loops are numbered in the order of the scheduled kernel's text. Only those count that the printer printed as loops
(KernelCode.heads): a line in an unrolled loop belongs to the loop around it. -1 is the code outside of all loops.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import shorten

from mochac.base.records import record
from mochac.base.support.array_like import duration, durations, unit
from mochac.codegen.cpu.module import KernelCode
from mochac.codegen.generator import LibraryCode
from mochac.codegen.prediction.issue import loop_cycles
from mochac.inspect.kernel_records import KernelRecord
from mochac.inspect.report.facts import StepFacts, Timed
from mochac.inspect.report.verdict import attempt, gain, limit, percent, roof_name
from mochac.ir.graph import Loc

OUTSIDE = -1
_OPENS = re.compile(r"\s*(?:each|sum|for) \S+ in .*\{$")
_IR_LABEL = re.compile(r"([\w.$-]+):")
_ASM_LABEL = re.compile(r"(?:\.?L?BB\w+:|# %bb\.\d+:).*?# %([\w.$-]+)")
_HEAD = re.compile(r"(.+)\.loop(\d+)")


def nest_loops(lines: Sequence[str], known: frozenset[int]) -> list[int]:
    """The loop of each line of a kernel's text; `known` are the loops that count."""
    found: list[int] = []
    around: list[int] = [OUTSIDE]
    n = 0
    for text in lines:
        closes = text.strip() == "}"
        if closes and len(around) > 1:
            found.append(around.pop())
            continue
        inner = around[-1]
        if _OPENS.match(text):
            inner = n if n in known else inner
            n += 1
        found.append(inner)
        if text.endswith("{"):
            around.append(inner)
    return found


def loop_lines(lines: Sequence[str]) -> list[int]:
    """The lines that open loops, in order."""
    return [k for k, text in enumerate(lines) if _OPENS.match(text)]


def llvm_loops(lines: Sequence[str], heads: Mapping[str, int]) -> tuple[list[int], dict[str, int]]:
    """The loop of each line of LLVM IR, and the loop of each of its blocks, by label."""
    ends = {_done(label): label for label in heads}
    around: list[str] = []
    found: list[int] = []
    blocks: dict[str, int] = {}
    for text in lines:
        label = _IR_LABEL.match(text)
        if label:
            name = label[1]
            if name in heads:
                around.append(name)
            elif name in ends and ends[name] in around:
                del around[around.index(ends[name]) :]
            blocks[name] = heads[around[-1]] if around else OUTSIDE
            before = heads[around[-2]] if len(around) > 1 else OUTSIDE
            if name in heads:
                blocks[f"{name}.preheader"] = before
        found.append(heads[around[-1]] if around else OUTSIDE)
    return found, blocks


def assembly_loops(lines: Sequence[str], blocks: Mapping[str, int]) -> list[int]:
    """The loop of each line of assembly, whose blocks have the names of LLVM's, with endings."""
    found: list[int] = []
    loop = OUTSIDE
    for text in lines:
        label = _ASM_LABEL.match(text)
        if label:
            name = label[1]
            while name and name not in blocks:
                name = name.rpartition(".")[0]
            loop = blocks.get(name, loop)
        found.append(loop)
    return found


def runs(loops: Sequence[int]) -> str:
    """Loops by line, equal neighbours together: "12x-1 3x0".

    >>> runs([-1, -1, 0, 3, 3])
    '2x-1 1x0 2x3'
    """
    return " ".join(f"{len(list(same))}x{loop}" for loop, same in groupby(loops))


def _done(head: str) -> str:
    """The label of the block after a loop: the printer numbers it next."""
    match = _HEAD.fullmatch(head)
    return f"{match[1]}.done{int(match[2]) + 1}" if match else ""


MAX_FIELDS = 400
"""Characters of the fields of a layer."""


@record
class UserLine:
    """A line of the user that a kernel comes from.

    Attributes:
        layers: layers that the line made, and their parameters.
        text: text of the line; "" if the file cannot be read now.
        fields: values of these layers' fields, which the text may not show: the line may be in a loop, or compute them.
    """

    layers: str
    place: str
    text: str
    fields: tuple[str, ...]


@record
class StepLine:
    """A step of the schedule: its number, its text, and its purpose."""

    number: int
    text: str
    what: str


@record
class StepGroup:
    """Consecutive steps with the same reason; "" for none."""

    why: str
    steps: tuple[StepLine, ...]


@record
class Pane:
    """A text whose lines belong to loops.

    Attributes:
        language: "nest", "llvm", "asm" or "plain"; the page colours words by it.
        loops: the loop of each line, as code_lines.runs writes them.
        costs: by line, predicted cost of the loop that it opens.
    """

    title: str
    language: str
    lines: tuple[str, ...]
    loops: str
    costs: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@record
class Section:
    """The section of a kernel.

    Attributes:
        facts: rows (name, value).
        same: the section with the same code, if an earlier kernel has it.
    """

    kernel: Timed
    sources: tuple[UserLine, ...]
    limit: str
    gain: str
    attempt: str
    facts: tuple[tuple[str, str], ...]
    nodes: tuple[str, ...]
    groups: tuple[StepGroup, ...]
    origin: str
    nest: Pane
    code: tuple[Pane, ...]
    same: Timed | None = None


def sections(facts: StepFacts) -> list[Section]:
    """The sections of all kernels, in the order they run; equal code is shown once."""
    first: dict[str, Timed] = {}
    return [_section(facts, kernel, first) for kernel in facts.kernels]


def _section(facts: StepFacts, kernel: Timed, first: dict[str, Timed]) -> Section:
    record = kernel.record
    earlier = first.setdefault(record.launch.symbol, kernel)
    same = earlier if earlier is not kernel and not record.launch.call else None
    return Section(
        kernel=kernel,
        sources=tuple(_sources(facts, record.scheduled.naive.loc)),
        limit=limit(facts, kernel),
        gain=gain(facts, kernel),
        attempt=attempt(facts, kernel),
        facts=tuple(_facts(facts, kernel)),
        nodes=tuple(map(str, facts.nodes[kernel.number])),
        groups=tuple(_groups(record)),
        origin=f"{record.schedule.name}, {record.origin}",
        nest=_nest(facts, record),
        code=() if same else tuple(_code(record)),
        same=same,
    )


def _sources(facts: StepFacts, locs: Sequence[Loc]) -> Iterator[UserLine]:
    """One for each line, with all that comes from it."""
    lines: dict[tuple[str, int], list[str]] = {}
    for loc in locs:
        lines.setdefault((loc.file, loc.line), []).append(loc.layer)
    for (file, line), names in lines.items():
        layers = [layer for layer in facts.session.net.layers if layer.name in names]
        fields = tuple(shorten(repr(layer), MAX_FIELDS, placeholder=" ..") for layer in layers)
        place, text = (f"{file}:{line}", linecache.getline(file, line).strip()) if file else ("", "")
        yield UserLine(", ".join(dict.fromkeys(names)), place, text, fields)


def _facts(facts: StepFacts, kernel: Timed) -> list[tuple[str, str]]:
    row, record = kernel.time, kernel.record
    rows = [
        ("time", f"{duration(row.seconds)}, {percent(row.share, 1)} of a step with clocks"),
        ("min-max", durations(*row.range_s) if row.range_s else ""),
        ("predicted", duration(row.predicted) if row.predicted else ""),
        ("x predicted", f"{kernel.ratio:.2f}" if kernel.ratio else ""),
        ("rate", f"{row.gflops:.4g} GFLOP/s, {row.percent_peak:.0f} % of peak" if row.gflops else ""),
        (
            "operations",
            f"{unit(record.flops, 'flop')}, executed x {row.executed:.2f}" if record.flops else "none to count",
        ),
        ("bytes", f"{unit(record.bytes, 'B')} of operands and results, {row.gbs:.4g} GB/s"),
        ("% roof", f"{row.percent_roof:.0f} %, set by {roof_name(row.bound_by)}"),
        ("pass", facts.passes.get(kernel.number, "")),
        ("item", f"{record.items}, shared by {facts.profile.threads} threads"),
        ("phase", str(record.phase)),
        ("accumulators", _accumulators(facts, record)),
    ]
    prediction = record.predicted
    if prediction is not None:
        moved = [f"{unit(c.n_bytes, 'B')} beyond {c.level}" for c in prediction.crossings if c.n_bytes >= 1]
        share = f"{percent(prediction.instructions / prediction.cycles)} of predicted cycles for instructions"
        rows.append(("model", f"{share}; moves {', '.join(moved) or 'nothing beyond L1'}"))
    return [(name, value) for name, value in rows if value]


def _accumulators(facts: StepFacts, record: KernelRecord) -> str:
    """The locals of a kernel that stay in registers: how many vectors, and how many registers there are."""
    machine, local = facts.machine, [b for b in record.scheduled.scheduled.locals if b.space == "register"]
    if machine is None or not machine.vector_bytes or not local:
        return ""
    vectors = sum(-(-b.type.storage_bytes // machine.vector_bytes) for b in local)
    shapes = ", ".join(f"%{b.name} {b.type}" for b in local)
    return f"{vectors} vectors of {machine.vector_bytes} bytes in {machine.registers} registers: {shapes}"


def _groups(record: KernelRecord) -> Iterator[StepGroup]:
    numbered = enumerate(record.schedule.steps, 1)
    for why, same in groupby(numbered, lambda step: record.schedule.reason_of(step[1])):
        yield StepGroup(why, tuple(StepLine(number, str(step), _what(type(step))) for number, step in same))


def _what(kind: type) -> str:
    """Purpose of a kind of step: the first sentence of its docstring."""
    sentence = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
    return sentence.partition(". ")[0].rstrip(".:")


def _nest(facts: StepFacts, record: KernelRecord) -> Pane:
    lines = record.text.rstrip().split("\n")
    code = record.scheduled.code
    known = frozenset(number for _, number in code.heads) if isinstance(code, KernelCode) else frozenset[int]()
    loops = nest_loops(lines, known)
    return Pane("loop nest", "nest", tuple(lines), runs(loops), tuple(_costs(facts, record, lines, known)))


def _costs(facts: StepFacts, record: KernelRecord, lines: Sequence[str], known: frozenset[int]) -> list[str]:
    """By line: the predicted time of the loop that it opens, from its instructions alone."""
    costs = [""] * len(lines)
    machine = facts.machine
    prediction = record.predicted
    if machine is None or prediction is None or isinstance(record.scheduled.code, LibraryCode):
        return costs
    cycles = loop_cycles(record.scheduled.scheduled, machine)
    for number, at in enumerate(loop_lines(lines)):
        if number in known and prediction.instructions:
            share = cycles[number] / prediction.instructions
            slowest = prediction.slowest(facts.profile.threads) / prediction.cycles
            spent = duration(cycles[number] * slowest / machine.hz) if machine.hz else f"{cycles[number]:,.0f} cycles"
            costs[at] = f"expected {spent}, {percent(share)}"
    return costs


def _code(record: KernelRecord) -> list[Pane]:
    """The code in the backend's forms that are text."""
    panes: list[Pane] = []
    code = record.scheduled.code
    heads = dict(code.heads) if isinstance(code, KernelCode) else {}
    blocks: dict[str, int] = {}
    for name, form in record.backend.forms.items():
        text = record.code(name) if form.ending else ""
        if not isinstance(text, str) or not text:
            continue
        lines = [line for line in text.rstrip().split("\n") if not line.startswith("\t.cfi")]
        if name == "llvm":
            loops, blocks = llvm_loops(lines, heads)
        else:
            loops = assembly_loops(lines, blocks) if name == "assembly" else [OUTSIDE] * len(lines)
        language = {"llvm": "llvm", "assembly": "asm"}.get(name, "plain")
        panes.append(Pane(form.title, language, tuple(lines), runs(loops)))
    return panes
