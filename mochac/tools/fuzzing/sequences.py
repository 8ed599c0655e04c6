"""Layers of random nets that work on sequences; drawer.py draws the others."""

from __future__ import annotations

from typing import Any

from mochac import (
    ArgmaxLayer,
    AttentionLayer,
    EmbeddingLayer,
    FlattenLayer,
    GRULayer,
    InnerProductLayer,
    LSTMLayer,
    MultiHeadAttentionLayer,
    Neurons,
    RNNLayer,
    Rotary,
    UniformInitializer,
)

Shape = tuple[int, ...]
OF_SEQUENCES = ["attention", "multi_head", "embedding", "recurrent"]


class Sequences:
    """Part of a Drawer, which has rng, blobs, trained, layers and the method add."""

    def __getattr__(self, name: str) -> Any: ...

    def masking(self, width: int) -> dict[str, Any]:
        rng = self.rng
        heads = rng.choice([h for h in range(1, width + 1) if width % h == 0])
        fields = {"heads": heads, "causal": rng.random() < 0.5, "dropout": rng.choice((0.0, 0.0, 0.3))}
        if rng.random() < 0.4:
            fields["kv_heads"] = rng.choice([h for h in range(1, heads + 1) if heads % h == 0])
        if width // heads % 2 == 0 and rng.random() < 0.4:
            fields["rotary"] = Rotary(rng.choice((100.0, 10000.0)), interleaved=rng.random() < 0.5)
        if rng.random() < 0.3:
            fields["window"] = rng.choice((1, 2, 3))
        return fields

    def attention(self, k: int, bottom: str, shape: Shape) -> None:
        """Attention of queries, keys and values in one blob, made by an inner product; or of a blob to itself."""
        fields, bottoms = self.masking(shape[1]), [bottom] * 3
        heads, kv_heads = fields["heads"], fields.get("kv_heads", fields["heads"])
        if kv_heads < heads or self.rng.random() < 0.5:
            name = f"qkv{k}"
            init, size = UniformInitializer(0.4), shape[1] // heads * (heads + 2 * kv_heads)
            self.layers.append(
                InnerProductLayer(name=name, output_dim=size, axis=-1, weight_init=init, bottoms=[bottom])
            )
            self.trained.append(name)
            bottoms = [name]
        self.add(AttentionLayer(name=f"attend{k}", bottoms=bottoms, **fields), shape)

    def multi_head(self, k: int, bottom: str, shape: Shape) -> None:
        name, bottoms = f"heads{k}", self.rng.choice(([bottom], [bottom] * 3))
        self.add(MultiHeadAttentionLayer(name=name, bottoms=bottoms, **self.masking(shape[1])), shape)
        self.trained.append(name)

    def embedding(self, k: int, bottom: str, shape: Shape) -> None:
        """Vectors for the places of the largest features, which bring no gradient."""
        width = self.rng.choice((1, 3, 5))
        self.layers.append(ArgmaxLayer(name=f"largest{k}", axis=2, bottoms=[bottom]))
        self.layers.append(FlattenLayer(name=f"ids{k}", bottoms=[f"largest{k}"]))
        bias, ids = self.rng.random() < 0.5, [f"ids{k}"]
        self.add(EmbeddingLayer(name=f"words{k}", vocabulary=shape[1], output_dim=width, bias=bias, bottoms=ids))
        self.trained.append(f"words{k}")

    def recurrent(self, k: int, bottom: str, shape: Shape) -> None:
        """A recurrent layer, of all its outputs or of the last, with or without its states."""
        rng, name, width = self.rng, f"steps{k}", self.rng.choice((1, 3, 4))
        kind = rng.choice((RNNLayer, LSTMLayer, GRULayer))
        fields: dict[str, Any] = {"n_layers": rng.choice((1, 1, 2)), "bidirectional": rng.random() < 0.3}
        fields |= {"last": rng.random() < 0.5, "dropout": rng.choice((0.0, 0.3))}
        if kind is RNNLayer:
            fields["neuron"] = rng.choice((Neurons.Tanh(), Neurons.Sigmoid()))
        if kind is GRULayer:
            fields["reset"] = rng.choice(("after", "before"))
        tops = [name, f"{name}.h", f"{name}.c"][: rng.choice((1, 2, 3 if kind is LSTMLayer else 2))]
        self.add(kind(name=name, output_dim=width, bottoms=[bottom], tops=tops, **fields))
        self.trained.append(name)
