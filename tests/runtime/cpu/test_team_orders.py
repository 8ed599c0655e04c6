"""The worker team in thousands of drawn orders of its threads: no access races, no item is lost or runs twice.

The team's native functions run in Python (orders_kit.py). A job is a plan of drawn launches, some of them in a loop
over time; a launch reads what all launches of earlier phases have written, and its hyperparameter.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pytest
from orders_kit import Orders

from mochac.base.support.memory import aligned_zeros
from mochac.codegen.cpu import step_driver, worker_team
from mochac.codegen.cpu import worker_team as at
from mochac.codegen.cpu.step_driver import mochac_run, mochac_worker
from mochac.codegen.cpu.worker_team import Job, Kind, Row
from mochac.codegen.native.values import Bytes, Doubles, Ints, Pointer, Words, i64
from mochac.ir.plan import Launch
from mochac.runtime.cpu.team import LaunchShare, item_slots

SCRATCH = 64


@dataclass
class Drawn:
    """A job: for each launch its items, the threads that share it, its phase, and the loop that it is in.

    Attributes:
        loop: the first launch of the loop, the one behind it, and its repetitions.
    """

    threads: int
    steps: int
    items: list[int]
    caps: list[int]
    phases: list[int]
    loop: tuple[int, int, int]
    timed: bool
    ran: list[tuple[int, ...]] = field(default_factory=list)
    """(step, trip, launch, item), in the order in which they ran."""

    def trips(self, r: int) -> int:
        first, end, trips = self.loop
        return trips if first <= r < end else 1

    def read_by(self, r: int, step: int, trip: int) -> list[int]:
        """The launches of other phases that have run before r does: earlier ones, and all after a repetition."""
        first, end, _ = self.loop
        ran = [o for o in range(len(self.items)) if o < r or step > 0 or (trip > 0 and first <= o < end)]
        return [o for o in ran if self.phases[o] != self.phases[r]]

    def syncs(self) -> list[bool]:
        """Whether a barrier precedes each launch, by the rule of team.py."""
        cap = {p: max(c for c, q in zip(self.caps, self.phases, strict=True) if p == q) for p in self.phases}
        pairs = zip(self.phases, self.phases[1:], strict=False)
        return [False] + [a != b and max(cap[a], cap[b]) > 1 for a, b in pairs]


def drawn(seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    n, threads = int(rng.integers(1, 6)), int(rng.integers(2, 5))
    phases = np.cumsum(rng.random(n) < 0.6)
    caps = {p: int(rng.integers(1, threads + 1)) for p in set(phases.tolist())}
    first, end = sorted(rng.integers(0, n + 1, 2).tolist())
    if 0 < first < end:
        phases[first:] += 1
    if first < end < n:
        phases[end:] += 1
    caps = {p: caps.get(p, int(rng.integers(1, threads + 1))) for p in phases.tolist()}
    return Drawn(
        threads, int(rng.integers(1, 4)), rng.integers(1, 6, n).tolist(), [caps[p] for p in phases.tolist()],
        phases.tolist(), (first, end, int(rng.integers(2, 4)) if first < end else 1), bool(rng.random() < 0.3),
    )  # fmt: skip


class Memory:
    """The tables of a job, as the executor writes them."""

    def __init__(self, d: Drawn) -> None:
        n, steps = len(d.items), d.steps
        self.d, self.syncs = d, d.syncs()
        launches = [
            Launch(f"k{r}", f"k{r}", ("a",), items, p)
            for r, (items, p) in enumerate(zip(d.items, d.phases, strict=True))
        ]
        shares = [LaunchShare(cap, 1, sync) for cap, sync in zip(d.caps, self.syncs, strict=True)]
        self.slots = item_slots(launches, shares, d.threads)
        self.rows = aligned_zeros((n, int(Row.WORDS)), np.int64)
        self.arguments = np.arange(n, dtype=np.int64) * 1_000_000
        self.strides = np.full(n, 1000, np.int64)
        for r, row in enumerate(self.rows):
            row[Row.FN], row[Row.ARGS] = r, self.arguments[r:].ctypes.data
            row[Row.ITEMS], row[Row.CAP], row[Row.GRAIN], row[Row.SYNC] = d.items[r], d.caps[r], 1, self.syncs[r]
            if d.trips(r) > 1:
                row[Row.STRIDES], row[Row.N_ARGS] = self.strides[r:].ctypes.data, 1
        first, end, trips = d.loop
        if trips > 1:
            last = self.rows[end - 1]
            last[Row.BACK], last[Row.TRIPS] = end - first, trips
            last[Row.MEET] = any(cap > 1 for cap in d.caps[first:end])
        self.scratch = aligned_zeros((d.threads, SCRATCH), np.uint8)
        self.hyper, self.block = np.arange(steps, dtype=np.float64) + 1, np.zeros(1)
        self.scalar, self.results = np.zeros(1), np.zeros(steps)
        self.scalars = np.array([self.scalar.ctypes.data, Kind.F64])
        self.feeds, self.lines = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.ticks = np.zeros((steps, d.threads, n, 2), np.int64)
        self.team = aligned_zeros(at.MAILBOXES + at.LINE_BYTES * d.threads, np.uint8)
        for t in range(d.threads):
            box = at.MAILBOXES + t * at.LINE_BYTES
            self.team.view(np.int64)[(box + at.BOX_TEAM) // 8] = self.team.ctypes.data
        self.job = self._job()

    def _job(self) -> np.ndarray:
        job, d = aligned_zeros(int(Job.WORDS), np.int64), self.d
        tables = {
            Job.TEAM: self.team, Job.ROWS: self.rows, Job.FEEDS: self.feeds, Job.FEED_LINES: self.lines,
            Job.PATCHES: self.feeds, Job.HYPER_TABLE: self.hyper, Job.HYPER_BLOCK: self.block,
            Job.SCALARS: self.scalars, Job.RESULTS: self.results, Job.SCRATCH: self.scratch, Job.SLOTS: self.slots,
        }  # fmt: skip
        for word, array in tables.items():
            job[word] = array.ctypes.data
        job[Job.TICKS] = self.ticks.ctypes.data if d.timed else 0
        numbers = {Job.THREADS: d.threads, Job.N_STEPS: d.steps, Job.N_ROWS: len(d.items), Job.HYPER_BYTES: 8}
        numbers |= {Job.N_SCALARS: 1, Job.SCRATCH_STRIDE: SCRATCH, Job.MOVED: 0}
        for word, number in numbers.items():
            job[word] = number
        return job

    def kernel(self, orders: Orders):
        """What replaces the call of a kernel: it notes its items, and reads and writes what they depend on."""

        def call_at(r: int, arguments: Pointer, first: int, end: int, scratch: Bytes) -> None:
            d = self.d
            step, trip = round(_double(orders, self.block)) - 1, (arguments[0] - 1_000_000 * r) // 1000
            assert (scratch.address - self.scratch.ctypes.data) // SCRATCH == orders.thread
            for other in d.read_by(r, step, trip):
                for item in range(d.items[other]):
                    orders.plain(("cell", other, item), write=False)
            for item in range(first, end):
                orders.plain(("cell", r, item), write=True)
                d.ran.append((step, trip, r, item))
            if r == len(d.items) - 1 and first == 0:
                Doubles(self.scalar.ctypes.data)[0] = step

        return call_at


def _double(orders: Orders, array: np.ndarray) -> float:
    orders.plain(array.ctypes.data, write=False)
    return float(array[0])


def run(d: Drawn, seed: int, monkeypatch) -> tuple[list[str], Memory]:
    """Run a job twice by a team; what was wrong."""
    memory, orders = Memory(d), Orders(d.threads, seed)
    orders.patch(monkeypatch, call_at=memory.kernel(orders))
    boxes = [memory.team.ctypes.data + at.MAILBOXES + t * at.LINE_BYTES for t in range(d.threads)]

    def lead() -> None:
        for _ in range(2):
            mochac_run(Words(memory.job.ctypes.data))
            for word in range(int(Job.WORDS)):  # the owner may do with it what it likes
                orders.plain(memory.job.ctypes.data + 8 * word, write=True)

    orders.run([lead, *(lambda box=box: mochac_worker(Bytes(box)) for box in boxes[1:])])
    monkeypatch.undo()
    return orders.faults, memory


def faults_of(seed: int, monkeypatch) -> list[str]:
    """What is wrong with a drawn job, as lines; the job comes first."""
    d = drawn(seed)
    faults, memory = run(d, seed, monkeypatch)
    expected = Counter(
        (step, trip, r, item)
        for r, items in enumerate(d.items)
        for step, trip, item in product(range(d.steps), range(d.trips(r)), range(items))
        for _ in range(2)
    )
    ran = Counter(d.ran)
    faults = faults[:5]
    faults += [f"lost {lost}" for lost in [*(expected - ran)][:5]]
    faults += [f"repeated {more}" for more in [*(ran - expected)][:5]]
    if memory.job[Job.USED_THREADS] != d.threads:
        faults.append(f"{memory.job[Job.USED_THREADS]} threads of {d.threads}")
    if memory.results.tolist() != list(range(d.steps)):
        faults.append(f"results {memory.results}")
    if (memory.slots[:, :, 0] != memory.slots[:, :, 1]).any():
        faults.append(f"slots {memory.slots}")
    if d.timed and (memory.ticks[..., 1] < memory.ticks[..., 0]).any():
        faults.append(f"ticks {memory.ticks}")
    return [str(d), *faults] if faults else []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(40))
def test_no_order_of_threads_races_or_loses_an_item(seed, monkeypatch):
    assert not faults_of(seed, monkeypatch)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("block", range(10))
def test_hundreds_of_orders(block, monkeypatch):
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        assert not faults_of(seed, monkeypatch)


def no_barrier(team: Bytes, threads: i64) -> None:
    del team, threads


def late_reset(team: Bytes, threads: i64) -> None:
    """A barrier whose last thread lets the others go before it resets the counter."""
    count, generation = Ints(team.at(at.BARRIER_COUNT)), Ints(team.at(at.BARRIER_GENERATION))
    sleepers = Ints(team.at(at.BARRIER_SLEEPERS))
    old = step_driver.load(generation, "acquire")
    if worker_team.fetch_add(count, 1, "acq_rel") + 1 == threads:
        worker_team.advance(generation, sleepers)
        step_driver.store(count, 0, "monotonic")
    else:
        worker_team.wait_change(generation, old, sleepers, 0)


def no_refill(slots: Words, thread: i64, threads: i64, first: i64, end: i64) -> None:
    del slots, thread, threads, first, end


def no_wake(self: Orders, word: Pointer) -> None:
    del self, word


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("where", "name", "fault"),
    [
        (step_driver, "barrier", no_barrier),
        (step_driver, "barrier", late_reset),
        (step_driver, "refill", no_refill),
        (Orders, "wake", no_wake),
    ],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_faults_of_the_team_are_found(where, name, fault, monkeypatch):
    found = []
    for seed in range(12):
        with monkeypatch.context() as patched:
            patched.setattr(where, name, fault)
            found += faults_of(seed, patched)
    assert found
