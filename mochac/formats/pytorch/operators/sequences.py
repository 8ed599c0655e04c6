"""PyTorch's operations on sequences: scaled_dot_product_attention, RNN, LSTM and GRU.

Attention is an AttentionLayer, or its formula where the batch is not the first axis; recurrent cells are written out.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.builder import Top
from mochac.formats.importing.formulas import LETTERS, contracted_blobs, formula, inner, reshaped, same_for_all
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace
from mochac.formats.importing.rearranged import reduced, taken
from mochac.formats.pytorch.builder import ROOT, AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.nets.layers.neurons import Neurons


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
    seen = None
    if attn_mask is not None:
        attn_mask, seen = _of_seen_rows(b, node, attn_mask)
    plain = len(query.extents) == 4 and all(x.place.at == 0 and not x.place.merged for x in parts) and not b.lead
    if plain and not (is_causal and query.shape[2] != key.shape[2]) and _is_plain(attn_mask):
        fields = {} if attn_mask is None else _masked(b, node, attn_mask)
        if scale is not None and not math.isclose(scale, 1 / math.sqrt(query.shape[-1]), rel_tol=1e-12):
            fields["scale"] = float(scale)
        _by_layer(b, node, parts, dropout_p, is_causal, fields)
    else:
        _by_formula(b, node, parts, attn_mask, dropout_p, is_causal, scale)
    if seen is not None:
        made = b.values.pop(node.tops[0])
        formula(b, node, "select({1}, {0}, 0)", made, seen)


def _of_seen_rows(b: TorchBuilder, node: AtenNode, mask: Tensor) -> tuple[Tensor, Tensor | None]:
    """A mask in which every query sees a key, and which queries do, as the result of the others is 0; None for all."""
    real = mask.element != 9 if isinstance(mask, BlobTensor) else mask.array.dtype != bool
    if isinstance(mask, Constant):
        seen = np.asarray((mask.array > -np.inf if real else mask.array).any(axis=-1, keepdims=True))
        rows = np.where(seen, mask.array, np.zeros_like(mask.array) if real else True)
        return (mask, None) if seen.all() else (Constant(rows), Constant(seen))
    if not mask.samples:
        return mask, None
    most = reduced(b, node, mask, [node.axis(-1, mask)], "max", keep=True, last=False)
    found = inner(b, node, f"ge({{0}}, {-float(np.finfo(b.dtype).max)!r})" if real else "gt({0}, 0)", most)
    rows = inner(b, node, f"select({{0}}, {{1}}, {0 if real else 1})", found, mask)
    return replace(rows, element=mask.element), found


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
    if mask.element == 9 and not mask.samples:
        mask = inner(b, node, "select({0}, 0, {1})", mask, Constant(np.asarray(-np.inf).reshape(1)))
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
    result = b.between(
        "Attention", node, flat, (n, time, heads * wide), heads=heads, kv_heads=None if keys == heads else keys,
        causal=causal, dropout=float(dropout), **more,
    )  # fmt: skip
    by_head = reshaped(b, node, result, (n, time, heads, wide), last=False)
    b.add("Permute", node, [by_head], (n, heads, time, wide), None, parts[0].place, order=(0, 2, 1, 3))


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
    by_head = reshaped(b, node, x, (n, heads, 1, time, width), last=False)
    tiled = b.between("Tile", node, [by_head], (n, heads, group, time, width), tiles=group, axis=2)
    return reshaped(b, node, tiled, (n, heads * group, time, width), last=False)


_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "lstm": ("LSTM", {}), "gru": ("GRU", {}), "rnn_tanh": ("RNN", {}), "rnn_relu": ("RNN", {"neuron": Neurons.ReLU()}),
}  # fmt: skip
_PARTS = ("weight_x", "weight_h", "bias_x", "bias_h")
_GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


@aten(*_KINDS, weights=True)
def recurrent(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, hx: Any, params: list[Tensor], has_biases: bool, num_layers: int,
    dropout: float, train: bool, bidirectional: bool, batch_first: bool,
) -> list[BlobTensor]:  # fmt: skip
    """A layer with all levels and directions."""
    kind, fields = _KINDS[node.type]
    own = 0 if batch_first else 1
    if not x.samples or x.place.merged or x.place.at != own or len(x.shape) != 3:
        raise node.refused(f"its batch is axis {own}", "a sequence of samples", x.extents)
    sides = 1 + bidirectional
    units = params[1].extents[1]
    arrays, names = _parameters(node, params, has_biases, num_layers, sides)
    owners = {name.rpartition(".")[0] or ROOT for name in names}
    if len(owners) != 1 or not all(name in b.owned for name in names):
        raise node.refused("its weights are shared or computed", "parameters of one module")
    trained = {b.leaves[name].trained for name in names}
    if len(trained) > 1:
        raise node.refused("some of its weights are frozen", "all or none")
    settings = b.settings(kind, "weight", True in trained)
    settings |= b.settings(kind, "bias", True in trained) if has_biases else {"bias": False}
    initial = _initial(b, node, x, hx if isinstance(hx, list) else [hx], num_layers * sides, units)
    w = b.owning(node, owners.pop(), arrays, {**fields, **settings})
    more = {"initial": initial, "n_layers": num_layers, "bidirectional": bidirectional}
    more |= {"dropout": float(dropout) if train else 0.0}
    y = (x.shape[0], x.shape[1], sides * units)
    state = (x.shape[0], num_layers * sides, units)
    tops = [Top("", y, x.place, 0)]
    tops += [Top(s, state, BatchPlace(1), k) for k, s in enumerate((".h", ".c")[: len(node.outputs) - 1], 1)]
    while len(tops) > 1 and not node.uses[len(tops) - 1]:
        tops.pop()
    result = b.several(kind, w.node, x, tops, w.arrays, output_dim=units, **more, **w.fields)
    return [*result, *(None for _ in range(len(node.outputs) - len(result)))]  # type: ignore[list-item]


def _parameters(
    node: AtenNode, params: list[Tensor], biases: bool, levels: int, sides: int
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Arrays by the layer's names, and the module's names of all."""
    per = 4 if biases else 2
    if len(params) != per * levels * sides:
        raise node.refused("it has projections", "proj_size=0")
    arrays: dict[str, np.ndarray] = {}
    names: list[str] = []
    for k in range(levels * sides):
        suffix = (f"_l{k // sides}" if k // sides else "") + ("_reverse" if k % sides else "")
        for name, w in zip(_PARTS, params[per * k : per * (k + 1)], strict=False):
            if not isinstance(w, Constant) or not w.name:
                raise node.refused("its weights are computed", "parameters of the module")
            arrays[name + suffix] = w.array
            names.append(w.name)
    return arrays, names


def _initial(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, states: list[Tensor], count: int, units: int
) -> tuple[str, ...]:
    """Blobs with the states at the start, unless they are zeros."""
    if all(isinstance(s, Constant) and not s.array.any() for s in states):
        return ()
    result: list[str] = []
    for s in states:
        if isinstance(s, BlobTensor) and s.samples and s.place == BatchPlace(1):
            result.append(s.name)
        elif isinstance(s, Constant) and not s.name and not s.array.any():
            first = next(t for t in states if isinstance(t, BlobTensor))
            result.append(inner(b, node, "mul({0}, 0)", first).name)
        else:
            raise node.refused("its initial state does not have the batch as axis 1", f"({count}, batch, {units})")
    return tuple(result)


@aten("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")
def cell(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, hx: Any, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Any:  # fmt: skip
    """A step, written out."""
    states = hx if isinstance(hx, list) else [hx]
    h = states[0]
    units = w_hh.extents[1]
    kind = node.type.split("_")[0].upper()
    gates = _GATES.get(kind, 1)
    before = [_product(b, node, v, w, bias, gates * units) for v, w, bias in ((x, w_ih, b_ih), (h, w_hh, b_hh))]
    parts = [[_gate(b, node, p, k, units) for k in range(gates)] for p in before]
    if kind == "LSTM":
        i, f, g, o = (inner(b, node, "add({0}, {1})", *pair) for pair in zip(*parts, strict=True))
        c = inner(b, node, "add(mul(sigmoid({1}), {3}), mul(sigmoid({0}), tanh({2})))", i, f, g, _tensor(states[1]))
        result = [inner(b, node, "mul(sigmoid({0}), tanh({1}))", o, c), c]
    elif kind == "GRU":
        (rx, zx, nx), (rh, zh, nh) = parts
        r = inner(b, node, "sigmoid(add({0}, {1}))", rx, rh)
        z = inner(b, node, "sigmoid(add({0}, {1}))", zx, zh)
        n = inner(b, node, "tanh(add({0}, mul({1}, {2})))", nx, r, nh)
        result = [inner(b, node, "add(mul(sub(1, {0}), {1}), mul({0}, {2}))", z, n, _tensor(h))]
    else:
        how = "tanh({})" if "tanh" in node.type else "relu({})"
        result = [inner(b, node, how.format("add({0}, {1})"), *(p[0] for p in parts))]
    for blob in result:
        b.reads[blob.name] = 2
    return result if len(node.outputs) > 1 else result[0]


def _tensor(x: Any) -> Tensor:
    return x


def _product(b: TorchBuilder, node: AtenNode, x: Any, w: Tensor, bias: Tensor | None, rows: int) -> Tensor:
    """x times the weight, plus the bias."""
    biased = None if bias is None else b.fixed(node, bias)
    if isinstance(x, Constant):
        if x.array.any():
            raise node.refused("its state is constant and not 0")
        return biased if biased is not None else Constant(np.zeros((1, rows)))
    fields = {"bias": False if biased is None else biased.name, "weight": b.fixed(node, w).name}
    return b.between("InnerProduct", node, [x], (x.shape[0], rows), None, x.place, output_dim=rows, **fields)


def _gate(b: TorchBuilder, node: AtenNode, x: Tensor, k: int, units: int) -> Tensor:
    if isinstance(x, Constant):
        return Constant(x.array[..., k * units : (k + 1) * units])
    return taken(b, node, x, len(x.shape) - 1, range(k * units, (k + 1) * units), last=False)
