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
    """

    newer: bool
    stale: bool

    def download(self, array: np.ndarray) -> None:
        """Write the values into `array`."""
        ...

    def lend(self) -> int:
        """Bring it up to date; returns its address, at which other code may write too."""
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
            if copy.newer:
                values = np.empty_like(self._array)
                copy.download(values)
                return values
        return self._array

    def fetch(self) -> None:
        """Bring the array up to date."""
        for copy in self.copies:
            if copy.newer:
                copy.download(self._array)
                copy.newer = False

    def lend(self) -> int:
        """The address of the first device's copy, which is the newest from now on; 0 if no device has one."""
        if not self.copies:
            return 0
        copy = self.copies[0]
        if not copy.newer:
            self.fetch()
        address = copy.lend()
        self.written(copy)
        return address

    def written(self, by: DeviceCopy) -> None:
        """A plan has written new values to a copy."""
        for copy in self.copies:
            copy.newer, copy.stale = copy is by, copy is not by
