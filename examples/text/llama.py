"""A small Llama on the text of gpt.py: RMSNorm, rotary positions, two heads of keys and values for four of queries,
SwiGLU, no biases; embedding and output share one table.

Writing takes a net of one position. It gets the keys and values of the positions before and returns those of its own,
so that every character costs one step. from_hugging_face() translates the weights of such a model. `--iterations`,
`--threads` and `--sample` as for gpt.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gpt import characters, data, drawn, every, parts, run, starts, training

import mochac
from mochac import *
from mochac.nets.layers import Layer

N_LAYERS, WIDTH, HEADS, KV_HEADS, HIDDEN = 4, 128, 4, 2, 344
LENGTH = 1024
"""Positions that are kept when writing."""


def llama(vocabulary: int, n_layers: int, width: int, heads: int, kv_heads: int, hidden: int) -> list[Layer]:
    """The layers behind the blobs `ids` and `next`, which are (batch, context)."""
    small = GaussianInitializer(std=0.02)
    last = GaussianInitializer(std=0.02 / np.sqrt(2 * n_layers))  # of what is added to the residual stream
    linear: dict[str, Any] = {"axis": -1, "weight_init": small, "bias": False, "weight_regu": NoRegu()}
    attention: dict[str, Any] = {
        "heads": heads, "kv_heads": kv_heads, "causal": True, "rotary": Rotary(), "bias": False,
        "weight_init": small, "weight_regu": NoRegu(),
    }  # fmt: skip
    x = "x0"
    layers: list[Layer] = [
        ParameterLayer(name="table", shape=(vocabulary, width), init=small),
        EmbeddingLayer(
            name="tokens", vocabulary=vocabulary, output_dim=width, weight="table", bottoms=["ids"], tops=[x]
        ),
    ]
    for n in range(1, n_layers + 1):
        layers += [
            RMSNormLayer(name=f"norm{n}a", bottoms=[x]),
            MultiHeadAttentionLayer(name=f"attention{n}", bottoms=[f"norm{n}a"], **attention),
            ElementWiseLayer(name=f"sum{n}a", bottoms=[x, f"attention{n}"]),
            RMSNormLayer(name=f"norm{n}b", bottoms=[f"sum{n}a"]),
            InnerProductLayer(
                name=f"gate{n}", output_dim=hidden, neuron=Neurons.SiLU(), bottoms=[f"norm{n}b"], **linear
            ),
            InnerProductLayer(name=f"up{n}", output_dim=hidden, bottoms=[f"norm{n}b"], **linear),
            ElementWiseLayer(
                name=f"gated{n}", operation=ElementWiseFunctors.Multiply(), bottoms=[f"gate{n}", f"up{n}"]
            ),
            InnerProductLayer(
                name=f"down{n}", output_dim=width, bottoms=[f"gated{n}"], **{**linear, "weight_init": last}
            ),
            ElementWiseLayer(name=f"sum{n}b", bottoms=[f"sum{n}a", f"down{n}"]),
        ]  # fmt: skip
        x = f"sum{n}b"
    return [
        *layers,
        RMSNormLayer(name="norm", bottoms=[x]),
        InnerProductLayer(name="logits", output_dim=vocabulary, axis=-1, weight="table", bias=False, bottoms=["norm"]),
        SoftmaxLossLayer(name="loss", axis=2, bottoms=["logits", "next"]),
    ]


def from_hugging_face(state: Mapping[str, np.ndarray], n_layers: int) -> dict[str, np.ndarray]:
    """What program.load() takes, of the state_dict of Hugging Face's LlamaForCausalLM with tied embeddings."""
    names = {"norm{}a": "input_layernorm", "norm{}b": "post_attention_layernorm"}
    names |= {f"{name}{{}}": f"mlp.{name}_proj" for name in ("gate", "up", "down")}
    found = {"table.value": state["model.embed_tokens.weight"], "norm.weight": state["model.norm.weight"]}
    for n in range(1, n_layers + 1):
        layer = f"model.layers.{n - 1}"
        found |= {f"{ours.format(n)}.weight": state[f"{layer}.{theirs}.weight"] for ours, theirs in names.items()}
        q, k, v, o = (state[f"{layer}.self_attn.{which}_proj.weight"] for which in "qkvo")
        found |= {f"attention{n}.weight_in": np.concatenate([q, k, v]), f"attention{n}.weight_out": o}
    return found


def one_position(layers: list[Layer], length: int) -> tuple[Net, list[str], list[str]]:
    """The net of one position; its blobs of earlier keys and values, and those of the position's own."""
    made: list[Layer] = [
        InputLayer(name="now", shape=(1, 1), tops=["ids"]),
        InputLayer(name="before", shape=(1, 1), tops=["count"]),
    ]
    past: list[str] = []
    own: list[str] = []
    for layer in layers:
        if isinstance(layer, EmbeddingLayer):
            layer = layer.replace(tops=["token"])
            made += [layer, ReshapeLayer(name="one", shape=(1, layer.output_dim), bottoms=["token"], tops=["x0"])]
        elif isinstance(layer, MultiHeadAttentionLayer):
            kept, new = ([f"{layer.name}.{which}.{what}" for what in ("keys", "values")] for which in ("past", "own"))
            made.append(InputLayer(name=f"{layer.name}.past", shape=(1, length, WIDTH // HEADS * KV_HEADS), tops=kept))
            made.append(layer.replace(past=kept, lengths="count", tops=[layer.name, *new]))
            past, own = past + kept, own + new
        elif not layer.is_loss:
            made.append(layer)
    return Net("one position", made), past, own


def sample(program: mochac.Program, ids: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Characters after `ids`, read and written one at a time."""
    written = [int(n) for n in ids]
    net, past, own = one_position(layers, LENGTH)
    given = {name: np.zeros(net.blobs[name].shape, np.float32) for name in past}
    with mochac.compile(net, params=program.params) as step:
        for k in range(len(ids) + count - 1):
            now = {"ids": np.array([[written[k]]]), "count": np.array([[k]])}
            scores, *new = step.predict({**now, **given}, blob=["logits", *own])
            for name, array in zip(past, new, strict=True):
                given[name][:, k] = array[:, 0]
            if k + 1 == len(written):
                written.append(drawn(scores[0, 0], rng))
    return np.array(written[len(ids) :])


layers = llama(len(characters), N_LAYERS, WIDTH, HEADS, KV_HEADS, HIDDEN)
net = Net("llama", [data("train", parts[0], starts), *layers])
test_net = Net("llama-test", [data("test", parts[1], every), *layers])

if __name__ == "__main__":
    run(net, test_net, training, __doc__, sample)
