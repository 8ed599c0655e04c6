"""HDF5 files that are written bit by bit, too large to compose in memory: what HDF5OutputLayer and image lists write.

HDF5 itself never meets a full disk, after which it can neither write nor close: it writes through a file object that
keeps the first error and swallows what follows. It knows nothing of what is written.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mochac.runtime.files.file_lock import try_lock
from mochac.runtime.files.part import Part

_PAGE = 4096


class Hdf5Stream:
    """A new HDF5 file in the place of `path`, or with `append` more of the file that is there.

    Either finish() completes it or discard() leaves the place as it was: a new file is a part until then, and what
    changes in an older one is held back in memory (HDF5 puts new rows behind it).

    Attributes:
        file: the open h5py.File.

    Raises:
        OSError: the folder or disk refuses, or somebody has the file open.
    """

    def __init__(self, path: Path, append: bool = False) -> None:
        import h5py

        self._part = None if append else Part(path)
        self._raw = _to_append(path) if self._part is None else self._part.file
        self._kept = os.fstat(self._raw.fileno()).st_size
        self._guard = _Guard(self._raw.fileno(), self._kept)
        try:
            self.file: Any = h5py.File(self._guard, "r+" if append else "w")
        except BaseException:
            self._undo()
            raise

    def check(self) -> None:
        """Raise the OSError that a write met since the file was opened."""
        if self._guard.error is not None:
            raise self._guard.error

    def finish(self) -> None:
        """Close the file and put it in its place; raises OSError, after which it is as if it had been discarded."""
        try:
            self.file.close()
            self.check()
            if self._part is None:
                self._guard.commit()
                self._raw.close()
            else:
                self._part.finish()
        except BaseException:
            self._undo()
            raise

    def discard(self) -> None:
        """Close the file and forget it."""
        try:
            self.file.close()
        except (OSError, RuntimeError):  # it misses what it has written
            pass
        self._undo()

    def _undo(self) -> None:
        if self._part is not None:
            self._part.discard()
        elif not self._raw.closed:
            os.ftruncate(self._raw.fileno(), self._kept)
            self._raw.close()


class _Guard(io.RawIOBase):
    """An open file, for HDF5: writes below `kept` wait in memory for commit(), and no write fails.

    Attributes:
        error: what the first write that did not succeed met; later ones are not tried.
    """

    def __init__(self, descriptor: int, kept: int) -> None:
        self.error: OSError | None = None
        self._descriptor, self._kept, self._at = descriptor, kept, 0
        self._pages: dict[int, bytearray] = {}

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        ends = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: os.fstat(self._descriptor).st_size}
        self._at = ends[whence] + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        """All of the buffer; there are zeros behind the file's end."""
        view = memoryview(buffer).cast("B")
        content = os.pread(self._descriptor, len(view), self._at)
        view[:] = content + bytes(len(view) - len(content))
        first, last = self._at, self._at + len(view)
        for page in range(first // _PAGE, -(-min(last, self._kept) // _PAGE)):
            if page in self._pages:
                low, high = max(first, page * _PAGE), min(last, (page + 1) * _PAGE, self._kept)
                view[low - first : high - first] = self._pages[page][low - page * _PAGE : high - page * _PAGE]
        self._at = last
        return len(view)

    def write(self, content: Any) -> int:
        view = memoryview(content).cast("B")
        count, at = len(view), self._at
        self._at += count
        held = max(0, min(self._kept - at, count))
        self._hold(at, view[:held])
        try:
            if self.error is None:
                _write_at(self._descriptor, view[held:], at + held)
        except OSError as error:
            self.error = error
        return count

    def truncate(self, size: int | None = None) -> int:
        size = self._at if size is None else size
        try:
            os.ftruncate(self._descriptor, max(size, self._kept))
        except OSError as error:
            self.error = self.error or error
        return size

    def commit(self) -> None:
        """Write down what waits, when everything else is on disk; raises OSError, with what was there back in place
        where the disk lets it."""
        os.fsync(self._descriptor)
        before = {page: os.pread(self._descriptor, _PAGE, page * _PAGE) for page in self._pages}
        try:
            self._write_pages(self._pages)
            os.fsync(self._descriptor)
        except OSError:
            with suppress(OSError):
                self._write_pages(before)
            raise

    def _write_pages(self, pages: Mapping[int, bytes | bytearray]) -> None:
        for page, content in sorted(pages.items()):
            _write_at(self._descriptor, memoryview(content)[: self._kept - page * _PAGE], page * _PAGE)

    def _hold(self, at: int, view: memoryview) -> None:
        while view:
            page, start = divmod(at, _PAGE)
            if page not in self._pages:
                content = os.pread(self._descriptor, _PAGE, page * _PAGE)
                self._pages[page] = bytearray(content + bytes(_PAGE - len(content)))
            size = min(len(view), _PAGE - start)
            self._pages[page][start : start + size] = view[:size]
            view, at = view[size:], at + size


def _to_append(path: Path) -> io.FileIO:
    file = open(path, "r+b", buffering=0)
    if try_lock(file.fileno(), exclusive=True) is False:
        file.close()
        raise OSError("it is open elsewhere")
    return file


def _write_at(descriptor: int, view: memoryview, at: int) -> None:
    while view:
        written = os.pwrite(descriptor, view, at)
        view, at = view[written:], at + written
