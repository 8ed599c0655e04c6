"""Embeddings beside PyTorch's, over random vocabularies."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional
from torch_kit import compare

import mochac
from mochac import EmbeddingLayer, MemoryDataLayer, Net, SquareLossLayer


@pytest.mark.parametrize("seed", range(12))
def test_embedding(seed):
    rng = np.random.default_rng(seed)
    batch, time, vocabulary, width = (int(n) for n in rng.integers(1, (20, 7, 12, 20)))
    ids = rng.integers(vocabulary, size=(batch, time)).astype(float)

    padding = int(rng.integers(-vocabulary, vocabulary)) if seed % 3 else None

    def theirs(bottoms, params):
        ids = bottoms[0].long().squeeze(1 if time == 1 else ())
        vectors = functional.embedding(ids, params["weight"], padding_idx=padding)
        return vectors + params.get("bias", 0.0)

    how = {"bias": bool(seed % 2), "padding_id": padding}
    layer = EmbeddingLayer(name="words", bottoms=["ids"], vocabulary=vocabulary, output_dim=width, **how)
    compare(layer, {"ids": ids}, theirs, seed=seed)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_the_row_of_the_padding_stays(momentum):
    """Three steps beside PyTorch's, with and without momentum: by rows and whole."""
    rng = np.random.default_rng(0)
    ids, target = rng.integers(5, size=(9, 4)).astype(float), rng.standard_normal((9, 4, 3))
    data = MemoryDataLayer(name="in", data=[ids, target], tops=["ids", "target"], batch_size=9)
    words = EmbeddingLayer(name="words", bottoms=["ids"], vocabulary=5, output_dim=3, padding_id=-3)
    net = Net("n", [data, words, SquareLossLayer(name="loss", bottoms=["words", "target"])])
    with mochac.compile(net, dtype="float64", threads=1) as program:
        start = program.params["words"]["weight"][...]
        peer = torch.nn.Embedding.from_pretrained(torch.tensor(start), freeze=False, padding_idx=2)
        program.train(mochac.SGD(0.1, momentum), max_iter=3, regu_coef=0.0, verbose=0)
        got = program.params["words"]["weight"][...]
    solver = torch.optim.SGD(peer.parameters(), lr=0.1, momentum=momentum)
    for _ in range(3):
        solver.zero_grad()
        (((peer(torch.tensor(ids).long()) - torch.tensor(target)) ** 2).sum() / 18).backward()
        solver.step()
    np.testing.assert_allclose(got, peer.weight.detach().numpy(), rtol=1e-12)
    assert np.array_equal(got[2], start[2])
