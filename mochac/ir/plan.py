"""Plan: everything that the runtime needs to run a step, as data. codegen and runtime meet here.

passes/plan_memory and the lowering write plans, the runtime executes them, explain and the compile cache print them. A
plan contains names of compiled functions but no code, and placements of arrays but no arrays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any, NamedTuple

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.ir.types import TensorType, parse_type


@record
class Share:
    """The samples of a rank: the `rank`-th of `ranks` equal contiguous parts of every batch.

    >>> Share(1, 4).first(100)
    25
    """

    rank: int = 0
    ranks: int = 1

    def samples(self, batch: int) -> int:
        """How many samples of a batch the rank has; `ranks` divides the batch."""
        return batch // self.ranks

    def first(self, batch: int) -> int:
        """The position in the batch of the rank's first sample."""
        return self.rank * self.samples(batch)


EXCHANGE_START, EXCHANGE_WAIT = "exchange_start", "exchange_wait"
"""The ops that begin and end an exchange of values between ranks, and the symbols of their launches."""
RANK_SUM = "rank_sum"
"""The op that adds up values over the ranks. On devices, a library computes it."""


class PlanTextError(MochacError, ValueError):
    """The text is not a plan; the message says what is wrong with it."""


@record(slots=True)
class Placement:
    """Where a value is stored.

    place: arena (offset in bytes into the plan's arena, 64-byte aligned), state (the storage of the parameter or solver
    slot called `key`), feed (offset in bytes into the batch of input `key`, whose address is passed at each step),
    hyper (offset in bytes into the block of per-step scalars; `key` is the scalar's name).
    """

    name: str
    type: TensorType
    place: str
    key: str = ""
    offset: int = 0


@record(slots=True)
class Launch:
    """One run of a kernel: function symbol, buffers in ABI order, number of items of its `parallel` loops, its phase
    (phases are separated by barriers) and bytes of private scratch per thread. On a device also: blocks of the grid,
    threads of a block, bytes of dynamic shared memory; 0 on a CPU. `call`: a library function computes it instead
    (JSON: its name, the op it computes and the op's attributes); the symbol is then that function's name.
    `writes`: how many of the buffers, counted from the end, it writes; 0 on a CPU, where phases determine the order.
    `of`: the kernel that a later launch of that name finishes; this one is a grid of it (ir/grids.py).
    `loop`: the number, from 1, of the loop over time whose phases are repeated `trips` times; 0 outside of loops. Each
    time, buffers begin `strides` bytes further. `flops` and `moved_bytes` count all times."""

    kernel: str
    symbol: str
    buffers: tuple[str, ...]
    items: int
    phase: int
    scratch_bytes: int = 0
    flops: int = 0
    moved_bytes: int = 0
    grid: int = 0
    block: int = 0
    shared_bytes: int = 0
    call: str = ""
    writes: int = 0
    of: str = ""
    loop: int = 0
    trips: int = 1
    strides: tuple[int, ...] = ()


DEVICE_FIELDS = ("grid", "block", "shared_bytes", "call", "writes", "of")
"""Fields of a Launch that a plan's text omits if they are 0 or empty."""
LOOP_FIELDS = ("loop", "trips", "strides")
"""Fields of a Launch that a plan's text omits outside of loops over time."""


class Compiled(NamedTuple):
    """The result of codegen for one launch: the function's symbol, items of its `parallel` loops, scratch bytes per
    thread; on a device blocks, threads of a block and bytes of shared memory, or the call of a library; `of` as in a
    Launch."""

    symbol: str
    items: int = 1
    scratch_bytes: int = 0
    grid: int = 0
    block: int = 0
    shared_bytes: int = 0
    call: str = ""
    of: str = ""


