"""Tensors of PyTorch and JAX in and out: what is lent, what is copied, and that lent memory stays."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    SoftmaxLossLayer,
    Solver,
)

torch = pytest.importorskip("torch")
X = np.random.default_rng(1).normal(size=(24, 40)).astype(np.float32)
Y = np.arange(24) % 3


def compiled(*sources):
    layers = [
        *sources,
        BatchNormLayer(name="bn", bottoms=["data"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["bn"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    return mochac.compile(Net("n", layers), threads=1)


def inputs():
    return (InputLayer(name="data", shape=(8, 40)), InputLayer(name="label", shape=(8,)))


def test_parameters_and_states_are_lent_and_outlive_the_program():
    program = compiled(*inputs())
    weight = torch.from_dlpack(program.params["ip"]["weight"])
    mean = torch.from_dlpack(program.states["bn"]["mean"])
    weight.fill_(0.25)
    mean.add_(1)
    assert (program.params["ip"]["weight"][...] == 0.25).all() and (program.states["bn"]["mean"][...] == 1).all()
    program.params["ip"]["weight"] = np.full((3, 40), 0.5)
    assert (weight == 0.5).all()
    program.close()
    del program
    gc.collect()
    rubbish = [np.full((3, 40), 9, np.float32) for _ in range(1000)]
    assert (weight == 0.5).all() and (mean == 1).all() and rubbish


def test_pytorch_trains_the_parameters_of_a_program():
    """PyTorch's optimizer, on mochac's memory, with mochac's gradients: the update that SGD(0.1) makes."""
    ours, theirs = (compiled(*inputs()) for _ in range(2))
    solver = Solver(SGD(0.1), regu_coef=0.0)
    solver.init_solve(ours)
    tensors = [torch.from_dlpack(p) for group in theirs.params.values() for p in group.values()]
    rates = {"bias": 2.0}
    optimizer = torch.optim.SGD(
        [
            {"params": [tensor], "lr": 0.1 * rates.get(p.name, 1.0)}
            for tensor, p in zip(tensors, (p for g in theirs.params.values() for p in g.values()), strict=True)
        ]
    )
    for k in range(3):
        batch = {"data": torch.from_numpy(X[8 * k : 8 * k + 8]), "label": torch.from_numpy(Y[8 * k : 8 * k + 8])}
        solver.step(**batch)
        theirs.forward(**batch)
        theirs.backward()
        for tensor, p in zip(tensors, (p for g in theirs.params.values() for p in g.values()), strict=True):
            tensor.grad = torch.from_dlpack(theirs.grads[p.key][p.name])
        optimizer.step()
    for name, array in ours.parameters().items():
        if "___mean" not in name and "___variance" not in name:
            np.testing.assert_allclose(theirs.parameters()[name], array, rtol=1e-5, atol=1e-6)


def test_gradients_written_by_pytorch_reach_the_update():
    program, solver = compiled(*inputs()), Solver(SGD(1.0), regu_coef=0.0)
    solver.init_solve(program)
    program.forward(data=X[:8], label=Y[:8])
    program.backward()
    torch.from_dlpack(program.grads["ip"]["weight"]).fill_(2.0)
    before = program.params["ip"]["weight"][...]
    solver.update()
    np.testing.assert_array_equal(program.params["ip"]["weight"][...], before - 2)


def test_predictions_and_blobs_are_the_callers_own():
    program = compiled(*inputs())
    first = torch.from_dlpack(program.predict(X))
    kept = first.clone()
    program.predict(-X)
    assert torch.equal(first, kept)
    program.forward(data=X[:8], label=Y[:8])
    blob = torch.from_dlpack(program.blobs["ip"])
    kept = blob.clone()
    program.forward(data=-X[:8], label=Y[:8])
    program.close()
    assert torch.equal(blob, kept)


@pytest.mark.parametrize("order", ["C", "strided", "float64"])
def test_batches_are_read_from_tensors(order):
    x = torch.from_numpy(X)
    given = {"C": x, "strided": x.t().contiguous().t(), "float64": x.double()}[order]
    program = compiled(*inputs())
    np.testing.assert_array_equal(program.predict(given), program.predict(X))
    assert program.forward(data=given[:8], label=torch.from_numpy(Y[:8])) == program.forward(data=X[:8], label=Y[:8])


def test_a_data_layer_reads_a_tensor_in_place():
    x = torch.from_numpy(X.copy())
    layer = MemoryDataLayer(data=[x, torch.from_numpy(Y)], batch_size=8)
    assert layer.data[0].ctypes.data == x.data_ptr()
    with compiled(layer) as program:
        program.forward()
        x[8:16] = 3
        program.forward()
        assert (program.blobs["data"] == 3).all()


def test_jax_reads_and_is_read():
    jax = pytest.importorskip("jax")
    program = compiled(*inputs())
    weight = jax.dlpack.from_dlpack(program.params["ip"]["weight"])
    np.testing.assert_array_equal(weight, program.params["ip"]["weight"])
    np.testing.assert_array_equal(program.predict(jax.numpy.asarray(X)), program.predict(X))


def test_what_is_refused():
    program = compiled(*inputs())
    with pytest.raises(OptionError, match=r"requires grad. Use tensor.detach\(\)"):
        program.predict(torch.from_numpy(X).requires_grad_())
    with pytest.raises(OptionError, match="BFloat16"):
        program.predict(torch.from_numpy(X).bfloat16())
    with pytest.raises(OptionError, match="input 'data' is not an array of numbers"):
        program.predict(torch.empty(24, 40, device="meta"))
