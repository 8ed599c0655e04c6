"""Batches that compiled code reads where the user has them: step() and predict() on arrays and by DLPack."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import mochac
from mochac import SGD, DataTransformers, InnerProductLayer, InputLayer, MemoryDataLayer, Net, Solver, SquareLossLayer
from mochac.base.support.memory import aligned_copy

BATCH, WIDTH = 32, 512
RNG = np.random.default_rng(5)


class Lent:
    """A tensor that knows DLPack alone."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **how):
        return self.values.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def samples(count=BATCH):
    return aligned_copy(RNG.normal(size=(count, WIDTH)).astype(np.float32))


def program(data=None, **options):
    data = data or [InputLayer(name="x", shape=(BATCH, WIDTH)), InputLayer(name="y", shape=(BATCH, WIDTH))]
    layers = [
        InnerProductLayer(name="ip", output_dim=WIDTH, neuron=mochac.Neurons.ReLU(), bottoms=["x"]),
        SquareLossLayer(name="loss", bottoms=["ip", "y"]),
    ]
    return mochac.compile(Net("n", [*data, *layers]), threads=1, **options)


@pytest.fixture(scope="module")
def compiled():
    with program() as made:
        yield made


@pytest.fixture
def seen(monkeypatch):
    """The arrays that plans were given, by input, run by run."""
    runs = []
    from mochac.runtime.cpu.feed_table import FeedTable

    fill = FeedTable.fill

    def spy(self, n_steps, feeds):
        runs.append(dict(feeds[0]))
        fill(self, n_steps, feeds)

    monkeypatch.setattr(FeedTable, "fill", spy)
    return runs


def address(array):
    return array.__array_interface__["data"][0]


def test_predict_reads_an_array_where_it_is(compiled, seen):
    x = samples(3 * BATCH)
    weight, bias = (compiled.params["ip"][name][...] for name in ("weight", "bias"))
    for given in (x, Lent(x)):
        before = x.copy()
        y = compiled.predict(given)
        np.testing.assert_allclose(y, np.maximum(x @ weight.T + bias, 0), rtol=1e-4, atol=1e-5)
        assert [address(run["x"]) for run in seen] == [address(x[k * BATCH :]) for k in range(3)]
        np.testing.assert_array_equal(x, before)
        seen.clear()


def test_a_batch_that_is_given_again_is_read_where_it_is(compiled, seen):
    x = samples()
    for _ in range(3):
        first = compiled.predict(x)
        x *= 2
        assert address(seen[-1]["x"]) == address(x)
    assert not np.array_equal(first, compiled.predict(x))


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.asfortranarray(x),
        lambda x: x.astype(np.float64),
        lambda x: aligned_copy(np.zeros(x.size + 1, np.float32))[1:].reshape(x.shape),
        lambda x: x[: BATCH - 1],
        lambda x: x.tolist(),
    ],
    ids=["order", "dtype", "place", "count", "list"],
)
def test_other_arrays_are_copied(compiled, seen, make):
    x = make(samples())
    want = np.asarray(x, np.float32)
    compiled.predict(x)
    compiled.predict(x)
    for run in seen:
        assert not np.shares_memory(run["x"], np.asarray(x)) and address(run["x"]) % 64 == 0
        np.testing.assert_array_equal(run["x"][: len(want)], want)


@pytest.mark.slow
def test_a_step_reads_arrays_where_they_are_and_lets_go_of_them(compiled, seen):
    solver = Solver(SGD(0.01))
    solver.init_solve(compiled)
    losses = []
    for lend in (True, False):
        compiled.params["ip"]["weight"][...] = 0.01
        compiled.params["ip"]["bias"][...] = 0.0
        x, y = np.ones((BATCH, WIDTH), np.float32), np.full((BATCH, WIDTH), 0.5, np.float32)
        x, y = (aligned_copy(x), Lent(aligned_copy(y))) if lend else (np.asfortranarray(x), y.tolist())
        seen.clear()
        losses.append(solver.step(x=x, y=y))
        (run,) = seen
        assert (run["x"] is x) == lend
        if lend:
            assert address(run["y"]) == address(y.values)
            kept = weakref.ref(x)
            del x, y, run
            seen.clear()
            gc.collect()
            assert kept() is None
    assert losses[0] == losses[1]
    solver.finalize()


@pytest.mark.slow
def test_what_is_read_later_is_copied(seen):
    """Kept blobs, and batches of forward(), which backward() reads again."""
    x, y = samples(), samples()
    with program(keep=("x",)) as made:
        solver = Solver(SGD(0.01))
        solver.init_solve(made)
        solver.step(x=x, y=y)
        assert seen[-1]["x"] is not x and seen[-1]["y"] is y
        old = x.copy()
        x += 1
        np.testing.assert_array_equal(made.blobs["x"], old)
        solver.finalize()
        made.forward(x=x, y=y)
        assert seen[-1]["x"] is not x and seen[-1]["y"] is not y


def test_transformers_change_a_copy(seen):
    x, y = samples(), samples()
    change = [("x", DataTransformers.Scale(0.5))]
    data = MemoryDataLayer(name="in", data=[x, y], tops=["x", "y"], batch_size=BATCH, transformers=change)
    with program([data]) as made:
        old = x.copy()
        made.predict(x)
        np.testing.assert_array_equal(seen[-1]["x"], old / 2)
        np.testing.assert_array_equal(x, old)
