"""Reading files of unknown origin; used by all readers of files.

A file is checked before it is opened (regular, not larger than memory), and whatever exception a library raises becomes
a `Fault`, from which the reader makes its own error.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mochac.base.errors import MochacError, OptionError
from mochac.base.records import record
from mochac.base.support.memory import fits

TEXT_BYTES = 64 << 20
"""Size limit of text files: lists, prototxt, dumps."""

NOT_TEXT = "it is not text"

DEFLATE_RATIO = 1032
"""Best compression that deflate reaches (zlib's technical notes, "Maximum Compression Factor")."""


@record
class Fault:
    """What is wrong with a file.

    Attributes:
        reason: in a few words.
        place: where in the file, such as "dataset 'mean'"; "" for the file as a whole.
        missing: whether there is no such file.
        elsewhere: the data at `place` is in another file, which is not opened.
    """

    reason: str
    place: str = ""
    missing: bool = False
    elsewhere: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}" if self.place else self.reason


Refuse = Callable[[Fault], MochacError]
"""A reader's own error for a fault, naming the file."""


@contextmanager
def guarded(refuse: Refuse, place: str = "") -> Iterator[None]:
    """Turns any exception inside the context, except mochac's own, into refuse(fault).

    Libraries raise nearly every kind of exception for damaged files. A MemoryError stays the cause of the error: the
    file may be whole.
    """
    try:
        yield
    except MochacError:
        raise
    except Exception as error:
        cause = error if isinstance(error, MemoryError) else None
        raise refuse(Fault(reason_of(error), place, isinstance(error, FileNotFoundError))) from cause


def reason_of(error: Exception) -> str:
    """The message of an exception, in one line of at most 300 characters.

    >>> reason_of(KeyError("no  such\\nlink")), reason_of(MemoryError()), reason_of(OSError(2, "No such file"))
    ('no such link', 'not enough memory', 'No such file')
    """
    if isinstance(error, MemoryError):
        return "not enough memory"
    text = (error.strerror if isinstance(error, OSError) else None) or str(error.args[0] if error.args else error)
    return " ".join(text.split())[:300] or type(error).__name__


def regular_size(path: str | os.PathLike[str]) -> int:
    """The size of a regular file, bytes. Devices and pipes are refused, since reading them might never end.

    Raises:
        OSError: no such file, not a regular file, or not a legal name.
    """
    try:
        status = os.stat(path)
    except ValueError:  # a null character, half a surrogate pair
        raise OSError(errno.EINVAL, "no file can have this name") from None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "Is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return status.st_size


def read_bytes(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """The content of a regular file.

    Args:
        most: size limit, bytes.

    Raises:
        OSError: as regular_size, or it is larger than `most`. MemoryError: it does not fit into memory.
    """
    size = regular_size(path)
    if most is not None and size > most:
        raise OSError(errno.EFBIG, f"it has {size:,} bytes, at most {most:,} are read")
    if not fits(size):
        raise MemoryError
    with open(path, "rb") as file:
        return file.read(size)


def read_text(path: str | os.PathLike[str]) -> str:
    """The content of a UTF-8 text file of at most TEXT_BYTES, with "\\n" as line ends.

    Raises:
        OSError: as read_bytes. ValueError: it is not text.
    """
    return as_text(read_bytes(path, TEXT_BYTES))


def text_of(path: str | os.PathLike[str]) -> str:
    """`read_text` of a file that the user has named; OptionError if it cannot be read."""
    with guarded(lambda fault: OptionError(f"{os.fspath(path)} cannot be read", got=fault.reason)):
        return read_text(path)


def as_text(content: bytes) -> str:
    """UTF-8 text, line ends as "\\n"; raises ValueError for anything else.

    >>> as_text(b"a\\r\\nb")
    'a\\nb'
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(NOT_TEXT) from None
    if "\0" in text:
        raise ValueError(NOT_TEXT)
    return text.replace("\r\n", "\n").replace("\r", "\n")
