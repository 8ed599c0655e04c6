"""A layer beside PyTorch's, in float64: the top, and the gradients of a square loss with respect to bottoms and
parameters, are equal within rounding."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import mochac
from mochac import MemoryDataLayer, Net, SquareLossLayer

torch = pytest.importorskip("torch")

TOLERANCE = 1e-10
F = torch.nn.functional
CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
MEAN = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


def compare(
    layer: Any,
    bottoms: Mapping[str, np.ndarray],
    theirs: Callable[[Sequence[Any], Mapping[str, Any]], Any],
    *,
    seed: int = 0,
) -> dict[str, np.ndarray]:
    """Run a layer with one top and PyTorch's `theirs` on the same numbers, and require the same results.

    Args:
        bottoms: arrays by blob, the batch first.
        theirs: the top of (tensors in the order of the layer's bottoms, parameters by name).

    Returns:
        The layer's states after one update by name, for tests of running statistics.
    """
    rng = np.random.default_rng(seed)
    n = len(next(iter(bottoms.values())))
    top = Net("shape", [_data(bottoms, n), layer]).blobs[layer.tops[0]].shape
    target = rng.standard_normal(top)
    net = Net(
        "peer", [_data({**bottoms, "target": target}, n), layer, SquareLossLayer(bottoms=[layer.tops[0], "target"])]
    )
    with mochac.compile(net, dtype="float64", threads=1) as program:
        values = {p.name: rng.standard_normal(p.shape) + (p.name == "scale") for p in net.params}
        for p in net.params:
            program.params[p.key][p.name] = values[p.name]
        tensors = [torch.tensor(bottoms[name], requires_grad=True) for name in layer.bottoms]
        given = {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}
        made = theirs(tensors, given)
        (((made - torch.tensor(target)) ** 2).sum() / (2 * n)).backward()
        program.forward()
        program.backward()
        require("top", program.blobs[layer.tops[0]], made.detach().numpy())
        for name, tensor in zip(layer.bottoms, tensors, strict=True):
            require(f"gradient of {name}", program.blob_diffs[name], _gradient(tensor))
        for p in net.params:
            require(f"gradient of {p.name}", program.grads[p.key][p.name], _gradient(given[p.name]))
        program.train(mochac.SGD(0.1), max_iter=1, regu_coef=0.0, verbose=0)
        return {s.name: np.array(program.states[s.key][s.name]) for s in net.states}


def compare_loss(layer: Any, bottoms: Mapping[str, np.ndarray], theirs: Callable[[Sequence[Any]], Any]) -> None:
    """Require that a loss, and its gradients to bottoms of floats, are those of PyTorch's `theirs`.

    Args:
        bottoms: all blobs that the layer reads, by name, the batch first.
        theirs: the loss of tensors in that order.
    """
    n = len(next(iter(bottoms.values())))
    with mochac.compile(Net("peer", [_data(bottoms, n), layer]), dtype="float64", threads=1) as program:
        tensors = [torch.tensor(x, requires_grad=x.dtype.kind == "f") for x in bottoms.values()]
        value = theirs(tensors)
        value.backward()
        require("loss", np.array(program.forward()), value.detach().numpy())
        program.backward()
        for name, tensor in zip(bottoms, tensors, strict=True):
            if tensor.requires_grad:
                require(f"gradient of {name}", program.blob_diffs[name], _gradient(tensor))


def require(what: str, ours: np.ndarray, theirs: np.ndarray) -> None:
    """The same numbers, relative to the largest of them."""
    assert ours.shape == theirs.shape, what
    scale = max(1.0, float(np.abs(theirs).max(initial=0)))
    np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=TOLERANCE, err_msg=what)


def _data(arrays: Mapping[str, np.ndarray], batch: int) -> Any:
    return MemoryDataLayer(name="in", data=list(arrays.values()), tops=list(arrays), batch_size=batch)


def _gradient(tensor: Any) -> np.ndarray:
    return np.zeros(tensor.shape) if tensor.grad is None else tensor.grad.numpy()


def losses(twin: Any, method: Any, ids: np.ndarray, following: np.ndarray, steps: int) -> list[float]:
    """The losses of training a language model of PyTorch's for some steps on one batch, each before its update."""
    found = []
    for _ in range(steps):
        method.zero_grad()
        loss = twin(torch.from_numpy(ids).long(), torch.from_numpy(following).long())
        loss.backward()
        method.step()
        found.append(loss.item())
    return found
