"""Data layers that read memory: arrays, Python iterables, and inputs of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import DataError
from mochac.base.hints.names import DIFFERENT_LENGTHS
from mochac.base.records import option
from mochac.base.rules import Refusal, Rule, boolean, integer, text
from mochac.base.support.array_like import NotAnArray, NoUsersData, UsersData, as_array, is_array
from mochac.nets.layers.base import DataLayer, DeclaringLayer, Source, layer
from mochac.nets.layers.config import at
from mochac.nets.layers.field_kinds import shape


def arrays() -> Rule:
    """Field rule: a non-empty list of numeric arrays, one per top; (N,) becomes (N, 1)."""

    def convert(value: Any) -> tuple[np.ndarray, ...]:
        if is_array(value):
            raise Refusal("write data=[X, y], one array per top")
        if not isinstance(value, (list, tuple)) or not value:
            raise TypeError
        return tuple(_array(v, f"array {k}") for k, v in enumerate(value))

    bad = ([], None, np.zeros((2, 2)), [["a"]], [np.zeros(2, complex)], [np.float32(1)], [[[1], [2, 3]]])
    return Rule("a list of numeric arrays, batch first", convert, [np.zeros((2, 3)), [0, 1]], bad)


OF_LABELS = "for class indices: names, y = np.unique(labels, return_inverse=True)"
OF_SENTENCES = "sentences become ids of words: docs/guide/recipes.md, A text classifier"


def _array(value: Any, which: str) -> np.ndarray:
    try:
        array = as_array(value, which)
    except NotAnArray as error:
        raise Refusal(f"{which}: {DIFFERENT_LENGTHS}" if _differ_in_length(value) else str(error)) from None
    if array.ndim == 0 and array.dtype.kind == "O":
        raise Refusal(f"{which} is of type {type(value).__name__}, not an array")
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(v, str) for v in array.flat)):
        sentences = any(isinstance(text, (str, np.str_)) and " " in text.strip() for text in array.flat)
        raise Refusal(f"{which} holds text; {OF_SENTENCES if sentences else OF_LABELS}")
    if array.dtype.kind not in "fiub":
        raise Refusal(f"{which} has dtype {array.dtype}; expected real numbers, such as np.asarray(a, np.float32)")
    if array.ndim == 0:
        raise Refusal(f"{which} is a single number")
    return array.reshape(-1, 1) if array.ndim == 1 else array


def _differ_in_length(value: Any) -> bool:
    """Whether these are sequences of different lengths, which make no array."""
    rows = value if isinstance(value, (list, tuple)) else ()
    return all(hasattr(row, "__len__") for row in rows) and len({len(row) for row in rows}) > 1


@layer
class MemoryDataLayer(DataLayer):
    """Batches from arrays of equal length, batch first; numbers are converted to the dtype of the program.

    Args:
        data: one array per top: (num, ...), or (num,), which means (num, 1). Also lists, and anything that NumPy can
            convert to an array: PyTorch tensors, pandas data frames, HDF5 datasets (which are read completely). Arrays
            are not copied: the next forward(), Solver.step(), evaluate() or train() sees changes to them; a running
            train() has read ahead, on a GPU perhaps the whole dataset.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of the data.
        shuffle: permute the samples in every epoch, depending on the seed of the program.

    Raises:
        DataError: no samples, or arrays of different lengths.

    >>> [a.shape for a in MemoryDataLayer(data=[np.zeros((6, 3)), np.zeros(6, int)], batch_size=2).data]
    [(6, 3), (6, 1)]
    """

    reader: ClassVar[str] = "memory"

    name: str = option(text(), default="memory-data")
    data: Sequence[Any] = option(arrays(), repr=False)

    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.data) != len(self.tops):
            raise self.error("needs one array per top", expected=f"{len(self.tops)} arrays", got=str(len(self.data)))
        counts = {top: len(a) for top, a in zip(self.tops, self.data, strict=True)}
        shown = ", ".join(f"{top!r}: {n}" for top, n in counts.items())
        if len(set(counts.values())) > 1:
            raise self._data_error("arrays differ in their number of samples", got=shown)
        if not all(len(a) for a in self.data):
            raise self._data_error("there are no samples", got=", ".join(f"{a.shape}" for a in self.data))
        for top, a in zip(self.tops, self.data, strict=True):
            if not a.size:
                raise self._data_error(f"samples of {top!r} are empty", got=f"{a.shape}")

    def _data_error(self, rule: str, got: str) -> DataError:
        return DataError(rule, layer=self.name, type=self.kind, got=got, at=at(self.origin))

    def __eq__(self, other: object) -> bool:
        return self is other


def users_data() -> Rule:
    """Field rule: a function that returns an iterable, an iterable, or a data set with numbered samples."""

    def convert(value: Any) -> UsersData:
        if isinstance(value, UsersData):
            return value
        try:
            return UsersData(value)
        except NoUsersData as error:
            raise Refusal(str(error)) from None

    bad = (None, 3, "train.txt", {"data": 1}, iter([1, 2]), lambda a, b: a)
    words = "a data set with __len__ and __getitem__, a function that returns an iterable, an iterable, or a DataLoader"
    return Rule(words, convert, [([0.0], 0)], bad)


@layer
class PythonDataLayer(DeclaringLayer):
    """Batches of samples that Python code makes.

    Args:
        make: one of

            - a data set with `__len__` and `__getitem__`: sample k is `make[k]`;
            - a function, such as a generator function, that returns a fresh iterable for each epoch. If it needs an
              argument, that is the number of the epoch, from 0 on;
            - an iterable that can be iterated over again and again;
            - a PyTorch DataLoader, whose batches may have any size.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of an epoch.
        shapes: shape of a sample by top, such as {"data": (3, 32, 32), "label": (1,)}; else those of the first sample.
        batched: items are batches of samples; found out for a DataLoader.
        shuffle: permute the samples in every epoch, depending on the seed of the program; for data sets.
        workers: processes that load samples at the same time, for data sets; 0: one thread of this process, which
            works beside the training step.

    A sample is a tuple with a part for each top, a dict with the tops as keys, or, for one top, an array. Parts are
    numbers or anything that NumPy can read as an array; they are converted to the dtype of the program.

    A data set is resumed from a snapshot at the very sample. Iterables are made anew for the interrupted epoch, and the
    samples that were used are dropped. Each worker seeds `random`, `np.random` and PyTorch for every sample, so that
    their random numbers do not depend on the number of workers.

    Raises:
        DataError: no samples, or an error in the user's code, with its traceback and the sample; samples of different
            shapes; no numbers; a worker that was killed.

    >>> def squares():
    ...     for k in range(10):
    ...         yield [k, k * k], k % 2
    >>> PythonDataLayer(make=squares, batch_size=4).tops
    ('data', 'label')
    """

    reader: ClassVar[str] = "python"

    name: str = option(text(), default="python-data")
    make: Any = option(users_data())
    batched: bool = option(boolean(), default=False)
    workers: int = option(integer(0), default=0)

    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.make.indexed and not self.batched:
            return
        if self.shuffle:
            hint = "shuffle in `make`, which may take the number of the epoch; or in the DataLoader: shuffle=True"
            raise self.error("cannot shuffle samples that have no numbers", hint=hint)
        if self.workers:
            hint = "a DataLoader has workers of its own: num_workers=...; an iterator is read in a thread"
            raise self.error("workers share the samples of a data set with __len__ and __getitem__", hint=hint)

    def __eq__(self, other: object) -> bool:
        return self is other


@layer
class InputLayer(Source):
    """Inputs of predict() and of steps on arrays. A net with InputLayers can be compiled, explained, drawn, dumped and
    profiled.

    It has no data: solver.step(data=x, label=y), forward(data=x, label=y), evaluate(data=x, label=y) and predict(x) run
    on the arrays that they are given, while train() raises an error that says how to replace it.

    Args:
        shape: of a batch, (batch, ...); (batch,) means (batch, 1), for labels. predict() takes any number of samples.
        tops: blobs of this shape, [name] by default. Their numbers are converted to the dtype of the program.

    Source: Caffe's layer Input.

    >>> InputLayer(name="data", shape=(64, 1, 28, 28)).declared
    {'data': (1, 28, 28)}
    """

    shape: tuple[int, ...] = option(shape(batch_first=True))

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.shape) == 1:
            object.__setattr__(self, "shape", (*self.shape, 1))

    @property
    def fixed_batch(self) -> int | None:
        """The first extent of `shape`."""
        return self.shape[0]

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """`shape` without the batch, for each top."""
        return dict.fromkeys(self.tops, self.shape[1:])
