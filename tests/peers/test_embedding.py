"""Embeddings beside PyTorch's, over random vocabularies."""

import numpy as np
import pytest

pytest.importorskip("torch")

from torch.nn import functional
from torch_kit import compare

from mochac import EmbeddingLayer


@pytest.mark.parametrize("seed", range(12))
def test_embedding(seed):
    rng = np.random.default_rng(seed)
    batch, time, vocabulary, width = (int(n) for n in rng.integers(1, (20, 7, 12, 20)))
    ids = rng.integers(vocabulary, size=(batch, time)).astype(float)

    def theirs(bottoms, params):
        vectors = functional.embedding(bottoms[0].long().squeeze(1 if time == 1 else ()), params["weight"])
        return vectors + params.get("bias", 0.0)

    layer = EmbeddingLayer(name="words", bottoms=["ids"], vocabulary=vocabulary, output_dim=width, bias=bool(seed % 2))
    compare(layer, {"ids": ids}, theirs, seed=seed)
