"""A kernel's section of the page: your line, graph nodes, loop nest with its cost, schedule with reasons, code."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass

from mochac.codegen.cpu.module import KernelCode
from mochac.codegen.library_code import LibraryCode
from mochac.codegen.prediction.issue import loop_cycles
from mochac.inspect.kernel_records import KernelRecord
from mochac.ir.graph import Loc
from mochac.report.code_lines import OUTSIDE, assembly_loops, llvm_loops, loop_lines, nest_loops, runs
from mochac.report.facts import StepFacts, Timed
from mochac.report.verdict import limit
from mochac.runtime.support.columns import duration, unit


@dataclass(frozen=True)
class UserLine:
    """A line of the user that a kernel comes from; `text` is "" if the file cannot be read now."""

    layer: str
    place: str
    text: str


@dataclass(frozen=True)
class StepLine:
    """A step of the schedule: its text, what such a step does, and why it is here."""

    text: str
    what: str
    why: str


@dataclass(frozen=True)
class Pane:
    """A text whose lines belong to loops.

    Attributes:
        language: "nest", "llvm", "asm" or "plain"; the page colours words by it.
        loops: the loop of each line, as code_lines.runs writes them.
        costs: by line, what the model of the machine expects of the loop that it opens.
    """

    title: str
    language: str
    lines: tuple[str, ...]
    loops: str
    costs: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Section:
    """What the page shows of a kernel.

    Attributes:
        facts: rows (name, value).
        same: the section with the same code, if an earlier kernel has it.
    """

    kernel: Timed
    sources: tuple[UserLine, ...]
    limit: str
    facts: tuple[tuple[str, str], ...]
    nodes: tuple[str, ...]
    steps: tuple[StepLine, ...]
    origin: str
    nest: Pane
    code: tuple[Pane, ...]
    same: Timed | None = None


def sections(facts: StepFacts) -> list[Section]:
    """Of all kernels, in the order they run; equal code is shown once."""
    first: dict[str, Timed] = {}
    return [_section(facts, kernel, first) for kernel in facts.kernels]


def _section(facts: StepFacts, kernel: Timed, first: dict[str, Timed]) -> Section:
    record = kernel.record
    earlier = first.setdefault(record.launch.symbol, kernel)
    same = earlier if earlier is not kernel and not record.launch.call else None
    return Section(
        kernel=kernel,
        sources=tuple(_source(loc) for loc in record.scheduled.naive.loc),
        limit=limit(facts, kernel),
        facts=tuple(_facts(kernel)),
        nodes=tuple(map(str, facts.nodes[kernel.number])),
        steps=tuple(_steps(record)),
        origin=f"{record.schedule.name}, {record.origin}",
        nest=_nest(facts, record),
        code=() if same else tuple(_code(record)),
        same=same,
    )


def _source(loc: Loc) -> UserLine:
    if not loc.file:
        return UserLine(loc.layer, "", "")
    return UserLine(loc.layer, f"{loc.file}:{loc.line}", linecache.getline(loc.file, loc.line).strip())


def _facts(kernel: Timed) -> list[tuple[str, str]]:
    row, record = kernel.time, kernel.record
    rows = [
        ("time", f"{duration(row.seconds)}, {row.share:.1%} of a step"),
        ("predicted", duration(row.predicted) if row.predicted else ""),
        ("rate", f"{row.gflops:.4g} GFLOP/s, {row.percent_peak:.0f} % of peak" if row.gflops else ""),
        (
            "operations",
            f"{unit(record.flops, 'flop')}, executed x {row.executed:.2f}" if record.flops else "none to count",
        ),
        ("bytes", f"{unit(record.bytes, 'B')} of operands and results, {row.gbs:.4g} GB/s"),
        ("roof", f"{row.percent_roof:.0f} % ({row.bound_by})"),
        ("items for threads", str(record.items)),
        ("phase", str(record.phase)),
    ]
    prediction = record.predicted
    if prediction is not None:
        moved = [f"{unit(c.n_bytes, 'B')} beyond {c.level}" for c in prediction.crossings if c.n_bytes >= 1]
        share = f"{prediction.instructions / prediction.cycles:.0%} of predicted cycles for instructions"
        rows.append(("model", f"{share}; moves {', '.join(moved) or 'nothing beyond L1'}"))
    return [(name, value) for name, value in rows if value]


def _steps(record: KernelRecord) -> list[StepLine]:
    reasons = record.schedule.reason_of
    return [StepLine(str(step), _what(type(step)), reasons(step)) for step in record.schedule.steps]


def _what(kind: type) -> str:
    """What a kind of step does: the first sentence of its docstring."""
    sentence = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
    return sentence.partition(". ")[0].rstrip(".:")


def _nest(facts: StepFacts, record: KernelRecord) -> Pane:
    lines = record.text.rstrip().split("\n")
    code = record.scheduled.code
    known = frozenset(number for _, number in code.heads) if isinstance(code, KernelCode) else frozenset[int]()
    loops = nest_loops(lines, known)
    return Pane("loop nest", "nest", tuple(lines), runs(loops), tuple(_costs(facts, record, lines, known)))


def _costs(facts: StepFacts, record: KernelRecord, lines: Sequence[str], known: frozenset[int]) -> list[str]:
    """By line: the time that the loop which it opens is expected to take, by its instructions alone."""
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
            costs[at] = f"{spent} {share:.0%}"
    return costs


def _code(record: KernelRecord) -> list[Pane]:
    """The code in the forms of the backend that are text."""
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
