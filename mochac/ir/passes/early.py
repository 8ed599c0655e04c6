"""early: which values are computed where their operand is, and stored in its place, although they are needed later.

    %x = conv(..); %y = gelu(%x)                   %x = conv(..); %y = gelu(%x); %s = gelu_slope(%x)
    ..                                      ->     ..
    %s = gelu_slope(%x); %dx = mul(%dy, %s)        %dx = mul(%dy, %s)

Where a backward pass needs a value only to compute one other value from it, either may be stored. If that takes many
instructions, it is better done at once: the forward pass has done most of them already. If all that is needed of a
value is computed from a narrower one, as from the 8-bit integers of a sum of 32 bits, the narrower one is stored. fuse
keeps such nodes out of the kernels that read them, and so they join the kernel of their operand.
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.ir.passes.clusters import Clusters, elementwise
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES


def early(clusters: Clusters) -> frozenset[int]:
    """The positions of these nodes."""
    found = set[int]()
    for x, maps in _maps(clusters).items():
        found.update(_early(clusters, x, maps), _narrowest(clusters, x, maps))
    return frozenset(found)


def _maps(c: Clusters) -> dict[str, set[int]]:
    """For each value, the nodes that compute something from it alone, element by element."""
    sources: dict[str, str] = {}
    maps: dict[str, set[int]] = {}
    for i, node in enumerate(c.nodes):
        full = {sources.get(n, n) for n in node.inputs if n in c.maker and not c.is_inlined(n)}
        if elementwise(node) and not c.is_free(i) and len(full) == 1:
            (x,) = full
            sources.update((out.name, x) for out in node.outputs)
            maps.setdefault(x, set()).add(i)
    return maps


def _early(c: Clusters, x: str, maps: set[int]) -> Iterator[int]:
    """The one of the maps of a value that is needed later, if it is costly and if the value itself is not needed."""
    made = c.maker[x]
    if not any(_is_costly(c, i) for i in maps) or x in c.kept or c.never(made) or c.readers[x] - maps:
        return
    after = c.reached(made) - maps
    later = [i for i in maps if any(_waits(c, r, after) for r in c.readers_of(i) - maps)]
    needed = [
        i for i in later if all(c.is_map(r) for r in c.readers_of(i)) and c.nodes[i].outputs[0].name not in c.kept
    ]
    if len(needed) == 1 and any(_is_costly(c, i) for i in _before(c, needed[0], maps)):
        yield needed[0]


def _narrowest(c: Clusters, x: str, maps: set[int]) -> list[int]:
    """The map that takes the fewest bytes of those from which all that is needed of a value is computed, if these are
    fewer than the value's own."""
    made = c.maker[x]
    if x in c.kept or c.never(made) or elementwise(c.nodes[made]):
        return []
    passed = [i for i in maps if c.readers[x] <= _before(c, i, maps)]
    narrow = min(passed, key=lambda i: (_width(c, i), i), default=made)
    return [narrow] if _width(c, narrow) < _width(c, made) else []


def _width(c: Clusters, i: int) -> int:
    """Bytes of an element of a node's result."""
    return DTYPES[c.nodes[i].outputs[0].type.dtype].itemsize


def _waits(c: Clusters, reader: int, after: set[int]) -> bool:
    """Whether a node also reads what nodes `after` compute."""
    return any(c.maker.get(n) in after for n in c.nodes[reader].inputs)


def _before(c: Clusters, i: int, maps: set[int]) -> set[int]:
    """The node and the maps that it needs and nothing else does."""
    found = {i}
    for k in sorted(maps, reverse=True):
        readers = c.readers_of(k)
        if k < i and readers and readers <= found:
            found.add(k)
    return found


def _is_costly(c: Clusters, i: int) -> bool:
    op = c.nodes[i].op
    return op in FUNCTIONS and FUNCTIONS[op].approximated
