"""Models that PyTorch's two exporters write, imported: the same predictions."""

import warnings

import numpy as np
import pytest

import mochac

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from onnx_twins import MODELS, TRAINED, Branches, sequences  # noqa: E402  (it needs torch)


def export(model, x, path, dynamo):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if dynamo:
            shapes = ({0: torch.export.Dim("n")},)
            torch.onnx.export(model, (x,), path, dynamo=True, dynamic_shapes=shapes, external_data=False, verbose=False)
        else:
            torch.onnx.export(model, (x,), path, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "n"}})


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
    export(model, x, path, dynamo)
    net, params = mochac.onnx.load(path)
    with mochac.compile(net, params=params, threads=1) as program:
        np.testing.assert_allclose(program.predict(x.numpy()), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dynamo", [False, True], ids=["old", "dynamo"])
def test_a_transformer_trains_on(tmp_path, dynamo):
    """Of what PyTorch exported, every weight changes, the positions too."""
    if dynamo:
        pytest.importorskip("onnxscript")
    torch.manual_seed(0)
    made, twin = MODELS["gpt"]
    x, path = made(), tmp_path / "m.onnx"
    export(twin().eval(), x, path, dynamo)
    net, params = mochac.onnx.load(path, batch_size=len(x))
    inputs, inner = [layer for layer in net.layers if layer.kind == "Input"], net.layers[1:]
    data = mochac.MemoryDataLayer(
        data=[x.numpy(), np.roll(x.numpy(), -1, 1)], tops=[*inputs[0].tops, "next"], batch_size=len(x)
    )
    loss = mochac.SoftmaxLossLayer(name="loss", axis=2, bottoms=[net.prediction_blob(), "next"])
    with mochac.compile(mochac.Net("t", [data, *inner, loss]), params=params, threads=1) as program:
        before, old = program.forward(), {name: array.copy() for name, array in program.parameters().items()}
        program.train(mochac.Adam(0.01), max_iter=40, regu_coef=0.0, verbose=0)
        assert program.forward() < 0.5 * before
        still = [name for name, array in program.parameters().items() if np.array_equal(array, old[name])]
    assert all("Add" in name or "constant" in name for name in still)  # masks


@pytest.mark.parametrize("dynamo", [False, True], ids=["old", "dynamo"])
@pytest.mark.parametrize("seed", range(12))
def test_a_name_of_pytorch_means_the_numbers_of_pytorch(tmp_path, seed, dynamo):
    """Also where the exporter stores equal weights once, under the name of one module."""
    if dynamo:
        pytest.importorskip("onnxscript")
    torch.manual_seed(seed)
    model, x, path = Branches(seed).eval(), sequences(), tmp_path / "m.onnx"
    export(model, x, path, dynamo)
    net, params = mochac.onnx.load(path)
    with mochac.compile(net, params=params, threads=1) as program:
        np.testing.assert_allclose(program.predict(x.numpy()), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)
        found = program.state_dict()
    own = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
    assert len(own.keys() & found.keys()) >= len(own) / 2
    for name in own.keys() & found.keys():
        np.testing.assert_allclose(found[name], own[name], err_msg=name)


FOR_TRAINING = {
    "old": {"dynamo": False, "training": torch.onnx.TrainingMode.TRAINING, "do_constant_folding": False},
    "dynamo": {"dynamo": True, "optimize": False, "verbose": False, "external_data": False},
}


@pytest.mark.parametrize("exporter", FOR_TRAINING)
@pytest.mark.parametrize("name", TRAINED)
def test_a_step_of_a_model_exported_for_training_is_that_of_pytorch(tmp_path, name, exporter):
    """In float64, with the options that docs/guide/onnx.md recommends; all parameters and statistics."""
    if exporter == "dynamo":
        pytest.importorskip("onnxscript")
    torch.manual_seed(0)
    made, twin = TRAINED[name]
    model, path = twin().double().train(), tmp_path / "m.onnx"
    x = made().double() if made().is_floating_point() else made()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(model, (x,), path, input_names=["x"], **FOR_TRAINING[exporter])
    net, params = mochac.onnx.load(
        path, batch_size=len(x), trained=["places"] if exporter == "old" and name == "patches" else []
    )
    scores = model(x)
    target = torch.randint(0, scores.shape[-1], scores.shape[:-1])
    torch.nn.functional.cross_entropy(scores.reshape(-1, scores.shape[-1]), target.reshape(-1)).backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    data = mochac.MemoryDataLayer(data=[x.numpy(), target.numpy()], batch_size=len(x))
    loss = mochac.SoftmaxLossLayer(name="loss", axis=scores.ndim - 1)
    with mochac.compile(net.to_train(data, loss), params=params, dtype="float64", threads=1) as program:
        program.train(mochac.SGD(0.1), max_iter=1, regu_coef=0.0, verbose=0)
        found = program.state_dict()
    own = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
    others = {name for name in own if "num_batches" in name} | {"scale", "head.weight", "words.weight"}
    if exporter == "old":
        others |= {name for name in own if "in_proj" in name}
    assert own.keys() - found.keys() <= others
    for name in own.keys() & found.keys():
        np.testing.assert_allclose(found[name].reshape(own[name].shape), own[name], rtol=1e-9, atol=1e-9, err_msg=name)
