"""The one logger, "mochac", and its format: Mocha's `[date | level | name]: message` lines on standard output.

Everything that tells the user something during a run logs here. A program that has configured logging keeps its own
handlers; the handler here is added only where there is none.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable

LOG = logging.getLogger("mochac")
"""The logger: LOG.info, LOG.warning."""
_told: set[str] = set()

BEFORE_LINE: list[Callable[[], None]] = []
"""Called before a line is printed: a progress bar clears itself."""


class _StdoutHandler(logging.Handler):
    """Writes to whatever sys.stdout is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(record.created))
        level = {"WARNING": "warn"}.get(record.levelname, record.levelname.lower())
        for before in BEFORE_LINE:
            before()
        print(f"[{when} | {level} | {record.name}]: {record.getMessage()}", file=sys.stdout, flush=True)


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


def tell_once(words: str, level: int = logging.INFO) -> None:
    """Log a line that a process says no second time."""
    if words not in _told:
        _told.add(words)
        if level >= logging.INFO:
            ensure_handler()
        LOG.log(level, "%s", words)
