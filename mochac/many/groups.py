"""Which nets share a compiled step: those whose graphs are equal but for numbers of the update and random streams."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from mochac.frontend.net import Net
from mochac.frontend.trace import Traced, trace
from mochac.layers.memory_data import MemoryDataLayer
from mochac.lowering.many_plan import NetStep, net_step
from mochac.many.request import Job
from mochac.runtime.data.memory import SameArray
from mochac.solvers.method import Method


@dataclass(frozen=True)
class Trainee:
    """A net to train, with its step and its method at the start.

    Attributes:
        place: its place in the results.
        data: equal for nets that read the same batches.
    """

    place: int
    job: Job
    step: NetStep
    method: Method
    data: Hashable


def grouped(jobs: Sequence[Job], dtype: str) -> list[list[Trainee]]:
    """The nets by the step that they share; those that read the same batches follow each other."""
    steps = _Steps(dtype)
    groups: dict[Hashable, dict[Hashable, list[Trainee]]] = {}
    for place, job in enumerate(jobs):
        step, data = steps.of(job), _data(job)
        trainee = Trainee(place, job, step, job.solver.method.begin(), data)
        groups.setdefault((step.shape, job.max_iter), {}).setdefault(data, []).append(trainee)
    return [[t for same in by_data.values() for t in same] for by_data in groups.values()]


def blocks(group: Sequence[Trainee], size: int) -> Iterator[list[Trainee]]:
    """The nets of a group, `size` at a time."""
    for first in range(0, len(group), size):
        yield list(group[first : first + size])


class _Steps:
    """The step of each net; those of equal nets and updates are made once."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self._traced: dict[tuple[int, int], Traced] = {}
        self._steps: dict[Hashable, NetStep] = {}

    def of(self, job: Job) -> NetStep:
        update = job.solver.update_of(job.solver.method)
        traced = self._trace(job)
        key = (id(traced), update.key)
        if key not in self._steps:
            self._steps[key] = net_step(traced, update)
        return self._steps[key]

    def _trace(self, job: Job) -> Traced:
        """The traced net; of every seed, if its random numbers depend on it."""
        net = job.net
        if (id(net), 0) not in self._traced:
            self._traced[id(net), 0] = trace(net, "train", self.dtype, seed=0)
        first = self._traced[id(net), 0]
        if job.seed and any("key" in node.attr for node in first.graph.nodes):
            if (id(net), job.seed) not in self._traced:
                self._traced[id(net), job.seed] = trace(net, "train", self.dtype, seed=job.seed)
            return self._traced[id(net), job.seed]
        return first


def _data(job: Job) -> Hashable:
    return tuple(_source(layer, job) for layer in job.net.sources)


def _source(layer: object, job: Job) -> Hashable:
    seed = job.seed if getattr(layer, "shuffle", False) else None
    if isinstance(layer, MemoryDataLayer):
        same = tuple(SameArray(array) for array in layer.data)
        return layer.name, tuple(layer.tops), same, tuple(layer.transformers), layer.batch_size, seed
    return id(layer), seed


def net_of(trainee: Trainee) -> Net:
    """The net of a trainee."""
    return trainee.job.net
