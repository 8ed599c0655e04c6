"""Conversion of what users pass as arrays or data sets: arrays of any library, lists, data frames, DataLoaders.

np.asarray alone would read any object that has a length item by item, and never return if the items never end.
UsersData wraps a data set with numbered samples, or something to iterate over. PyTorch's DataLoader and IterableDataset
are recognized by the names of their classes, so torch is not imported.

Arrays on a device are exported through DLPack. NumPy makes the capsule from an array at the address of the memory,
which is never read; then the device is written into the capsule. So its deleter is NumPy's, in C: when the consumer is
done, the deleter releases the array, and with it the owner of the memory.
"""

from __future__ import annotations

import copy
import ctypes
import inspect
import os
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from mochac.base.hints.names import DIFFERENT_LENGTHS
from mochac.base.records import record

CPU, CUDA = 1, 2
"""kDLCPU, kDLCUDA of dlpack.h."""
NO_WAIT = -1
"""Given as a stream: the consumer waits for the producer's work by other means."""


class DLTensor(ctypes.Structure):
    """The beginning of dlpack.h's DLTensor, with which a DLManagedTensor begins."""

    _fields_ = (("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32))


VERSIONED = (1, 0)
"""From this version on, a capsule says whether its memory may be written to; its tensor then comes after 32 bytes."""


def device_capsule(
    address: int,
    shape: tuple[int, ...],
    dtype: np.dtype,
    device: tuple[int, int],
    owner: object,
    most: tuple[int, int] | None,
) -> Any:
    """A capsule of row-major memory on a device, which may be written to.

    Args:
        device: its kind and number.
        owner: kept as long as the consumer uses the memory.
        most: the newest version of DLPack that the consumer knows; None: older than VERSIONED.
    """
    n_bytes = max(1, int(np.prod(shape, dtype=np.int64)) * dtype.itemsize)
    kind: Any = type("Place", (ctypes.c_uint8 * n_bytes,), {})
    place = kind.from_address(address)
    place.owner = owner
    array = np.ndarray(shape, dtype, buffer=place)
    versioned = most is not None and tuple(most) >= VERSIONED
    capsule = array.__dlpack__(max_version=VERSIONED) if versioned else array.__dlpack__()
    tensor = tensor_of(capsule)
    tensor.device_type, tensor.device_id = device
    return capsule


def tensor_of(capsule: Any) -> DLTensor:
    """The tensor in a capsule that no consumer has taken yet."""
    valid, pointer = ctypes.pythonapi.PyCapsule_IsValid, ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
    versioned = valid(capsule, b"dltensor_versioned")
    address = pointer(capsule, b"dltensor_versioned" if versioned else b"dltensor")
    return DLTensor.from_address(address + (32 if versioned else 0))


def waits(stream: int | None) -> bool:
    """Whether a consumer on this CUDA stream relies on the producer to wait for its work.

    Raises:
        ValueError: no stream; 0 could be either default stream.

    >>> [waits(stream) for stream in (None, 1, 2, 140_000, NO_WAIT)]
    [True, True, True, True, False]
    """
    if stream is not None and (type(stream) is not int or stream == 0 or stream < NO_WAIT):
        expected = "None, -1 (do not wait), 1 or 2 (the default streams), or the handle of a stream"
        raise ValueError(f"__dlpack__: stream is {expected}; got {stream!r}")
    return stream != NO_WAIT


def array_interface(address: int, shape: tuple[int, ...], dtype: np.dtype) -> dict[str, Any]:
    """`__cuda_array_interface__`, version 3, of row-major memory for whose values the producer has waited."""
    return {
        "version": 3,
        "shape": shape,
        "typestr": dtype.str,
        "data": (address, False),
        "strides": None,
        "stream": None,
    }


_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), *np.sctypeDict.values()})
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")
NO_NUMBERS = {"c": "complex numbers", "U": "text", "S": "bytes", "M": "dates", "m": "durations"}
"""Kinds of arrays that NumPy would convert to numbers that the user does not mean."""
_MAX_AXES = 64
"""NumPy refuses more."""


