"""What native functions work with: numbers, pointers to typed elements, atomic accesses, and functions of the system.

    def total(counts: Words, n: i64) -> i64:      define internal i64 @total(ptr %counts, i64 %n)
        found = 0
        for k in range(n):
            found += counts[k]
        return found

Numbers are i64, i32, bool and f64; an int literal has the type of what it meets. Pointers are Words (to i64), Ints
(i32), Doubles, Floats, and vectors of these; `pointer[k]` is an element, `Words(x)` makes a pointer of another one or
of an address, and `pointer.at(k)` points to element k. Shifts and comparisons are those of signed numbers; the operands
of // and % are not negative. A local variable keeps one type.

Everything here also works in Python, by ctypes, without regard for speed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

i32 = int
i64 = int
f64 = float

T = TypeVar("T")


class Pointer(Generic[T]):
    """An address with the type of the elements that lie there.

    Attributes:
        dtype: of the numbers, NumPy's name.
        lanes: numbers of an element, which is a vector if they are more than one.
    """

    dtype: ClassVar[str]
    lanes: ClassVar[int] = 1

    def __init__(self, address: int | Pointer[Any]) -> None:
        self.address = address.address if isinstance(address, Pointer) else address

    def __getitem__(self, k: int) -> T:
        found = self._element(k)
        return found.item() if self.lanes == 1 else found.copy()  # type: ignore[return-value]

    def __setitem__(self, k: int, value: T) -> None:
        self._element(k)[...] = value

    def at(self, k: int) -> Self:
        """The pointer to element k."""
        return type(self)(self.address + k * self.n_bytes())

    @classmethod
    def n_bytes(cls) -> int:
        """Size of an element."""
        return np.dtype(cls.dtype).itemsize * cls.lanes

    def _element(self, k: int) -> np.ndarray:
        memory = (ctypes.c_char * self.n_bytes()).from_address(self.address + k * self.n_bytes())
        return np.frombuffer(memoryview(memory), self.dtype).reshape(() if self.lanes == 1 else (self.lanes,))


class Words(Pointer[int]):
    """To i64."""

    dtype = "int64"


class Ints(Pointer[int]):
    """To i32."""

    dtype = "int32"


class Bytes(Pointer[int]):
    """To bytes, for distances."""

    dtype = "int8"


class Floats(Pointer[float]):
    """To f32; elements are read as f64."""

    dtype = "float32"


class Doubles(Pointer[float]):
    """To f64."""

    dtype = "float64"


class FloatVectors(Pointer[Any]):
    """To vectors of 16 floats, which need not be aligned."""

    dtype, lanes = "float32", 16


class DoubleVectors(Pointer[Any]):
    """To vectors of 8 doubles, which need not be aligned."""

    dtype, lanes = "float64", 8


AnyPointer = Pointer[Any]
Integers = Words | Ints


def load(word: Integers, order: str) -> int:
    """Read a word atomically; order is "monotonic", "acquire" or "seq_cst"."""
    del order  # Python's are all sequentially consistent
    return word[0]


def store(word: Integers, value: int, order: str) -> None:
    """Write a word atomically; order is "monotonic" or "release"."""
    del order
    word[0] = value


def fetch_add(word: Integers, value: int, order: str) -> int:
    """Add to a word atomically; what it was before."""
    del order
    before = word[0]
    word[0] = before + value
    return before


def exchange_if(word: Integers, old: int, new: int, order: str) -> bool:
    """Write `new` if the word is `old`, atomically; whether it was. The order of a failure is monotonic."""
    del order
    if word[0] != old:
        return False
    word[0] = new
    return True


def prefetch(place: AnyPointer) -> None:
    """Fetch the cache line of a place towards L2, to be read."""
    del place


def copy(to: AnyPointer, source: AnyPointer, n_bytes: int) -> None:
    """Copy memory that does not overlap."""
    ctypes.memmove(to.address, source.address, n_bytes)


def call_at(function: int, *arguments: int | AnyPointer) -> None:
    """Call the function at an address, which returns nothing."""
    _called(None, function, arguments)


def call_i32_at(function: int, *arguments: int | AnyPointer) -> int:
    """Call the function at an address, which returns an i32."""
    return _called(ctypes.c_int32, function, arguments)


def _called(result: Any, function: int, arguments: tuple[int | AnyPointer, ...]) -> Any:
    types = [ctypes.c_void_p if isinstance(a, Pointer) else ctypes.c_int64 for a in arguments]
    values = [a.address if isinstance(a, Pointer) else a for a in arguments]
    return ctypes.CFUNCTYPE(result, *types)(function)(*values)


def stack(kind: Callable[[int], T], n: int) -> T:
    """Room for n elements on the stack of the function; n is a literal."""
    pointer: Any = kind
    memory = ctypes.create_string_buffer(n * pointer.n_bytes())
    result = pointer(ctypes.addressof(memory))
    result.memory = memory
    return result
