"""Solver(accumulate=k): the mean gradient of k batches is that of one batch k times as large."""

import logging

import numpy as np
import pytest
import small_net
from rules_by_hand import LR_MULT
from small_net import METHODS, weights

import mochac
from mochac import (
    DropoutLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    NumericError,
    OptionError,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
)

SAMPLES, WHOLE = 60, 20


def net(batch, dropout=False, shuffle=False, more=()):
    x, label = small_net.samples()
    data = [np.concatenate([x, x[:10]]), np.concatenate([label, label[:10]])]
    _, *layers = small_net.net().layers
    if dropout:
        layers.insert(1, DropoutLayer(name="drop", ratio=0.4, bottoms=["h"]))
    source = MemoryDataLayer(name="in", data=data, batch_size=batch, shuffle=shuffle)
    return Net("small", [source, *layers, *more])


class Losses:
    def __init__(self):
        self.seen = []

    def enjoy(self, lounge, program, state):
        self.seen.append((state.iter, state.epoch, state.obj_val, state.losses.get("loss")))


def trained(net, k, method, *, n=12, dtype="float64", threads=None, **more):
    """Parameters and slots after n iterations of k batches, and what coffee breaks saw."""
    losses = Losses()
    with mochac.compile(net, dtype=dtype, threads=threads) as program:
        solver = Solver(method, max_iter=n, accumulate=k, regu_coef=0.01, **more)
        solver.add_coffee_break(losses, every_n_iter=1)
        program.train(solver)
        slots = {name: array.copy() for name, array in program.session.slots().items()}
        return {**weights(program), **slots}, losses.seen


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in ("SGD", "AdamW") else pytest.mark.slow) for n in METHODS]
)
def test_as_one_batch_of_all_samples(name):
    whole, seen = trained(net(WHOLE), 1, METHODS[name], clip_norm=0.4)
    for k in (2, 4):
        parts, seen_of_parts = trained(net(WHOLE // k), k, METHODS[name], clip_norm=0.4)
        assert parts.keys() == whole.keys()
        for array in whole:
            np.testing.assert_allclose(parts[array], whole[array], rtol=1e-9, atol=1e-11, err_msg=array)
        assert [row[:2] for row in seen_of_parts] == [row[:2] for row in seen]
        np.testing.assert_allclose(
            np.array(seen_of_parts[1:], np.float64), np.array(seen[1:], np.float64), rtol=1e-10, atol=0
        )


@pytest.mark.slow
def test_the_bits_are_the_same_for_any_number_of_threads():
    found = [
        trained(net(5, dropout=True), 3, METHODS["SGD"], n=5, dtype="float32", threads=threads)[0]
        for threads in (1, 2, 3)
    ]
    assert all(found[0][n].tobytes() == other[n].tobytes() for other in found[1:] for n in other)


@pytest.mark.slow
def test_each_batch_draws_its_own_masks():
    """With one mask for all batches of an iteration, four times the same samples would have one gradient."""
    x, label = small_net.samples()
    repeated = [np.tile(x[:5], (4, 1)), np.tile(label[:5], 4)]

    def after(k):
        data = MemoryDataLayer(name="in", data=repeated, batch_size=5)
        layers = [data, *net(5, dropout=True).layers[1:]]
        return trained(Net("small", layers), k, METHODS["SGD"], n=1)[0]["h___weight"]

    assert not np.allclose(after(1), after(4), rtol=1e-6)


@pytest.mark.slow
def test_a_resumed_run_has_the_bits_of_the_whole(tmp_path):
    """In the middle of an epoch, with dropout and shuffling."""
    found = []
    for folder, stops in (("whole", (8,)), ("cut", (3, 8))):
        for stop in stops:
            with mochac.compile(net(7, dropout=True, shuffle=True)) as program:
                solver = Solver(METHODS["SGD"], max_iter=stop, accumulate=2, load_from=tmp_path / folder)
                solver.add_coffee_break(Snapshot(tmp_path / folder), every_n_iter=3)
                program.train(solver)
                found.append(({n: a.tobytes() for n, a in weights(program).items()}, program.rng_step))
    assert found[0] == found[2] != found[1]
    assert found[0][1] == 16


@pytest.mark.slow
def test_epochs_end_where_their_samples_end():
    """60 samples, 4 batches of 5 an update: 3 updates an epoch; with batches of 7 the 5th update ends in the second."""
    assert len(trained(net(5), 4, METHODS["SGD"], n=None, max_epoch=2)[1]) - 1 == 6
    _, seen = trained(net(7), 2, METHODS["SGD"], n=None, max_epoch=1)
    assert [row[:2] for row in seen] == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 1)]