class NotAnArray(ValueError):
    """The value is not an array; the message says what it is, and `hint` what to do, if that is known."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def as_array(value: Any, what: str = "", dtype: DTypeLike | None = None) -> np.ndarray:
    """`value` as an array, without a copy if possible.

    Accepts objects with `__array__` (tensors, Series, data frames, HDF5 datasets) or `__dlpack__` (tensors of any
    library, in memory of the CPU), objects that expose their memory (memoryview, array.array), ranges, numbers and
    text, and lists and tuples of all these.

    Args:
        what: how the message begins, such as "array 0" or "the input"; "" if the caller's own message names it.

    Raises:
        NotAnArray: another object with a length and items; a tensor that cannot be read; rows of different lengths;
            values that are not numbers of that dtype; masked elements, which NumPy would read as what the mask hides.

    >>> as_array([1, 2.5], "x").tolist()
    [1.0, 2.5]
    >>> from collections import deque
    >>> as_array(deque([1, 2]), "x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mochac...NotAnArray: x is of type deque, not an array; make one of its items, such as np.stack([...])
    """
    if (unknown := _unknown(value)) is not None:
        if _is_masked(unknown):
            raise NotAnArray(f"{what or 'it'} has {_masked(unknown)} masked elements; fill them, such as a.filled(0)")
        head = f"{what} {'is of' if unknown is value else 'holds objects of'} " if what else ""
        kind = type(unknown).__name__
        raise NotAnArray(f"{head}type {kind}, not an array; make one of its items, such as np.stack([...])")
    try:
        return np.asarray(np.from_dlpack(value) if _only_dlpack(value) else value, dtype)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:  # RuntimeError: of a tensor with a gradient
        hint = DIFFERENT_LENGTHS if _differ_in_length(value) else ""
        raise NotAnArray(f"{what} cannot be read as an array: {error}" if what else str(error), hint) from None


def _differ_in_length(value: Any) -> bool:
    """Whether these are sequences of different lengths, which make no array."""
    rows = value if isinstance(value, (list, tuple)) else ()
    return all(hasattr(row, "__len__") for row in rows) and len({len(row) for row in rows}) > 1


def widened(value: Any) -> Any:
    """A bfloat16 array or tensor as float32, since NumPy may not know its type; anything else as it is."""
    if "bfloat16" not in str(getattr(value, "dtype", "")):
        return value
    return value.float() if callable(getattr(value, "float", None)) else value.astype(np.float32)


def is_array(value: Any) -> bool:
    """Whether it is a NumPy array, or an array of another library that NumPy can read."""
    return any(hasattr(value, name) for name in (*_PROTOCOLS, "__dlpack__"))


def _only_dlpack(value: Any) -> bool:
    """Whether NumPy can read it only by DLPack."""
    return hasattr(value, "__dlpack__") and not any(hasattr(value, name) for name in _PROTOCOLS)


def _unknown(value: Any, axes: int = 0) -> Any:
    """The first object in `value` that NumPy would read item by item, or through its mask; None if there is none."""
    if isinstance(value, (list, tuple)):
        deeper = (v for v in value if type(v) not in _PLAIN) if axes < _MAX_AXES else ()
        return next((bad for v in deeper if (bad := _unknown(v, axes + 1)) is not None), None)
    if _is_masked(value):
        return value if _masked(value) else None
    known = is_array(value) and not (axes and _only_dlpack(value))
    known = known or isinstance(value, (str, bytes, bytearray, range, dict))
    return value if not known and _has_items(value) and not _gives_memory(value) else None


def _is_masked(value: Any) -> bool:
    """Whether it is a masked array; numpy.ma, which takes as long to import as a tenth of NumPy, is not imported."""
    known = sys.modules.get("numpy.ma")
    return known is not None and isinstance(value, known.MaskedArray)


def _masked(value: Any) -> int:
    """The number of elements that the mask hides."""
    return int(np.ma.count_masked(value))


def _has_items(value: Any) -> bool:
    return hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")


def _gives_memory(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


_TORCH = "torch.utils.data"


class NoUsersData(ValueError):
    """It cannot be read as data; the message is a hint for the user."""


@record
class Begun:
    """An epoch that has begun.

    Attributes:
        items: samples, or batches of them.
        batched: they are batches, since a PyTorch DataLoader makes them.
    """

    items: Iterator[Any]
    batched: bool


class UsersData:
    """A user's data in Python.

    Args:
        source: a data set with `__len__` and `__getitem__`, an iterable that can be iterated over again and again, or a
            function that returns an iterable for each epoch, perhaps of the number of the epoch.

    Attributes:
        indexed: samples have numbers; else they are iterated over.

    Raises:
        NoUsersData: it is none of them.

    >>> UsersData([(1.0, 0), (2.0, 1)]).indexed, next(UsersData(lambda: iter("ab")).begin(0).items)
    (True, 'a')
    """

    def __init__(self, source: Any) -> None:
        _refuse(source)
        self.source = source
        self.indexed = _is_indexed(source)
        self.function: Callable[..., Any] | None = source if not self.indexed and _is_function(source) else None
        self._takes_epoch = self.function is not None and _takes_epoch(self.function)
        self._begun: tuple[int, Begun] | None = None
        self._passes = 0  # over a DataLoader whose workers persist

    def __repr__(self) -> str:
        what = getattr(self.source, "__qualname__", type(self.source).__qualname__)
        return f"<{what}>"

    def begin(self, epoch: int) -> Begun:
        """An epoch; the first call continues the one whose first item first() has returned."""
        begun, self._begun = self._begun, None
        if begun is not None and epoch == 0 and begun[0] == os.getpid():
            return begun[1]
        iterable = self.source if self.function is None else self.function(*[epoch] * self._takes_epoch)
        if _is_indexed(iterable):  # it need not end with an IndexError
            return Begun((iterable[k] for k in range(len(iterable))), False)
        batched = _is_a(iterable, "DataLoader") and getattr(iterable, "batch_sampler", None) is not None
        if _is_a(iterable, "DataLoader") and getattr(iterable, "persistent_workers", False):
            return Begun(self._persistent(iterable), batched)
        return Begun(iter(_checked(iterable)), batched)

    def _persistent(self, loader: Any) -> Iterator[Any]:
        """A pass over a DataLoader whose workers persist. It has one iterator, which serves one pass at a time:
        while that is at work, as when a net is evaluated in the middle of an epoch, another pass has its own."""
        if self._passes:
            loader = copy.copy(loader)
            loader._iterator = None
        self._passes += 1
        try:
            yield from loader
        finally:
            self._passes -= 1

    def first(self) -> tuple[Any, bool]:
        """The first item of epoch 0, and whether it is a batch. begin() returns it again, so that data that
        can be read only once is not lost.

        Raises:
            StopIteration: there is none.
        """
        begun = self.begin(0)
        item = next(begun.items)
        self._begun = os.getpid(), Begun(_again(item, begun.items), begun.batched)
        return item, begun.batched


def _again(item: Any, items: Iterator[Any]) -> Iterator[Any]:
    yield item
    yield from items


def _checked(iterable: Any) -> Any:
    if not hasattr(type(iterable), "__iter__") and not hasattr(type(iterable), "__getitem__"):
        raise TypeError(f"it returned {iterable!r:.60}, which cannot be iterated over; write `yield` for each sample")
    return iterable


def _is_a(value: Any, name: str) -> bool:
    return any(c.__name__ == name and c.__module__.startswith(_TORCH) for c in type(value).__mro__)


def _is_indexed(value: Any) -> bool:
    both = hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")
    return both and not _is_a(value, "IterableDataset") and not _is_a(value, "DataLoader")


def _is_function(value: Any) -> bool:
    return callable(value) and not _is_a(value, "DataLoader")


def _refuse(value: Any) -> None:
    if isinstance(value, (str, bytes, os.PathLike)):
        raise NoUsersData("for files there are ImageFolderLayer(folder=...) and HDF5DataLayer(source=...)")
    if is_array(value) or isinstance(value, Mapping):
        raise NoUsersData("for arrays there is MemoryDataLayer(data=[X, y], batch_size=...)")
    if hasattr(type(value), "__next__"):
        raise NoUsersData("it can be read only once; give the function that makes it: make=samples, not make=samples()")
    if not (_is_indexed(value) or callable(value) or hasattr(type(value), "__iter__")):
        raise NoUsersData("a data set needs __len__ and __getitem__; a function returns an iterable for each epoch")


def _takes_epoch(function: Callable[..., Any]) -> bool:
    """Whether it must be called with one argument.

    Raises:
        NoUsersData: it needs more.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # written in C
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if len(needed) > 1 or any(p.kind is p.KEYWORD_ONLY for p in needed):
        names = ", ".join(p.name for p in needed)
        raise NoUsersData(f"it is called without arguments, or with the number of the epoch, but it needs ({names})")
    return bool(needed)


def columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Container[int] = (), indent: str = "  "
) -> str:
    """Lines of a table, cells padded to their column.

    Args:
        header: titles; empty for none.
        right: columns aligned to the right.

    >>> print(columns(["layer", "bytes"], [["conv1", "80"], ["ip", "2000"]], right=[1]))
      layer  bytes
      conv1     80
      ip      2000
    """
    lines = [list(header), *map(list, rows)] if header else [list(row) for row in rows]
    widths = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))] if lines else []

    def padded(line: list[str]) -> str:
        cells = [t.rjust(w) if c in right else t.ljust(w) for c, (t, w) in enumerate(zip(line, widths, strict=True))]
        return (indent + "  ".join(cells)).rstrip()

    return "\n".join(map(padded, lines))


