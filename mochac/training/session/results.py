"""What can be read after a run: blobs, gradients; and a warning about parameters that nothing has set.

Results: the blobs and gradients of the last run, as mappings to NumPy copies. Gradients of parameters may be written
to, for solver.update().

UnsetParameters: parameters that a program has initialized at random in addition to shared ones, and that have never
been set. In a net that is only evaluated, they belong to a layer whose name differs from that in the net in training.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from mochac.base.errors import OptionError, ShapeError
from mochac.base.records import record
from mochac.base.registry import did_you_mean, misspelt
from mochac.base.support.array_like import as_array
from mochac.base.support.log import tell_once
from mochac.base.threads import FairLock
from mochac.nets.declared import ParamInfo, StateInfo, diff_of, gradient_of
from mochac.nets.net import Net
from mochac.runtime.data.params import Params
from mochac.training.session.plan_set import BoundPlan

Reader = Callable[[], np.ndarray]


@record
class LastRun:
    """The last run, and which of its values can be read.

    Attributes:
        blobs: names of the blobs that can be read.
        has_gradients: the gradients of all blobs and parameters can be read.
        gradients: those of parameters that have been read, by graph input; writes to them reach an update.
        regu_coef: the factor of the regularizers in these gradients.
        losses: of the batch, by loss layer, and the objective unless it is outside of the net.
        copies: blobs whose memory is reused before they are read.
        trained: it was a training, which keeps few blobs.
    """

    bound: BoundPlan
    blobs: tuple[str, ...]
    has_gradients: bool = False
    gradients: dict[str, np.ndarray] = field(default_factory=dict)
    regu_coef: float = 0.0
    losses: Mapping[str, float] = field(default_factory=dict)
    copies: Mapping[str, np.ndarray] = field(default_factory=dict)
    trained: bool = False


class Results:
    """The values that the last run left to read.

    Args:
        lock: of the program.

    Attributes:
        last: what ran last; None before.
        blobs, blob_diffs: by blob.
        grads: by parameter key and name.
    """

    def __init__(self, net: Net, lock: FairLock) -> None:
        self._net, self._lock = net, lock
        self.last: LastRun | None = None
        self._closed = False
        self.blobs: Mapping[str, np.ndarray] = Readable("blob", self._blob_readers, self._why_not, lock)
        self.blob_diffs: Mapping[str, np.ndarray] = Readable("blob gradient", self._diff_readers, self._why_not, lock)
        self.grads: Mapping[str, Mapping[str, np.ndarray]] = ReadableGradients(self._grad_readers, self._why_not, lock)

    def ran(
        self, bound: BoundPlan, backward: bool, regu_coef: float = 0.0, losses: Mapping[str, float] | None = None
    ) -> None:
        """Record that forward() or backward() ran: every blob can be read."""
        self.last = LastRun(bound, tuple(self._net.blobs), backward, regu_coef=regu_coef, losses=losses or {})

    def trained(self, bound: BoundPlan, keep: tuple[str, ...]) -> None:
        """Record that training steps ran: only the blobs in `keep` can be read. Those of data layers are copied now,
        because the reader reuses their memory."""
        if keep or self.last is None or self.last.bound is not bound:
            values = dict(bound.compiled.plan.named)
            copies = {name: bound.runner.read(name) for name in keep if values[name] in bound.fed}
            self.last = LastRun(bound, keep, copies=copies, trained=True)

    def close(self) -> None:
        """Forget the last run; reading raises an error from now on."""
        self.last, self._closed = None, True

    def _blob_readers(self) -> dict[str, Reader]:
        if self.last is None:
            return {}
        read, copies = self.last.bound.runner.read, self.last.copies
        return {name: copies[name].copy if name in copies else _reader(read, name) for name in self.last.blobs}

    def _diff_readers(self) -> dict[str, Reader]:
        if self.last is None or not self.last.has_gradients:
            return {}
        return {name: _reader(self.last.bound.runner.read, diff_of(name)) for name in self.last.blobs}

    def _grad_readers(self) -> dict[str, dict[str, Reader]]:
        readers: dict[str, dict[str, Reader]] = {}
        if self.last is not None and self.last.has_gradients:
            for p in self.last.bound.traced.params:
                readers.setdefault(p.key, {})[p.name] = partial(_kept_gradient, self.last, p.value)
        return readers

    def _why_not(self, name: str) -> str:
        """Why a name cannot be read."""
        if self._closed:
            return "the program is closed"
        if self.last is None:
            return "call forward() (and backward()) first"
        if self.last.trained:
            return "train() keeps only what compile(keep=[...]) names; call forward() to see a batch"
        if not self.last.has_gradients and name in self._net.blobs:
            return "call backward() first"
        return "names are those of the net"


class Readable(Mapping[str, np.ndarray]):
    """The names that can be read now; each access reads the value again."""

    def __init__(
        self, what: str, readers: Callable[[], dict[str, Reader]], why_not: Callable[[str], str], lock: FairLock
    ) -> None:
        self._what, self._readers, self._why_not, self._lock = what, readers, why_not, lock

    def __getitem__(self, name: str) -> np.ndarray:
        with self._lock:
            readers = self._readers()
            if name not in readers:
                hint = self._why_not(name) + did_you_mean(name, readers)
                raise OptionError(f"no {self._what} {name!r} to read", hint=hint)
            return readers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers())

    def __len__(self) -> int:
        return len(self._readers())

    def __repr__(self) -> str:
        return f"<{self._what}s: {' '.join(self) or 'none to read'}>"


class ReadableGradients(Mapping[str, Mapping[str, np.ndarray]]):
    """Parameter gradients by key, then by name."""

    def __init__(
        self, readers: Callable[[], dict[str, dict[str, Reader]]], why_not: Callable[[str], str], lock: FairLock
    ) -> None:
        self._readers, self._why_not, self._lock = readers, why_not, lock

    def __getitem__(self, key: str) -> Mapping[str, np.ndarray]:
        with self._lock:
            readers = self._readers()
            if key not in readers:
                hint = self._why_not(key) + did_you_mean(key, readers)
                raise OptionError(f"no gradients of {key!r} to read", hint=hint)
            return Gradients(key, {name: read() for name, read in readers[key].items()})

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers())

    def __len__(self) -> int:
        return len(self._readers())

    def __repr__(self) -> str:
        names = [f"{key}.{name}" for key, readers in self._readers().items() for name in readers]
        return f"<gradients: {' '.join(names) or 'none to read'}>"


class Gradients(dict[str, np.ndarray]):
    """The gradients of the parameters under one key, by name; `gradients["weight"] = g` writes into the array."""

    def __init__(self, key: str, arrays: Mapping[str, np.ndarray]) -> None:
        super().__init__(arrays)
        self._key = key

    def __setitem__(self, name: str, values: Any) -> None:
        if name not in self:
            hint = misspelt(name, self) or f"names: {' '.join(self) or 'none'}"
            raise OptionError(f"{self._key!r} has no gradient {name!r}", hint=hint)
        array = self[name]
        if values is array:  # after gradients["weight"] *= 2
            return
        new = as_array(values)
        if new.ndim and new.shape != array.shape:
            rule = f"gradient {self._key}.{name}: values have another shape"
            raise ShapeError(rule, expected=str(array.shape), got=str(new.shape))
        array[...] = new


def _kept_gradient(run: LastRun, name: str) -> np.ndarray:
    """The gradient of a parameter: the same array until the next run."""
    if name not in run.gradients:
        run.gradients[name] = run.bound.runner.read(gradient_of(name))
    return run.gradients[name]


def _reader(read: Callable[[str], np.ndarray], name: str) -> Reader:
    return lambda: read(name)


RANDOM = ("uniform", "normal", "orthogonal")
"""Kinds of distributions with which no net is useful without training."""


class UnsetParameters:
    """Parameters and states of one program that still have their initial values.

    Args:
        initialized: what the program has added to the store: parameters and states.
    """

    def __init__(self, net: Net, params: Params, initialized: Sequence[ParamInfo | StateInfo]) -> None:
        shares = any(p not in initialized for p in (*net.params, *net.states))
        self._net, self._params = net, params
        self._initialized = {_name(p): (p, self._sum(p)) for p in initialized if shares and _is_telling(p)}

    def __bool__(self) -> bool:
        return bool(self._initialized)

    def warn(self, known: Mapping[str, np.ndarray] | None = None) -> None:
        """Log, once, the layers whose parameters are still as initialized, except those that are `known`."""
        unset = [
            p for name, (p, sum_) in self._initialized.items() if name not in (known or {}) and self._sum(p) == sum_
        ]
        if not unset:
            return
        layers = ", ".join(repr(name) for name in dict.fromkeys(p.layer for p in unset))
        used = {p.key for p in (*self._net.params, *self._net.states)}
        others = [key for key in (*self._params, *self._params.states) if key not in used]
        words = f"net {self._net.name!r} shares parameters, but those of layer {layers} are as initialized: "
        rest = f"; of those it shares with, it does not use {', '.join(dict.fromkeys(others))}" if others else ""
        tell_once(f"{words}layers share by param_key, which is their name by default{rest}", logging.WARNING)

    def _sum(self, p: ParamInfo | StateInfo) -> int:
        table = self._params.states if isinstance(p, StateInfo) else self._params
        return crc32(np.ascontiguousarray(table[p.key][p.name].values).reshape(-1).view(np.uint8).data)


def _name(p: ParamInfo | StateInfo) -> str:
    return f"{p.key}___{p.name}"


def _is_telling(p: ParamInfo | StateInfo) -> bool:
    """Whether values as initialized show that a parameter was not set; constants may be intended."""
    how = p.init.distribution(p.shape)
    return isinstance(p, StateInfo) or (how is not None and how.kind in RANDOM)
