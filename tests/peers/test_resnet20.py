"""examples/cifar10/resnet20.py beside the same net in PyTorch: same initial weights, same batches, same losses.

In float32, both are compared with PyTorch in float64, with SiLU in place of ReLU. If rounding flips the sign of one
ReLU input out of a million, gradients jump by up to 0.7 per cent, in PyTorch and in mochac: a thousand times their
rounding errors.
"""

import numpy as np
import pytest
from resnet_twin import Twin, pictures
from torch_kit import torch

import mochac
from mochac import SGD, MemoryDataLayer, Net, Neurons, SoftmaxLossLayer, TrainingSummary

functional = torch.nn.functional
RATE, MOMENTUM = 0.1, 0.9


@pytest.mark.slow
def test_losses_are_the_same(example):
    batch, steps = 8, 8
    with compiled(example.resnet(1), batch, "float64") as program:
        twin = begun(Twin(1).double(), program)
        np.testing.assert_allclose(trained(program, steps), torch_trained(twin, batch, steps), rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("convolutions", ["auto", "direct"])
def test_rounding_is_that_of_pytorch(example, monkeypatch, convolutions):
    """After two steps the parameters are about as near to those of float64 as PyTorch's: 1.03 times as far with direct
    convolutions, 1.9 times with fast ones (measured)."""
    batch, steps = 8, 2
    monkeypatch.setattr(functional, "relu", functional.silu)
    silu = {"neuron": Neurons.SiLU()}
    layers = [x.replace(**silu) if getattr(x, "neuron", None) == Neurons.ReLU() else x for x in example.resnet(3)]
    with compiled(layers, batch, "float32", convolutions) as program:
        single, double = begun(Twin(3), program), begun(Twin(3).double(), program)
        found = trained(program, steps)
        torch_trained(single, batch, steps)
        right = torch_trained(double, batch, steps)
        np.testing.assert_allclose(found[0], right[0], rtol=8 * np.finfo(np.float32).eps)
        assert distance(program.parameters(), double) <= 3 * distance(named(single), double)


def compiled(layers, batch, dtype, convolutions="auto"):
    data = MemoryDataLayer(name="in", data=[*pictures(8 * batch)], batch_size=batch, tops=["image", "label"])
    net = Net("resnet", [data, *layers, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    return mochac.compile(net, dtype=dtype, seed=3, convolutions=convolutions)


def begun(twin, program):
    twin.start_from(program.parameters())
    return twin


def trained(program, steps):
    """The loss of each step."""
    solver = mochac.Solver(SGD(RATE, momentum=MOMENTUM), max_iter=steps, regu_coef=0.0)
    solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
    losses = program.train(solver, verbose=0).statistics["obj_val"]
    return [losses[k + 1] for k in range(steps)]


def torch_trained(twin, batch, steps):
    """The loss of each step, of a twin that has read the same batches."""
    optimizer, found = torch.optim.SGD(twin.parameters(), RATE, momentum=MOMENTUM), []
    images, label = pictures(8 * batch)
    x, y = torch.from_numpy(images).to(twin.ip.weight.dtype), torch.from_numpy(label)
    for k in range(steps):
        rows = slice(k % 8 * batch, (k % 8 + 1) * batch)
        optimizer.zero_grad()
        loss = functional.cross_entropy(twin(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        found.append(float(loss.detach()))
    return found


def named(twin):
    """Its parameters by the names that they have in mochac."""
    found = {"ip___weight": twin.ip.weight, "ip___bias": twin.ip.bias}
    for part in (twin.stem, *twin.parts):
        found |= {
            f"{part.name}-conv___filter": part.conv.weight,
            f"{part.name}___scale": part.norm.weight,
            f"{part.name}___shift": part.norm.bias,
        }
    return {name: value.detach().numpy() for name, value in found.items()}


def distance(parameters, twin):
    """The root of the summed squares of differences."""
    theirs = named(twin).items()
    return sum(((parameters[name].ravel() - value.ravel()) ** 2).sum() for name, value in theirs) ** 0.5
