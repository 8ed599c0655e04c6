"""ManagedArray: an array that plans update in place, of which a device may hold a newer copy.

Parameters and solver slots are ManagedArray. Who reads gets the newest values, who may write makes the copies elsewhere
stale; a plan on a device brings its copy up to date before it runs. It knows no device.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np


class DeviceCopy(Protocol):
    """The array's values on one device.

    Attributes:
        newer: a plan wrote there; the array and the other copies are behind.
        stale: somebody else wrote; to be sent there again before it is used.
    """

    newer: bool
    stale: bool

    def download(self, array: np.ndarray) -> None:
        """Write the values into `array`."""
        ...


class ManagedArray:
    """An array at a fixed address and its copies on devices: at most one of them is newer than the array.

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
        """The array itself, for writing too."""
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
        """The newest values for a look at them: a copy where a device has them, which goes on having them."""
        for copy in self.copies:
            if copy.newer:
                found = np.empty_like(self._array)
                copy.download(found)
                return found
        return self._array

    def fetch(self) -> None:
        """Bring the array up to date."""
        for copy in self.copies:
            if copy.newer:
                copy.download(self._array)
                copy.newer = False

    def written(self, by: DeviceCopy) -> None:
        """A plan wrote new values into a copy."""
        for copy in self.copies:
            copy.newer, copy.stale = copy is by, copy is not by
