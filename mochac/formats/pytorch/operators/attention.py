"""PyTorch's scaled_dot_product_attention: AttentionLayer, or its formula where the batch is elsewhere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.formats.importing.contraction import LETTERS, contracted_blobs
from mochac.formats.importing.formulas import inner, reshaped, same_for_all
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import FIRST
from mochac.formats.pytorch.builder import TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.node import AtenNode


@aten("scaled_dot_product_attention")
def attention(
    b: TorchBuilder, node: AtenNode, query: BlobTensor, key: BlobTensor, value: BlobTensor, attn_mask: Any = None,
    dropout_p: float = 0.0, is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> None:  # fmt: skip
    """softmax(q k' * scale + mask) v for every head."""
    parts = (query, key, value)
    if not all(isinstance(x, BlobTensor) and x.samples for x in parts):
        raise node.refused("queries, keys or values are not of samples")
    if isinstance(attn_mask, Constant):
        attn_mask = _for_all_heads(same_for_all(b, attn_mask, query))
        if attn_mask.array.dtype == bool and _causal(attn_mask.array, query, key):
            is_causal, attn_mask = True, None
        elif attn_mask.array.dtype == bool and attn_mask.array.all():
            attn_mask = None
    plain = len(query.extents) == 4 and all(x.place.at == 0 and not x.place.merged for x in parts) and not b.lead
    if plain and not (is_causal and query.shape[2] != key.shape[2]) and _is_plain(attn_mask):
        fields = {} if attn_mask is None else _masked(b, node, attn_mask)
        if scale is not None and not math.isclose(scale, 1 / math.sqrt(query.shape[-1]), rel_tol=1e-12):
            fields["scale"] = float(scale)
        _by_layer(b, node, parts, dropout_p, is_causal, fields)
    else:
        _by_formula(b, node, parts, attn_mask, dropout_p, is_causal, scale)


def _is_plain(mask: Tensor | None) -> bool:
    """Whether AttentionLayer takes a mask: of four axes if it differs from sample to sample."""
    if isinstance(mask, BlobTensor):
        return (not mask.samples and len(mask.shape) <= 4) or (mask.place == FIRST and len(mask.shape) == 4)
    return mask is None or mask.array.ndim < 4 or mask.array.shape[0] == 1


def _masked(b: TorchBuilder, node: AtenNode, mask: Tensor) -> dict[str, Any]:
    """The field for what is added to scores, or for which are left out."""
    if isinstance(mask, Constant):
        array = np.where(mask.array, 0.0, -np.inf) if mask.array.dtype == bool else mask.array
        return {"score_bias": b.fixed(node, Constant(array[0] if array.ndim == 4 else array)).name}
    if not mask.samples and len(mask.shape) == 4:
        if mask.shape[0] != 1:
            raise node.refused("a mask without samples has a batch", "(heads, queries, keys)", mask.shape)
        mask = reshaped(b, node, mask, mask.shape[1:], last=False)
    return {"mask" if mask.element == 9 and mask.samples else "score_bias": mask.name}


def _for_all_heads(mask: Constant) -> Constant:
    """A mask for each head, as that of one head if all heads have the same."""
    array = mask.array
    same = array.ndim == 4 and array.shape[1] > 1 and (array == array[:, :1]).all()
    return Constant(array[:, :1]) if same else mask


def _causal(mask: np.ndarray, query: BlobTensor, key: BlobTensor) -> bool:
    if mask.size != math.prod(mask.shape[-2:]) or query.shape[-2] != key.shape[-2]:
        return False
    square = mask.reshape(mask.shape[-2:])
    return bool((square == np.tri(len(square), dtype=bool)).all())


def _by_layer(b: TorchBuilder, node: AtenNode, parts: Any, dropout: float, causal: bool, more: dict[str, Any]) -> None:
    """AttentionLayer, whose heads are parts of the features."""
    flat: list[BlobTensor] = []
    for x in parts:
        n, heads, time, width = x.shape
        turned = b.between("Permute", node, [x], (n, time, heads, width), order=(0, 2, 1, 3))
        flat.append(reshaped(b, node, turned, (n, time, heads * width), last=False))
    (n, heads, time, _), keys, wide = parts[0].shape, parts[1].shape[1], parts[2].shape[-1]
    fields: dict[str, Any] = more if heads == 1 else {"heads": heads, **more}
    fields |= {} if keys == heads else {"kv_heads": keys}
    fields |= {"causal": True} if causal else {}
    fields |= {"dropout": float(dropout)} if dropout else {}
    made = b.between("Attention", node, flat, (n, time, heads * wide), **fields)
    apart = reshaped(b, node, made, (n, time, heads, wide), last=False)
    b.add("Permute", node, [apart], (n, heads, time, wide), None, parts[0].place, order=(0, 2, 1, 3))


def _by_formula(
    b: TorchBuilder, node: AtenNode, parts: Any, mask: Tensor | None, dropout: float, causal: bool, scale: float | None
) -> None:
    """Products, a sum with the mask, a softmax, and products."""
    q, k, v = parts
    if len({(len(x.shape), x.place) for x in parts}) > 1:
        raise node.refused("queries, keys and values differ in axes")
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    outer = LETTERS[: len(q.shape) - 2]
    if q.shape[:-2] != k.shape[:-2]:
        k, v = (_for_groups(b, node, x, q) for x in (k, v))
    scores = contracted_blobs(b, node, [(q, f"{outer}XW"), (k, f"{outer}YW")], f"{outer}XY", last=False)
    scores = inner(b, node, f"mul({{0}}, {float(factor)!r})", scores)
    if causal:
        mask = Constant(np.tri(q.shape[-2], k.shape[-2], dtype=bool))
    if mask is not None:
        real = mask.element != 9 if isinstance(mask, BlobTensor) else mask.array.dtype != bool
        text = "add({0}, {1})" if real else "select({1}, {0}, {2})"
        scores = inner(b, node, text, scores, mask, Constant(np.asarray(-np.inf).reshape(1)))
    axis = len(scores.shape) - 1
    shares = b.between("Softmax", node, [scores], scores.shape, None, scores.place, axis=axis)
    if dropout:
        shares = b.between("Dropout", node, [shares], shares.shape, None, shares.place, ratio=float(dropout))
    contracted_blobs(b, node, [(shares, f"{outer}XY"), (v, f"{outer}YV")], f"{outer}XV", last=True)


def _for_groups(b: TorchBuilder, node: AtenNode, x: BlobTensor, like: BlobTensor) -> BlobTensor:
    """Each head of keys or values for a group of heads of queries."""
    n, heads, time, width = x.shape
    group = like.shape[1] // heads
    apart = reshaped(b, node, x, (n, heads, 1, time, width), last=False)
    tiled = b.between("Tile", node, [apart], (n, heads, group, time, width), tiles=group, axis=2)
    return reshaped(b, node, tiled, (n, heads * group, time, width), last=False)
