"""replay: runs the stages of a dump on its inputs and compares their results.

Graphs run in the interpreter, loop nests in the kernel interpreter, module.ll or module.cu natively. All are read from
the files, which may have been edited: graphs, kernels and the plan are verified first, schedules are applied to the
staged nests, code runs as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from mochac.base.errors import BackendError, OptionError
from mochac.base.files.reading import text_of
from mochac.base.options import CompileOptions, Options
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.support.array_like import columns
from mochac.base.support.log import LOG, ensure_handler
from mochac.base.support.memory import ManagedArray, aligned_copy, difference
from mochac.base.threads import cached_property
from mochac.inspect.dump import INPUTS, kernel_stem
from mochac.ir.applying import apply
from mochac.ir.graph import STORED, Graph, Input
from mochac.ir.grids import launches
from mochac.ir.interp import run
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.passes.in_place import copied_name
from mochac.ir.passes.phases import SharedMemory
from mochac.ir.passes.verify_plan import verify_plan
from mochac.ir.plan import Placement, Plan
from mochac.ir.schedule import ScheduleError, parse_schedule
from mochac.ir.text import parse
from mochac.ir.types import DTYPES, dtype_name
from mochac.ir.verifier import VerifyError, verify
from mochac.lowering.operands import load_inputs
from mochac.runtime.backend import BACKENDS, Backend

Values = dict[str, np.ndarray]
Read = TypeVar("Read")
ROUNDING = "pair_factors"
"""The pass that changes results by more than a reordering of sums."""
FORMS = ("staged", "naive", "schedule", "scheduled")
"""Forms of loop nests in a dump; "schedule" applies the schedules to the staged nests again."""
SLACK = 4096
"""Allowed difference of stages, in units in the last place of a result's largest element: sums are reordered."""
FAULTS = (
    ValueError, TypeError, RuntimeError, LookupError, ArithmeticError, MemoryError,
    BackendError, VerifyError, KernelVerifyError, ScheduleError,
)  # fmt: skip
"""Exceptions that an edited or broken stage may raise."""


@record
class StageRun:
    """Results of one stage (outputs, then new states) and, where visible, all intermediate values."""

    stage: str
    results: Values = field(default_factory=dict)
    values: Values = field(default_factory=dict)
    fault: str = ""


@record
class Report:
    """The comparison of all stages; str() gives its text."""

    directory: Path
    reference: StageRun
    others: tuple[StageRun, ...]

    @property
    def agreed(self) -> bool:
        """Whether every stage ran and computed the results of the reference."""
        return not self.reference.fault and not any(r.fault or disagreement(self.reference, r) for r in self.others)

    def __str__(self) -> str:
        shown = self.others[-1] if len(self.others) == 1 else self.reference
        rows = [[name, _type(a), _summary(a)] for name, a in shown.results.items()]
        parts = [f"replay of {self.directory}", "", *self._lines(), "", f"results of {shown.stage}"]
        return "\n".join([*parts, columns([], rows)]) + "\n"

    def _lines(self) -> Iterator[str]:
        rows = [[self.reference.stage, self.reference.fault or "reference", ""]]
        rows += [_verdict(self.reference, ran) for ran in self.others]
        yield columns(["stage", "verdict", "largest difference"], rows)


def replay(directory: Path, stage: str | None = None) -> Report:
    """Run the stages of a dump.

    Args:
        stage: a pass ("trace", "fuse", ...), "staged", "naive" or "scheduled" (loop nests), "schedule" (the staged
            nests after their schedules), "native" (machine code); None: all.

    Raises:
        OptionError: there is no dump, a file is damaged, or there is no such stage.
    """
    ensure_handler()
    dumped = Dumped(directory)
    runners = dumped.stages()
    if stage is not None and stage not in runners:
        hint = misspelt(stage, runners)
        raise OptionError(f"the dump has no stage {stage!r}", expected=" ".join(runners), got=stage, hint=hint)
    first, *others = _compared(list(runners), stage)
    left_out = dumped.left_out() if stage is None else []
    chosen = [name for name in others if stage in (None, name) and name not in left_out]
    reference = _attempt(first, runners[first])
    return Report(directory, reference, tuple(_attempt(name, runners[name]) for name in chosen))


