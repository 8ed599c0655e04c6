"""Which nets share a compiled step: nets whose graphs differ only in numbers of the update and random streams."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from mochac.base.records import record
from mochac.ir.graph import Graph
from mochac.lowering.many_plan import NetStep, net_step
from mochac.nets.layers.memory_data import MemoryDataLayer
from mochac.nets.solvers.method import Method
from mochac.nets.trace import Traced, trace
from mochac.runtime.data.memory import SameArray
from mochac.training.many.request import NetRequest


@record
class Member:
    """A net to train, with its step and its method at the start.

    Attributes:
        place: its place in the results.
        data: equal for nets that read the same batches.
    """

    place: int
    request: NetRequest
    step: NetStep
    method: Method
    data: Hashable


def grouped(requests: Sequence[NetRequest], dtype: str) -> list[list[Member]]:
    """The nets by the step that they share; those that read the same batches follow each other."""
    steps = _Steps(dtype)
    groups: dict[Hashable, dict[Hashable, list[Member]]] = {}
    for place, request in enumerate(requests):
        step, data = steps.of(request), _data(request)
        member = Member(place, request, step, request.solver.method.begin(), data)
        groups.setdefault((step.shape, request.max_iter), {}).setdefault(data, []).append(member)
    return [[t for same in by_data.values() for t in same] for by_data in groups.values()]


def blocks(group: Sequence[Member], size: int) -> Iterator[list[Member]]:
    """The nets of a group, `size` at a time."""
    for first in range(0, len(group), size):
        yield list(group[first : first + size])


class _Steps:
    """The step of each net; those of equal nets and updates are made once."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self._traced: dict[tuple[int, int], Traced] = {}
        self._steps: dict[Hashable, NetStep] = {}

    def of(self, request: NetRequest) -> NetStep:
        update = request.solver.update_of(request.solver.method)
        traced = self._trace(request)
        key = (id(traced), update.key)
        if key not in self._steps:
            self._steps[key] = net_step(traced, update)
        return self._steps[key]

    def _trace(self, request: NetRequest) -> Traced:
        """The traced net; one for every seed if its random numbers depend on the seed."""
        net = request.net
        if (id(net), 0) not in self._traced:
            self._traced[id(net), 0] = trace(net, "train", self.dtype, seed=0)
        first = self._traced[id(net), 0]
        if request.seed and _has_streams(first.graph):
            if (id(net), request.seed) not in self._traced:
                self._traced[id(net), request.seed] = trace(net, "train", self.dtype, seed=request.seed)
            return self._traced[id(net), request.seed]
        return first


def _has_streams(graph: Graph) -> bool:
    """Whether a graph, or the body of a loop in it, draws random numbers."""
    return any("key" in node.attr or any(map(_has_streams, node.bodies.values())) for node in graph.nodes)


def _data(request: NetRequest) -> Hashable:
    return tuple(_source(layer, request) for layer in request.net.sources)


def _source(layer: object, request: NetRequest) -> Hashable:
    seed = request.seed if getattr(layer, "shuffle", False) else None
    if isinstance(layer, MemoryDataLayer):
        same = tuple(SameArray(array) for array in layer.data)
        return layer.name, tuple(layer.tops), same, tuple(layer.transformers), layer.batch_size, seed
    return id(layer), seed
