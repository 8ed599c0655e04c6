"""PyTorch's dropout, which most modules write as products with random masks."""

from __future__ import annotations

import math
from typing import Any

from mochac.formats.importing.formulas import is_number
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.pytorch.builder import TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.node import AtenNode
from mochac.formats.pytorch.values import MaskedBlob, RandomMask
from mochac.nets.layers.random import SELU_LIMIT


def number_of(x: Any) -> float | None:
    """The number that an operand is, or None."""
    if isinstance(x, Constant) and is_number(x):
        return float(x.array.reshape(-1)[0])
    return float(x) if isinstance(x, int | float) else None


def times_mask(b: TorchBuilder, node: AtenNode, x: BlobTensor, mask: RandomMask) -> MaskedBlob | None:
    """DropoutLayer; a blob times a mask that only alpha dropout has waits for the rest of that."""
    scaled = math.isclose(mask.factor * mask.keep, 1, rel_tol=1e-6)
    if mask.shift:
        raise node.refused("a random mask is computed with", "numbers that are 0 where units are dropped")
    if mask.keep >= 1 and mask.factor == 1:
        b.alias(node, x)
        return None
    if not scaled and mask.factor != 1:
        return MaskedBlob(x, mask)
    _dropped(b, node, x, mask, **({} if scaled else {"auto_scale": False}))
    return None


def plus_mask(b: TorchBuilder, node: AtenNode, x: RandomMask | MaskedBlob, other: Any) -> RandomMask | None:
    """A mask plus a number, or alpha dropout: x * factor * mask + (factor * (mask - 1) + factor * p) * limit."""
    number = number_of(other)
    if isinstance(x, RandomMask) and number is not None:
        return x.plus(number)
    if not isinstance(x, MaskedBlob) or not isinstance(other, RandomMask) or other.draw != x.mask.draw:
        raise node.refused("a random mask is computed with", "dropout")
    ratio, kept, limit = 1 - x.mask.keep, x.mask.factor, -SELU_LIMIT
    known = 1 / math.sqrt((1 - ratio) * (1 + ratio * limit**2))
    found, wanted = (kept, other.factor, other.shift), (known, known * limit, known * limit * (ratio - 1))
    if any(not math.isclose(p, q, rel_tol=1e-6) for p, q in zip(found, wanted, strict=True)):
        raise node.refused("a random mask has other factors than those of dropout and alpha dropout", got=kept)
    _dropped(b, node, x.blob, x.mask, alpha=True)
    return None


def _dropped(b: TorchBuilder, node: AtenNode, x: BlobTensor, mask: RandomMask, **fields: Any) -> None:
    """DropoutLayer, whose units are dropped together where the mask has extent 1."""
    extents = (1,) * (len(x.extents) - len(mask.extents)) + mask.extents
    if any(n not in (1, m) for n, m in zip(extents, x.extents, strict=True)) or not x.samples:
        raise node.refused("a random mask does not fit", str(x.extents), mask.extents)
    axes = x.place.axes(len(x.shape))
    if any(0 in group and n == 1 and b.batch > 1 for n, group in zip(extents, axes, strict=True)):
        raise node.refused("samples are dropped together", "a decision for each sample", mask.extents)
    shared = tuple(
        a for n, whole, group in zip(extents, x.extents, axes, strict=True) if n == 1 != whole for a in group if a
    )
    more = {"shared_axes": shared} if shared else {}
    b.add("Dropout", node, [x], x.shape, None, x.place, ratio=1 - mask.keep, **more, **fields)


@aten("bernoulli")
def bernoulli(b: TorchBuilder, node: AtenNode, x: Any, p: float | None = None) -> RandomMask:
    """Zeros and ones."""
    if p is None:
        raise node.refused("its probabilities are a tensor", "a number")
    extents = x.extents if isinstance(x, BlobTensor) else x.array.shape
    return RandomMask(node.name, float(p), tuple(int(n) for n in extents))


@aten("native_dropout", "dropout", "feature_dropout")
def dropout(b: TorchBuilder, node: AtenNode, x: BlobTensor, p: float = 0.5, train: bool | None = True) -> Any:
    """DropoutLayer."""
    if not train or not p:
        b.alias(node, x)
    else:
        b.add("Dropout", node, [x], x.shape, None, x.place, ratio=float(p))
    return [b.values[node.tops[0]], None] if node.type == "native_dropout" else None
