"""Names of arrays in HDF5 files, where "/" separates groups, "." is the group itself, and "" is nothing.

Where that is exact, files hold names as they are, as tools of Mocha and Caffe expect: `inception_3a/1x1___weight` is a
dataset in a group. If a file cannot hold one of its names so, all of them are escaped, and the attribute ESCAPED says
so; Hdf5File reads both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mochac.escaping import quoted

ESCAPED = "mochac_escaped_names"


def naming(file: Any, names: Iterable[str], groups: Iterable[str] = ()) -> Callable[[str], str]:
    """How a new file holds these names: a function from name to place.

    Args:
        file: the open h5py.File, which is marked if the names are escaped.
        groups: of the file, which no name may lead into.
    """
    if is_exact(list(names), groups):
        return str
    file.attrs[ESCAPED] = 1
    return quoted


def is_exact(names: list[str], groups: Iterable[str] = ()) -> bool:
    """Whether every name, as a path, is a dataset of its own.

    >>> is_exact(["conv/1x1___weight", "ip___bias"]), is_exact(["a//b"]), is_exact(["a", "a/b"]), is_exact(["g/x"], "g")
    (True, False, False, False)
    """
    leaves = set(names)
    inner = {"/".join(parts[:k]) for parts in (name.split("/") for name in names) for k in range(1, len(parts))}
    parts = {part for name in names for part in name.split("/")}
    return not (leaves & inner or parts & {"", "."} or (leaves | inner) & {*groups})
