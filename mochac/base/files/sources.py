"""What generated code depends on, as text for cache keys: contents of the package's files, and versions.

It is part of the key of every plan, search result and native function. Modification times do not count, because a
checkout, a copy or an archive may restore them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from mochac import __version__
from mochac.base.files.cache import digest

PACKAGE = Path(__file__).resolve().parents[2]
ENDINGS = (".py", ".j2")
NO_SOURCES = "__pycache__"
GENERATE = ("base", "codegen", "ir", "lowering", "runtime", "templates")
"""Folders that turn graphs into code. The others write the graph, whose text is in a plan's key, or use its plan."""
NO_CODE = ("base/drawing", "base/hints", "templates/report")


@cache
def generator() -> tuple[str, ...]:
    """Versions of mochac and NumPy (which folds constants), and a hash of the files that turn graphs into code.

    Read once per process, since loaded code does not change. It takes 8 ms for 350 files in the page cache (Zen 5).
    """
    return (__version__, np.__version__, contents(PACKAGE))


def contents(package: Path) -> str:
    """A hash of the names and bytes of a package's Python files and templates in GENERATE, but not in NO_CODE."""
    parts: list[str | bytes] = []
    without = {f"{package}/{folder}" for folder in NO_CODE}
    for path in sorted(path for folder in GENERATE for path in _files(f"{package}/{folder}", without)):
        with open(path, "rb", buffering=0) as file:
            parts += [path[len(str(package)) :], file.readall()]
    return digest(*parts)


def _files(folder: str, without: set[str]) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ENDINGS):
                yield entry.path
            elif entry.name != NO_SOURCES and entry.path not in without and entry.is_dir():
                yield from _files(entry.path, without)