def _compared(names: list[str], stage: str | None) -> list[str]:
    """The stages that are compared; the first is the reference. Stages after the pass that rounds factors to bfloat16
    are compared with its result, earlier ones with the traced graph."""
    rounded = names.index(ROUNDING) if ROUNDING in names else 0
    return names[rounded:] if stage is None or names.index(stage) >= rounded else names[:rounded]


class Dumped:
    """A dump directory and its files."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.graphs = {path.stem[3:]: path for path in sorted(directory.glob("[0-9][0-9]-*.graph"))}
        if not self.graphs:
            hint = "program.dump(directory) or `mochac dump FILE DIR` makes one"
            raise OptionError(f"{directory} is not a dump", hint=hint)
        self.inputs = load_inputs(directory / INPUTS)
        self._ran: dict[tuple[Kernel, ...], tuple[Values, Values]] = {}

    def stages(self) -> dict[str, Callable[[], tuple[Values, Values]]]:
        """Functions that run a stage and return its results and values, by stage, in order."""
        runners: dict[str, Callable[[], tuple[Values, Values]]] = {
            name: lambda path=path: self.run_graph(path) for name, path in self.graphs.items()
        }
        runners.update({form: lambda form=form: self.run_kernels(form) for form in FORMS})
        return {**runners, "native": self.run_native}

    def left_out(self) -> list[str]:
        """Stages that cannot run on this machine."""
        reason = self.backend.missing()
        if reason:
            LOG.info("replay: module.%s is not run: %s", self.backend.ending, reason)
        return ["native"] if reason else []

    @cached_property
    def backend(self) -> type[Backend]:
        """The backend that generated the code.

        Raises:
            OptionError: there is no code of any backend.
        """
        for backend in BACKENDS.everything():
            if self._holds(backend.ending):
                return backend
        raise OptionError(f"{self.directory} holds no code", expected="module.ll or module.cu")

    def _holds(self, ending: str) -> bool:
        return (self.directory / f"module.{ending}").exists() or any(self.directory.glob(f"kernels/*.{ending}"))

    def read(self, path: Path) -> Any:
        """The Graph, Kernel or Plan in a file."""
        text = text_of(path)
        try:
            return parse(text)
        except ValueError as error:
            raise OptionError(f"{path} is damaged", details=[str(error)]) from None

    def graph(self, path: Path) -> Graph:
        """The graph in a file; raises VerifyError if it breaks a rule."""
        graph = self.expect(Graph, path)
        verify(graph)
        return graph

    def kernel(self, k: int, name: str, form: str) -> Kernel:
        """The kernel of launch k; raises KernelVerifyError if it breaks a rule."""
        kernel = self.expect(Kernel, self.directory / "kernels" / f"{kernel_stem(k, name)}.{form}.kernel")
        verify_kernel(kernel)
        return kernel

    def applied(self, k: int, name: str) -> Kernel:
        """The staged kernel of launch k after its schedule; raises ScheduleError if a step does not fit."""
        path = self.directory / "kernels" / f"{kernel_stem(k, name)}.schedule"
        try:
            schedule = parse_schedule(text_of(path))
        except ScheduleError as error:
            raise OptionError(f"{path} is damaged", details=[str(error)]) from None
        kernel = apply(schedule, self.kernel(k, name, "staged"))
        verify_kernel(kernel)
        return kernel

    def kernels(self, plan: Plan, form: str) -> Iterator[Kernel]:
        """The kernels of a plan, in the order in which they finish."""
        for k, launch in enumerate(plan.launches):
            if not launch.of:
                yield self.applied(k, launch.kernel) if form == "schedule" else self.kernel(k, launch.kernel, form)

    def launched(self, plan: Plan) -> Iterator[Kernel]:
        """The launches of a plan: its kernels, or their grids."""
        for naive, scheduled in zip(self.kernels(plan, "naive"), self.kernels(plan, "scheduled"), strict=True):
            found = launches(scheduled)
            yield from (naive,) if found == (scheduled,) else found

    def expect(self, kind: type[Read], path: Path) -> Read:
        """The content of a file, which must be a `kind`."""
        ir = self.read(path)
        if not isinstance(ir, kind):
            raise OptionError(f"{path} holds no {kind.__name__.lower()}", got=type(ir).__name__.lower())
        return ir

    @property
    def last(self) -> Graph:
        """The graph after the last pass."""
        return self.graph(list(self.graphs.values())[-1])

    def plan(self) -> Plan:
        """The plan."""
        return self.expect(Plan, self.directory / "plan.txt")

    def run_graph(self, path: Path) -> tuple[Values, Values]:
        """Run a graph in the interpreter."""
        graph = self.graph(path)
        values = run(graph, {i.name: self.inputs[i.name] for i in graph.inputs}).values
        return _results(graph, values), values

    def run_kernels(self, form: str) -> tuple[Values, Values]:
        """Run all kernels in plan order in the kernel interpreter; aliases and views of kernels are reshapes."""
        graph, plan = self.last, self.plan()
        kernels = {kernel.name: kernel for kernel in self.kernels(plan, form)}
        nests = tuple(kernels.values())
        if nests not in self._ran:  # an unchanged schedule gives the scheduled nests, which need not run twice
            self._ran[nests] = self._run_nests(graph, plan, kernels)
        return self._ran[nests]

    def _run_nests(self, graph: Graph, plan: Plan, kernels: Mapping[str, Kernel]) -> tuple[Values, Values]:
        values = _KernelValues(graph, self.inputs)
        for launch, trip in plan.runs():
            if not launch.of:
                values.run(kernels[launch.kernel], trip)
        found = values.values | {name: values.read(name) for name in graph.types() if values.holds(name)}
        return _results(graph, found), found

    def run_native(self) -> tuple[Values, Values]:
        """Compile the module and run it through the plan, on one thread of this machine or on the default device."""
        plan, graph = self.plan(), self.last
        verify_plan(graph, tuple(self.launched(plan)), plan)
        inputs = {i.name: i for i in graph.inputs}
        arrays = {name: _checked_input(i, self.inputs[name]) for name, i in inputs.items()}
        kept = [name for name, i in inputs.items() if i.role in STORED]
        states = {name: ManagedArray(aligned_copy(arrays[name])) for name in kept}
        text = text_of(self.directory / f"module.{self.backend.ending}")
        backend = self.backend.open(CompileOptions(), Options.from_env(), run=True)
        executor = backend.bind(plan, backend.objects(text), states, threads=1)
        feeds = {s.key: np.ascontiguousarray(arrays[s.key]) for s in _placed(plan, "feed")}
        try:
            executor.run(1, [feeds], {s.key: arrays[s.key] for s in _placed(plan, "hyper")})
            results = {name: executor.read(name) for name in graph.outputs}
            values = {name: array.values for name, array in states.items()}
        finally:
            executor.close()
        results.update({_state(target): values[target] for target, _ in graph.updates})
        return _by_position(results), {}


class _KernelValues:
    """The values of a graph as its kernels read and write them. Values that move from step to step of a loop are parts
    of flat arrays."""

    def __init__(self, graph: Graph, inputs: Values) -> None:
        self.memory = SharedMemory.of(graph)
        self.values = dict(inputs)
        owned = {name: type for loop in self.memory.loops for name, type in loop.owned.items()}
        self.flat = {name: np.zeros(t.elems, DTYPES[t.dtype]) for name, t in owned.items()}

    def run(self, kernel: Kernel, trip: int = 0) -> None:
        """Run a kernel, in a loop for the `trip`-th time."""
        arrays = {b.name: self.read(b.name, trip).reshape((b.passed or b.type).shape) for b in kernel.inputs}
        for name, array in run_kernel(kernel, arrays).items():
            if self.memory.window(name).owner in self.flat:
                self._part(name, trip)[...] = array.reshape(-1)
            else:
                self.values[self.memory.window(name).owner] = array

    def holds(self, name: str) -> bool:
        """Whether a value has been computed."""
        owner = self.memory.window(name).owner
        return owner in self.values or owner in self.flat

    def read(self, name: str, trip: int = 0) -> np.ndarray:
        """A value, with its own shape."""
        if name not in self.memory.types:
            return self.values[self.memory.window(name).owner]
        return self._part(name, trip).reshape(self.memory.types[name].shape)

    def _part(self, name: str, trip: int) -> np.ndarray:
        window, type = self.memory.window(name), self.memory.types[name]
        start = (window.offset + trip * window.stride) // DTYPES[type.dtype].itemsize
        whole = self.flat[window.owner] if window.owner in self.flat else self.values[window.owner].reshape(-1)
        return whole[start : start + type.elems]


def disagreement(reference: StageRun, other: StageRun) -> str:
    """The result whose difference exceeds the tolerance most, "" if none does."""
    worst = max(reference.results, key=lambda name: _excess(reference, other, name), default="")
    return worst if worst and _excess(reference, other, worst) > 1 else ""


def _excess(reference: StageRun, other: StageRun, name: str) -> float:
    a, b = reference.results[name], other.results.get(name)
    return np.inf if b is None else difference(a, b) / _tolerance(a)


def _tolerance(a: np.ndarray) -> float:
    return SLACK * float(np.finfo(a.dtype).eps) if a.dtype.kind == "f" else 1e-9


def _verdict(reference: StageRun, ran: StageRun) -> list[str]:
    if ran.fault:
        return [ran.stage, "failed", ran.fault]
    worst = disagreement(reference, ran)
    gaps = {name: difference(a, ran.results[name]) for name, a in reference.results.items() if name in ran.results}
    most = max(gaps, key=lambda name: gaps[name], default="")
    where = f"{gaps[most]:.2g} at {most}" if most and gaps[most] else "0"
    first = _first_difference(reference, ran) if worst else ""
    return [ran.stage, "DIFFERS" if worst else "agrees", where + (f"; first at %{first}" if first else "")]


def _first_difference(reference: StageRun, ran: StageRun) -> str:
    """The first value, in order of computation, that differs from the reference's value of that name."""
    for name, value in ran.values.items():
        known = reference.values.get(name)
        if known is not None and difference(known, value) > _tolerance(known):
            return name
    return ""


