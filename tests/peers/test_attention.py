"""Attention beside PyTorch's, over random shapes, heads and masks."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch import nn
from torch.nn import functional
from torch_kit import compare

import mochac
from mochac import (
    AttentionLayer,
    EmbeddingLayer,
    InputLayer,
    LayerNormLayer,
    MemoryDataLayer,
    MultiHeadAttentionLayer,
    Net,
    ParameterLayer,
    Rotary,
    SquareLossLayer,
)

SEEDS = range(12)
"""Their bits and their rests by 3 and 4 are settings: of every fifth seed, too, all values occur."""


def drawn(seed):
    """Numbers of samples, queries, keys and heads, and the width of a head."""
    rng = np.random.default_rng(seed)
    batch, time, other, heads, width = (int(n) for n in rng.integers(1, (20, 9, 9, 4, 6)))
    return rng, batch, time, other, heads, width


def by_head(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)


def joined(y):
    return y.transpose(1, 2).reshape(y.shape[0], y.shape[2], -1)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_attention_of_one_bottom(seed):
    rng, batch, time, _, heads, width = drawn(seed)
    x, causal = rng.standard_normal((batch, time, 3 * heads * width)), bool(seed % 2)

    def theirs(bottoms, params):
        parts = (by_head(part, heads) for part in bottoms[0].chunk(3, dim=2))
        return joined(functional.scaled_dot_product_attention(*parts, is_causal=causal))

    compare(AttentionLayer(name="attend", bottoms=["x"], heads=heads, causal=causal), {"x": x}, theirs, seed=seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_attention_of_three_bottoms(seed):
    rng, batch, time, other, heads, width = drawn(seed)
    shapes = {"q": (time, width), "k": (other, width), "v": (other, int(rng.integers(1, 6)))}
    bottoms = {name: rng.standard_normal((batch, t, heads * w)) for name, (t, w) in shapes.items()}

    def theirs(given, params):
        return joined(functional.scaled_dot_product_attention(*(by_head(x, heads) for x in given)))

    compare(AttentionLayer(name="attend", bottoms=["q", "k", "v"], heads=heads), bottoms, theirs, seed=seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_multi_head_attention(seed):
    rng, batch, time, other, heads, width = drawn(seed)
    names, features, causal = (["x"], ["q", "k", "v"])[seed % 2], heads * width, bool(seed & 2) and seed % 2 == 0
    times = {"x": time, "q": time, "k": other, "v": other}
    bottoms = {name: rng.standard_normal((batch, times[name], features)) for name in names}

    def theirs(given, params):
        q, k, v = given * 3 if len(given) == 1 else given
        later = torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).triu(1) if causal else None
        y, _ = functional.multi_head_attention_forward(
            *(x.transpose(0, 1) for x in (q, k, v)), features, heads, params["weight_in"], params["bias_in"],
            None, None, False, 0.0, params["weight_out"], params["bias_out"], need_weights=False, attn_mask=later,
        )  # fmt: skip
        return y.transpose(0, 1)

    layer = MultiHeadAttentionLayer(name="attend", bottoms=names, heads=heads, causal=causal)
    compare(layer, bottoms, theirs, seed=seed)


def turned(x, base, width, interleaved):
    """Rotary positions of (batch, time, heads, features) by complex numbers, as in Llama's own code."""
    turning, rest = x[..., :width], x[..., width:]
    half = width // 2
    pairs = turning.unflatten(-1, (half, 2) if interleaved else (2, half))
    numbers = torch.view_as_complex((pairs if interleaved else pairs.transpose(-1, -2)).contiguous())
    angles = torch.outer(torch.arange(x.shape[1]).double(), base ** (-torch.arange(half).double() / half))
    found = torch.view_as_real(numbers * torch.polar(torch.ones_like(angles), angles)[None, :, None, :])
    return torch.cat([(found if interleaved else found.transpose(-1, -2)).flatten(-2), rest], dim=-1)


def drawn_groups(seed):
    """Numbers of samples, queries, keys, heads and heads of keys; rotary positions or none, and the width of a head."""
    rng, batch, time, other, kv_heads, width = drawn(seed)
    heads, width = kv_heads * (1 + seed % 3), 2 * width
    base, turning = float(rng.choice((100.0, 10000.0))), int(rng.choice((width, 2)))
    rotary = Rotary(base, interleaved=bool(seed & 1), width=None if turning == width else turning) if seed % 4 else None

    def rotated(x):
        return turned(x, base, turning, rotary.interleaved) if rotary else x

    return rng, batch, time, other, heads, kv_heads, width, rotary, rotated


