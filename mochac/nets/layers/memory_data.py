"""MemoryDataLayer: batches from arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import DataError
from mochac.base.hints.fields import DIFFERENT_LENGTHS
from mochac.base.support.array_like import NotAnArray, as_array, is_array
from mochac.nets.layers.base import DataLayer, layer
from mochac.nets.layers.config import at
from mochac.nets.layers.fields import Refusal, Rule, option, text


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
