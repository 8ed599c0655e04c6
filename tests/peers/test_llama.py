"""examples/text/llama.py beside a Llama in PyTorch, with Hugging Face's names and formulas: same weights, batches and
losses, in float64."""

import importlib
import sys

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from examples.running import EXAMPLES
from torch import nn
from torch.nn import functional
from torch_kit import losses

import mochac
from mochac import AdamW, MemoryDataLayer, Net

VOCABULARY, N_LAYERS, WIDTH, HEADS, KV_HEADS, HIDDEN = 103, 2, 16, 4, 2, 40


def rotated(x):
    """Rotary positions of (batch, heads, time, features), by halves that are put together the other way round."""
    half = x.shape[-1] // 2
    angles = torch.outer(torch.arange(x.shape[2]).double(), 10000.0 ** (-torch.arange(half).double() / half))
    angles = torch.cat([angles, angles], dim=-1)
    return x * angles.cos() + torch.cat([-x[..., half:], x[..., :half]], dim=-1) * angles.sin()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        size = WIDTH // HEADS
        self.q_proj, self.o_proj = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(WIDTH, KV_HEADS * size, bias=False) for _ in range(2))

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(2, (-1, WIDTH // HEADS)).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj)
        )
        k, v = (y.repeat_interleave(HEADS // KV_HEADS, dim=1) for y in (rotated(k), v))
        y = functional.scaled_dot_product_attention(rotated(q), k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).flatten(2))


class Feed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj, self.up_proj = (nn.Linear(WIDTH, HIDDEN, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(HIDDEN, WIDTH, bias=False)

    def forward(self, x):
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn, self.mlp = Attention(), Feed()
        self.input_layernorm, self.post_attention_layernorm = (nn.RMSNorm(WIDTH, eps=1e-5) for _ in range(2))

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class Twin(nn.Module):
    """Parameters are called as in LlamaForCausalLM with tied embeddings."""

    def __init__(self):
        super().__init__()
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.model.layers = nn.ModuleList(Block() for _ in range(N_LAYERS))
        self.model.norm = nn.RMSNorm(WIDTH, eps=1e-5)

    def forward(self, ids, following):
        x = self.model.embed_tokens(ids)
        for block in self.model.layers:
            x = block(x)
        logits = functional.linear(self.model.norm(x), self.model.embed_tokens.weight)
        return functional.cross_entropy(logits.flatten(0, 1), following.flatten())


@pytest.fixture(scope="module")
def llama():
    sys.path.insert(0, str(EXAMPLES / "text"))
    yield importlib.import_module("llama")
    sys.path.pop(0)


def test_losses_are_those_of_pytorch(llama):
    ids, following = importlib.import_module("gpt").windows(llama.parts[0], np.arange(0, 200, 40), 12)
    data = MemoryDataLayer(data=[ids, following], tops=["ids", "next"], batch_size=5)
    layers = llama.llama(VOCABULARY, N_LAYERS, WIDTH, HEADS, KV_HEADS, HIDDEN)
    program = mochac.compile(Net("llama", [data, *layers]), dtype="float64", threads=1)
    torch.manual_seed(0)
    twin = Twin().double()

    def theirs_as_ours():
        return llama.from_hugging_face({name: p.numpy() for name, p in twin.state_dict().items()}, N_LAYERS)

    program.load(theirs_as_ours())
    decayed = [p for p in twin.parameters() if p.ndim > 1]
    others = [p for p in twin.parameters() if p.ndim == 1]
    method = torch.optim.AdamW([{"params": decayed}, {"params": others, "weight_decay": 0.0}], 1e-2, weight_decay=0.1)
    theirs = losses(twin, method, ids, following, 6)
    lounge = program.train(AdamW(1e-2, decay=0.1), max_iter=6, verbose=0)
    np.testing.assert_allclose([lounge.statistics["obj_val"][n] for n in range(1, 7)], theirs, rtol=1e-10)
    for name, value in theirs_as_ours().items():
        layer, parameter = name.split(".")
        ours = program.params[layer]["scale" if layer.startswith("norm") else parameter]
        np.testing.assert_allclose(ours[...], value, atol=1e-9, err_msg=name)
