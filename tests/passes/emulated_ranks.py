"""Ranks of a training in one process: a thread each, with a plan of its own, that exchange sums through Python."""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np
from patience import HANG_S

import mochac
from mochac import Net
from mochac.frontend.trace import trace
from mochac.ir.program import Plan
from mochac.ir.share import Share
from mochac.ir.types import DTYPES
from mochac.lowering.backends import open_backend
from mochac.lowering.plan_cache import compile_plan
from mochac.lowering.plan_graphs import step_plan
from mochac.ops.sum_parts import tree
from mochac.options import CompileOptions, Options
from mochac.passes.cut_batch import FIRST_SAMPLE
from mochac.runtime.support.aligned import aligned_zeros
from mochac.solvers.update import Update

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
    net: Net, parts: int, ranks: int, update: Update | None = None, steps: int = 2, dtype: str = "float32"
) -> tuple[str, dict[str, np.ndarray], list[tuple[str, ...]]]:
    """Train a net on random batches, on several ranks: the hash of all states, which all ranks must agree on, the
    states and losses themselves, and the buckets in the order in which their sums arrived."""
    meeting = Meeting(ranks)
    results: list[dict[str, np.ndarray]] = [{} for _ in range(ranks)]
    errors: list[BaseException] = []

    def work(rank: int) -> None:
        try:
            results[rank] = _rank(net, parts, Share(rank, ranks), update or Update(), steps, dtype, meeting)
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


def _rank(
    net: Net, parts: int, share: Share, update: Update, steps: int, dtype: str, meeting: Meeting
) -> dict[str, np.ndarray]:
    traced = trace(net, "train", dtype, seed=7)
    source = replace(step_plan(traced, update), parts=parts, ranks=share.ranks)
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    compiled = compile_plan(source, backend, "f64" if dtype == "float64" else "f32", fused=True)
    params = mochac.compile(net, backend="cpu", seed=7, dtype=dtype).params
    states = {}
    for i in source.graph.inputs:
        if i.role in ("param", "state", "slot", "const"):
            states[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
        if i.role in ("param", "state"):
            states[i.name][...] = params[i.name.partition(".")[0]][i.name.partition(".")[2]] if i.role == "param" else 0
        if i.role == "const":
            states[i.name][...] = traced.tables[i.name]
    losses: dict[str, list[float]] = {}
    exchange = Exchange(share.rank, meeting)  # keeps what native code calls
    with closing(backend.bind(compiled.plan, compiled.objects, states, 1, exchange)) as executor:
        for step in range(steps):
            feeds = batches(source.graph.inputs, share, step)
            hyper = {**update.method.hypers(step), "step": step, FIRST_SAMPLE: share.first(net.batch)}
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