def grouped(q, k, v, causal, rotated):
    """PyTorch's attention of (batch, time, heads, features)."""
    parts = (x.transpose(1, 2) for x in (rotated(q), rotated(k), v))
    return joined(functional.scaled_dot_product_attention(*parts, is_causal=causal, enable_gqa=True))


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_groups_and_rotary_positions_of_one_bottom(seed):
    rng, batch, time, _, heads, kv_heads, width, rotary, rotated = drawn_groups(seed)
    x, causal = rng.standard_normal((batch, time, (heads + 2 * kv_heads) * width)), bool(seed % 2)

    def theirs(given, params):
        parts = given[0].unflatten(2, (-1, width)).split([heads, kv_heads, kv_heads], dim=2)
        return grouped(*parts, causal, rotated)

    fields = {"heads": heads, "kv_heads": kv_heads, "causal": causal, "rotary": rotary}
    compare(AttentionLayer(name="attend", bottoms=["x"], **fields), {"x": x}, theirs, seed=seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_groups_and_rotary_positions_of_three_bottoms(seed):
    rng, batch, time, other, heads, kv_heads, width, rotary, rotated = drawn_groups(seed)
    shapes = {"q": (time, heads * width), "k": (other, kv_heads * width), "v": (other, kv_heads * 3)}
    bottoms = {name: rng.standard_normal((batch, *shape)) for name, shape in shapes.items()}

    def theirs(given, params):
        q, k, v = (x.unflatten(2, (n, -1)) for x, n in zip(given, (heads, kv_heads, kv_heads), strict=True))
        return grouped(q, k, v, False, rotated)

    fields = {"heads": heads, "kv_heads": kv_heads, "rotary": rotary}
    compare(AttentionLayer(name="attend", bottoms=["q", "k", "v"], **fields), bottoms, theirs, seed=seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_multi_head_attention_as_in_llama(seed):
    rng, batch, time, _, heads, kv_heads, width, rotary, rotated = drawn_groups(seed)
    x, bias = rng.standard_normal((batch, time, heads * width)), bool(seed & 2)

    def theirs(given, params):
        mapped = functional.linear(given[0], params["weight_in"], params.get("bias_in"))
        parts = mapped.unflatten(2, (-1, width)).split([heads, kv_heads, kv_heads], dim=2)
        return functional.linear(grouped(*parts, True, rotated), params["weight_out"], params.get("bias_out"))

    fields = {"heads": heads, "kv_heads": kv_heads, "causal": True, "rotary": rotary, "bias": bias}
    compare(MultiHeadAttentionLayer(name="attend", bottoms=["x"], **fields), {"x": x}, theirs, seed=seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_mask_of_padding(seed):
    rng, batch, time, _, heads, width = drawn(seed)
    x = rng.standard_normal((batch, time, 3 * heads * width))
    mask = (np.arange(time) < rng.integers(1, time + 1, (batch, 1))).astype(float)

    def theirs(bottoms, params):
        parts = (by_head(part, heads) for part in bottoms[0].chunk(3, dim=2))
        shown = torch.from_numpy(mask > 0)[:, None, None, :]
        return joined(functional.scaled_dot_product_attention(*parts, attn_mask=shown))

    layer = AttentionLayer(name="attend", bottoms=["x"], heads=heads, mask="mask")
    compare(layer, {"x": x, "mask": mask}, theirs, seed=seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_window(seed):
    rng, batch, time, _, heads, width = drawn(seed)
    x, window, causal = rng.standard_normal((batch, time, 3 * heads * width)), 1 + seed % 4, bool(seed % 3)

    def theirs(bottoms, params):
        parts = (by_head(part, heads) for part in bottoms[0].chunk(3, dim=2))
        away = torch.arange(time)[:, None] - torch.arange(time)
        seen = (away < window) & (away >= 0) if causal else away.abs() < window
        return joined(functional.scaled_dot_product_attention(*parts, attn_mask=seen))

    layer = AttentionLayer(name="attend", bottoms=["x"], heads=heads, causal=causal, window=window)
    compare(layer, {"x": x}, theirs, seed=seed)


class Twin(nn.Module):
    """Modules with the names and parameters of the layers below."""

    def __init__(self):
        super().__init__()
        self.words, self.norm = nn.Embedding(7, 8), nn.LayerNorm(8)
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, ids):
        x = self.words(ids)
        return self.norm(self.attend(x, x, x, need_weights=False)[0])


def test_pytorch_weights_in():
    twin, ids = Twin().double().eval(), np.random.default_rng(0).integers(7, size=(4, 5))
    layers = [
        InputLayer(name="in", shape=(4, 5), tops=["ids"]),
        EmbeddingLayer(name="words", vocabulary=7, output_dim=8, bottoms=["ids"]),
        MultiHeadAttentionLayer(name="attend", heads=2, bottoms=["words"]),
        LayerNormLayer(name="norm", bottoms=["attend"]),
    ]
    with mochac.compile(Net("twin", layers), dtype="float64", threads=1) as program:
        program.load(twin)
        theirs = twin(torch.from_numpy(ids)).detach().numpy()
        np.testing.assert_allclose(program.predict(ids, blob="norm"), theirs, atol=1e-12)


def over_scores(rng, samples, heads, time, other):
    """The shape of numbers for the scores, without the batch: for keys, pairs or heads, with extents of 1."""
    whole = [heads, time, other]
    shape = [d if rng.random() < 0.7 else 1 for d in whole]
    while len(shape) > (1 if samples else 2) and shape[0] == 1 and rng.random() < 0.7:
        shape = shape[1:]
    return tuple(shape if shape[-1] == other or len(shape) < 2 else [*shape[:-1], other])


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("seed", range(40))
def test_scales_masks_and_biases_of_scores(seed):
    """Constant, learnt or for each sample; gradients of a bias are compared, too."""
    rng, batch, time, other, heads, width = drawn(seed)
    group = int(rng.integers(1, 3))
    scale = float(rng.uniform(0.1, 2)) if rng.random() < 0.5 else None
    widths = {"q": heads * group * width, "k": heads * width, "v": heads * 3}
    bottoms = {n: rng.standard_normal((batch, time if n == "q" else other, w)) for n, w in widths.items()}
    layers, given, fields = [], {}, {"scale": scale, "heads": heads * group, "kv_heads": heads}
    for field in [f for f in ("score_bias", "mask") if rng.random() < 0.8]:
        samples = bool(rng.random() < 0.5)
        own = over_scores(rng, samples, heads * group, time, other)
        values = rng.standard_normal((batch, *own) if samples else own)
        if field == "mask":
            values = np.concatenate([np.ones_like(values[..., :1]), values[..., 1:] > 0], axis=-1)
        fields[field] = field
        given[field] = values
        if samples:
            bottoms[field] = values
        else:
            layers.append(ParameterLayer(name=field, shape=own))
    target = rng.standard_normal((batch, time, heads * group * 3))
    data = MemoryDataLayer(data=[*bottoms.values(), target], tops=[*bottoms, "target"], batch_size=batch)
    names = ["q", "k", "v"]
    attend = AttentionLayer(name="y", bottoms=names, **fields)
    net = Net("n", [data, *layers, attend, SquareLossLayer(name="loss", bottoms=["y", "target"])])
    tensors = {n: torch.tensor(x, requires_grad=True) for n, x in {**bottoms, **given}.items()}
    q = by_head(tensors["q"], heads * group)
    k, v = (by_head(tensors[n], heads).repeat_interleave(group, dim=1) for n in "kv")
    scores = (q @ k.transpose(2, 3)) * (width**-0.5 if scale is None else scale)
    wide = {n: tensors[n] for n in given}
    for n, x in wide.items():
        inner = x.shape[1:] if n in bottoms else x.shape
        wide[n] = x.reshape(*(x.shape[:1] if n in bottoms else (1,)), *(1,) * (3 - len(inner)), *inner)
    if "score_bias" in wide:
        scores = scores + wide["score_bias"]
    if "mask" in wide:
        scores = scores.masked_fill(wide["mask"] <= 0, -3e38)
    made = joined(scores.softmax(-1) @ v)
    (((made - torch.tensor(target)) ** 2).sum() / (2 * batch)).backward()
    with mochac.compile(net, dtype="float64", threads=1) as program:
        for layer in layers:
            program.params[layer.name]["value"] = given[layer.name]
        program.forward()
        program.backward()
        np.testing.assert_allclose(program.blobs["y"], made.detach().numpy(), rtol=1e-9, atol=1e-10)
        for n in [*names, *(["score_bias"] if "score_bias" in given else [])]:
            found = program.blob_diffs[n]
            np.testing.assert_allclose(found, tensors[n].grad.numpy(), rtol=1e-8, atol=1e-10, err_msg=n)
