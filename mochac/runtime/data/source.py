"""What every data layer's reader has in common: positions, epochs, checks of what it read.

A source is addressed by the absolute number of a sample since training began; epoch and place inside it follow from
that number alone, so a cursor is two integers and reading ahead changes nothing. It knows no ring, batch or file.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mochac.errors import DataError, SnapshotError
from mochac.ir.op import OpTypeError
from mochac.registry import Registry
from mochac.runtime.data.class_numbers import ClassNumbers
from mochac.runtime.data.mean_file import load_mean
from mochac.runtime.data.rng import generator
from mochac.runtime.data.targets import TARGETS
from mochac.runtime.support.finite import first_not_finite

Arrays = Mapping[str, np.ndarray]
"""Blob name -> array, batch first."""

Transform = Callable[[np.ndarray], None]
"""Changes samples in place."""


@dataclass(frozen=True)
class SampleShapes:
    """What a data layer yields: extents of one sample by top, and the number of samples."""

    tops: dict[str, tuple[int, ...]]
    n_samples: int


@dataclass(frozen=True)
class Reading:
    """How a program reads a data layer.

    Args:
        seed: the program's seed; permutations derive from (seed, layer, epoch).
        shuffle: None: as the layer says; False for evaluation.
        classes: for a top that holds class numbers, which are legal.
        targets: for a top that is a label of another sort, the names of its kinds in targets.py.
        shapes: extents of one sample by top as the program was compiled for them; a top without any may have all.
    """

    seed: int = 0
    shuffle: bool | None = None
    classes: Mapping[str, ClassNumbers] = field(default_factory=dict)
    targets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class DataSource(ABC):
    """Base of readers. Subclasses set `shapes` and `floats` (tops stored as floats, which may not be finite) before
    anything is read, and implement `read` and `locate`; those that also implement `order` and `identity` say which
    samples a batch is made of, so that a device may keep them all."""

    live: bool = False
    """Whether the samples may change between two steps: the user's own arrays."""

    numbered: ClassVar[bool] = False
    """Whether `order` and `identity` are there."""

    shapes: SampleShapes
    floats: Set[str]
    octets: Set[str] = frozenset()
    """Tops stored as unsigned bytes."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        self.layer, self.reading = layer, reading
        self.where = place_of(layer)
        self.shuffle = bool(layer.shuffle if reading.shuffle is None else reading.shuffle)
        self._orders: dict[int, np.ndarray] = {}

    @abstractmethod
    def read(self, epoch: int, position: int, out: Arrays) -> None:
        """Fill `out` with the samples from `position` of that epoch's order; never asked to cross its end."""

    @abstractmethod
    def locate(self, epoch: int, position: int) -> str:
        """Which sample stands at `position`, in the user's words: "sample 17"."""

    def order(self, epoch: int) -> np.ndarray:
        """Numbers of the samples in the order in which a shuffled epoch visits them; sample k is the one that `again()`
        gives at position k. Asked where `numbered` and `shuffle`."""
        raise NotImplementedError

    def identity(self, top: str) -> Hashable:
        """Equal for equal sample numbers of a top that hold the same numbers as stored; keeps arrays alive that it is
        about. Asked where `numbered`."""
        raise NotImplementedError

    def changed(self) -> bool:
        """Whether what it reads has been written anew since it was looked at; cheap, and asked from any thread."""
        return False

    def look(self) -> None:  # noqa: B027
        """Look at it again; asked where `changed()`, while nobody reads.

        Raises:
            DataError: it is missing, or has other samples than before; then nothing is taken over.
        """

    def numbers(self, start: int, n: int) -> np.ndarray:
        """Numbers (int32) of the samples that `fill` would give for n from absolute number `start`."""
        if not self.shuffle:
            return (np.arange(start, start + n) % self.n_samples).astype(np.int32)
        found = np.empty(n, np.int32)
        done = 0
        while done < n:
            epoch, position = divmod(start + done, self.n_samples)
            part = self._ordered(epoch)[position : position + n - done]
            found[done : done + len(part)] = part
            done += len(part)
        return found

    def foresee(self, start: int) -> None:
        """Have the order of the epoch of absolute number `start` and of the next one ready for `numbers`."""
        if self.shuffle:
            for epoch in (start // self.n_samples, start // self.n_samples + 1):
                self._ordered(epoch)

    def _ordered(self, epoch: int) -> np.ndarray:
        """The order of an epoch; the one before it stays at hand."""
        if epoch not in self._orders:
            self._orders = {known: order for known, order in self._orders.items() if known == epoch - 1}
            self._orders[epoch] = self.order(epoch).astype(np.int32)
        return self._orders[epoch]

    @property
    def n_samples(self) -> int:
        """Samples in one epoch, >= 1."""
        return self.shapes.n_samples

    def fill(self, start: int, out: Arrays) -> None:
        """Fill `out` with consecutive samples from absolute number `start`, over as many epochs as it takes.

        Raises:
            DataError: reading failed, a label is no class number or a value is not finite; `out` is then unspecified.
        """
        with np.errstate(all="ignore"):  # a number too large for `out` becomes infinite, which the check names
            self.read_on(start, out)
            self.transform(out)
        self._check(start, out)

    def read_on(self, start: int, out: Arrays) -> None:
        """`read` from absolute number `start`, over as many epochs as it takes."""
        n = len(next(iter(out.values())))
        done = 0
        while done < n:
            epoch, position = divmod(start + done, self.n_samples)
            count = min(n - done, self.n_samples - position)
            self.read(epoch, position, {top: array[done : done + count] for top, array in out.items()})
            done += count

    @cached_property
    def transformers(self) -> list[tuple[str, Transform]]:
        """The layer's transformers by top, in their order for each, ready for samples of this source.

        Raises:
            DataError: one does not fit its top.
        """
        return [(top, change) for top, shape in self.shapes.tops.items() for change in changes(self.layer, top, shape)]

    def transform(self, part: Arrays) -> None:
        """Apply the transformers to samples as they were read."""
        for top, change in self.transformers:
            if top in part:
                change(part[top])

    def permutation(self, n: int, *names: int) -> np.ndarray:
        """A random order of range(n) that depends on (seed, layer, names) only."""
        return generator(self.reading.seed, self.layer.name, "shuffle", *names).permutation(n)

    def again(self) -> DataSource:
        """The same data unshuffled, with state of its own: for an evaluation beside a running reader."""
        return type(self)(self.layer, replace(self.reading, shuffle=False))

    def close(self) -> None:  # noqa: B027
        """Release files; reading again reopens them."""

    def error(self, rule: str, **parts: Any) -> DataError:
        """A DataError about this layer, ready to raise."""
        return DataError(rule, **{**self.where, **parts})

    def _check(self, start: int, part: Arrays) -> None:
        computed = {top for top, _ in self.transformers}
        for top, values in part.items():
            classes = self.reading.classes.get(top)
            if classes is not None:
                bad = classes.first_bad(values)
            else:
                found = first_not_finite({top: values}) if top in self.floats | computed else None
                bad = found.at if found else None
            if bad is None:
                self._check_targets(start, top, values)
                continue
            value = float(values[tuple(bad)])
            sample = self._named(start + int(bad[0]), top)
            if classes is not None:
                rule, parts = classes.complaint(value)
                raise self.error(rule, details=[sample], **parts)
            inside = f", at {tuple(int(i) for i in bad[1:])}" if len(bad) > 1 else ""
            what = "NaN" if math.isnan(value) else f"an infinity or a number too large for {values.dtype}"
            raise self.error(f"data holds {what}", details=[sample + inside])

    def _named(self, sample: int, top: str) -> str:
        """A sample by its absolute number, in the user's words."""
        return f"blob {top!r}, {self.locate(*divmod(sample, self.n_samples))}"

    def _check_targets(self, start: int, top: str, values: np.ndarray) -> None:
        for target in (TARGETS[kind] for kind in self.reading.targets.get(top, ())):
            bad = target.first_bad(values)
            if bad is not None:
                found = values[tuple(bad)]
                got = f"{float(found):g}" if not found.shape else f"sum {found.sum():g}, least {found.min():g}"
                sample = self._named(start + int(bad[0]), top)
                parts = {"expected": target.words, "got": got, "hint": target.hint}
                raise self.error("label out of range", details=[sample], **parts)


def place_of(layer: Any) -> dict[str, str]:
    """Keywords that name a layer in an error: its name, kind and the user's line."""
    file, line = layer.origin
    return {"layer": layer.name, "type": layer.kind, "at": f"{file}:{line}" if file else ""}


def changes(layer: Any, top: str, shape: tuple[int, ...]) -> list[Transform]:
    """What the transformers of a data layer do to a top with samples of `shape`, in their order.

    Raises:
        DataError: one does not fit.
    """
    found = []
    for given in (t for name, t in layer.transformers if name == top):
        try:
            found.append(given.loaded(load_mean).prepared(shape))
        except (OpTypeError, SnapshotError) as e:
            details = [f"transformer {type(given).__name__} of top {top!r}"]
            place = place_of(layer)
            if isinstance(e, SnapshotError):
                raise DataError(str(e), details=details, **place) from None
            raise DataError(e.rule, expected=e.expected, got=e.got, hint=e.hint, details=details, **place) from None
    return found


SOURCES: Registry[type[DataSource]] = Registry("data source", "mochac.runtime.data")
"""Readers by file name, which a data layer's `reader` names."""


def open_source(layer: Any, reading: Reading | None = None) -> DataSource:
    """The reader of a data layer; the data is looked at (names, shapes, counts), nothing is read ahead.

    Raises:
        DataError: the data is missing or unusable.
    """
    if not layer.reader:
        instead = f"MemoryDataLayer(data=[...], tops={list(layer.tops)}, batch_size={layer.fixed_batch})"
        hint = f"predict(x) feeds it; to train or evaluate, put a data layer in its place, such as {instead}"
        raise DataError("it has no data of its own", hint=hint, **place_of(layer)).as_missing()
    source = SOURCES[layer.reader](layer, reading or Reading())
    for top, shape in layer.declared.items():
        if source.shapes.tops[top] != shape:
            rule = f"samples of {top!r} do not have the shape that the layer declares"
            raise source.error(rule, expected=str(shape), got=str(source.shapes.tops[top]))
    _ = source.transformers  # a mean that does not fit is found when the Net is built
    return source


def describe(layer: Any) -> dict[str, tuple[int, ...]]:
    """Extents of one sample by top of a data layer: those of its data, or those it declares where that is not there.

    Raises:
        DataError: the data is unusable, or not there and nothing is declared.
    """
    try:
        return open_source(layer).shapes.tops
    except DataError as error:
        if error.missing and layer.declared:
            return layer.declared
        raise


def is_missing(layer: Any) -> bool:
    """Whether the data of a data layer is not there at all; data that is there and unusable is not missing."""
    try:
        open_source(layer).close()
    except DataError as error:
        return error.missing
    return False