@pytest.mark.slow
def test_collectors_get_every_batch():
    out = MemoryOutputLayer(name="out", bottoms=["y"])
    with mochac.compile(net(5, more=[out])) as program:
        program.train(METHODS["SGD"], max_iter=2, accumulate=3)
        assert [a.shape for a in program.outputs["out"][0]] == [(5, 3)] * 6


@pytest.mark.slow
def test_freezing_between_updates():
    with mochac.compile(net(5), dtype="float64") as program:
        solver = Solver(METHODS["SGD"], max_iter=9, accumulate=2)
        solver.init_solve(program)
        solver.step()
        program.freeze("h")
        held = weights(program)
        solver.step()
        frozen = weights(program)
        program.unfreeze("h")
        solver.step()
        solver.finalize()
        assert np.array_equal(held["h___weight"], frozen["h___weight"])
        assert not np.array_equal(held["y___weight"], frozen["y___weight"])
        assert not np.array_equal(frozen["h___weight"], weights(program)["h___weight"])


@pytest.mark.slow
def test_nan_in_any_batch_is_found_in_its_batch(monkeypatch):
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    x, label = small_net.samples()
    x = x.copy()
    layers = [MemoryDataLayer(name="in", data=[x, label], batch_size=5), *net(5).layers[1:]]
    with mochac.compile(Net("small", layers)) as program:
        program.params["h"]["weight"] = 1e30 * np.ones((34, 19))
        program.params["y"]["weight"] = 3e38 * np.ones((3, 34))
        with pytest.raises(NumericError, match=r"iteration 1: .* became"):
            program.train(METHODS["SGD"], max_iter=3, accumulate=3, regu_coef=0.0)


@pytest.mark.slow
def test_samples_per_second_count_every_batch(caplog):
    with caplog.at_level(logging.INFO, "mochac"), mochac.compile(net(5)) as program:
        lounge = program.train(METHODS["SGD"], max_iter=200, accumulate=4)
    rate = float(caplog.messages[-1].split(";")[1].split(",")[1].removesuffix(" samples/s"))
    assert rate == pytest.approx(200 * 20 / lounge.trained_s, rel=0.5)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "2", None])
def test_bad_numbers_of_batches(bad):
    with pytest.raises(OptionError, match="accumulate is out of range\n  expected  an integer >= 1,  got"):
        Solver(METHODS["SGD"], max_iter=1, accumulate=bad)


def test_the_other_names_are_known():
    with pytest.raises(OptionError, match="write accumulate="):
        Solver(METHODS["SGD"], max_iter=1, accumulate_grad_batches=2)


@pytest.mark.slow
def test_two_plans():
    """One that adds up gradients, and the step."""
    with mochac.compile(net(5)) as program:
        program.train(METHODS["SGD"], max_iter=2, accumulate=4)
        graphs = {bound.source.graph.name: bound.source.graph for bound in program.session.plans._bound.values()}
        assert set(graphs) == {"accumulate", "step"}
        sums = {f"{name.replace('___', '.')}.gradient_sum" for name in weights(program) if LR_MULT[name]}
        assert {target for target, _ in graphs["accumulate"].updates} == sums
        assert sums <= {i.name for i in graphs["step"].inputs}


def test_a_layer_of_an_own_loop():
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    data = MemoryDataLayer(data=[np.eye(4, dtype=np.float32), np.arange(4) % 2], batch_size=1)
    with mochac.compile(Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])) as program:
        solver = Solver(METHODS["SGD"], accumulate=4)
        solver.init_solve(program)
        losses = [solver.step() for _ in range(2)]
        assert program.rng_step == 8
        assert solver.state.iter == 2
        solver.finalize()
    assert losses[0] == pytest.approx(np.log(2), rel=0.5)
