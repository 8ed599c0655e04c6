"""Facts of a report: what the passes did, and which pass of training a kernel belongs to (forward, backward, update).

Gradients are what depends on a value that ir/pullback.py has named `d.<value>`; what a solver (or a statistic) computes
with them comes from a parameter, `<layer>.<parameter>`, not from a layer.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.machine import Machine
from mochac.inspect.kernel_records import KernelRecord, kernel_records
from mochac.inspect.profile import profile
from mochac.inspect.profile_table import KernelTime, Profile
from mochac.ir.graph import Graph, Node
from mochac.ir.notes import NotFused
from mochac.ir.plan import Plan
from mochac.runtime.lowered import Lowered
from mochac.training.loop.lounge import Table
from mochac.training.session.session import Session

GRADIENT = "d."
FORWARD, BACKWARD, UPDATE = "forward", "backward", "update"


def passes_of(nodes: Sequence[Node], stored: Container[str], layers: Container[str], late: Container[str]) -> list[str]:
    """The passes of a kernel with these nodes, in order. Values that it only computes again for a gradient do not count
    as forward.

    Args:
        stored: the values that it writes.
        layers: names of the net's layers.
        late: the values that depend on gradients.
    """
    found: set[str] = set()
    for node in nodes:
        if any(out.name in late for out in node.outputs):
            found.add(BACKWARD if any(loc.layer in layers for loc in node.loc) or not node.loc else UPDATE)
        if any(out.name in stored and out.name not in late for out in node.outputs):
            found.add(FORWARD)
    return [name for name in (FORWARD, BACKWARD, UPDATE) if name in found]


def after_gradients(graph: Graph) -> set[str]:
    """The values of a graph that are gradients or depend on one.

    >>> from mochac.ir import parse
    >>> sorted(after_gradients(parse('''graph @g(%x: f32[4]) {
    ...   %y: f32[4] = relu(%x)
    ...   %d.x: f32[4] = mul(%x, %x)
    ...   %z: f32[4] = mul(%d.x, %y)
    ...   return %z
    ... }''')))
    ['d.x', 'z']
    """
    late: set[str] = set()
    for node in graph.nodes:
        fed = any(name in late for name in node.inputs)
        late |= {out.name for out in node.outputs if fed or out.name.startswith(GRADIENT)}
    return late


@record
class Timed:
    """A kernel of the plan with its times in a step.

    Attributes:
        number: its position in the order of execution; its section of the page is called after it.
    """

    number: int
    record: KernelRecord
    time: KernelTime

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def ratio(self) -> float | None:
        """Measured time as a multiple of the predicted one; None without a prediction."""
        return self.time.seconds / self.time.predicted if self.time.predicted else None

    @property
    def anchor(self) -> str:
        """The name of its section."""
        return f"k{self.number:02}"


@record
class StepFacts:
    """The data that a report shows.

    Attributes:
        profile: profile of the main plan.
        kernels: kernels in the order they run.
        statistics: statistics of a training, by name and iteration; may be empty.
    """

    session: Session
    lowered: Lowered
    profile: Profile
    kernels: tuple[Timed, ...]
    statistics: Table

    @property
    def plan(self) -> Plan:
        return self.lowered.plan

    @property
    def graph(self) -> Graph:
        return self.lowered.graph

    @cached_property
    def machine(self) -> Machine | None:
        """The model that predictions were made with."""
        return self.session.plans.backend.machine(self.profile.threads)

    @cached_property
    def costliest(self) -> list[Timed]:
        """The kernels, the costliest first."""
        return sorted(self.kernels, key=lambda kernel: -kernel.time.share)

    @cached_property
    def nodes(self) -> dict[int, list[Node]]:
        """The nodes of the graph that each kernel computes, by its number."""
        producers = self.graph.producers()
        found: dict[int, list[Node]] = {}
        for kernel in self.kernels:
            own = [producers[name] for name in kernel.record.written if name in producers]
            groups = {node.group for node in own if node.group >= 0}
            found[kernel.number] = [n for n in self.graph.nodes if n.group in groups or n in own]
        return self._with_handed(found)

    def _with_handed(self, found: dict[int, list[Node]]) -> dict[int, list[Node]]:
        """Add the nodes of groups that store nothing; they belong to the first kernel that reads their values."""
        homes = {node.group: k for k, nodes in found.items() for node in nodes if node.group >= 0}
        uses = self.graph.uses()
        for node in reversed(self.graph.nodes):
            readers = [r for out in node.outputs for r in uses.get(out.name, ())]
            kernels = [homes[r.group] for r in readers if r.group in homes]
            if node.group >= 0 and kernels:
                homes.setdefault(node.group, min(kernels))
        return {
            k: [n for n in self.graph.nodes if n in nodes or (n.group >= 0 and homes.get(n.group) == k)]
            for k, nodes in found.items()
        }

    @cached_property
    def passes(self) -> dict[int, str]:
        """The pass of training that each kernel belongs to, by its number, as "backward, update"; "" in other plans."""
        late = after_gradients(self.graph)
        layers = {layer.name for layer in self.session.net.layers}
        return {
            kernel.number: ", ".join(passes_of(self.nodes[kernel.number], kernel.record.written, layers, late))
            for kernel in self.kernels
            if late
        }

    @cached_property
    def maker(self) -> dict[str, int]:
        """The kernel that makes each value; for renamed memory, the kernel that wrote it first."""
        makers = {out.name: k for k, nodes in self.nodes.items() for node in nodes for out in node.outputs}
        for node in self.graph.nodes:
            for out in node.outputs:
                if out.name not in makers and node.inputs and node.inputs[0] in makers:
                    makers[out.name] = makers[node.inputs[0]]
        return makers

    @cached_property
    def edges(self) -> dict[tuple[int, int], list[str]]:
        """The values that go from kernel to kernel."""
        edges: dict[tuple[int, int], list[str]] = {}
        for kernel, nodes in self.nodes.items():
            for name in dict.fromkeys(name for node in nodes for name in node.inputs):
                source = self.maker.get(name)
                if source is not None and source != kernel:
                    edges.setdefault((source, kernel), []).append(name)
        return edges

    @cached_property
    def refusals(self) -> dict[tuple[int, int], list[str]]:
        """Reasons why a kernel was not fused with one that reads its values, by their numbers."""
        found: dict[tuple[int, int], list[str]] = {}
        for note in self.graph.notes:
            if not isinstance(note, NotFused):
                continue
            maker, reader = self.maker.get(note.maker), self.maker.get(note.reader)
            if maker is not None and reader is not None and maker != reader:
                words = found.setdefault((maker, reader), [])
                words += [note.why] if note.why not in words else []
        return found


def gather(
    session: Session, n_iter: int | None, statistics: Mapping[str, Mapping[int, float]] | None = None
) -> StepFacts:
    """Profile a session's main plan, and collect the data of a report.

    Args:
        n_iter: minimum number of timed steps.
        statistics: statistics of a training; None: the session's last training.

    Raises:
        OptionError, DataError: as profile().
    """
    timed = profile(session, n_iter)
    bound = session.main_plan()
    backend = session.plans.backend
    records = kernel_records(bound.lowered, backend, timed.threads, backend.machine(timed.threads))
    if statistics is None:
        statistics = session.last_training.statistics if session.last_training else {}
    table = {name: dict(series) for name, series in statistics.items()}
    return StepFacts(session, bound.lowered, timed, _joined(records, timed.rows), table)


def _joined(records: Sequence[KernelRecord], rows: Sequence[KernelTime]) -> tuple[Timed, ...]:
    if len(records) != len(rows):
        raise OptionError("the plan has changed while it was profiled", hint="make the report again")
    return tuple(Timed(k, record, row) for k, (record, row) in enumerate(zip(records, rows, strict=True)))
