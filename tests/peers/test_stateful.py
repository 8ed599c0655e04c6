"""Truncated backpropagation through time beside PyTorch's: a window starts from the states of the one before."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import mochac
from mochac import SGD, GRULayer, InnerProductLayer, LSTMLayer, MemoryDataLayer, Net, RNNLayer, Solver, SquareLossLayer

BATCH, WINDOWS, TIME, EPOCHS = 4, 5, 6, 2


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize(("kind", "theirs"), [(RNNLayer, "RNN"), (LSTMLayer, "LSTM"), (GRULayer, "GRU")])
def test_training_is_pytorchs(kind, theirs, reset):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(BATCH * WINDOWS, TIME, 3)), rng.normal(size=(BATCH * WINDOWS, TIME, 2))
    net = Net("windows", [
        MemoryDataLayer(name="in", data=[x, y], tops=["x", "y"], batch_size=BATCH),
        kind(name="r", output_dim=4, n_layers=2, bottoms=["x"], stateful=True),
        InnerProductLayer(name="out", output_dim=2, axis=-1, bottoms=["r"], bias_lr=1.0),
        SquareLossLayer(name="loss", bottoms=["out", "y"]),
    ])  # fmt: skip
    with mochac.compile(net, dtype="float64", backend="cpu") as program:
        recurrent = getattr(torch.nn, theirs)(3, 4, num_layers=2, batch_first=True).double()
        out = torch.nn.Linear(4, 2).double()
        weights = {f"r.{n}": p.detach().numpy() for n, p in recurrent.named_parameters()}
        weights |= {f"out.{n}": p.detach().numpy() for n, p in out.named_parameters()}
        program.load(weights)
        optimizer = torch.optim.SGD([*recurrent.parameters(), *out.parameters()], lr=0.05, momentum=0.9)
        solver = Solver(SGD(0.05, momentum=0.9), max_iter=WINDOWS * EPOCHS, regu_coef=0.0)
        solver.init_solve(program)
        state = None
        for k in range(WINDOWS * EPOCHS):
            at = k % WINDOWS * BATCH
            if reset and at == 0:
                state = None
                program.reset_states()
            made, state = recurrent(torch.tensor(x[at : at + BATCH]), state)
            loss = ((out(made) - torch.tensor(y[at : at + BATCH])) ** 2).sum() / 2 / BATCH
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            state = tuple(s.detach() for s in state) if isinstance(state, tuple) else state.detach()
            np.testing.assert_allclose(solver.step(), loss.item(), rtol=1e-9)
        solver.finalize()
        found = program.state_dict()
        for name, p in recurrent.named_parameters():
            np.testing.assert_allclose(found[f"r.{name}"], p.detach().numpy(), rtol=1e-8, atol=1e-11, err_msg=name)
