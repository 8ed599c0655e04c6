"""Libcuda: functions of the driver's library that the packages lack, called by ctypes."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int
from typing import Self

from mochac.runtime.cuda.driver import DeviceError


class Libcuda:
    """Some functions of libcuda; a subclass names them and calls them. Raises DeviceError.

    Attributes:
        needs: the functions.
    """

    needs: tuple[str, ...] = ()

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.cuGetErrorString.argtypes = [c_int, ctypes.POINTER(c_char_p)]

    @classmethod
    def load(cls) -> Self | None:
        """The functions, or None if libcuda is absent or too old."""
        try:
            library = ctypes.CDLL("libcuda.so.1")
            for name in cls.needs:
                getattr(library, name)
        except (OSError, AttributeError):
            return None
        return cls(library)

    def call(self, name: str, *args: object) -> None:
        """Call a function and check its status."""
        status = getattr(self._library, name)(*args)
        if status:
            text = c_char_p()
            self._library.cuGetErrorString(status, byref(text))
            raise DeviceError(f"{name}: {(text.value or b'').decode() or f'error {status}'}")
