"""Ranks of a training in one process: a thread each, with states of its own. They run one plan, and exchange sums
through Python."""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from patience import HANG_S

import mochac
from mochac import Net
from mochac.base.options import CompileOptions, Options
from mochac.base.support.memory import aligned_zeros
from mochac.ir.ops.exchange import tree
from mochac.ir.passes.cut_batch import FIRST_SAMPLE
from mochac.ir.plan import Plan, Share
from mochac.ir.types import DTYPES
from mochac.lowering.backends import open_backend
from mochac.lowering.plan_cache import CompiledPlan, compile_plan
from mochac.lowering.plan_graphs import PlanGraph, step_plan
from mochac.nets.solvers.update import Update
from mochac.nets.trace import Traced, trace
from mochac.runtime.backend import Backend

KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


class Meeting:
    """Where the ranks leave their sums and wait for those of the others.

    Attributes:
        exchanged: the buckets that rank 0 has waited for, by the names of their sums, in order.
    """

    def __init__(self, ranks: int) -> None:
        self.barrier = threading.Barrier(ranks, timeout=HANG_S)
        self.left: list[dict[str, np.ndarray]] = [{} for _ in range(ranks)]
        self.exchanged: list[tuple[str, ...]] = []


class Exchange:
    """A rank's exchange: mochac.runtime.backend.Exchange."""

    def __init__(self, rank: int, meeting: Meeting) -> None:
        self.rank, self.meeting, self.held = rank, meeting, []

    def rows(self, plan: Plan, addresses: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        types = {p.name: p.type for p in plan.placements}

        def array(name: str) -> np.ndarray:
            raw = (ctypes.c_char * types[name].storage_bytes).from_address(addresses[name])
            return np.frombuffer(raw, DTYPES[types[name].dtype])

        found = {}
        for launch in plan.launches:
            if launch.call:
                way = self._start if launch.symbol == "exchange_start" else self._wait
                function = KERNEL(way(launch.buffers, [array(name) for name in launch.buffers]))
                self.held.append(function)
                found[launch.kernel] = ctypes.cast(function, ctypes.c_void_p).value, 0
        return found

    def _start(self, names: Sequence[str], arrays: Sequence[np.ndarray]) -> Callable[..., None]:
        def start(*_: object) -> None:
            self.meeting.left[self.rank][names[-1]] = np.concatenate(arrays[:-1])

        return start

    def _wait(self, names: Sequence[str], arrays: Sequence[np.ndarray]) -> Callable[..., None]:
        ends = np.cumsum([array.size for array in arrays[1:]])[:-1]

        def wait(*_: object) -> None:
            self.meeting.barrier.wait()
            total = tree([left[names[0]] for left in self.meeting.left], np.add)
            self.meeting.barrier.wait()
            for array, part in zip(arrays[1:], np.split(total, ends), strict=True):
                array[...] = part
            if self.rank == 0:
                self.meeting.exchanged.append(tuple(names[1:]))

        return wait


def trained(
    net: Net,
    parts: int,
    ranks: int,
    update: Update | None = None,
    steps: int = 2,
    dtype: str = "float32",
    precision: str = "float32",
) -> tuple[str, dict[str, np.ndarray], list[tuple[str, ...]]]:
    """Train a net on random batches, on several ranks: the hash of all states, which all ranks must agree on, the
    states and losses themselves, and the buckets in the order in which their sums arrived."""
    meeting = Meeting(ranks)
    training = Training.of(net, parts, ranks, update or Update(), dtype, precision)
    results: list[dict[str, np.ndarray]] = [{} for _ in range(ranks)]
    errors: list[BaseException] = []

    def work(rank: int) -> None:
        try:
            results[rank] = _rank(training, Share(rank, ranks), steps, meeting)
        except BaseException as error:
            errors.append(error)
            meeting.barrier.abort()

    threads = [threading.Thread(target=work, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    hashes = {hashlib.sha256(b"".join(a.tobytes() for a in states.values())).hexdigest() for states in results}
    assert len(hashes) == 1, "ranks have different parameters"
    return hashes.pop(), results[0], meeting.exchanged


@dataclass(frozen=True)
class Training:
    """What is equal on all ranks."""

    traced: Traced
    update: Update
    source: PlanGraph
    backend: Backend
    compiled: CompiledPlan
    params: Mapping[str, Mapping[str, np.ndarray]]

    @staticmethod
    def of(net: Net, parts: int, ranks: int, update: Update, dtype: str, precision: str) -> Training:
        traced = trace(net, "train", dtype, seed=7)
        source = replace(step_plan(traced, update), parts=parts, ranks=ranks)
        backend = open_backend(CompileOptions(backend="cpu", precision=precision), Options.from_env(), run=True)
        compiled = compile_plan(source, backend, "f64" if dtype == "float64" else "f32", fused=True)
        params = mochac.compile(net, backend="cpu", seed=7, dtype=dtype).params
        return Training(traced, update, source, backend, compiled, params)

    def states(self) -> dict[str, np.ndarray]:
        """Before the first step."""
        found = {}
        for i in self.source.graph.inputs:
            if i.role in ("param", "state", "slot", "const"):
                found[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
            if i.role == "param":
                layer, _, name = i.name.partition(".")
                found[i.name][...] = self.params[layer][name]
            if i.role == "const":
                found[i.name][...] = self.traced.tables[i.name]
        return found


def _rank(training: Training, share: Share, steps: int, meeting: Meeting) -> dict[str, np.ndarray]:
    source, compiled, states = training.source, training.compiled, training.states()
    losses: dict[str, list[float]] = {}
    exchange = Exchange(share.rank, meeting)  # keeps what native code calls
    with closing(training.backend.bind(compiled.plan, compiled.objects, states, 1, exchange)) as executor:
        for step in range(steps):
            feeds = batches(source.graph.inputs, share, step)
            hyper = {
                **training.update.method.hypers(step),
                "step": step,
                FIRST_SAMPLE: share.first(training.traced.batch),
            }
            hyper |= {name: (step + 1) % every == 0 for name, every in source.periods.items()}
            for name, values in executor.run(1, [feeds], hyper).items():
                losses.setdefault(name, []).extend(values.tolist())
    return {**states, **{f"loss {name}": np.array(values) for name, values in losses.items()}}


def batches(inputs, share: Share, step: int) -> dict[str, np.ndarray]:
    """The rank's samples of a random batch; integers where they are labels or ids."""
    rng = np.random.default_rng(step)
    found = {}
    for i in inputs:
        if i.role == "data":
            whole = (
                rng.integers(0, 3, i.type.shape) if i.name in ("label", "ids") else rng.standard_normal(i.type.shape)
            )
            first, n = share.first(i.type.shape[0]), share.samples(i.type.shape[0])
            found[i.name] = np.ascontiguousarray(whole[first : first + n].astype(DTYPES[i.type.dtype]))
    return found
