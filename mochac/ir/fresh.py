"""Names that nothing has yet, for values, loops and buffers."""

from __future__ import annotations

from collections.abc import Container


def fresh(stem: str, taken: Container[str]) -> str:
    """`stem`, or the first unused name of stem.1, stem.2, ...

    >>> fresh("x", {"y"}), fresh("x", {"x", "x.1"})
    ('x', 'x.2')
    """
    name, n = stem, 0
    while name in taken:
        n += 1
        name = f"{stem}.{n}"
    return name


def claimed(stem: str, taken: set[str]) -> str:
    """A fresh name, which is taken from now on."""
    name = fresh(stem, taken)
    taken.add(name)
    return name
