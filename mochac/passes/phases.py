"""phases: dependences between kernels, and which kernels may run at the same time.

plan_memory uses it. On a CPU, the kernels of one phase are independent of each other, and a barrier separates phases.
On a device, a kernel waits for the kernels whose data it needs, whatever their phase.
"""

from __future__ import annotations

from mochac.ir.kernel import Kernel


def dependences(kernels: tuple[Kernel, ...], root: dict[str, str], states: dict[str, str]) -> list[set[int]]:
    """For every kernel, the kernels that must finish before it starts.

    Args:
        kernels: in any order.
        root: owner of the storage of each value (in_place.storage_roots); a name that is missing owns its storage.
        states: buffer that is written in place -> the input whose storage it uses.

    A kernel follows the makers of what it reads; the writer of a new state follows all other readers of the old state.
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


def before_others(needs: list[set[int]], first: set[int]) -> set[int]:
    """Let all kernels follow those in `first` and what they depend on; returns these.

    >>> needs = [set(), {0}, set(), {2}]
    >>> sorted(before_others(needs, {1})), needs
    ([0, 1], [set(), {0}, {0, 1}, {0, 1, 2}])
    """
    head, waiting = set(first), list(first)
    while waiting:
        for k in needs[waiting.pop()] - head:
            head.add(k)
            waiting.append(k)
    for k, before in enumerate(needs):
        if k not in head:
            before |= head
    return head


def levels(needs: list[set[int]]) -> list[int]:
    """Length of the longest chain of dependences of each kernel: its phase if all kernels run as soon as they can.

    Raises:
        ValueError: the dependences form a cycle.

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
    """All direct and indirect dependences of each kernel, as the bits of a number.

    >>> ancestors([set(), {0}, {1}], [0, 1, 2])
    [0, 1, 3]
    """
    before = [0] * len(needs)
    for k in sorted(range(len(needs)), key=level.__getitem__):
        for j in needs[k]:
            before[k] |= before[j] | 1 << j
    return before
