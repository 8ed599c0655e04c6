"""Models that PyTorch's two exporters write, imported: the same predictions."""

import warnings

import numpy as np
import pytest

import mochac

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
nn = torch.nn


RNG = np.random.default_rng(3)


class Block(nn.Module):
    """A residual block with a strided shortcut."""

    def __init__(self, channels, made, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, made, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(made)
        self.conv2 = nn.Conv2d(made, made, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(made)
        self.short = nn.Conv2d(channels, made, 1, stride)

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.short(x))


class Gate(nn.Module):
    """Squeeze and excitation: factors for every channel of every sample."""

    def forward(self, x):
        return x * torch.sigmoid(x.mean(dim=(2, 3), keepdim=True))


MODELS = {
    "lenet": lambda: nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.Tanh(),
        nn.AvgPool2d(3, 2, 1, ceil_mode=True), nn.Flatten(), nn.Linear(8 * 7 * 7, 20), nn.GELU(), nn.Linear(20, 10),
    ),
    "residual": lambda: nn.Sequential(
        Block(1, 4, 2), Block(4, 8, 2), Gate(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(), nn.Linear(8, 10),
        nn.Softmax(dim=1),
    ),
    "neurons": lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, stride=2), nn.PReLU(4), nn.Hardswish(), nn.ELU(0.7), nn.LeakyReLU(0.2), nn.SiLU(), nn.Mish(),
        nn.ReLU6(), nn.Upsample(scale_factor=2), nn.ConvTranspose2d(4, 3, 4, 2, 1), nn.InstanceNorm2d(3), nn.SELU(),
        nn.Flatten(), nn.LayerNorm(3 * 52 * 52), nn.Linear(3 * 52 * 52, 5), nn.Softsign(), nn.LogSoftmax(dim=1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("dynamo", [False, True], ids=["old", "dynamo"])
@pytest.mark.parametrize("name", MODELS)
def test_what_pytorch_exports_predicts_the_same(tmp_path, name, dynamo):
    if dynamo:
        pytest.importorskip("onnxscript")
    torch.manual_seed(0)
    model, path = MODELS[name]().eval(), tmp_path / "m.onnx"
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2.0)
    x = torch.from_numpy(RNG.normal(size=(3, 1, 28, 28)).astype(np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if dynamo:
            shapes = ({0: torch.export.Dim("n")},)
            torch.onnx.export(model, (x,), path, dynamo=True, dynamic_shapes=shapes, external_data=False, verbose=False)
        else:
            torch.onnx.export(model, (x,), path, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "n"}})
    net, params = mochac.onnx.load(path)
    with mochac.compile(net, params=params, threads=1) as program:
        np.testing.assert_allclose(program.predict(x.numpy()), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)
