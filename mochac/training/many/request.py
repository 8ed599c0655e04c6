"""The arguments of train_many, and groups of nets that train together."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import MochacError, OptionError, UnsupportedError
from mochac.base.records import record
from mochac.base.rules import SEED, integer, or_none
from mochac.base.support.array_like import is_array
from mochac.ir.graph import Graph
from mochac.lowering.main_plan import NetStep, net_step
from mochac.nets.layers.base import DataLayer, Source
from mochac.nets.layers.data import MemoryDataLayer
from mochac.nets.net import Net
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver, as_solver
from mochac.nets.trace import Traced, trace
from mochac.runtime.data.memory import SameArray

WHERE = "train_many()"


@record
class NetRequest:
    """One net to train."""

    net: Net
    solver: Solver
    seed: int

    @property
    def max_iter(self) -> int:
        assert self.solver.max_iter is not None
        return self.solver.max_iter


def requests_of(
    nets: Any, methods: Any, seeds: Any, data: Any, batch_size: int | None, parameters: Mapping[str, Any]
) -> list[NetRequest]:
    """The nets to train, in order. Lists have one entry per net; any other argument is for all nets.

    Raises:
        OptionError: lists of different lengths or none at all to train, an entry of the wrong kind, data that does not
            belong to one data layer. UnsupportedError: a net or solver that only train() takes.
    """
    nets, methods, seeds = map(_listed, (nets, methods, seeds))
    lists = {"nets": nets, "methods": methods, "seeds": seeds, "data": data if _is_per_net(data) else None}
    count = _count({name: value for name, value in lists.items() if isinstance(value, (list, tuple))})
    solvers = [_solver(k, method, parameters) for k, method in enumerate(_spread("methods", methods, count))]
    built: dict[tuple[int, int], Net] = {}
    requests = []
    rows = zip(_spread("nets", nets, count), solvers, _spread("seeds", seeds, count), strict=True)
    for k, (net, solver, seed) in enumerate(rows):
        arrays = data[k] if _is_per_net(data) else data
        _check_net(k, net)
        if (id(net), id(arrays)) not in built:
            try:
                built[id(net), id(arrays)] = _with_data(net, arrays, batch_size)
            except MochacError as error:
                raise (error.noted(named(k)) if _is_per_net(data) else error) from None
        requests.append(NetRequest(built[id(net), id(arrays)], solver, _seed(k, seed)))
    return requests


def _listed(value: Any) -> Any:
    """Ranges, arrays and generators of nets, methods or seeds as lists; anything else as it is."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    many = isinstance(value, (Sequence, Iterator)) and not isinstance(value, str)
    return list(value) if many else value


def named(place: int) -> str:
    """Name of a net of train_many() in messages."""
    return f"in net {place} of train_many()"


def _is_per_net(data: Any) -> bool:
    """Whether data is a list of each net's arrays, not one net's [X, y]."""
    return (
        isinstance(data, (list, tuple)) and all(isinstance(d, (list, tuple, Mapping)) for d in data) and len(data) > 0
    )


def _count(lists: Mapping[str, Sequence[Any]]) -> int:
    lengths = {name: len(value) for name, value in lists.items()}
    if any(n == 0 for n in lengths.values()):
        empty = next(name for name, n in lengths.items() if not n)
        raise OptionError(f"{WHERE}: {empty} is an empty list", expected="one entry for each net")
    if len(set(lengths.values())) > 1:
        got = ", ".join(f"{name}: {n}" for name, n in lengths.items())
        hint = "what all nets share is given by itself, not in a list"
        raise OptionError(f"{WHERE}: the lists differ in length", expected="one entry for each net", got=got, hint=hint)
    return next(iter(lengths.values()), 1)


def _spread(name: str, value: Any, count: int) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value] * count


def _check_net(k: int, net: Any) -> None:
    if not isinstance(net, Net):
        hint = "train_many(net, methods) takes nets, not programs" if hasattr(net, "net") else ""
        got = type(net).__name__
        raise OptionError(f"{WHERE}: net {k} is not a net", expected="Net(name, layers)", got=got, hint=hint)
    if not net.losses:
        raise OptionError(
            f"{WHERE}: net {k}, {net.name!r}, has no loss layer", hint="add one, such as SoftmaxLossLayer"
        )
    stateful = [layer.name for layer in net.layers if getattr(layer, "stateful", False)]
    if stateful:
        rule = f"{WHERE}: layer {stateful[0]!r} of net {k}, {net.name!r}, carries its state from batch to batch"
        raise UnsupportedError(rule, hint="stateful=False, or program.train(solver)")
    scheduled = [layer.name for layer in net.losses if callable(getattr(getattr(layer, "weight", None), "value", None))]
    if scheduled:
        rule = f"{WHERE}: the weight of loss {scheduled[0]!r} of net {k}, {net.name!r}, is a policy"
        raise UnsupportedError(rule, hint="a number, or program.train(solver)")
    if net.collectors:
        names = ", ".join(repr(layer.name) for layer in net.collectors)
        hint = "leave them out, and store what the trained nets compute: compile(net, params=params).predict(x)"
        raise UnsupportedError(f"{WHERE}: net {k}, {net.name!r}, stores blobs in every step: {names}", hint=hint)


