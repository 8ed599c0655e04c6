"""Compiled training of every method against NumPy float64 by hand; freeze; resume."""

import itertools

import numpy as np
import pytest
import rules_by_hand as hand
import small_net
from small_net import weights

import mochac
from mochac import SGD, Snapshot, Solver
from mochac.nets.solvers.update import Update

STEPS = 25
TOLERANCE = {"float32": 2e-4, "float64": 1e-11}


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "name"), [*enumerate(hand.RULES)])
def test_25_iterations_equal_numpy(turn, name):
    """With lr_mult (0 too), three regularizers and clip_norm; in the two types in turns."""
    dtype = ("float64", "float32")[turn % 2]
    with mochac.compile(small_net.net(), dtype=dtype) as program:
        p = {n: a.astype(np.float64) for n, a in weights(program).items()}
        seen = []
        solver = Solver(small_net.METHODS[name], max_iter=STEPS, regu_coef=0.01, clip_norm=0.4)
        solver.add_coffee_break(Losses(seen), every_n_iter=1)
        program.train(solver)
        got = weights(program)
    start = {n: a.copy() for n, a in p.items()}
    losses = hand.train(hand.RULES[name], p, small_net.batches(STEPS), coef=0.01, clip=0.4)
    np.testing.assert_allclose(seen[1:], losses, rtol=TOLERANCE[dtype])
    for n in p:
        np.testing.assert_allclose(got[n], p[n], rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * 0.1, err_msg=n)
    moved = {n: float(np.abs(p[n] - start[n]).max()) for n in p}
    assert moved["y___bias"] == 0
    assert min(m for n, m in moved.items() if n != "y___bias") > 1e-3, moved


CLIPS = {"values": {"clip_value": 0.01}, "both": {"clip_value": 0.02, "clip_norm": 0.1}}
"""Limits that most steps of the small net exceed."""
CLIPPED = {
    ("Adam", "float32", "both"): [pytest.mark.slow],
    **{(name, "float64", "both"): [pytest.mark.slow] for name in hand.RULES},
    **{("SGD", dtype, "values"): [pytest.mark.slow] for dtype in ("float32", "float64")},
}
"""Limits apply before a method sees a gradient: not every one is tried with each of them but in a soak."""


@pytest.mark.parametrize(
    ("name", "dtype", "limits"),
    [
        pytest.param(*case, marks=CLIPPED.get(case, [pytest.mark.soak]))
        for case in itertools.product(hand.RULES, ("float32", "float64"), CLIPS)
    ],
)
def test_clipping_each_element(name, dtype, limits):
    """Gradients with their regularizers are clipped element by element, then as a whole."""
    limits = CLIPS[limits]
    with mochac.compile(small_net.net(), dtype=dtype) as program:
        p = {n: a.astype(np.float64) for n, a in weights(program).items()}
        free = {n: a.copy() for n, a in p.items()}
        program.train(small_net.METHODS[name], max_iter=STEPS, regu_coef=0.01, **limits)
        got = weights(program)
    value, norm = limits["clip_value"], limits.get("clip_norm")
    hand.train(hand.RULES[name], p, small_net.batches(STEPS), coef=0.01, clip=norm, clip_value=value)
    hand.train(hand.RULES[name], free, small_net.batches(STEPS), coef=0.01, clip=norm)
    for n in p:
        np.testing.assert_allclose(got[n], p[n], rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * 0.1, err_msg=n)
    assert not np.allclose(p["h___weight"], free["h___weight"], rtol=1e-3)


class Losses:
    def __init__(self, seen):
        self.seen = seen

    def enjoy(self, lounge, program, state):
        self.seen.append(state.obj_val)


def solver_of(name, folder, max_iter):
    solver = Solver(small_net.METHODS[name], max_iter=max_iter, regu_coef=0.01, load_from=folder)
    solver.add_coffee_break(Snapshot(folder), every_n_iter=7)
    return solver


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", hand.RULES)
def test_a_resumed_run_is_bit_identical(name, dtype, tmp_path):
    found = []
    for k, stops in enumerate([(20,), (7, 20)]):
        for stop in stops:
            with mochac.compile(small_net.net(), dtype=dtype) as program:
                program.train(solver_of(name, tmp_path / str(k), stop))
                found.append({**weights(program), **{n: a.copy() for n, a in program.session.slots().items()}})
    whole, cut, resumed = found
    assert len(whole) == 4 + 3 * len(small_net.METHODS[name].slots)  # the factor of y.bias is 0
    assert whole.keys() == resumed.keys()
    assert all(whole[n].tobytes() == resumed[n].tobytes() for n in whole)
    assert any(whole[n].tobytes() != cut[n].tobytes() for n in whole)


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("name", hand.RULES)
def test_freezing_before_and_during_training(name):
    """A frozen parameter and its slots stay; the others train on as by hand; then all of them again."""
    rule, batches = hand.RULES[name], small_net.batches(30)
    with mochac.compile(small_net.net(), dtype="float64") as program:
        p = weights(program)
        program.freeze("h")
        solver = Solver(small_net.METHODS[name], max_iter=30, regu_coef=0.01)
        solver.init_solve(program)
        for _ in range(10):
            solver.step()
        hand.train(rule, p, batches[:10], coef=0.01, frozen=("h",))
        for n, a in weights(program).items():
            np.testing.assert_allclose(a, p[n], rtol=1e-10, atol=1e-12)
        assert all(not a.any() for n, a in program.session.slots().items() if n.startswith("h."))
        program.unfreeze("h")
        program.freeze("y")
        held, slots = weights(program), {n: a.copy() for n, a in program.session.slots().items()}
        for _ in range(10):
            solver.step()
        solver.finalize()
        after = weights(program)
        for n in held:
            assert np.array_equal(held[n], after[n]) == n.startswith("y"), n
        assert all(np.array_equal(slots[n], a) for n, a in program.session.slots().items() if n.startswith("y."))


@pytest.mark.slow
def test_the_update_is_fused_into_the_weight_gradient():
    for name, method in small_net.METHODS.items():
        with mochac.compile(small_net.net()) as program:
            program.session.begin(Update(method, 0.01))
            kernels = [k for k in program.kernels if "inner_product_dw" in k.name]
            assert len(kernels) == 2, name
        assert [k.schedule.name for k in kernels] == ["contraction.column-lanes"] * 2, name


@pytest.mark.slow
def test_a_method_keeps_its_settings():
    with mochac.compile(small_net.net()) as program:
        before = weights(program)
        program.train(SGD(), max_iter=2)
        assert set(program.session.slots()) == {f"{n.replace('___', '.')}.history" for n in before if hand.LR_MULT[n]}
        program.train(mochac.Adam(), max_iter=2)
        assert {n.rsplit(".", 1)[1] for n in program.session.slots()} == {"mean", "square_mean"}


def test_beta1_follows_a_policy():
    """As PyTorch's OneCycleLR moves it: the correction of the mean takes the beta1 of the moment."""
    with mochac.compile(small_net.net(), dtype="float64") as program:
        p = weights(program)
        method = mochac.Adam(small_net.LR, beta1=small_net.MOM, beta2=0.99)
        program.train(Solver(method, max_iter=12, regu_coef=0.01), verbose=0)
        got = weights(program)
    hand.train(hand.adam_following, p, small_net.batches(12), coef=0.01)
    for n in p:
        np.testing.assert_allclose(got[n], p[n], rtol=1e-10, atol=1e-12, err_msg=n)
