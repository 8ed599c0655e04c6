"""ManagedArray: an array that plans update in place, and of which a device may hold a newer copy.

Parameters and solver slots are managed arrays. Reading one gives the newest values; asking for write access makes the
copies on devices stale. A plan on a device updates its copy before it runs.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np


class DeviceCopy(Protocol):
    """The array's values on one device.

    Attributes:
        newer: a plan has written to it; the array and other copies are out of date.
        stale: it is out of date, and is sent to the device again before it is used.
        lent: other code has its address, and may write there at any time.
        address, ordinal: where it is, and the number of the device.
    """

    newer: bool
    stale: bool
    lent: bool
    address: int
    ordinal: int

    def download(self, array: np.ndarray) -> None:
        """Write the values into `array`."""
        ...

    def bring(self, *, wait: bool) -> None:
        """Bring it up to date; `wait` until what writes to it is done."""
        ...

    def hold(self) -> object:
        """Keep its memory as long as the returned object lives."""
        ...


class ManagedArray:
    """An array at a fixed address and its copies on devices, at most one of which is newer than the array.

    >>> s = ManagedArray(np.zeros(2))
    >>> s.storage[0] = 3
    >>> s.values.tolist()
    [3.0, 0.0]
    """

    __slots__ = ("_array", "copies")

    def __init__(self, array: np.ndarray) -> None:
        self._array = array
        self.copies: list[DeviceCopy] = []

    @property
    def storage(self) -> np.ndarray:
        """The array itself, for reading and writing."""
        if self.copies:
            self.fetch()
            for copy in self.copies:
                copy.stale = True
        return self._array

    @property
    def values(self) -> np.ndarray:
        """The array itself, for reading only."""
        if self.copies:
            self.fetch()
        return self._array

    def peek(self) -> np.ndarray:
        """The newest values, for reading only; values that are on a device stay the newest there."""
        for copy in self.copies:
            if _newest(copy):
                values = np.empty_like(self._array)
                copy.download(values)
                return values
        return self._array

    def fetch(self) -> None:
        """Bring the array up to date."""
        for copy in self.copies:
            if _newest(copy):
                copy.download(self._array)
                copy.newer = False

    def lend(self, *, wait: bool = True) -> DeviceCopy | None:
        """The copy on the first device that has one, to which other code may write from now on; None if no device has a
        copy."""
        if not self.copies:
            return None
        copy = self.copies[0]
        if not copy.newer:
            self.fetch()
        copy.bring(wait=wait)
        copy.lent = True
        self.written(copy)
        return copy

    def written(self, by: DeviceCopy) -> None:
        """Note that a plan has written new values to a copy."""
        for copy in self.copies:
            copy.newer, copy.stale = copy is by, copy is not by


def _newest(copy: DeviceCopy) -> bool:
    """Whether a copy may differ from the array."""
    return copy.newer or (copy.lent and not copy.stale)
