"""HDF5 files written in pieces, since they may not fit into memory: those of HDF5OutputLayer and of image lists.

After a full disk HDF5 can neither write nor close a file. It therefore writes through a file object that keeps the
first error and ignores later writes.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mochac.base.files.atomic import TempFile, try_lock

_PAGE = 4096


class Hdf5Stream:
    """A new HDF5 file at `path`; with `append`, the existing file, to which data is added.

    finish() completes the file; discard() leaves everything as it was. Until then a new file is a TempFile, and changes
    to the existing bytes of an older file stay in memory (HDF5 writes new rows after its end).

    Attributes:
        file: the open h5py.File.

    Raises:
        OSError: the file cannot be written, or another process has it open.
    """

    def __init__(self, path: Path, append: bool = False) -> None:
        import h5py

        self._temp = None if append else TempFile(path)
        self._raw = _to_append(path) if self._temp is None else self._temp.file
        self._kept = os.fstat(self._raw.fileno()).st_size
        self._guard = _Guard(self._raw.fileno(), self._kept)
        try:
            self.file: Any = h5py.File(self._guard, "r+" if append else "w")
        except BaseException:
            self._undo()
            raise

    def check(self) -> None:
        """Raise the OSError of the first write that failed."""
        if self._guard.error is not None:
            raise self._guard.error

    def finish(self) -> None:
        """Close the file and move it into place; raises OSError, after which the file is discarded."""
        try:
            self.file.close()
            self.check()
            if self._temp is None:
                self._guard.commit()
                self._raw.close()
            else:
                self._temp.finish()
        except BaseException:
            self._undo()
            raise

    def discard(self) -> None:
        """Close the file and drop it."""
        try:
            self.file.close()
        except (OSError, RuntimeError):  # it cannot read back what was not written
            pass
        self._undo()

    def _undo(self) -> None:
        if self._temp is not None:
            self._temp.discard()
        elif not self._raw.closed:
            with suppress(OSError):  # HDF5 ignores bytes after the end that it has recorded
                os.ftruncate(self._raw.fileno(), self._kept)
            with suppress(OSError):
                self._raw.close()


class _Guard(io.RawIOBase):
    """An open file, for HDF5: writes below `kept` stay in memory until commit(), and no write raises.

    Attributes:
        error: of the first write that failed; later ones are not tried.
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
        """Fill the buffer; past the end of the file there are zeros."""
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
        n_kept = max(0, min(self._kept - at, count))
        self._hold(at, view[:n_kept])
        try:
            if self.error is None:
                _write_at(self._descriptor, view[n_kept:], at + n_kept)
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
        """Write what has stayed in memory, once everything else is on disk. If that fails, restore the old bytes if
        possible, and raise OSError."""
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
