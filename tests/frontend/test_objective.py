"""Losses as ordinary nodes: what is minimised when later layers compute with a loss."""

import numpy as np

import mochac
from mochac import (
    SGD,
    ElementWiseFunctors,
    ElementWiseLayer,
    IdentityLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
    SplitLayer,
)

RNG = np.random.default_rng(11)
X, Y = RNG.normal(size=(10, 4)), np.arange(10) % 3
DATA = MemoryDataLayer(name="in", data=[X, Y], batch_size=4)
IP = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
LOSS = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"], tops=["loss"])
SQUARED = ElementWiseLayer(name="sq", operation=ElementWiseFunctors.Multiply(), bottoms=["loss", "loss"])


def compiled(*layers, **options):
    return mochac.compile(Net("n", [DATA, IP, *layers]), dtype="float64", **options)


def numpy_losses(program, rows):
    z = X[rows] @ program.params["ip"]["weight"][...].T + program.params["ip"]["bias"][...]
    return np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(z)), Y[rows]]


def test_a_scalar_made_of_a_loss_takes_its_place():
    program = compiled(LOSS, SQUARED)
    mean = numpy_losses(program, range(4)).mean()
    assert np.isclose(program.forward(), mean**2)
    program.backward()
    assert np.isclose(program.blobs["loss"], mean) and np.isclose(program.blobs["sq"], mean**2)
    assert np.isclose(program.blob_diffs["loss"], 2 * mean)
    plain = compiled(LOSS, params=program.params)
    plain.forward()
    plain.backward()
    np.testing.assert_allclose(program.grads["ip"]["weight"], 2 * mean * plain.grads["ip"]["weight"], rtol=1e-10)


def test_training_minimises_it():
    program = compiled(LOSS, SQUARED)
    mean = numpy_losses(program, range(4)).mean()
    seen = []
    solver = mochac.Solver(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=1)
    solver.add_coffee_break(Listener(seen), every_n_iter=1)
    program.train(solver)
    assert np.isclose(seen[-1]["obj_val"], mean**2)
    assert np.isclose(seen[-1]["loss"], mean) and np.isclose(seen[-1]["sq"], mean**2)


class Listener:
    def __init__(self, seen):
        self.seen = seen

    def enjoy(self, lounge, program, state):
        self.seen.append(state.named())


def test_what_only_looks_at_a_loss_changes_nothing():
    program = compiled(LOSS, SplitLayer(name="two", bottoms=["loss"], tops=["a", "b"]))
    assert np.isclose(program.forward(), numpy_losses(program, range(4)).mean())
    renamed = compiled(LOSS, IdentityLayer(name="same", bottoms=["loss"]))
    assert np.isclose(renamed.forward(), numpy_losses(renamed, range(4)).mean())


def test_a_scalar_without_a_loss_is_no_term():
    same = ElementWiseLayer(name="sum", bottoms=["loss", "other"])
    other = SoftmaxLossLayer(name="other", bottoms=["ip", "label"], tops=["other"], weight=0.5)
    alone = SoftmaxLossLayer(name="alone", bottoms=["ip", "label"], weight=3)
    program = compiled(LOSS, other, same, alone)
    assert np.isclose(program.forward(), (1 + 0.5 + 3) * numpy_losses(program, range(4)).mean())


def test_evaluation_counts_every_sample_once():
    """10 samples in batches of 4: the loss is the exact mean; a scalar made of it weighs as its batch."""
    program = compiled(LOSS, SQUARED)
    each = numpy_losses(program, range(10))
    found = program.evaluate()
    assert np.isclose(found["loss"], each.mean())
    batches = [each[0:4], each[4:8], each[8:10]]
    assert np.isclose(found["sq"], sum(b.mean() ** 2 * len(b) for b in batches) / 10)


def test_gradients():
    assert mochac.check_gradients(Net("n", [DATA, IP, LOSS, SQUARED])).ok