def fitting(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None,
    spare: Sequence[str],
    right: Container[int] = (),
    indent: str = "  ",
) -> str:
    """A table of at most `width` characters: as `columns`, but if necessary without the `spare` columns, dropped first
    to last, which a line below names, and then with a shorter first column. None: the whole table.

    >>> print(fitting(["kernel", "time", "layers"], [["conv1.filter", "3 us", "conv1"]], 15, ["layers"], indent=""))
    kernel     time
    conv1....  3 us
    (not shown: layers)
    """
    kept = list(range(len(header)))

    def table(lines: Sequence[Sequence[str]]) -> str:
        aligned = {new for new, old in enumerate(kept) if old in right}
        return columns([header[c] for c in kept], [[line[c] for c in kept] for line in lines], aligned, indent)

    def over() -> int:
        return 0 if width is None else max(map(len, table(rows).split("\n"))) - width

    for name in spare:
        if over() > 0:
            kept.remove(header.index(name))
    room = max(8, max((len(row[0]) for row in rows), default=0) - over())
    cut = [row[0] if len(row[0]) <= room else f"{row[0][: room - 3]}..." for row in rows]
    dropped = [name for name in header if header.index(name) not in kept]
    whole = table([[first, *row[1:]] for first, row in zip(cut, rows, strict=True)])
    if not dropped or width is None:
        return whole
    note = f"(not shown: {', '.join(dropped)})"
    return f"{whole}\n{fill(note, max(width, 20), initial_indent=indent, subsequent_indent=indent)}"


