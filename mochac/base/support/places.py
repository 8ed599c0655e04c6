"""Places in the code of users: where it made something, and where it failed."""

from __future__ import annotations

import os
from traceback import walk_tb


def is_ours(module: str) -> bool:
    """Whether a module is mochac's."""
    return module.partition(".")[0] == "mochac"


INSTALLED = f"{os.sep}site-packages{os.sep}"
"""Part of the paths of installed libraries."""


def authors_line(error: BaseException | None, installed: bool = True) -> tuple[str, int]:
    """File and line of the innermost code of a user in a traceback; ("", 0) if there is none.

    Args:
        installed: if there is no other, the innermost line of an installed library.
    """
    trace = error.__traceback__ if error else None
    found = [(f, line) for f, line in walk_tb(trace) if not is_ours(f.f_globals.get("__name__", ""))]
    frames = [(f, line) for f, line in found if INSTALLED not in f.f_code.co_filename]
    frames = frames or (found if installed else [])
    return (short_path(frames[-1][0].f_code.co_filename), frames[-1][1]) if frames else ("", 0)


def at(origin: tuple[str, int]) -> str:
    """ "file:line", or "" for an unknown place."""
    return f"{origin[0]}:{origin[1]}" if origin[0] else ""


def short_path(file: str) -> str:
    """A path relative to the current folder if it is inside, else unchanged."""
    if file.startswith("<"):
        return file
    try:
        inside = os.path.relpath(file)
    except (ValueError, OSError):  # another drive, or the current folder was removed
        return file
    return file if inside.startswith("..") else inside
