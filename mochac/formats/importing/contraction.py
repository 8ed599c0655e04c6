"""contracted: sums of products of one or two tensors in Einstein's notation, as an EinsumLayer.

An axis of extent 1 that meets a longer one is broadcast, as in products of matrices: it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mochac.base.records import record
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import constant, reshaped
from mochac.formats.importing.node import UNBATCHED, BlobTensor, Constant, ImportedNode, Shape, Tensor

LONGEST = 2048
"""Maximum elements of an axis along which sums are cumulated, by a matrix of as many rows and columns."""
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"
BATCH = "Z"
"""The letter of the axis that blobs have in front of those of the graph's tensors."""


@record
class Lettered:
    """A tensor with a letter for each of its axes."""

    tensor: Tensor
    letters: str

    @property
    def extents(self) -> dict[str, int]:
        """The extent of each letter."""
        shape = self.tensor.shape if isinstance(self.tensor, BlobTensor) else self.tensor.array.shape
        return dict(zip(self.letters, shape, strict=True))


def contracted(
    b: NetBuilder, node: ImportedNode, operands: Sequence[tuple[Tensor, str]], out: str, *, last: bool = True
) -> BlobTensor:
    """The sum of products whose axes have these letters, the graph's axes without BATCH.

    Raises:
        UnsupportedError: samples would mix; an operand has a letter twice.
    """
    sampled = any(_sampled(x) for x, _ in operands)
    lead = BATCH if b.lead and sampled else ""
    given = [Lettered(x, lead + letters if _sampled(x) else letters) for x, letters in operands]
    if sampled and not b.lead and {x.letters[:1] for x in given if _sampled(x.tensor)} != {out[:1]}:
        raise node.refused(
            "samples must not mix: axis 0 is the batch", "one letter, first in the result", out, UNBATCHED
        )
    for x in given:
        rank = len(x.tensor.shape if isinstance(x.tensor, BlobTensor) else x.tensor.array.shape)
        if rank != len(x.letters):
            raise node.refused("its operand has another number of axes", f"{len(x.letters)} ({x.letters})", rank)
        if len(set(x.letters)) < len(x.letters):
            raise node.refused(
                "an axis that is its operand's diagonal is not supported", "different letters", x.letters
            )
    total, *rest = given
    while rest:
        second, *rest = rest
        kept = {*lead, *out, *(a for x in rest for a in x.letters)}
        total = _product(b, node, total, second, kept)
    return _arranged(b, node, total, lead + out, last=last)


def contracted_blobs(
    b: NetBuilder, node: ImportedNode, operands: Sequence[tuple[Tensor, str]], out: str, *, last: bool
) -> BlobTensor:
    """A contraction whose letters are those of the blobs' axes, with the batch first wherever the graph has it."""
    place = next(x.place for x, _ in operands if isinstance(x, BlobTensor) and x.samples)
    if b.lead:
        operands = [(x, s[1:] if _sampled(x) else s) for x, s in operands]
        out = out[1:]
    made = contracted(b, node, operands, out, last=last)
    if not last:
        return replace(made, place=place)
    known = b.values[node.tops[0]]
    assert isinstance(known, BlobTensor)
    b.values[node.tops[0]] = placed = replace(known, place=place)
    return placed


def cumulated(
    b: NetBuilder, node: ImportedNode, x: BlobTensor, axis: int, *, exclusive: bool = False, backwards: bool = False
) -> None:
    """The output of the node has the sums of x up to each element of an axis of the blob: a product with a triangular
    matrix of ones.

    Args:
        exclusive: without the element itself.
        backwards: from the other end.

    Raises:
        UnsupportedError: the axis is too long.
    """
    extent = x.shape[axis]
    if extent > LONGEST:
        raise node.refused("its axis is too long", f"at most {LONGEST}", extent)
    matrix = np.triu(np.ones((extent, extent)), int(exclusive))
    letters = LETTERS[: len(x.shape)]
    triangle = Constant(matrix.T if backwards else matrix)
    out = letters.replace(letters[axis], "X")
    contracted_blobs(b, node, [(x, letters), (triangle, f"{letters[axis]}X")], out, last=True)


def _sampled(x: Tensor) -> bool:
    return isinstance(x, BlobTensor) and x.samples


def _product(b: NetBuilder, node: ImportedNode, left: Lettered, right: Lettered, kept: set[str]) -> Lettered:
    """The product of two, with those of their letters that are in `kept`."""
    left, right = (_narrow(b, node, x, other, kept) for x, other in ((left, right), (right, left)))
    extents = {**left.extents, **right.extents}
    for letter in set(left.letters) & set(right.letters):
        if left.extents[letter] != right.extents[letter]:
            raise node.refused("its operands do not fit", str(left.extents[letter]), right.extents[letter])
    first = "".join(x.letters[0] for x in (left, right) if _sampled(x.tensor))[:1]
    letters = first + "".join(dict.fromkeys(a for a in left.letters + right.letters if a in kept and a != first))
    bottoms = [x.tensor if isinstance(x.tensor, BlobTensor) else constant(b, node, x.tensor) for x in (left, right)]
    shape = tuple(extents[a] for a in letters)
    spec = f"{left.letters},{right.letters}->{letters}"
    return Lettered(b.between("Einsum", node, bottoms, shape, spec=spec), letters)


def _narrow(b: NetBuilder, node: ImportedNode, x: Lettered, other: Lettered, kept: set[str]) -> Lettered:
    """x without axes that the other operand broadcasts, and summed over letters of its own that are not kept."""
    broadcast = [a for a, extent in x.extents.items() if extent == 1 and other.extents.get(a, 1) > 1]
    x = _without(b, node, x, broadcast, total=False)
    return _without(b, node, x, [a for a in x.letters if a not in kept and a not in other.letters], total=True)


def _without(b: NetBuilder, node: ImportedNode, x: Lettered, letters: Sequence[str], *, total: bool) -> Lettered:
    """x summed over some letters, or, if these have extent 1, without them."""
    if not letters:
        return x
    axes = tuple(x.letters.index(a) for a in letters)
    left = "".join(a for a in x.letters if a not in letters)
    if isinstance(x.tensor, Constant):
        return Lettered(Constant(x.tensor.array.sum(axis=axes), x.tensor.name), left)
    shape: Shape = tuple(x.extents[a] for a in left)
    if 0 in axes and x.tensor.samples:
        raise node.refused("samples must not mix: axis 0 is the batch", hint=UNBATCHED)
    if total:
        return Lettered(b.between("Reduction", node, [x.tensor], shape, axes=axes), left)
    return Lettered(reshaped(b, node, x.tensor, shape, last=False), left)


def _arranged(b: NetBuilder, node: ImportedNode, x: Lettered, out: str, *, last: bool) -> BlobTensor:
    """The axes of the result in the order of `out`."""
    x = _without(b, node, x, [a for a in x.letters if a not in out], total=True)
    order, blob = tuple(x.letters.index(a) for a in out if a in x.letters), x.tensor
    assert isinstance(blob, BlobTensor)
    shape = tuple(x.extents[x.letters[a]] for a in order)
    whole = tuple(x.extents.get(a, 1) for a in out)
    if order != tuple(range(len(order))):
        if order[0] and blob.samples:
            raise node.refused("samples must not mix: axis 0 is the batch", hint=UNBATCHED)
        blob = b.layer(last and shape == whole, "Permute", node, [blob], shape, order=order)
        if shape == whole:
            return blob
    return reshaped(b, node, blob, whole, last=last)
