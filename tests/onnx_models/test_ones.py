"""Random nets whose axes often have extent 1: their models take any number of samples, in onnxruntime and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from model_kit import initial, interpreted, run, stored

import mochac
from mochac import InputLayer, MochacError, Net
from mochac.formats.onnx.export.save import to_model
from mochac.formats.onnx.loading import converted
from mochac.nets.layers.base import Layer

PARTS = [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 4))]
PARTS += [pytest.param(k, marks=pytest.mark.soak) for k in range(4, 40)]
SIZE = 25


def kinds(rng: np.random.Generator, blob: str, shape: tuple[int, ...], name: str) -> list[Callable[[], Layer]]:
    """Layers that may fit behind a blob."""
    rank, width = len(shape), int(rng.integers(1, 3))
    axis = int(rng.integers(1, rank))
    own: dict[str, Any] = {"name": name, "bottoms": [blob]}
    order = [0, *(int(a) for a in rng.permutation(np.arange(1, rank)))]
    along: dict[str, dict[str, Any]] = {
        "Concat": {"bottoms": [blob, blob], "axis": axis, "tops": [name]},
        "Narrow": {"start": 0, "length": 1, "axis": axis},
        "Permute": {"order": order},
        "Reduction": {"axes": (axis,)},
        "Softmax": {"axis": axis},
        "Tile": {"tiles": 2, "axis": axis},
        "Argmax": {"axis": axis},
    }
    sized = {
        "Convolution": {"kernel": 1, "n_filter": width},
        "Deconvolution": {"kernel": 2, "n_filter": width},
        "Function": {"function": "mul", "bottoms": [blob, blob]},
        "GRU": {"output_dim": width},
        "GroupNorm": {"groups": 1},
        "InnerProduct": {"output_dim": width, "axis": int(rng.choice([-1, 1]))},
        "LSTM": {"output_dim": width, "bidirectional": True},
        "RNN": {"output_dim": width, "last": True},
        "MultiHeadAttention": {"heads": 1},
        "Pad": {"before": 1},
        "Pooling": {"kernel": 1, "stride": 1},
        "Reshape": {"shape": (1, int(np.prod(shape[1:])))},
    }
    plain = {name: {} for name in ("LayerNorm", "RMSNorm", "Flatten", "GlobalPooling", "InstanceNorm")}
    apart = {name: {"tops": [own["name"]]} for name in ("BatchNorm", "Scale", "Bias", "PReLU", "Dropout")}
    layers = {**along, **sized, **plain, **apart}
    return [
        lambda kind=kind, fields=fields: getattr(mochac, f"{kind}Layer")(**{**own, **fields})
        for kind, fields in layers.items()
    ]


def drawn(seed: int) -> Net:
    rng = np.random.default_rng(seed)
    batch = int(rng.integers(1, 6))
    shape = tuple(int(rng.choice([1, 1, 2, 3, batch])) for _ in range(rng.integers(1, 4)))
    layers: list[Layer] = [InputLayer(name="x", shape=(batch, *shape))]
    for k in range(rng.integers(1, 5)):
        net = Net("n", layers)
        blob = net.tops[layers[-1].name][0]
        fitting = kinds(rng, blob, net.blobs[blob].shape, f"l{k}") if len(net.blobs[blob].shape) > 1 else []
        for place in rng.permutation(len(fitting))[:8]:
            try:
                layers = list(Net("n", [*layers, fitting[place]()]).layers)
                break
            except MochacError:
                continue
    return Net("n", layers)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_models_take_any_number_of_samples(part):
    for seed in range(SIZE * part, SIZE * part + SIZE):
        print("seed", seed)
        net = drawn(seed)
        rng, arrays, (blob,) = np.random.default_rng(seed), initial(net), net.tops[net.layers[-1].name]
        model = to_model(net, arrays, "float32", [blob])
        found = converted(model, "m.onnx")
        again, (out,) = Net("again", found.layers), (o.name for o in model.graph.output)
        for count in (1, 3, 7):
            fed = {"x": rng.uniform(0.5, 1.5, (count, *net.blobs["x"].shape[1:])).astype(np.float32)}
            (wanted,) = interpreted(net, arrays, fed, [blob])
            for y in (run(model, fed)[0], interpreted(again, stored(again, found), fed, [out])[0]):
                assert y.shape == wanted.shape
                np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_a_sequence_of_one_step_has_any_number_of_samples(kind):
    """Its samples were taken for rows that are not samples, which froze the batch and slowed evaluation down."""
    net = Net(
        "n",
        [InputLayer(name="x", shape=(4, 1, 3)), getattr(mochac, f"{kind}Layer")(name="r", output_dim=2, bottoms=["x"])],
    )
    model = to_model(net, initial(net), "float32")
    assert [i.type.tensor_type.shape.dim[0].dim_param for i in (*model.graph.input, *model.graph.output)] == [
        "batch"
    ] * 2
