"""The tables of a library, as rows that the templates print: launches, arguments, scalars, outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mochac.base.errors import InternalError, UnsupportedError
from mochac.base.records import record
from mochac.formats.clib.memory import InstanceMemory
from mochac.formats.clib.plans import CpuPlan
from mochac.ir.plan import Placement
from mochac.ir.types import DTYPES
from mochac.lowering.plan_graphs import EVERY_N_ITER, FIRST_BATCH
from mochac.runtime.cpu.sharing import shares

_MANY = 1 << 20
"""A number of threads that no machine has."""
TYPES = {"f32": "F32", "f64": "F64", "i32": "I32", "u32": "I32", "i64": "I64", "u64": "I64", "bool": "BOOL"}
"""Names in C of the types of scalars."""


@record
class LaunchRow:
    """A launch: its function, the first word of its arguments and their number, its items, for how many threads it has
    work, the minimum of items that a thread takes, its phase, the number of its loop over time (0: none), and how often
    that is repeated."""

    symbol: str
    argument: int
    n_arguments: int
    items: int
    worth: int
    grain: int
    phase: int
    loop: int
    trips: int


@record
class ScalarRow:
    """A scalar in the memory of an instance: its offset, its type, and its number in the table of values."""

    offset: int
    type: str
    source: int = 0


@record
class OutputRow:
    """A blob of a prediction: its offset, elements of a sample, lanes of its blocks (0: natural order), bytes of an
    element."""

    offset: int
    elems: int
    lanes: int
    item_bytes: int


@record
class PlanTables:
    """A plan on a CPU.

    Attributes:
        places: for every argument its offset, or -1 - k for the batch of feed k.
        strides: by how many bytes it moves with every repetition of its loop; empty without loops.
        reported: scalars by the name they are reported under.
    """

    name: str
    batch: int
    launches: tuple[LaunchRow, ...]
    places: tuple[int, ...]
    strides: tuple[int, ...]
    hypers: tuple[ScalarRow, ...]
    reported: Mapping[str, ScalarRow]
    outputs: tuple[OutputRow, ...]


def sources_of(scalars: Sequence[str], periods: Sequence[str]) -> dict[str, int]:
    """Numbers, in the table of values, of the scalars that the plans read: those of the method, then those of the
    library."""
    names = (*scalars, "step", "n_valid", FIRST_BATCH, *periods)
    return {name: k for k, name in enumerate(dict.fromkeys(names))}


def period(name: str) -> int:
    """n of a scalar that is 1 in every n-th iteration."""
    return int(name.removeprefix(EVERY_N_ITER))


def tables_of(
    plan: CpuPlan, memory: InstanceMemory, feeds: Sequence[str], sources: Mapping[str, int], outputs: Sequence[str]
) -> PlanTables:
    """The rows of a plan.

    Args:
        feeds: tops of the data layers, in the order of the library's arguments.
        outputs: blobs, for plans that predict.
    """
    made = plan.plan
    placements = {p.name: p for p in made.placements}
    numbers = {feed.value: feeds.index(feed.top) for feed in plan.of.feeds}
    launches: list[LaunchRow] = []
    places: list[int] = []
    strides: list[int] = []
    for launch, share in zip(made.launches, shares(made, _MANY), strict=True):
        n_arguments, looped = len(launch.buffers), (launch.loop, launch.trips)
        shared = (launch.items, share.cap, share.grain)
        launches.append(LaunchRow(launch.symbol, len(places), n_arguments, *shared, launch.phase, *looped))
        strides += launch.strides or [0] * n_arguments
        for name in launch.buffers:
            at = placements[name]
            if at.place == "feed" and at.type.lanes:
                raise InternalError(f"plan {made.name!r} reads blocked batches")
            places.append(-1 - numbers[at.key] if at.place == "feed" else memory.place(at))
    hypers = [_scalar(p, memory, sources[p.key]) for p in made.placements if p.place == "hyper"]
    reported = {name: _scalar(placements[value], memory) for name, value in made.scalars}
    named = dict(made.named)
    out = [_output(placements[named[blob]], memory) for blob in outputs] if plan.of.kind == "predict" else []
    return PlanTables(
        name=plan.of.name,
        batch=plan.of.traced.batch,
        launches=tuple(launches),
        places=tuple(places),
        strides=tuple(strides) if made.loops else (),
        hypers=tuple(hypers),
        reported=reported,
        outputs=tuple(out),
    )


def _scalar(placement: Placement, memory: InstanceMemory, source: int = 0) -> ScalarRow:
    return ScalarRow(memory.place(placement), TYPES[placement.type.dtype], source)


def _output(placement: Placement, memory: InstanceMemory) -> OutputRow:
    kind = placement.type
    if placement.place != "arena":
        raise UnsupportedError(f"build: output {placement.name!r} is a copy of an input or of a parameter")
    return OutputRow(memory.place(placement), kind.elems // kind.shape[0], kind.lanes, DTYPES[kind.dtype].itemsize)
