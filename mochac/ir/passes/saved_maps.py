"""saved_maps: which values are stored in place of the operand that they are computed from.

    %x = conv(..); %y = gelu(%x)                   %x = conv(..); %y = gelu(%x); %s = gelu_slope(%x)
    ..                                      ->     ..
    %s = gelu_slope(%x); %dx = mul(%dy, %s)        %dx = mul(%dy, %s)

Where a backward pass needs a value only to compute one other value from it, either may be saved for it. If that takes
many instructions, it is better done at once: the forward pass has done most of them already. If all that is needed of a
value is computed from a narrower one, as from the 8-bit integers of a sum of 32 bits, the narrower one is saved. fuse
keeps such nodes out of the kernels that read them, and so they join the kernel of their operand.
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.ir.passes.node_groups import NodeGroups
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES


def saved_maps(g: NodeGroups) -> frozenset[int]:
    """Positions of the nodes whose result is stored in place of what it is computed from."""
    found = set[int]()
    for x, maps in _maps(g).items():
        found.update(_costly(g, x, maps), _narrowest(g, x, maps))
    return frozenset(found)


def _maps(g: NodeGroups) -> dict[str, set[int]]:
    """For each value, the nodes that compute something from it alone, element by element."""
    sources: dict[str, str] = {}
    maps: dict[str, set[int]] = {}
    for i, node in enumerate(g.nodes):
        full = {sources.get(n, n) for n in node.inputs if n in g.maker and not g.is_inlined(n)}
        if i in g.elementwise and not g.is_free(i) and len(full) == 1:
            (x,) = full
            sources.update((out.name, x) for out in node.outputs)
            maps.setdefault(x, set()).add(i)
    return maps


def _costly(g: NodeGroups, x: str, maps: set[int]) -> Iterator[int]:
    """The one of the maps of a value that is needed later, if it is costly and if the value itself is not needed."""
    made = g.maker[x]
    if not any(_is_costly(g, i) for i in maps) or x in g.kept or g.never(made) or g.readers[x] - maps:
        return
    after = g.reached(made) - maps
    later = [i for i in maps if any(_waits(g, r, after) for r in g.readers_of(i) - maps)]
    needed = [i for i in later if all(map(g.is_map, g.readers_of(i))) and not g.is_kept(i)]
    if len(needed) == 1 and any(_is_costly(g, i) for i in _before(g, needed[0], maps)):
        yield needed[0]


def _narrowest(g: NodeGroups, x: str, maps: set[int]) -> list[int]:
    """The map that takes the fewest bytes of those from which all that is needed of a value is computed, if these are
    fewer than the value's own."""
    made = g.maker[x]
    if x in g.kept or g.never(made) or made in g.elementwise:
        return []
    passed = [i for i in maps if g.readers[x] <= _before(g, i, maps)]
    narrow = min(passed, key=lambda i: (_width(g, i), i), default=made)
    return [narrow] if _width(g, narrow) < _width(g, made) else []


def _width(g: NodeGroups, i: int) -> int:
    """Bytes of an element of a node's result."""
    return DTYPES[g.nodes[i].outputs[0].type.dtype].itemsize


def _waits(g: NodeGroups, reader: int, after: set[int]) -> bool:
    """Whether a node also reads what nodes `after` compute."""
    return any(g.maker.get(n) in after for n in g.nodes[reader].inputs)


def _before(g: NodeGroups, i: int, maps: set[int]) -> set[int]:
    """The node and the maps that it needs and nothing else does."""
    found = {i}
    for k in sorted(maps, reverse=True):
        readers = g.readers_of(k)
        if k < i and readers and readers <= found:
            found.add(k)
    return found


def _is_costly(g: NodeGroups, i: int) -> bool:
    op = g.nodes[i].op
    return op in FUNCTIONS and FUNCTIONS[op].approximated