def _solver(k: int, method: Any, parameters: Mapping[str, Any]) -> Solver:
    if not isinstance(method, (Method, Solver)) and method is None:
        raise OptionError(f"{WHERE} needs a method for net {k}", hint="train_many(net, SGD(0.1), max_iter=...)")
    solver = as_solver(method, **({} if isinstance(method, Solver) and not parameters else parameters))
    if solver.max_iter is None:
        hint = "max_epoch=n is max_iter=n * samples // batch_size" if solver.max_epoch else "max_iter=1000"
        raise OptionError(f"{WHERE} needs max_iter", hint=hint)
    for refused, what, hint in _REFUSED:
        if refused(solver):
            raise UnsupportedError(f"{WHERE}: method {k} has {what}", hint=hint)
    return solver


_REFUSED = (
    (
        lambda s: bool(s.breaks),
        "coffee breaks, but nets that are trained together run without a break",
        "evaluate each net afterwards: compile(net, params=params).evaluate(); or use program.train(solver)",
    ),
    (
        lambda s: bool(s.method.begin().watching(None)),
        "a policy that follows validations, but there are none",
        "use a policy of the iteration, or program.train(solver)",
    ),
    (
        lambda s: bool(s.load_from) or bool(s.save_into),
        "a file to load from or to save statistics in, which belongs to one net",
        "save afterwards: compile(net, params=params).save(path)",
    ),
    (
        lambda s: s.begun is not None,
        "the state of an optimizer that has made steps, which belongs to one net",
        "give solver_from_torch a new optimizer",
    ),
    (lambda s: s.accumulate > 1, "accumulate > 1", "a larger batch_size"),
    (lambda s: s.max_epoch is not None, "max_epoch", "max_iter alone"),
)


def _seed(k: int, seed: Any) -> int:
    if seed is None:
        return 0
    return SEED.check(f"seed {k}", seed, WHERE)


def _with_data(net: Net, data: Any, batch_size: int | None) -> Net:
    """The net, with these arrays and this batch size in its data layer."""
    if data is None and batch_size is None:
        return net
    or_none(integer(1)).check("batch_size", batch_size, WHERE)
    if data is None:
        changed = {layer.name: _with_batch(layer, batch_size) for layer in net.sources}
    else:
        changed = {layer.name: layer for layer in [_with_arrays(net, data, batch_size)]}
    return Net(net.name, [changed.get(layer.name, layer) for layer in net.layers])


def _with_batch(layer: Source, batch_size: int | None) -> Source:
    if not isinstance(layer, DataLayer):
        raise OptionError(f"{WHERE}: batch_size is given, but {layer.name!r} is no data layer", hint="give data=, too")
    return layer.replace(batch_size=batch_size)


def _with_arrays(net: Net, data: Any, batch_size: int | None) -> Source:
    if len(net.sources) != 1:
        names = ", ".join(repr(layer.name) for layer in net.sources) or "none"
        hint = "build a net for each set of data: train_many([net0, net1], ...)"
        raise OptionError(f"{WHERE}: data= is for nets with one data layer", got=names, hint=hint)
    (layer,) = net.sources
    if isinstance(data, Mapping):
        absent, extra = set(layer.tops) - set(data), set(data) - set(layer.tops)
        if absent or extra:
            got = ", ".join(map(str, data)) or "none"
            raise OptionError(
                f"{WHERE}: data has other tops than {layer.name!r}", expected=" ".join(layer.tops), got=got
            )
        data = [data[top] for top in layer.tops]
    if is_array(data) or not isinstance(data, (list, tuple)):
        expected = f"[{', '.join(layer.tops)}], one array for each top"
        raise OptionError(f"{WHERE}: data is not a list of arrays", expected=expected, got=type(data).__name__)
    size = batch_size or layer.fixed_batch or 1
    if isinstance(layer, MemoryDataLayer):
        return layer.replace(data=list(data), batch_size=size)
    options: dict[str, Any] = {}
    if isinstance(layer, DataLayer):
        options = {"shuffle": layer.shuffle, "transformers": layer.transformers}
    return MemoryDataLayer(name=layer.name, tops=list(layer.tops), data=list(data), batch_size=size, **options)


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
