"""DataSource: base of the readers of all data layers: positions, epochs, checks of the data.

Samples are addressed by their absolute number since training began. Epoch and position follow from that number, so a
cursor is two integers, and reading ahead changes nothing. Where an epoch ends is known from the start, unless the
samples come from an iterator (python.py).
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import field, replace
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from mochac.base.errors import DataError, SnapshotError
from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.base.support.log import tell_once
from mochac.base.support.memory import aligned_empty
from mochac.base.threads import cached_property
from mochac.ir.op import OpTypeError
from mochac.runtime.data.images import load_mean
from mochac.runtime.data.order import successive
from mochac.runtime.data.targets import ClassIndices, Illegal, illegal_in

T = TypeVar("T")

Arrays = Mapping[str, np.ndarray]
"""Blob name -> array, batch first."""

Transform = Callable[[np.ndarray], None]
"""Changes samples in place."""


class Transformer(Protocol):
    """The interface of transformers (nets/layers/transformers.py) that readers use."""

    def loaded(self, read_mean: Callable[[str], np.ndarray]) -> Any:
        """The transformer with the contents of its files."""

    def prepared(self, shape: tuple[int, ...]) -> Any:
        """A Transform of samples of `shape`."""


@record
class SampleShapes:
    """Extents of one sample by top of a data layer, and the number of samples; 0 if that is not known beforehand."""

    tops: dict[str, tuple[int, ...]]
    n_samples: int


@record
class Reading:
    """How a program reads a data layer.

    Args:
        seed: the program's seed; permutations depend on (seed, layer, epoch).
        shuffle: whether to shuffle; None: as the layer's field says; False for evaluation.
        classes: the legal class indices of each top with class indices.
        targets: for each top with other labels, the names of their kinds in targets.py.
        shapes: extents of one sample by top that the program was compiled for; a top that is absent may have any.
        once: a single pass for an evaluation: nothing is augmented, and samples that cannot be counted beforehand end
            with it.
    """

    seed: int = 0
    shuffle: bool | None = None
    once: bool = False
    classes: Mapping[str, ClassIndices] = field(default_factory=dict)
    targets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class DataSource(ABC):
    """Base class of readers. Subclasses set `shapes` and `floats` (tops stored as floats, which need not be finite) in
    their constructor, and implement `locate` and `read`, or `read_on` or `fill` in place of `read`. Those that also
    implement `order` and `identity` allow a device to hold the whole dataset and to gather batches itself."""

    live: bool = False
    """Whether samples may change between two steps, as in arrays of the user."""

    numbered: ClassVar[bool] = False
    """Whether `order` and `identity` are implemented."""

    takes: ClassVar[bool] = False
    """Whether `take` is implemented, too."""

    runs_users_code: ClassVar[bool] = False
    """Whether reading runs users' code, and may take any time: a reader that does not answer is abandoned."""

    sequential: ClassVar[bool] = False
    """Whether samples can only be read one after the other."""

    in_bursts: bool = True
    """Whether reading several batches at once takes less time, and may be repeated if it fails."""

    shapes: SampleShapes
    floats: Set[str]
    octets: Set[str] = frozenset()
    """Tops stored as unsigned bytes."""

    def __init__(self, layer: Any, reading: Reading) -> None:
        self.layer, self.reading = layer, reading
        self.where = place_of(layer)
        self.shuffle = bool(layer.shuffle if reading.shuffle is None else reading.shuffle)
        self._orders: dict[int, np.ndarray] = {}
        self._permuted: tuple[int, np.ndarray] | None = None

    def read(self, epoch: int, position: int, out: Arrays) -> None:
        """Fill `out` with the samples from `position` on in the order of `epoch`, never beyond its end. Called by
        `read_on`."""
        raise NotImplementedError

    @abstractmethod
    def locate(self, epoch: int, position: int) -> str:
        """The sample at `position`, as users know it: "sample 17"."""

    def order(self, epoch: int) -> np.ndarray:
        """Numbers of the samples in the order of a shuffled epoch; sample k is the one at position k of `unshuffled()`.
        Called if `numbered` and `shuffle`."""
        raise NotImplementedError

    def take(self, numbers: np.ndarray, out: Arrays) -> None:
        """Fill `out` with the samples of these numbers, in this order. Called if `takes`."""
        raise NotImplementedError

    def identity(self, top: str) -> Hashable:
        """An object that is equal for two sources whose samples of a top are the same in memory or on disk; it keeps
        their arrays alive. Called if `numbered`."""
        raise NotImplementedError

    def contents(self) -> str:
        """A text that is equal for equal samples, as far as that is known without reading files: their number, and a
        checksum of those in memory."""
        return f"{self.n_samples} samples"

    def changed(self) -> bool:
        """Whether the data has been written since reload(); cheap, and called from any thread."""
        return False

    def reload(self) -> None:  # noqa: B027
        """Inspect the data again, after `changed()`, while no thread reads.

        Raises:
            DataError: it is missing, or has other samples than before; the source is unchanged then.
        """

    def numbers(self, start: int, n: int) -> np.ndarray:
        """Numbers (int32) of the n samples that `fill` would read from absolute number `start` on."""
        if not self.shuffle:
            return (np.arange(start, start + n) % self.n_samples).astype(np.int32)
        numbers = np.empty(n, np.int32)
        done = 0
        while done < n:
            epoch, position = divmod(start + done, self.n_samples)
            part = self._ordered(epoch)[position : position + n - done]
            numbers[done : done + len(part)] = part
            done += len(part)
        return numbers

    def prepare_numbers(self, start: int) -> None:
        """Prepare the orders of the epoch of absolute number `start` and of the next one for `numbers`."""
        if self.shuffle:
            for epoch in (start // self.n_samples, start // self.n_samples + 1):
                self._ordered(epoch)

    def _ordered(self, epoch: int) -> np.ndarray:
        """The order of an epoch; the one before is kept too."""
        if epoch not in self._orders:
            self._orders = {known: order for known, order in self._orders.items() if known == epoch - 1}
            self._orders[epoch] = self.order(epoch).astype(np.int32)
        return self._orders[epoch]

    @property
    def n_samples(self) -> int:
        """Samples in one epoch; 0 if that is not known."""
        return self.shapes.n_samples

    def place(self, number: int) -> tuple[int, int]:
        """(epoch, position) of the sample with this absolute number, which has been read unless samples are counted."""
        return divmod(number, self.n_samples)

    def number(self, epoch: int, position: int) -> int:
        """The absolute number of a sample, from which reading goes on."""
        return epoch * self.n_samples + position

    def epoch_end(self, number: int) -> int | None:
        """The number of the first sample after the epoch of this one; None if that is not known yet."""
        return (number // self.n_samples + 1) * self.n_samples

    def fill(self, start: int, out: Arrays) -> int:
        """Fill `out` with consecutive samples from absolute number `start` on, across epochs if necessary. Returns how
        many there are: fewer than `out` holds at the end of a single pass over samples that are not counted.

        Raises:
            DataError: reading failed, a label is illegal, or a value is not finite; `out` is then unspecified.
        """
        with np.errstate(all="ignore"):  # a number too large for `out` becomes infinite, which _check reports
            n = self.read_on(start, out)
            filled = {top: array[:n] for top, array in out.items()}
            self.transform(filled)
        self._check(start, filled)
        return n

    def fill_numbered(self, numbers: np.ndarray, out: Arrays) -> bool:
        """Fill `out` with the samples of these numbers; False if one of them is illegal. Called if `takes`."""
        with np.errstate(all="ignore"):
            self.take(numbers, out)
            self.transform(out)
        return all(self._illegal(top, values) is None for top, values in out.items())

    def read_on(self, start: int, out: Arrays) -> int:
        """`read` from absolute number `start` on, across epochs if necessary; returns as fill()."""
        n = len(next(iter(out.values())))
        done = 0
        while done < n:
            epoch, position = divmod(start + done, self.n_samples)
            count = min(n - done, self.n_samples - position)
            self.read(epoch, position, {top: array[done : done + count] for top, array in out.items()})
            done += count
        return n

    @cached_property
    def transformers(self) -> list[tuple[str, Transform]]:
        """The transformers of the layer, with their tops, in order, prepared for samples of this source.

        Raises:
            DataError: one does not fit its top.
        """
        return [(top, change) for top, shape in self.shapes.tops.items() for change in changes(self.layer, top, shape)]

    def transform(self, part: Arrays) -> None:
        """Apply the transformers to samples that were read."""
        for top, change in self.transformers:
            if top in part:
                change(part[top])

    def permutation(self, n: int, *names: int) -> np.ndarray:
        """A random permutation of range(n) that depends on (seed, layer, names) only."""
        return self._shuffles(*names).permutation(n)

    @cached_property
    def _shuffles(self) -> Callable[..., np.random.Generator]:
        """The generator of a shuffle, by its names."""
        return successive(self.reading.seed, self.layer.name, "shuffle")

    def permuted(self, epoch: int) -> np.ndarray:
        """The numbers of all samples in the order of a shuffled epoch."""
        if self._permuted is None or self._permuted[0] != epoch:
            self._permuted = (epoch, self.permutation(self.n_samples, epoch))
        return self._permuted[1]

    def unshuffled(self) -> DataSource:
        """An independent source of the same data, not shuffled, for an evaluation during training."""
        return type(self)(self.layer, replace(self.reading, shuffle=False, once=True))

    def clone(self) -> DataSource:
        """A new source of the same data, to replace this one while an abandoned reader still uses it."""
        return type(self)(self.layer, self.reading)

    def memory(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """Memory for batches."""
        return aligned_empty(shape, dtype)

    def prepare(self) -> None:  # noqa: B027
        """Called by the user's thread before a reader starts."""

    def cancel(self) -> None:  # noqa: B027
        """Let a `fill` in another thread end with any error, soon; called if `runs_users_code`."""

    def close(self) -> None:  # noqa: B027
        """Close files; reading opens them again."""

    def error(self, rule: str, **parts: Any) -> DataError:
        """A DataError about this layer, ready to raise."""
        return DataError(rule, **{**self.where, **parts})

    def _check(self, start: int, part: Arrays) -> None:
        for top, values in part.items() if len(next(iter(part.values()))) else ():
            found = self._illegal(top, values)
            if found is not None:
                sample = self._named(start + found.index[0], top)
                inside = f", at {found.index[1:]}" if found.inside and len(found.index) > 1 else ""
                raise self.error(found.rule, details=[sample + inside], **found.parts)

    def _illegal(self, top: str, values: np.ndarray) -> Illegal | None:
        """The first illegal value of a top."""
        classes, targets = self.reading.classes.get(top), self.reading.targets.get(top, ())
        computed = {changed for changed, _ in self.transformers}
        return illegal_in(values, classes, targets, finite=top in self.floats | computed)

    def _named(self, sample: int, top: str) -> str:
        """The sample with this absolute number, as users know it."""
        return f"blob {top!r}, {self.locate(*self.place(sample))}"


def warn_of_large_batch(layer: Any, n_samples: int) -> None:
    """Warn once per process that a batch larger than the data wraps around and repeats samples."""
    if layer.batch_size > n_samples > 0:
        words = f"data layer {layer.name!r}: batch_size {layer.batch_size} is larger than its {n_samples} samples"
        tell_once(f"{words}: every training batch holds some of them several times", logging.WARNING)


def place_of(layer: Any) -> dict[str, str]:
    """Keyword arguments that name a layer in an error: its name, kind and the line of the user's code."""
    file, line = layer.origin
    return {"layer": layer.name, "type": layer.kind, "at": f"{file}:{line}" if file else ""}


def changes(layer: Any, top: str, shape: tuple[int, ...]) -> list[Transform]:
    """The transformers of a top as functions of samples of `shape`, in order; raises DataError if one does not fit."""
    return [
        _in_place(layer, top, transformer, checked_use(layer, top, transformer, lambda t: t.prepared(shape)))
        for name, transformer in layer.transformers
        if name == top
    ]


def _in_place(layer: Any, top: str, transformer: Transformer, change: Any) -> Transform:
    """A function that was prepared, checked to change its array: if it returned another one, that would be lost.

    Raises:
        DataError: it is not a function.
    """
    kind = type(transformer).__name__
    facts: dict[str, Any] = {"details": [f"transformer of top {top!r}"], **place_of(layer)}
    if not callable(change):
        expected = "a function that changes an array in place"
        raise DataError(f"prepared of {kind} returns no function", expected=expected, got=repr(change), **facts)

    def changed(values: np.ndarray) -> None:
        result = change(values)
        if result is not None and result is not values:
            hint = "x *= 2, or x[...] = y"
            raise DataError(f"{kind} returns another array instead of changing its own", hint=hint, **facts)

    return changed


def checked_use(layer: Any, top: str, transformer: Transformer, use: Callable[[Any], T]) -> T:
    """The result of `use` for a transformer of a top, whose files have been read.

    Raises:
        DataError: a file cannot be read, or the transformer does not fit the samples.
    """
    try:
        return use(transformer.loaded(load_mean))
    except (OpTypeError, SnapshotError) as e:
        details = [f"transformer {type(transformer).__name__} of top {top!r}"]
        place = place_of(layer)
        if isinstance(e, SnapshotError):
            raise DataError(str(e), details=details, **place) from None
        raise DataError(e.rule, expected=e.expected, got=e.got, hint=e.hint, details=details, **place) from None


SOURCES: Registry[Callable[[Any, Reading], DataSource]] = Registry(
    "data source", "mochac.runtime.data", 'SOURCES.add("{}"'
)
"""Readers by module name, which the `reader` of a data layer names."""


def open_source(layer: Any, reading: Reading | None = None) -> DataSource:
    """The reader of a data layer, which has inspected the data (names, shapes, counts) and read no samples.

    Raises:
        DataError: the data is missing or unusable.
    """
    if not layer.reader:
        instead = f"MemoryDataLayer(data=[...], tops={list(layer.tops)}, batch_size={layer.fixed_batch})"
        arguments = ", ".join(f"{top}=..." for top in layer.tops)
        takes = f"solver.step({arguments}), forward({arguments}), evaluate({arguments}) and predict() take arrays"
        hint = f"{takes}; for train(), replace it with a data layer, such as {instead}"
        raise DataError("it has no data of its own", hint=hint, **place_of(layer)).as_missing()
    source = SOURCES[layer.reader](layer, reading or Reading())
    for top, shape in layer.declared.items():
        if source.shapes.tops[top] != shape:
            rule = f"samples of {top!r} do not have the shape that the layer declares"
            raise source.error(rule, expected=str(shape), got=str(source.shapes.tops[top]))
    _ = source.transformers  # so that a mean that does not fit is reported when the Net is built
    return source


def describe(layer: Any) -> dict[str, tuple[int, ...]]:
    """Extents of one sample by top of a data layer: those of its data, or those it declares if the data is missing.

    Raises:
        DataError: the data is unusable, or missing and not declared.
    """
    try:
        return open_source(layer).shapes.tops
    except DataError as error:
        if error.missing and layer.declared:
            return layer.declared
        raise


def is_missing(layer: Any) -> bool:
    """Whether the data of a data layer does not exist; unusable data is not missing."""
    try:
        open_source(layer).close()
    except DataError as error:
        return error.missing
    return False
