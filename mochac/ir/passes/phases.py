"""phases: dependences between kernels, and which kernels may run at the same time.

plan_memory uses it. On a CPU, the kernels of one phase are independent of each other, and a barrier separates phases.
On a device, a kernel waits for the kernels whose data it needs, whatever their phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mochac.ir.kernel import Kernel
from mochac.ir.passes.loops import PartOf, SharedMemory


def dependences(
    kernels: tuple[Kernel, ...], memory: SharedMemory, states: Mapping[str, str] | None = None
) -> list[set[int]]:
    """For every kernel, the kernels that must finish before it starts.

    Args:
        kernels: in any order.
        memory: what shares memory.
        states: buffer that is written in place -> the input whose storage it uses.

    A kernel follows the makers of what it reads; the writer of a new state follows all other readers of the old state.
    In a loop over time, a kernel does not follow those that write the entry of another step.
    """
    makers: dict[str, list[tuple[int, PartOf]]] = {}
    readers: dict[str, set[int]] = {}
    loop_of = memory.loop_of(kernels)
    for i, kernel in enumerate(kernels):
        for b in kernel.outputs:
            window = memory.window(b.name)
            makers.setdefault(window.owner, []).append((i, window))
    needs: list[set[int]] = [set() for _ in kernels]
    for i, kernel in enumerate(kernels):
        for b in kernel.inputs:
            window = memory.window(b.name)
            readers.setdefault(window.owner, set()).add(i)
            for j, written in makers.get(window.owner, ()):
                if not loop_of[i] == loop_of[j] >= 0 or written == window:
                    needs[i].add(j)
    for new, target in (states or {}).items():
        writer = makers[new][0][0]
        needs[writer] |= readers.get(target, set()) - {writer}
    return needs


def phases(needs: list[set[int]], loop_of: Sequence[int]) -> list[int]:
    """The phase of each kernel: its level; the kernels of each loop have phases of their own, which follow each other.

    >>> phases([set(), {0}, {1}, {0}, {2, 3}], [-1, 0, 0, -1, -1])
    [0, 2, 3, 1, 4]
    """
    unit = [loop if loop >= 0 else max(loop_of, default=-1) + 1 + i for i, loop in enumerate(loop_of)]
    numbers = {u: n for n, u in enumerate(dict.fromkeys(unit))}
    before: list[set[int]] = [set() for _ in numbers]
    for i, found in enumerate(needs):
        before[numbers[unit[i]]] |= {numbers[unit[j]] for j in found} - {numbers[unit[i]]}
    level = levels(before)
    phase, at = [0] * len(needs), 0
    for now in range(max(level, default=-1) + 1):
        plain = [i for i, loop in enumerate(loop_of) if loop < 0 and level[numbers[unit[i]]] == now]
        for i in plain:
            phase[i] = at
        at += bool(plain)
        for loop in sorted({loop for i, loop in enumerate(loop_of) if loop >= 0 and level[numbers[unit[i]]] == now}):
            members = [i for i, other in enumerate(loop_of) if other == loop]
            place = {i: n for n, i in enumerate(members)}
            inner = levels([{place[j] for j in needs[i] if j in place} for i in members])
            for i, step in zip(members, inner, strict=True):
                phase[i] = at + step
            at += max(inner) + 1
    return phase


def before_others(needs: list[set[int]], first: set[int], loop_of: Sequence[int]) -> set[int]:
    """Let all other kernels follow those in `first`, what these depend on and what shares a loop with them; returns
    the positions of the ones that come first.

    >>> needs = [set(), {0}, set(), {2}]
    >>> sorted(before_others(needs, {1}, [-1, -1, -1, -1])), needs
    ([0, 1], [set(), {0}, {0, 1}, {0, 1, 2}])
    >>> sorted(before_others([set(), {0}, {1}, {2}], {1}, [-1, 0, 0, -1]))
    [0, 1, 2]
    """
    head, waiting = set[int](), list(first)
    while waiting:
        k = waiting.pop()
        if k not in head:
            head.add(k)
            waiting += [*needs[k], *(j for j, loop in enumerate(loop_of) if loop == loop_of[k] >= 0)]
    for k, before in enumerate(needs):
        if k not in head:
            before |= head
    return head


def put_off(needs: list[set[int]], waits: Sequence[int]) -> None:
    """Let each of these kernels, which wait for other ranks, follow all kernels that depend neither on it nor on a
    later one of them, so that a rank waits only when it has nothing else to do.

    >>> needs = [set(), {0}, {1}, {0}]  # 1 waits, 2 reads what it waits for
    >>> put_off(needs, [1]); needs
    [set(), {0, 3}, {1}, {0}]
    """
    behind: set[int] = set()
    for wait in reversed(waits):
        behind |= _followers(needs, wait)
        needs[wait] |= set(range(len(needs))) - behind


def _followers(needs: list[set[int]], first: int) -> set[int]:
    """A kernel and all that depend on it."""
    found, grown = {first}, True
    while grown:
        more = {k for k, before in enumerate(needs) if k not in found and before & found}
        found |= more
        grown = bool(more)
    return found


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
