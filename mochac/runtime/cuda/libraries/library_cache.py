"""LibraryCache: the libraries opened on one device and the calls prepared on them, each once.

Compiling asks whether a library has a call; every plan with that call then runs the same one, since finding an engine
takes a few milliseconds. Refusals are kept as well.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import Library, LibraryCall, Prepared


class LibraryCache:
    """Libraries by name, calls by what they compute.

    Args:
        open_library: loads one; what it raises passes through.
    """

    def __init__(self, open_library: Callable[[str], Library]) -> None:
        self._open = open_library
        self._libraries: dict[str, Library] = {}
        self._calls: dict[LibraryCall, Prepared | DeviceError] = {}

    def library(self, name: str) -> Library:
        """The library, opened when it is first asked for."""
        if name not in self._libraries:
            self._libraries[name] = self._open(name)
        return self._libraries[name]

    def prepared(self, call: LibraryCall) -> Prepared:
        """The call, everything chosen.

        Raises:
            DeviceError: the library cannot compute it.
        """
        if call not in self._calls:
            try:
                self._calls[call] = self.library(call.library).prepare(call)
            except DeviceError as error:
                self._calls[call] = error
        found = self._calls[call]
        if isinstance(found, DeviceError):
            raise found
        return found

    def close(self) -> None:
        """Give all handles back."""
        self._calls.clear()
        while self._libraries:
            self._libraries.popitem()[1].close()
