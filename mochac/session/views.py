"""ReadOut: which blobs and gradients can be read now, and the mappings that read them.

Program tells it what ran last. Everything read is a NumPy copy in logical order; what is not there is an error that
says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from mochac.errors import OptionError
from mochac.frontend.net import Net
from mochac.registry import did_you_mean
from mochac.session.plan_set import BoundPlan


class Readable(Mapping[str, np.ndarray]):
    """Names that can be read now, each read afresh."""

    def __init__(
        self, what: str, names: Callable[[], dict[str, Callable[[], np.ndarray]]], why: Callable[[str], str]
    ) -> None:
        self._what, self._names, self._why = what, names, why

    def __getitem__(self, name: str) -> np.ndarray:
        readers = self._names()
        if name not in readers:
            raise OptionError(f"no {self._what} {name!r} to read", hint=self._why(name) + did_you_mean(name, readers))
        return readers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<{self._what}s: {' '.join(self) or 'none to read'}>"


class Grads(Mapping[str, "Mapping[str, np.ndarray]"]):
    """Parameter gradients by key, then by name."""

    def __init__(self, out: ReadOut) -> None:
        self._out = out

    def _keys(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        if self._out.has_gradients and self._out.bound is not None:
            for p in self._out.bound.traced.params:
                found.setdefault(p.key, []).append(p.name)
        return found

    def __getitem__(self, key: str) -> Mapping[str, np.ndarray]:
        keys = self._keys()
        if key not in keys:
            raise OptionError(f"no gradients of {key!r} to read", hint=self._out.why(key) + did_you_mean(key, keys))
        assert self._out.bound is not None
        values = {p.name: p.value for p in self._out.bound.traced.params if p.key == key}
        return {name: self._out.bound.runner.read(f"grad {value}") for name, value in values.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())

    def __repr__(self) -> str:
        shown = [f"{key}.{name}" for key, names in self._keys().items() for name in names]
        return f"<gradients: {' '.join(shown) or 'none to read'}>"


class ReadOut:
    """What the last run left behind."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.bound: BoundPlan | None = None
        self.batch: dict[str, np.ndarray] | None = None
        self.step = 0
        self.has_gradients = self._closed = False
        self._kept: tuple[str, ...] | None = None
        self._fed: dict[str, np.ndarray] = {}
        self.blobs: Mapping[str, np.ndarray] = Readable("blob", self._blobs, self.why)
        self.blob_diffs: Mapping[str, np.ndarray] = Readable("blob gradient", self._diffs, self.why)
        self.grads = Grads(self)

    def ran(self, bound: BoundPlan, backward: bool) -> None:
        """forward() or backward() ran."""
        self.bound, self.has_gradients, self._kept = bound, backward, None

    def trained(self, bound: BoundPlan, keep: tuple[str, ...]) -> None:
        """Training steps ran; only `keep` is left. The last batch itself is copied now, before its slots are reused."""
        self.bound, self.has_gradients, self._kept, self.batch = bound, False, keep, None
        plan = bound.compiled.plan
        fed, values = {placement.name for placement in plan.placements if placement.place == "feed"}, dict(plan.named)
        self._fed = {name: bound.runner.read(name) for name in keep if values[name] in fed}

    def close(self) -> None:
        """Its memory is gone: nothing can be read any more."""
        self.bound, self.has_gradients, self.batch, self._closed = None, False, None, True

    def why(self, name: str) -> str:
        """Why a name cannot be read."""
        if self._closed:
            return "the program is closed"
        if self.bound is None:
            return "call forward() (and backward()) first"
        if self._kept is not None:
            return "train() keeps only what compile(keep=[...]) names; call forward() to see a batch"
        if not self.has_gradients and name in self.net.blobs:
            return "call backward() first"
        return "names are those of the net"

    def _blobs(self) -> dict[str, Callable[[], np.ndarray]]:
        bound = self.bound
        if bound is None:
            return {}
        names = self.net.blobs if self._kept is None else self._kept
        read, fed = bound.runner.read, self._fed if self._kept is not None else {}
        return {name: lambda name=name: fed[name].copy() if name in fed else read(name) for name in names}

    def _diffs(self) -> dict[str, Callable[[], np.ndarray]]:
        bound = self.bound
        if bound is None or not self.has_gradients:
            return {}
        read = bound.runner.read
        return {name: lambda name=name: read(f"diff {name}") for name in self.net.blobs}
