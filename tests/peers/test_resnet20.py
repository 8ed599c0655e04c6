"""examples/cifar10/resnet20.py beside the same net in PyTorch: same initial weights, same batches, same losses."""

import numpy as np
import pytest
from resnet_twin import Twin, pictures
from torch_kit import torch

import mochac
from mochac import SGD, MemoryDataLayer, Net, SoftmaxLossLayer, TrainingSummary

functional = torch.nn.functional


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocks", "batch", "steps", "dtype", "tolerance"), [(1, 8, 8, "float64", 1e-9), (3, 8, 2, "float32", 1e-4)]
)
def test_losses_are_the_same(example, blocks, batch, steps, dtype, tolerance):
    mine, theirs, _ = losses(example, blocks, batch, steps, dtype)
    np.testing.assert_allclose(mine, theirs, rtol=tolerance)


def losses(example, blocks, batch, steps, dtype, rate=0.1):
    """Losses of both by step, and the largest difference of the running statistics."""
    images, label = pictures(8 * batch)
    data = MemoryDataLayer(name="in", data=[images, label], batch_size=batch, tops=["image", "label"])
    net = Net("resnet", [data, *example.resnet(blocks), SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    with mochac.compile(net, dtype=dtype, seed=3) as program:
        twin = Twin(blocks).to(getattr(torch, dtype))
        twin.start_from(program.parameters())
        solver = mochac.Solver(SGD(rate, momentum=0.9), max_iter=steps, regu_coef=0.0)
        solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
        mine = program.train(solver, verbose=0).statistics["obj_val"]
        optimizer, found = torch.optim.SGD(twin.parameters(), rate, momentum=0.9), []
        x, y = torch.from_numpy(images).to(getattr(torch, dtype)), torch.from_numpy(label)
        for k in range(steps):
            rows = slice(k % 8 * batch, (k % 8 + 1) * batch)
            optimizer.zero_grad()
            loss = functional.cross_entropy(twin(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            found.append(float(loss.detach()))
        parts = [twin.stem, *twin.parts]
        off = max(float(np.abs(program.states[p.name]["mean"][...] - p.norm.running_mean.numpy()).max()) for p in parts)
    return [mine[k + 1] for k in range(steps)], found, off
