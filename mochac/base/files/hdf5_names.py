"""Names of arrays in HDF5 files, where "/" separates groups, "." is the group itself, and "" is nothing.

Names are written unchanged if they can be read back, as tools of Mocha and Caffe expect: `inception_3a/1x1___weight` is
a dataset in a group. If one of a file's names cannot, all of them are escaped, and the file has the attribute ESCAPED.
Hdf5File reads both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mochac.base.escaping import quoted

ESCAPED = "mochac_escaped_names"


def naming(file: Any, names: Iterable[str], groups: Iterable[str] = ()) -> Callable[[str], str]:
    """A function from each of these names to its place in a new file.

    Args:
        file: the open h5py.File; gets the attribute ESCAPED if the names are escaped.
        groups: top-level groups of the file that are reserved for other arrays.
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
