"""What depends on what: what is reached from where, orders, and levels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeVar

T = TypeVar("T")


def reached(starts: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """The starts, and all that follows them, directly or not.

    Args:
        after: what directly follows one.

    >>> reached([5], lambda n: [n // 2] if n else [])
    {0, 1, 2, 5}
    """
    found = set(starts)
    waiting = list(found)
    while waiting:
        more = set(after(waiting.pop())) - found
        found |= more
        waiting += more
    return found


def in_order(needs: Mapping[T, Collection[T]]) -> list[T]:
    """The keys, each behind those that it needs; of those that can be next, the first in the mapping is.

    Raises:
        ValueError: some need each other in a cycle.

    >>> in_order({"a": ["c"], "b": [], "c": []})
    ['b', 'c', 'a']
    """
    keys, after = list(needs), dict[T, list[T]]()
    for key, before in needs.items():
        for need in before:
            after.setdefault(need, []).append(key)
    place = {key: n for n, key in enumerate(keys)}
    waiting = {key: len(before) for key, before in needs.items()}
    ready = [place[key] for key in keys if not waiting[key]]
    order: list[T] = []
    while ready:
        order.append(keys[heappop(ready)])
        for later in after.get(order[-1], ()):
            waiting[later] -= 1
            if not waiting[later]:
                heappush(ready, place[later])
    if len(order) != len(keys):
        raise ValueError(f"these depend on each other in a cycle: {[key for key in keys if waiting[key]]}")
    return order


def levels(needs: Sequence[Collection[int]]) -> list[int]:
    """For each position, the length of the longest chain of what it needs, by position.

    Raises:
        ValueError: some need each other in a cycle.

    >>> levels([set(), {0}, {0}, {1, 2}])
    [0, 1, 1, 2]
    """
    level = [0] * len(needs)
    for k in in_order(dict(enumerate(needs))):
        level[k] = max((level[j] + 1 for j in needs[k]), default=0)
    return level


def ancestors(needs: Sequence[Collection[int]]) -> list[int]:
    """All that each position needs, directly or not, as the bits of a number.

    >>> ancestors([set(), {0}, {1}])
    [0, 1, 3]
    """
    before = [0] * len(needs)
    for k in in_order(dict(enumerate(needs))):
        for j in needs[k]:
            before[k] |= before[j] | 1 << j
    return before
