"""LibraryCache: the libraries opened on one device and the calls prepared on them, each once.

Compilation asks whether a call is supported, and all plans share the prepared call: choosing an engine takes a few
milliseconds, once per process. Refusals are kept, too.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import Library, LibraryCall, Prepared


class LibraryCache:
    """Libraries by name, calls by what they compute.

    Args:
        open_library: loads a library; its errors are passed on.
    """

    def __init__(self, open_library: Callable[[str], Library]) -> None:
        self._open = open_library
        self._libraries: dict[str, Library] = {}
        self._calls: dict[LibraryCall, Prepared | DeviceError] = {}

    def library(self, name: str) -> Library:
        """The library, opened when first needed."""
        if name not in self._libraries:
            self._libraries[name] = self._open(name)
        return self._libraries[name]

    def prepared(self, call: LibraryCall) -> Prepared:
        """The prepared call.

        Raises:
            DeviceError: the library does not support it.
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
        """Close all libraries."""
        self._calls.clear()
        while self._libraries:
            self._libraries.popitem()[1].close()
