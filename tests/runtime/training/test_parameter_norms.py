"""ParameterNorms: its numbers are those of program.parameters() and program.grads, and training is as without it."""

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import SGD, ParameterNorms, Solver

REGU, LIMIT = 0.01, 0.05


def flat(arrays):
    return {name.replace("___", "."): np.array(a, np.float64) for name, a in arrays.items()}


def trained(break_too, n=3, freeze=(), **how):
    """Parameters after the training, its lounge, and those before it."""
    with mochac.compile(tiny(), threads=1) as program:
        program.freeze(*freeze)
        before = flat(program.parameters())
        solver = Solver(SGD(0.1, momentum=0.5), max_iter=n, regu_coef=REGU, **how)
        if break_too:
            solver.add_coffee_break(ParameterNorms(), every_n_iter=1)
        lounge = program.train(solver, verbose=0)
        return flat(program.parameters()), lounge, before


def batch_gradients(n):
    """Gradients of the first n batches at the initial parameters, with regularizers."""
    found = []
    with mochac.compile(tiny(), threads=1) as program:
        for _ in range(n):
            program.forward()
            program.backward(regu_coef=REGU)
            found.append(
                {f"{k}.{p}": np.array(g, np.float64) for k, of in program.grads.items() for p, g in of.items()}
            )
    return found


@pytest.fixture(scope="module")
def run():
    return trained(True, clip_norm=LIMIT)


@pytest.mark.slow
def test_norms_and_changes_are_those_of_the_parameters(run):
    after, lounge, before = run
    for name, array in after.items():
        assert lounge.statistics[f"norm/{name}"][0] == pytest.approx(np.linalg.norm(before[name]), rel=1e-6)
        assert lounge.statistics[f"norm/{name}"][3] == pytest.approx(np.linalg.norm(array), rel=1e-6)
        assert sorted(lounge.statistics[f"change/{name}"]) == [1, 2, 3] == sorted(lounge.statistics[f"gradient/{name}"])


@pytest.mark.slow
def test_gradients_are_those_of_backward_before_clipping(run):
    (grads,) = batch_gradients(1)
    norms = {name: np.linalg.norm(g) for name, g in grads.items()}
    assert np.linalg.norm(list(norms.values())) > 2 * LIMIT
    for name, norm in norms.items():
        assert run[1].statistics[f"gradient/{name}"][1] == pytest.approx(norm, rel=1e-5)


def test_training_does_not_change(run):
    after, lounge, _ = trained(False, clip_norm=LIMIT)
    assert all(np.array_equal(array, run[0][name]) for name, array in after.items())
    assert [*lounge.statistics] == ["obj_val"] and run[1].statistics["learning_rate"][3] == 0.1


@pytest.mark.slow
def test_of_an_update_by_several_batches():
    _, lounge, _ = trained(True, n=1, accumulate=2)
    one, two = batch_gradients(2)
    for name, g in one.items():
        assert lounge.statistics[f"gradient/{name}"][1] == pytest.approx(np.linalg.norm((g + two[name]) / 2), rel=1e-5)


@pytest.mark.slow
def test_frozen_parameters_have_no_gradient():
    _, lounge, _ = trained(True, n=1, freeze=("conv",))
    found = {name for name in lounge.statistics if name.startswith("gradient/")}
    assert found == {f"gradient/{layer}.{kind}" for layer in ("ip", "out") for kind in ("weight", "bias")}


@pytest.mark.slow
def test_of_an_update_by_given_gradients():
    with mochac.compile(tiny(), threads=1) as program:
        solver = Solver(SGD(0.1), max_iter=1, regu_coef=0)
        solver.add_coffee_break(ParameterNorms(), every_n_iter=1)
        solver.init_solve(program)
        program.forward()
        program.backward()
        program.grads["out"]["bias"][...] = [3, 0, 4]
        solver.update()
        assert solver.state.gradients["out.bias"] == pytest.approx(5)
        assert solver.finalize().statistics["gradient/out.bias"] == {1: pytest.approx(5)}
