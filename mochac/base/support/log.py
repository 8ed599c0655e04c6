"""Messages to users: the logger "mochac", and text fitted to a terminal, a notebook or a log.

Log lines have Mocha's format, `[date | level | name]: message`, on standard output; on a terminal, the time and the
message, folded to its width. A program that has configured logging keeps its own handlers; ours is added only if there
is none. Bars and colours are rich's, where it is installed. If the output is not a terminal (a pipe, a file, a CI log),
`columns_of` returns None and callers write plain text.
"""

from __future__ import annotations

import errno
import importlib.util
import io
import logging
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TextIO

from mochac.base.escaping import visible


def columns_of(stream: TextIO | None = None) -> int | None:
    """Width of the terminal to which `stream` (sys.stdout by default) writes; None if it writes elsewhere."""
    stream = sys.stdout if stream is None else stream
    try:
        return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else None
    except (AttributeError, ValueError):  # an object in place of a stream; a closed stream
        return None


def folded(text: str, width: int | None, indent: int = 4) -> str:
    """Lines cut at spaces to `width`; the rest of a line is indented by `indent` more than the line. None: no cuts.

    >>> print(folded("  a line of words\\nshort", 11, 2))
      a line of
        words
    short
    """
    return text if width is None else "\n".join(_fold(line, width, indent) for line in text.split("\n"))


def _fold(line: str, width: int, indent: int) -> str:
    if len(line) <= width:
        return line
    own = line[: len(line) - len(line.lstrip())]
    parts = textwrap.wrap(
        line.lstrip(), max(width, len(own) + indent + 10), initial_indent=own, subsequent_indent=own + " " * indent,
        break_long_words=False, break_on_hyphens=False, drop_whitespace=True,
    )  # fmt: skip
    return "\n".join(parts)


def bar(done: float, room: int, encoding: str | None = "utf-8") -> str:
    """A bar of `room` columns, of which the share `done` is full; plain unless `encoding` has rich's characters.

    >>> bar(0.5, 12, encoding="ascii")
    '[#####.....]'
    """
    done = min(max(done, 0.0), 1.0)
    if not has_rich() or not (encoding or "utf").lower().startswith("utf"):
        full = int((room - 2) * done)
        return f"[{'#' * full}{'.' * (room - 2 - full)}]"
    from rich.progress_bar import ProgressBar  # pyright: ignore[reportUnknownVariableType]

    return _rendered(ProgressBar(total=1.0, completed=done, width=room))


def painted(text: str, style: str) -> str:
    """Text in one of rich's styles, such as "yellow" or "dim"; plain without rich."""
    if not has_rich():
        return text
    from rich.text import Text  # pyright: ignore[reportUnknownVariableType]

    return _rendered(Text(text, style=style, overflow="ignore", no_wrap=True))


@cache
def has_rich() -> bool:
    """Whether rich is installed."""
    return importlib.util.find_spec("rich") is not None


def _rendered(what: Any) -> str:
    """What rich draws, as text with the terminal's codes. Rich looks at NO_COLOR and TERM."""
    from rich.console import Console  # pyright: ignore[reportUnknownVariableType]

    console: Any = Console(file=io.StringIO(), force_terminal=True, width=10_000, legacy_windows=False)
    console.print(what, end="", soft_wrap=True)
    return console.file.getvalue()


class NotebookOutput:
    """An output of the running cell, replaced by every `show`.

    Args:
        display: IPython's function of that name.
    """

    def __init__(self, display: Any) -> None:
        self._display = display
        self._handle: Any = None

    def show(self, html: str) -> None:
        """Show HTML in place of what was shown before."""
        data = {"text/html": html, "text/plain": ""}
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def notebook_output() -> NotebookOutput | None:
    """An output of the running cell; None outside of a notebook."""
    ipython = sys.modules.get("IPython")  # a notebook has imported it
    shell = ipython and ipython.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # pyright: ignore[reportUnknownVariableType]

    return NotebookOutput(display)


LOG = logging.getLogger("mochac")
"""The logger: LOG.info, LOG.warning."""


def _visible(record: logging.LogRecord) -> bool:
    """Escape characters that are not printable, for all handlers: messages contain names from users and files."""
    text = record.getMessage()
    shown = visible(text, keep="\n\t")
    if shown != text:
        record.msg, record.args = shown, ()
    return True


LOG.addFilter(_visible)
_logged_lines: set[str] = set()

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
    if words not in _logged_lines:
        _logged_lines.add(words)
        if level >= logging.INFO:
            ensure_handler()
        LOG.log(level, "%s", words)
