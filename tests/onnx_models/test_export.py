"""Every layer of the registry, by the examples in its file, saved as ONNX and run in onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from layers.catalogue import NAME, SAMPLES, built
from model_kit import initial, interpreted, run

from mochac import UnsupportedError
from mochac.layers.base import LAYERS, Source
from mochac.onnx.export.save import to_model

PREDICTING = {k: c for k, c in LAYERS.items() if not (issubclass(c, Source) or c.is_loss or c.is_collector)}
CASES = [
    pytest.param(name, k, id=f"{name}-{k}")
    for name, cls in PREDICTING.items()
    for k, example in enumerate(cls.examples)
    if not example.rule
]
REFUSED = {"RandomNormal"}
"""Random in test mode too: ONNX's random numbers are others."""


@pytest.mark.parametrize(("name", "k"), CASES)
def test_onnxruntime_computes_what_a_layer_does(name, k):
    net = built(name, LAYERS[name].examples[k])
    blobs = [top for top in net.tops[NAME] if net.blobs[top].shape]
    if not blobs:
        return  # a statistic
    arrays = initial(net)
    if name in REFUSED:
        with pytest.raises(UnsupportedError, match=NAME):
            to_model(net, arrays, "float32", blobs)
        return
    model = to_model(net, arrays, "float32", blobs)
    data = {top: np.asarray(a, np.float32) for top, a in zip(net.sources[0].tops, net.sources[0].data, strict=True)}
    fixed = any(i.type.tensor_type.shape.dim[0].dim_value for i in model.graph.input)
    for count in (net.batch,) if fixed else (1, net.batch, SAMPLES):
        fed = {top: a[:count] for top, a in data.items()}
        for found, wanted in zip(run(model, fed), interpreted(net, arrays, fed, blobs), strict=True):
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
