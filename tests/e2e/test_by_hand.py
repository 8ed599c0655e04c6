"""LeNet's first steps against the same network written by hand in NumPy float64 (numpy_lenet.py)."""

import numpy as np
import numpy_lenet
import pytest
from net_kit import digits, lenet, lenet_solver, weights

import mochac
from mochac import MemoryDataLayer, Net, TrainingSummary

STEPS = 5
TOLERANCE = {"float32": 2e-5, "float64": 1e-12}


def case(batch, side, seed):
    x, label = digits(3 * batch, (1, side, side), 10, seed)
    layers = [layer for layer in lenet(x, label, dropout=False).layers if layer.name != "data"]
    net = Net("by hand", [MemoryDataLayer(name="data", data=[x, label], batch_size=batch), *layers])
    rows = [(k * batch + np.arange(batch)) % len(x) for k in range(STEPS)]
    return net, x, label, rows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dtype", "batch", "side"),
    [
        ("float32", 17, 12),
        ("float64", 17, 12),
        ("float32", 64, 28),
        ("float64", 5, 15),
    ],
)
def test_training_equals_numpy(dtype, batch, side):
    net, x, label, rows = case(batch, side, seed=11)
    solver = lenet_solver(STEPS)
    solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
    with mochac.compile(net, dtype=dtype) as program:
        start = weights(program)
        curve = program.train(solver).statistics["obj_val"]
        found = weights(program)
    batches = [(x[r].astype(dtype).astype(np.float64), label[r]) for r in rows]
    losses, wanted = numpy_lenet.train(start, batches)
    tolerance = TOLERANCE[dtype]
    np.testing.assert_allclose([curve[t + 1] for t in range(STEPS)], losses, rtol=tolerance)
    for name, want in wanted.items():
        np.testing.assert_allclose(found[name], want, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.slow
def test_gradients_equal_numpy():
    net, x, label, rows = case(16, 10, seed=12)
    with mochac.compile(net, dtype="float64") as program:
        loss = program.forward()
        program.backward()
        wanted_loss, wanted = numpy_lenet.loss_and_gradients(program.parameters(), x[rows[0]], label[rows[0]])
        assert loss == pytest.approx(wanted_loss, rel=1e-12)
        for name, want in wanted.items():
            key, param = name.split("___")
            np.testing.assert_allclose(program.grads[key][param], want, rtol=1e-10, atol=1e-12, err_msg=name)