def unit(value: float, name: str) -> str:
    """A number with a decimal prefix.

    >>> unit(5_629_888, "B"), unit(640, "B"), unit(0, "flop"), unit(1_049_600_000, "flop")
    ('5.63 MB', '640 B', '0 flop', '1.05 Gflop')
    """
    for power, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= power:
            return f"{value / power:.3g} {prefix}{name}"
    return f"{value:.3g} {name}"


def duration(seconds: float) -> str:
    """Seconds in a readable unit.

    >>> duration(0.0031), duration(2.5), duration(12e-6), duration(-0.002)
    ('3.1 ms', '2.5 s', '12 us', '-2 ms')
    """
    for power, name in ((1.0, "s"), (1e-3, "ms")):
        if abs(seconds) >= power:
            return f"{seconds / power:.3g} {name}"
    return f"{seconds * 1e6:.3g} us"


def durations(low: float, high: float) -> str:
    """A range of seconds, with its unit once where both ends have the same.

    >>> durations(0.0021, 0.0031), durations(12e-6, 0.0031)
    ('2.1-3.1 ms', '12 us - 3.1 ms')
    """
    (first, least), (second, most) = duration(low).split(), duration(high).split()
    return f"{first}-{second} {most}" if least == most else f"{first} {least} - {second} {most}"
