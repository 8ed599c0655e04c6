"""GroupGraph: what becomes one kernel is a group; groups grow by merges, and never depend on each other in a cycle.

    a -> b -> c, a -> c        a and c may not merge without b, which would read from their group and be read by it

fuse merges the nodes of a graph (node_groups.py), join_kernels the kernels that come of them. Rules decide which groups
should merge; whether they may is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

BETWEEN = "another kernel lies between them: it reads from one and is read by the other"


class GroupGraph:
    """Elements 0, 1, ..., in groups. At first, each is a group of its own, with the number of the element.

    Args:
        readers: for each element, those that depend on it.
        ranks: for each element, a number that is larger than those of all elements on which it depends.

    Attributes:
        of: the number of each element's group.
        members: the elements of each group, by number.
        after, before: the groups that depend on each group, and those on which it depends, by number.
        first, last: the smallest and the largest rank in each group, by number.

    >>> graph = GroupGraph([{1, 2}, {2}, set()], [0, 1, 2])
    >>> graph.refuse_cycle(0, 2) == BETWEEN, graph.refuse_cycle(0, 1)
    (True, '')
    >>> graph.merge(0, 1)
    >>> graph.refuse_cycle(0, 2), graph.members
    ('', {0: {0, 1}, 2: {2}})
    """

    def __init__(self, readers: Sequence[Set[int]], ranks: Sequence[int]) -> None:
        self.of = list(range(len(readers)))
        self.members = {i: {i} for i in self.of}
        self.after = {i: set(found) for i, found in enumerate(readers)}
        self.before: dict[int, set[int]] = {i: set() for i in self.of}
        for i, found in self.after.items():
            for reader in found:
                self.before[reader].add(i)
        self.first, self.last = dict(enumerate(ranks)), dict(enumerate(ranks))
        self._span = list(range(max(ranks, default=-1) + 1))
        """By rank, the largest rank in the groups with members up to there."""

    def refuse_cycle(self, a: int, b: int) -> str:
        """Why group b may not merge with group a, on which it depends or may depend: a path leads from a to b through
        other groups; "" if none does."""
        return self.refuse_path(self.after[a] - {b}, b)

    def refuse_path(self, starts: Iterable[int], b: int) -> str:
        """The reason of refuse_cycle if a path leads from one of these groups to group b; "" if none does."""
        limit = self._horizon(self.last[b])
        seen = set(starts)
        stack = list(seen)
        while stack:
            n = stack.pop()
            if n == b:
                return BETWEEN
            for m in self.after[n] - seen:
                if self.first[m] <= limit:
                    seen.add(m)
                    stack.append(m)
        return ""

    def _horizon(self, rank: int) -> int:
        """A rank behind which no path leads back to this one, since no group has members on both sides."""
        while self._span[rank] > rank:
            rank = self._span[rank]
        return rank

    def merge(self, a: int, b: int) -> None:
        """Merge two groups under the number of a."""
        gone = self.members.pop(b)
        for m in gone:
            self.of[m] = a
        self.members[a] |= gone
        for near, back in ((self.after, self.before), (self.before, self.after)):
            for n in near.pop(b) - {a}:
                back[n].discard(b)
                back[n].add(a)
                near[a].add(n)
            near[a].discard(b)
        self.first[a] = min(self.first[a], self.first.pop(b))
        self.last[a] = max(self.last[a], self.last.pop(b))
        for rank in range(self.first[a], self.last[a]):
            self._span[rank] = max(self._span[rank], self.last[a])
