"""phases: which kernels may run side by side.

plan_memory asks it. On a CPU kernels of one phase are independent of each other and a barrier stands between phases; on
a device a kernel waits for those whose data it needs, whatever their phase. It looks at buffer names only and knows
neither ops nor storage.
"""

from __future__ import annotations

from mochac.ir.kernel import Kernel


def dependences(kernels: tuple[Kernel, ...], root: dict[str, str], states: dict[str, str]) -> list[set[int]]:
    """For every kernel, the kernels that must have finished before it starts.

    Args:
        kernels: in any order.
        root: owner of the storage of each value (in_place.storage_roots); names it lacks own theirs.
        states: buffer written in place -> the input whose storage it takes.

    A reader follows the maker of what it reads; the writer of a new state follows all other readers of the old one.
    """
    maker = {b.name: i for i, k in enumerate(kernels) for b in k.outputs}
    readers: dict[str, set[int]] = {}
    needs: list[set[int]] = [set() for _ in kernels]
    for i, kernel in enumerate(kernels):
        for b in kernel.inputs:
            source = root.get(b.name, b.name)
            readers.setdefault(source, set()).add(i)
            if source in maker:
                needs[i].add(maker[source])
    for new, target in states.items():
        needs[maker[new]] |= readers.get(target, set()) - {maker[new]}
    return needs


def levels(needs: list[set[int]]) -> list[int]:
    """Length of the longest chain of needs before each kernel: its phase when all run as soon as they can.

    Raises:
        ValueError: the needs form a cycle.

    >>> levels([set(), {0}, {0}, {1, 2}])
    [0, 1, 1, 2]
    """
    after: list[list[int]] = [[] for _ in needs]
    for i, before in enumerate(needs):
        for j in before:
            after[j].append(i)
    waiting = [len(before) for before in needs]
    level = [0] * len(needs)
    ready = [i for i, count in enumerate(waiting) if not count]
    for i in ready:
        for j in after[i]:
            level[j] = max(level[j], level[i] + 1)
            waiting[j] -= 1
            if not waiting[j]:
                ready.append(j)
    if len(ready) != len(needs):
        raise ValueError(f"kernels wait for each other: {[i for i, count in enumerate(waiting) if count]}")
    return level


def ancestors(needs: list[set[int]], level: list[int]) -> list[int]:
    """All that each kernel waits for, directly or not, as bits of a number.

    >>> ancestors([set(), {0}, {1}], [0, 1, 2])
    [0, 1, 3]
    """
    before = [0] * len(needs)
    for k in sorted(range(len(needs)), key=level.__getitem__):
        for j in needs[k]:
            before[k] |= before[j] | 1 << j
    return before
