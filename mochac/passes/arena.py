"""arena: places for buffers of known life and size in one block of memory.

plan_memory asks it. A place is used again only in a later phase than its last reader; it knows no kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

ALIGN = 64
PAGE = 4096
STAGGER = 5 * ALIGN


@dataclass(frozen=True, slots=True)
class Life:
    """A buffer: size in bytes and the phases, both included, during which it holds a value."""

    name: str
    size: int
    first: int
    last: int

    def meets(self, other: Life) -> bool:
        """Whether both hold values in some phase."""
        return self.first <= other.last and other.first <= self.last


def padded(size: int) -> int:
    """Bytes to reserve: whole cache lines, and off a multiple of a page, so that neighbours do not start at the same
    place in their pages and fight for the same cache sets.

    >>> padded(100), padded(8192)
    (128, 8512)
    """
    lines = -(-size // ALIGN) * ALIGN
    return lines + STAGGER if lines and lines % PAGE == 0 else lines


def place(lives: list[Life]) -> tuple[dict[str, int], int]:
    """Offsets (multiples of 64) and the bytes they take in all; largest first, each into the tightest gap.

    >>> place([Life("a", 64, 0, 1), Life("b", 64, 1, 2), Life("c", 64, 2, 3)])
    ({'a': 0, 'b': 64, 'c': 0}, 128)
    """
    offsets: dict[str, int] = {}
    placed: list[tuple[int, int, Life]] = []
    for life in sorted(lives, key=lambda x: (-padded(x.size), x.first, x.name)):
        size = padded(life.size)
        taken = sorted((start, end) for start, end, other in placed if life.meets(other))
        offsets[life.name] = start = _gap(taken, size)
        placed.append((start, start + size, life))
    return dict(sorted(offsets.items())), max((end for _, end, _ in placed), default=0)


def _gap(taken: list[tuple[int, int]], size: int) -> int:
    """Start of the smallest gap that holds `size` bytes, else the end of what is taken."""
    best: tuple[int, int] | None = None
    end = 0
    for start, stop in taken:
        if start - end >= size and (best is None or start - end < best[0]):
            best = (start - end, end)
        end = max(end, stop)
    return best[1] if best else end
