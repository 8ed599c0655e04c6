"""Models that PyTorch's two exporters write, imported: the same predictions."""

import warnings

import numpy as np
import pytest

import mochac

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from onnx_twins import MODELS  # noqa: E402  (it needs torch)

BATCH_MOVES = {("encoder", False), ("encoder", True), ("gpt", True)}
"""Exports that merge the batch with another axis, or put it elsewhere: each sample is computed by itself."""


@pytest.mark.parametrize("dynamo", [False, True], ids=["old", "dynamo"])
@pytest.mark.parametrize("name", MODELS)
def test_what_pytorch_exports_predicts_the_same(tmp_path, name, dynamo):
    if dynamo:
        pytest.importorskip("onnxscript")
    torch.manual_seed(0)
    made, twin = MODELS[name]
    x, model, path = made(), twin().eval(), tmp_path / "m.onnx"
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if dynamo:
            shapes = ({0: torch.export.Dim("n")},)
            torch.onnx.export(model, (x,), path, dynamo=True, dynamic_shapes=shapes, external_data=False, verbose=False)
        else:
            torch.onnx.export(model, (x,), path, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "n"}})
    net, params = mochac.onnx.load(path, batched=(name, dynamo) not in BATCH_MOVES)
    with mochac.compile(net, params=params, threads=1) as program:
        np.testing.assert_allclose(program.predict(x.numpy()), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)
