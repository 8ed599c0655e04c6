"""weight= of losses by policies: as terms of the objective, set between steps, resumed; refused by name elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Adam,
    InnerProductLayer,
    L1LossLayer,
    LRPolicy,
    MemoryDataLayer,
    MochacError,
    Net,
    Snapshot,
    Solver,
    SquareLossLayer,
)

RNG = np.random.default_rng(8)
X, Y = RNG.normal(size=(12, 3)), RNG.normal(size=(12, 2))
RISING = LRPolicy.Staged((2, 0.0), (3, 0.5), (1, 2.0))
WEIGHTS = [0.0, 0.0, 0.5, 0.5, 0.5, 2.0, 2.0, 2.0]


def net(weight):
    return Net("weights", [
        MemoryDataLayer(name="in", data=[X, Y], tops=["x", "y"], batch_size=4),
        InnerProductLayer(name="a", output_dim=2, bottoms=["x"]),
        SquareLossLayer(name="loss", bottoms=["a", "y"]),
        L1LossLayer(name="extra", bottoms=["a", "y"], weight=weight, tops=["e"]),
    ])  # fmt: skip


def compiled(weight, **how):
    return mochac.compile(net(weight), dtype="float64", backend="cpu", seed=1, **how)


def by_hand(weights, accumulate=1, method=SGD):
    """Parameters after updates with these weights, each by a net of its own."""
    params, losses = None, []
    for k, weight in enumerate(weights):
        with compiled(weight, **({} if params is None else {"params": params})) as program:
            params = program.params
            solver = Solver(method(0.1), max_iter=1, regu_coef=0.0, accumulate=accumulate)
            rows = [slice(j % 3 * 4, j % 3 * 4 + 4) for j in range(k * accumulate, (k + 1) * accumulate)]
            solver.init_solve(program)
            losses.append(solver.step(x=np.concatenate([X[r] for r in rows]), y=np.concatenate([Y[r] for r in rows])))
            solver.finalize()
    return params["a"]["weight"][...], losses


@pytest.mark.slow
@pytest.mark.parametrize("accumulate", [1, 2])
def test_updates_are_those_with_the_weights_of_the_policy(accumulate):
    wanted, losses = by_hand(WEIGHTS, accumulate)
    with compiled(RISING) as program:
        program.train(SGD(0.1), max_iter=len(WEIGHTS), regu_coef=0.0, accumulate=accumulate, verbose=0)
        np.testing.assert_allclose(program.params["a"]["weight"][...], wanted, rtol=1e-10)
    with compiled(RISING) as program:
        solver = Solver(SGD(0.1), max_iter=len(WEIGHTS), regu_coef=0.0, accumulate=accumulate)
        solver.init_solve(program)
        found = []
        for weight in WEIGHTS:
            assert solver.hypers["extra.weight"] == weight
            if accumulate == 1:
                position = program.forward()
                program.backward()
                grads = program.grads["a"]["weight"][...]
                assert np.isfinite(grads).all()
                found.append(position)
                solver.update()
            else:
                found.append(solver.step())
        solver.finalize()
        np.testing.assert_allclose(found, losses, rtol=1e-10)
        np.testing.assert_allclose(program.params["a"]["weight"][...], wanted, rtol=1e-10)


def test_a_weight_is_set_between_steps():
    wanted, _ = by_hand([0.0, 0.25, 0.25, 0.5])
    with compiled(RISING) as program:
        solver = Solver(SGD(0.1), max_iter=4, regu_coef=0.0)
        solver.init_solve(program)
        solver.step()
        solver.hypers["extra.weight"] = 0.25
        solver.step()
        solver.step()
        del solver.hypers["extra.weight"]
        solver.step()
        with pytest.raises(MochacError) as caught:
            solver.hypers["extra.weight"] = -1
        assert "hypers['extra.weight'] is out of range" in str(caught.value)
        with pytest.raises(MochacError) as caught:
            solver.hypers["loss.weight"] = 1
        assert "no hyper-parameter 'loss.weight'" in str(caught.value)
        solver.finalize()
        np.testing.assert_allclose(program.params["a"]["weight"][...], wanted, rtol=1e-10)


def test_a_resumed_training_has_the_weights_that_follow(tmp_path):
    with compiled(RISING) as program:
        program.train(Adam(0.1), max_iter=8, verbose=0)
        wanted = program.params["a"]["weight"][...]
    for limit in (4, 8):
        with compiled(RISING) as program:
            solver = Solver({"a*": Adam(0.1)}, max_iter=limit, load_from=tmp_path)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=4)
            program.train(solver, verbose=0)
            found = program.params["a"]["weight"][...]
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.slow
def test_evaluation_and_forward_before_a_training():
    """Evaluation leaves the weight out, so that it compares epochs; forward() has that of the first update."""
    with compiled(LRPolicy.Fixed(0.5)) as program, compiled(0.5, params=program.params) as other:
        found, wanted = program.evaluate(), other.evaluate()
        assert found["loss"] == wanted["loss"]
        np.testing.assert_allclose(found["extra"], wanted["extra"] * 2, rtol=1e-12)
        np.testing.assert_allclose(program.forward(), other.forward(), rtol=1e-12)
        assert "extra" in str(program.profile(n_iter=1))


REFUSED = {
    "many": (
        lambda path: mochac.train_many(net(RISING), [SGD(0.1)] * 2, max_iter=1),
        "train_many(): the weight of loss 'extra' of net 0, 'weights', is a policy",
    ),
    "C": (
        lambda path: mochac.build(net(RISING), path, solver=SGD(0.1)),
        "build: the weight of loss 'extra' is a policy",
    ),
    "text": (lambda path: net("rising"), "a finite number >= 0, or a policy of the iteration such as"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(case, tmp_path):
    call, rule = REFUSED[case]
    with pytest.raises(MochacError) as caught:
        call(tmp_path)
    assert rule in str(caught.value), str(caught.value)
