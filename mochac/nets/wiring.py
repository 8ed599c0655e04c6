"""Wiring: finds a deterministic order of layers from their bottoms and tops, and lists all errors in the wiring.

It works on names alone; shapes are checked later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeGuard

from mochac.base.errors import MochacError, NetError
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.support.places import at
from mochac.nets.layers.base import Layer, Parametric


@record
class Placed:
    """A layer with the blobs it actually makes; `replaces`: it replaces its bottom for all later layers."""

    layer: Layer
    tops: tuple[str, ...]
    replaces: bool


@record
class Wiring:
    """Wired layers.

    Attributes:
        order: layers, each after those that make its bottoms; layers on a cycle are left out.
        producers: the layer that first makes each blob.
        problems: all errors, in the order of the layers.
    """

    order: tuple[Placed, ...]
    producers: dict[str, Layer]
    problems: tuple[MochacError, ...]


def wire(layers: Sequence[Layer]) -> Wiring:
    """Resolve names and sort the layers topologically.

    The order is Mocha's: levels of layers whose bottoms are ready; within a level, in-place layers first, then the
    order in the list.
    """
    placed = place(layers)
    problems = [*_duplicate_names(layers)]
    makers: dict[str, int] = {}
    for k, p in enumerate(placed):
        for top in () if p.replaces else p.tops:
            if top in makers and layers[makers[top]] is not p.layer:
                problems.append(_duplicate_top(p.layer, top, layers[makers[top]]))
            makers.setdefault(top, k)
    problems += [problem for layer in layers for problem in _missing_bottoms(layer, makers)]
    problems += [problem for layer in layers for problem in _missing_keys(layer, layers)]
    needs = _dependencies(placed, makers)
    order, rest = _sorted_by_level(placed, needs)
    if rest:
        problems.append(_cycle(layers, rest, needs))
    producers = {top: layers[k] for top, k in makers.items()}
    return Wiring(tuple(placed[k] for k in order), producers, tuple(problems))


def place(layers: Sequence[Layer]) -> list[Placed]:
    """The blobs that each layer makes.

    An in-place layer whose tops are its bottoms replaces them. So does one without tops, as in Mocha, unless some layer
    reads a blob of its name: then it makes that.
    """
    taken = {blob for layer in layers for blob in layer.reads}
    placed = []
    for layer in layers:
        tops, replaces = tuple(layer.tops), False
        if layer.in_place and tops == tuple(layer.bottoms):
            replaces = True
        elif layer.in_place and not tops:
            replaces = layer.name not in taken or len(layer.bottoms) > 1
            tops = tuple(layer.bottoms) if replaces else (layer.name,)
        placed.append(Placed(layer, tops, replaces))
    return placed


def _duplicate_names(layers: Sequence[Layer]) -> Iterator[MochacError]:
    first: dict[str, Layer] = {}
    for layer in layers:
        if layer.name in first:
            other = first[layer.name]
            yield NetError(
                "is in the list twice" if other is layer else "another layer has the same name",
                layer=layer.name,
                type=layer.kind,
                details=[f"the other is {described(other)}"],
                hint="give each layer a name of its own; layers share parameters by param_key",
                at=at(layer.origin),
            )
        else:
            first[layer.name] = layer


def _duplicate_top(layer: Layer, top: str, other: Layer) -> MochacError:
    return NetError(
        f"top {top!r} is already made by another layer",
        layer=layer.name,
        type=layer.kind,
        details=[f"the other is {described(other)}"],
        hint="give one of the two tops another name",
        at=at(layer.origin),
    )


def _missing_bottoms(layer: Layer, blobs_before: Collection[str]) -> Iterator[MochacError]:
    for k, blob in enumerate(layer.reads):
        if blob not in blobs_before:
            blobs = sorted(blob for blob in blobs_before if blob not in layer.tops or blob in layer.bottoms)
            uses = ["", *(f" for {field}" for field in layer.blob_fields for _ in layer.named(field))]
            use = uses[max(0, k + 1 - len(layer.bottoms))]
            yield NetError(
                f"no layer produces blob {blob!r}{use}" if use else f"no layer produces bottom {blob!r}",
                layer=layer.name,
                type=layer.kind,
                details=["blobs: " + (" ".join(blobs) or "none")],
                hint=misspelt(blob, blobs),
                at=at(layer.origin),
            )


def _missing_keys(layer: Layer, layers: Sequence[Layer]) -> Iterator[MochacError]:
    if not layer.borrowed_keys:
        return
    keys = list(dict.fromkeys(other.key for other in layers if _owns(other) and other is not layer))
    for key in layer.borrowed_keys:
        if key not in keys:
            yield NetError(
                f"no layer of this net has parameters under the key {key!r}",
                layer=layer.name,
                type=layer.kind,
                details=["keys: " + (" ".join(sorted(keys)) or "none")],
                hint=misspelt(key, keys),
                at=at(layer.origin),
            )


def _owns(layer: Layer) -> TypeGuard[Parametric]:
    """Whether a layer makes the parameters of its key, rather than borrowing them."""
    return isinstance(layer, Parametric) and layer.key not in layer.borrowed_keys


Dependencies = list[set[int]]
"""For each layer's position, the positions of the layers that must come before it."""


def _dependencies(placed: Sequence[Placed], makers: dict[str, int]) -> Dependencies:
    replacing = {k: p.tops for k, p in enumerate(placed) if p.replaces}
    owners = {p.layer.key: k for k, p in reversed(list(enumerate(placed))) if _owns(p.layer)}
    dependencies: Dependencies = []
    for k, p in enumerate(placed):
        needs = {makers[b] for b in p.layer.reads if b in makers}
        later = (r for r in replacing if k not in replacing or r < k)
        needs |= {r for r in later if any(blob in p.layer.reads for blob in replacing[r])} - {k}
        needs |= {owners[key] for key in p.layer.borrowed_keys if key in owners} - {k}
        dependencies.append(needs)
    return dependencies


def _sorted_by_level(placed: Sequence[Placed], needs: Dependencies) -> tuple[list[int], list[int]]:
    """Positions in order, and the positions that cannot be ordered."""
    order: list[int] = []
    left = [len(before) for before in needs]
    behind: list[list[int]] = [[] for _ in needs]
    for k, before in enumerate(needs):
        for other in before:
            behind[other].append(k)
    ready = [k for k, count in enumerate(left) if not count]
    while ready:
        ready.sort(key=lambda k: (not placed[k].layer.in_place, k))
        order += ready
        freed = [k for done in ready for k in behind[done]]
        for k in freed:
            left[k] -= 1
        ready = [k for k in dict.fromkeys(freed) if not left[k]]
    return order, [k for k, count in enumerate(left) if count]


def _cycle(layers: Sequence[Layer], rest: list[int], needs: Dependencies) -> MochacError:
    """The error for a cycle: walk backwards among the remaining layers until one occurs again."""
    path = [rest[0]]
    while (before := min(needs[path[-1]] & set(rest))) not in path:
        path.append(before)
    loop = [*path[path.index(before) :], before][::-1]
    first = layers[loop[0]]
    return NetError(
        "the layers form a cycle",
        layer=first.name,
        type=first.kind,
        details=[" -> ".join(layers[k].name for k in loop), *(described(layers[k]) for k in loop[1:-1])],
        at=at(first.origin),
    )


def described(layer: Layer) -> str:
    """A layer as one line of a message."""
    place = at(layer.origin)
    return f"layer {layer.name!r} ({layer.kind})" + (f", {place}" if place else "")