@record
class Plan:
    """One executable plan. `scalars` are outputs of shape (), or (nets,), that are copied out after every step (name ->
    placement); `named` maps values that may be read after a run to placements; `unplanned_bytes` is the size of the
    arena without reuse; `live_bytes` is the largest size of values that are live at one time, a lower bound on the
    arena's size; the first `head` launches may run alone, before the others; 0: all run together."""

    name: str
    placements: tuple[Placement, ...]
    launches: tuple[Launch, ...]
    scalars: tuple[tuple[str, str], ...]
    named: tuple[tuple[str, str], ...]
    arena_bytes: int
    unplanned_bytes: int
    live_bytes: int = 0
    head: int = 0

    def columns(self) -> dict[str, int | slice]:
        """By reported name, the column of a row of results, or the columns of a value with one number per net."""
        columns: dict[str, int | slice] = {}
        types, first = {s.name: s.type for s in self.placements}, 0
        for name, value in self.scalars:
            after = first + types[value].elems
            columns[name] = slice(first, after) if types[value].shape else first
            first = after
        return columns

    def placement(self, name: str) -> Placement:
        """The placement of the value `name`."""
        return next(s for s in self.placements if s.name == name)

    @property
    def loops(self) -> list[tuple[int, int]]:
        """The launches of each loop over time, as the positions of its first one and of the one after its last."""
        numbers = [launch.loop for launch in self.launches]
        return [(numbers.index(n), numbers.index(n) + numbers.count(n)) for n in dict.fromkeys(numbers) if n]

    def runs(self) -> Iterator[tuple[Launch, int]]:
        """The launches of a step in order, those of loops once for every repetition, with its number from 0."""
        loops, k = dict(self.loops), 0
        while k < len(self.launches):
            end = loops.get(k, k + 1)
            for trip in range(self.launches[k].trips):
                for launch in self.launches[k:end]:
                    yield launch, trip
            k = end

    @property
    def phases(self) -> int:
        """Number of phases."""
        return 1 + max((launch.phase for launch in self.launches), default=-1)

    @property
    def flops(self) -> int:
        """Nominal number of floating-point operations of one run."""
        return sum(launch.flops for launch in self.launches)

    def __str__(self) -> str:
        """One JSON object per line; `parse_plan` gives an equal Plan."""

        def line(tag: str, row: dict[str, object]) -> str:
            if "type" in row:
                row["type"] = str(row["type"])
            return f"{tag} {json.dumps(row)}"

        named = (
            "name",
            "scalars",
            "named",
            "arena_bytes",
            "unplanned_bytes",
            "live_bytes",
            *["head"] * bool(self.head),
        )
        lines = [line("plan", {k: getattr(self, k) for k in named})]
        lines += [line("placement", {**asdict(s), "type": s.type}) for s in self.placements]
        lines += [line("launch", _fields(launch)) for launch in self.launches]
        return "\n".join(lines) + "\n"


def owners(placements: Sequence[Placement]) -> dict[str, Placement]:
    """One placement per key: if there are views of other shapes, the one named like the key, else the first."""
    owner: dict[str, Placement] = {}
    for placement in placements:
        if placement.key not in owner or placement.name == placement.key:
            owner[placement.key] = placement
    return owner


def _fields(launch: Launch) -> dict[str, object]:
    omitted = {name for name in DEVICE_FIELDS if not getattr(launch, name)}
    omitted |= set() if launch.loop else set(LOOP_FIELDS)
    return {name: value for name, value in asdict(launch).items() if name not in omitted}


def parse_plan(text: str) -> Plan:
    """The plan that a text describes; the inverse of str().

    Raises:
        PlanTextError: the text is not a plan.
    """
    try:
        plan = _parsed(text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise PlanTextError(f"not a plan: {error}") from error
    for part in (plan, *plan.placements, *plan.launches):
        _check_fields(part)
    return plan


def _check_fields(part: Plan | Placement | Launch) -> None:
    """Check that numbers are integers >= 0 and names are strings, since offsets and sizes are used unchecked."""
    for field in fields(part):
        value = getattr(part, field.name)
        bad = {"int": not (type(value) is int and 0 <= value < 2**63), "str": not isinstance(value, str)}
        if bad.get(str(field.type)):
            raise PlanTextError(f"not a plan: {field.name} of {part.__class__.__name__.lower()} is {value!r:.60}")
    if isinstance(part, Plan):
        names = [*part.scalars, *part.named]
    else:
        names = [part.buffers] if isinstance(part, Launch) else []
    if not all(isinstance(name, str) for row in names for name in row):
        raise PlanTextError(f"not a plan: names of {part.__class__.__name__.lower()} are not text")


def _integer(value: object) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError(f"{value!r:.60} is no number of bytes")
    return value


def _parsed(text: str) -> Plan:
    head: dict[str, Any] = {}
    placements: list[Placement] = []
    launches: list[Launch] = []
    for line in text.strip().splitlines():
        tag, _, body = line.partition(" ")
        row: dict[str, Any] = json.loads(body)
        if tag == "plan":
            head = row
        elif tag == "placement":
            placements.append(Placement(type=parse_type(row.pop("type")), **row))
        elif tag == "launch":
            strides = tuple(map(_integer, row.pop("strides", ())))
            launches.append(Launch(buffers=tuple(row.pop("buffers")), strides=strides, **row))
        else:
            raise ValueError(f"not a line of a plan: {line[:60]!r}")
    pairs = {k: tuple((name, placement) for name, placement in head.pop(k)) for k in ("scalars", "named")}
    return Plan(placements=tuple(placements), launches=tuple(launches), **pairs, **head)