def _attempt(stage: str, runner: Callable[[], tuple[Values, Values]]) -> StageRun:
    LOG.info("replay: running stage %s", stage)  # interpreters are slow
    try:
        results, values = runner()
    except FAULTS as error:
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)  # without quotes
        return StageRun(stage, fault=" ".join(text.split())[:200] or type(error).__name__)
    return StageRun(stage, results, values)


def _results(graph: Graph, values: Mapping[str, np.ndarray]) -> Values:
    results = {name: values[name] for name in graph.outputs}
    for target, new in graph.updates:
        results[_state(target)] = values.get(copied_name(target), values[new])
    return _by_position(results)


def _by_position(results: Values) -> Values:
    """Outputs by number, since passes may rename them; states by the name of their input."""
    return {name if name.startswith("new ") else f"output {k}": a for k, (name, a) in enumerate(results.items())}


def _state(target: str) -> str:
    return f"new {target}"


def _placed(plan: Plan, place: str) -> list[Placement]:
    return list({s.key: s for s in plan.placements if s.place == place}.values())


def _checked_input(declared: Input, array: np.ndarray) -> np.ndarray:
    """An input with the declared shape and dtype: machine code would read past the end of a smaller array."""
    if array.shape != declared.type.shape:
        raise ValueError(f"input %{declared.name}: expected {declared.type}, got shape {array.shape}")
    return array.astype(DTYPES[declared.type.dtype])


def _type(a: np.ndarray) -> str:
    return f"{dtype_name(a.dtype)}[{','.join(map(str, a.shape))}]"


def _summary(a: np.ndarray) -> str:
    if a.size == 1:
        return f"{a.reshape(-1)[0]:.9g}"
    wide = a.astype(np.float64)
    with np.errstate(all="ignore"):
        return f"min {wide.min():.5g}  mean {wide.mean():.5g}  max {wide.max():.5g}" if a.size else "empty"
