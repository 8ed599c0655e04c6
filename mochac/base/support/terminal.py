"""Text for terminals, fitted to their width, with rich's bars and colours where rich is installed.

Where output is not a terminal (a pipe, a file, a log of CI), `columns_of` is None and callers write plain text.
"""

from __future__ import annotations

import importlib.util
import io
import shutil
import sys
import textwrap
from functools import cache
from typing import Any, TextIO


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
