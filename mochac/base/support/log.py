"""The logger, "mochac", and its format: Mocha's `[date | level | name]: message` lines on standard output; on a
terminal, the time and the message, folded to its width.

A program that has configured logging keeps its own handlers; the handler here is added only if there is none.
"""

from __future__ import annotations

import errno
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mochac.base.escaping import visible
from mochac.base.support.terminal import columns_of, folded, painted

LOG = logging.getLogger("mochac")
"""The logger: LOG.info, LOG.warning."""


def _visible(record: logging.LogRecord) -> bool:
    """Escape characters that are not printable, for all handlers: messages contain names from users and files."""
    said = record.getMessage()
    shown = visible(said, keep="\n\t")
    if shown != said:
        record.msg, record.args = shown, ()
    return True


LOG.addFilter(_visible)
_told: set[str] = set()

BEFORE_LINE: list[Callable[[], None]] = []
"""Called before a line is printed, so that a progress bar can clear itself."""


class _StdoutHandler(logging.Handler):
    """Writes to whatever sys.stdout is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        width = columns_of()
        line = _plain(record) if width is None else _fitted(record, width)
        for before in BEFORE_LINE:
            before()
        try:
            print(line, file=sys.stdout, flush=True)
        except OSError as error:
            if error.errno != errno.EIO:  # the terminal is gone; what is running continues without it
                raise


def _plain(record: logging.LogRecord) -> str:
    """A line in Mocha's format."""
    when = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(record.created))
    level = {"WARNING": "warn"}.get(record.levelname, record.levelname.lower())
    return f"[{when} | {level} | {record.name}]: {record.getMessage()}"


def _fitted(record: logging.LogRecord, width: int) -> str:
    """A line for a terminal: the time of day, then the message, folded to the width."""
    when = time.strftime("%H:%M:%S", time.localtime(record.created))
    level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
    first, *rest = folded(f"{when} {level}{record.getMessage().lstrip()}", width, 9).split("\n")
    style = "yellow" if record.levelno >= logging.WARNING else ""
    words = "\n".join([first.removeprefix(when), *rest])
    return painted(when, "dim") + (painted(words, style) if style else words)


def ensure_handler() -> None:
    """Let info lines reach standard output unless the user's program has configured logging.

    >>> import logging
    >>> ensure_handler()
    >>> logging.getLogger("mochac").isEnabledFor(logging.INFO)
    True
    """
    if LOG.level == logging.NOTSET:
        LOG.setLevel(logging.INFO)
    if not LOG.hasHandlers():
        LOG.addHandler(_StdoutHandler())


class _Thread(threading.local):
    """The lowest level that the current thread logs."""

    least = logging.NOTSET


_thread, _process = _Thread(), list[int]()


def _is_logged(record: logging.LogRecord) -> bool:
    return record.levelno >= max(_thread.least, *_process, 0)


LOG.addFilter(_is_logged)


@contextmanager
def quiet(silent: bool = True, least: int = logging.WARNING) -> Iterator[None]:
    """Log nothing below the level `least` in this thread inside the context, if `silent`."""
    before = _thread.least
    if silent:
        _thread.least = max(before, least)
    try:
        yield
    finally:
        _thread.least = before


@contextmanager
def quiet_process(silent: bool = True) -> Iterator[None]:
    """Log only errors inside the context, in all threads, if `silent`."""
    least = [logging.ERROR] if silent else []
    _process.extend(least)
    try:
        yield
    finally:
        for level in least:
            _process.remove(level)


def one_line(error: BaseException) -> str:
    """An error in one line for the log, without its hint; its class if it has no message.

    >>> one_line(ValueError("cannot write a.h5\\n  got  No space left\\n  hint: another disk"))
    'cannot write a.h5; got No space left'
    >>> one_line(KeyboardInterrupt())
    'KeyboardInterrupt'
    """
    facts = [" ".join(line.split()) for line in str(error).splitlines() if not line.startswith("  hint:")]
    return "; ".join(facts) or type(error).__name__


def tell_once(words: str, level: int = logging.INFO) -> None:
    """Log a line, at most once per process."""
    if words not in _told:
        _told.add(words)
        if level >= logging.INFO:
            ensure_handler()
        LOG.log(level, "%s", words)
