"""program.backward(diffs=...), program.grads and solver.update(): gradients from outside become updates."""

import numpy as np
import pytest
import small_net
from small_net import BATCH, METHODS, batches, weights

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    DataError,
    DropoutLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    Net,
    NumericError,
    OptionError,
    ShapeError,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
)

X, Y = (np.asarray(a) for a in batches(1)[0])


def normed_net(loss=True):
    """Layers with states and random numbers, on inputs without data; without `loss`, without labels too."""
    inputs = [InputLayer(name="data", shape=X.shape), *([InputLayer(name="label", shape=(BATCH,))] if loss else [])]
    return Net("normed", [
        *inputs,
        InnerProductLayer(name="h", output_dim=9, bottoms=["data"]),
        BatchNormLayer(name="norm", bottoms=["h"]),
        DropoutLayer(name="drop", ratio=0.4, bottoms=["norm"]),
        InnerProductLayer(name="y", output_dim=3, bottoms=["norm"]),
        *([SoftmaxLossLayer(name="loss", bottoms=["y", "label"])] if loss else []),
    ])  # fmt: skip


def all_of(program):
    states = {f"{p.key} {p.name}": p[...] for group in program.states.values() for p in group.values()}
    return {**weights(program), **program.session.slots(), **states}


def same(one, other):
    return one.keys() == other.keys() and all(one[n].tobytes() == other[n].tobytes() for n in one)


def forward_backward(program, x, label):
    loss = program.forward(data=x, label=label)
    program.backward()
    return loss


def outside(program, x, label):
    """The softmax loss and its gradient, in NumPy."""
    program.forward(data=x)
    scores = program.blobs["y"].astype(np.float64)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    chosen = np.eye(3)[label]
    program.backward(diffs={"y": (shares - chosen) / BATCH})
    return -np.log((shares * chosen).sum(axis=1)).mean()


def updated(net, of_batch, given, method=METHODS["SGD"], dtype="float32", **how):
    """Losses and everything that training changes, after an own loop on some batches."""
    with mochac.compile(net, dtype=dtype) as program:
        solver = Solver(method, regu_coef=0.01, **how)
        solver.init_solve(program)
        losses = []
        for x, label in given:
            losses.append(of_batch(program, x, label))
            solver.update()
        assert solver.state.iter == len(given) // how.get("accumulate", 1)
        solver.finalize()
        return losses, {n: a.copy() for n, a in all_of(program).items()}


def stepped(net, given, method=METHODS["SGD"], dtype="float32", **how):
    with mochac.compile(net, dtype=dtype) as program:
        solver = Solver(method, regu_coef=0.01, **how)
        solver.init_solve(program)
        k = how.get("accumulate", 1)
        pairs = [zip(*given[i : i + k], strict=True) for i in range(0, len(given), k)]
        losses = [
            program.step(**dict(zip(("data", "label"), map(np.concatenate, pair), strict=True))) for pair in pairs
        ]
        solver.finalize()
        return losses, {n: a.copy() for n, a in all_of(program).items()}


@pytest.mark.slow
@pytest.mark.parametrize("how", [{}, {"accumulate": 3}, {"clip_norm": 0.05}], ids=str)
def test_an_update_is_that_of_a_step(how):
    """Bit for bit, running statistics and dropout masks included."""
    given = batches(6)
    losses, found = updated(normed_net(), forward_backward, given, **how)
    of_steps, wanted = stepped(normed_net(), given, **how)
    assert same(found, wanted)
    k = how.get("accumulate", 1)
    np.testing.assert_allclose(np.reshape(losses, (-1, k)).mean(axis=1), of_steps, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n == "AdamW" else pytest.mark.slow) for n in METHODS])
def test_every_method(name):
    given = batches(4)
    found = updated(small_net.net(), forward_backward, given, METHODS[name])
    assert same(found[1], stepped(small_net.net(), given, METHODS[name])[1])


@pytest.mark.slow
def test_gradients_of_a_loss_outside_of_the_net():
    """Of a net without a loss, which trains in train mode nevertheless: with dropout and running statistics."""
    given = batches(5)
    losses, found = updated(normed_net(loss=False), outside, given, dtype="float64")
    of_steps, wanted = stepped(normed_net(), given, dtype="float64")
    np.testing.assert_allclose(losses, of_steps, rtol=1e-12)
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.slow
def test_gradients_may_be_replaced():
    with mochac.compile(small_net.net(), dtype="float64") as program:
        solver = Solver(SGD(0.5), regu_coef=0.0)
        solver.init_solve(program)
        before = weights(program)
        forward_backward(program, X, Y)
        plain = np.array(program.grads["h"]["weight"])
        program.grads["h"]["weight"][...] *= 2
        program.grads["h"]["bias"] = np.ones(small_net.HIDDEN)
        program.grads["y"]["weight"] *= 0
        solver.update()
        after = weights(program)
        np.testing.assert_allclose(after["h___weight"], before["h___weight"] - plain, rtol=1e-12)
        np.testing.assert_allclose(after["h___bias"], before["h___bias"] - 2 * 0.5, rtol=1e-12)
        assert np.array_equal(after["y___weight"], before["y___weight"])
        forward_backward(program, X, Y)
        assert not np.array_equal(program.grads["h"]["weight"], 2 * plain)
        solver.finalize()


@pytest.mark.slow
def test_frozen_layers_keep_their_parameters():
    with mochac.compile(normed_net()) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        for layers in ([], ["norm"], ["h", "norm", "y"]):
            program.unfreeze_all()
            program.freeze(*layers)
            before = {n: a.copy() for n, a in all_of(program).items()}
            forward_backward(program, X, Y)
            solver.update()
            after = all_of(program)
            kept = {n for n in before if np.array_equal(before[n], after[n])}
            assert {n for n in before if n.startswith(tuple(layers))} <= kept or not layers
            assert ("y___weight" in kept) == ("y" in layers)
            assert ("norm mean" in kept) == ("norm" in layers)
        solver.finalize()


@pytest.mark.slow
def test_both_kinds_of_step_in_one_training():
    losses = []
    for order in ("su", "us"):
        with mochac.compile(normed_net()) as program:
            solver = Solver(SGD(0.1, momentum=0.9))
            solver.init_solve(program)
            for kind in order:
                if kind == "s":
                    losses.append(solver.step(data=X, label=Y))
                else:
                    losses.append(forward_backward(program, X, Y))
                    solver.update()
            assert solver.state.iter == 2
            assert solver.state.obj_val == pytest.approx(losses[-1])
            solver.finalize()
    np.testing.assert_allclose(losses[:2], losses[2:], rtol=1e-6)


@pytest.mark.slow
def test_breaks_policies_and_snapshots(tmp_path):
    """update() is an iteration: what is due after it runs, and a resumed loop has the bits of the whole."""
    found = []
    for folder, parts in (("whole", [6]), ("cut", [3, 3])):
        done = 0
        for n in parts:
            with mochac.compile(normed_net()) as program:
                solver = Solver(METHODS["SGD"], load_from=tmp_path / folder)
                solver.add_coffee_break(Snapshot(tmp_path / folder), every_n_iter=3)
                solver.init_solve(program)
                for x, label in batches(6)[done : done + n]:
                    forward_backward(program, x, label)
                    solver.update()
                done += n
                assert solver.state.iter == done
                assert solver.state["learning_rate"] == METHODS["SGD"].hypers(done - 1)["lr"]
                lounge = solver.finalize()
                assert sorted(lounge.statistics["obj_val"]) == list(range(done - n + 1, done + 1))
                found.append(all_of(program))
    assert same(found[0], found[2])


@pytest.mark.slow
def test_hypers_hold_for_updates():
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        before = weights(program)
        for rate in (0.0, 0.1):
            solver.hypers["lr"] = rate
            forward_backward(program, X, Y)
            solver.update()
            assert np.array_equal(before["h___weight"], weights(program)["h___weight"]) == (rate == 0.0)
        solver.finalize()


@pytest.mark.slow
def test_mistakes_of_a_loop():
    with mochac.compile(normed_net()) as program:
        solver = Solver(SGD(0.1))

        def says(kind, text, call):
            with pytest.raises(kind) as caught:
                call()
            assert str(caught.value).startswith(text), str(caught.value)

        says(OptionError, "update() before init_solve(program)", solver.update)
        says(OptionError, "step(): no training of program 'normed' has begun\n  hint: solver = Solver", program.step)
        solver.init_solve(program)
        before = weights(program)
        says(OptionError, "backward() before forward()\n  hint: call forward() first", program.backward)
        says(OptionError, "update() without gradients\n  hint: forward() and backward() compute", solver.update)
        program.forward(data=X, label=Y)
        says(OptionError, "update() without gradients", solver.update)
        program.backward(0.1)
        says(OptionError, "update() adds the solver's regularizers itself\n  hint: call backward() with", solver.update)
        assert all(np.array_equal(before[n], a) for n, a in weights(program).items())
        program.backward()
        solver.update()
        says(OptionError, "update(): the gradients of the last backward() have been used", solver.update)
        with pytest.raises(OptionError, match=r"'y' has no gradient 'wieght'\n  hint: did you mean 'weight'"):
            program.grads["y"]["wieght"] = 1.0
        with pytest.raises(ShapeError, match=r"gradient y.weight: values have another shape"):
            program.grads["y"]["weight"] = np.ones(3)
        says(OptionError, "forward() needs 'label' too", lambda: program.forward(data=X))
        says(OptionError, "forward(): no data layer makes 'dta'", lambda: program.forward(dta=X, label=Y))
        says(ShapeError, "forward(): 'data' holds another number", lambda: program.forward(data=X[:3], label=Y))
        solver.step(data=X, label=Y)
        says(OptionError, "update() without gradients", solver.update)
        assert solver.state.iter == 2
        solver.finalize()
        says(OptionError, "update() after finalize()", solver.update)


D = np.zeros((BATCH, 3))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("diffs", "kind", "text"),
    [
        ({"nrom": D}, OptionError, "backward(): the net has no blob 'nrom'\n  hint: did you mean 'norm'?"),
        ({"weights": D}, OptionError, "backward(): the net has no blob 'weights'\n  hint: blobs: data"),
        ({}, OptionError, "backward(): diffs is not a dict of gradients\n  expected  gradients by blob, such as {"),
        (D, OptionError, "backward(): diffs is not a dict of gradients"),
        (
            {"y": D[:, :2]},
            ShapeError,
            "backward(): the gradient of 'y' has another shape than the blob\n  expected  f32[",
        ),
        ({"y": D[0]}, ShapeError, "backward(): the gradient of 'y' has another shape than the blob"),
        (
            {"y": 1.0},
            ShapeError,
            "backward(): the gradient of 'y' has another shape than the blob\n  expected  f32[20,3],  got  ()",
        ),
        ({"y": D + np.nan}, DataError, "backward(): the gradient of 'y' holds nan at (0, 0)"),
        ({"y": D + 1e300}, DataError, "backward(): the gradient of 'y' holds inf at (0, 0)"),
        ({"y": "abc"}, OptionError, "backward(): the gradient of 'y' is not an array of numbers"),
    ],
)
def test_bad_diffs(diffs, kind, text):
    """Nothing is lost: backward() may be called again."""
    with mochac.compile(normed_net(loss=False)) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        program.forward(data=X)
        with pytest.raises(kind) as caught:
            program.backward(diffs=diffs)
        assert text in str(caught.value), str(caught.value)
        program.backward(diffs={"y": D})
        solver.update()
        solver.finalize()


def test_a_net_without_a_loss_takes_no_step():
    with mochac.compile(normed_net(loss=False)) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        with pytest.raises(OptionError, match=r"step\(\): net 'normed' has no loss layer\n  hint: .*update\(\)"):
            solver.step(data=X)
        program.forward(data=X)
        with pytest.raises(OptionError, match=r"backward\(\): net 'normed' has no loss .*\n.*backward\(diffs="):
            program.backward()
        program.backward(diffs={"y": D})
        solver.update()
        assert (solver.state.iter, solver.state.obj_val) == (1, None)
        solver.finalize()


@pytest.mark.slow
def test_gradients_of_several_blobs_add_up():
    with mochac.compile(normed_net(loss=False), dtype="float64", mode="test") as program:
        program.forward(data=X)
        found = []
        for diffs in ({"y": D + 1}, {"h": np.ones((BATCH, 9))}, {"y": D + 1, "h": np.ones((BATCH, 9))}):
            program.backward(diffs=diffs)
            found.append(program.grads["h"]["weight"])
        np.testing.assert_allclose(found[0] + found[1], found[2], rtol=1e-10)
        assert np.array_equal(program.blob_diffs["y"], D + 1)


def test_steps_inside_a_coffee_break_are_refused():
    class Eager:
        def enjoy(self, lounge, program, state):
            if state.iter:
                program.step()

    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(0.1), max_iter=2)
        solver.add_coffee_break(Eager(), every_n_iter=1)
        with pytest.raises(OptionError, match=r"step\(\) inside a coffee break"):
            program.train(solver)


def test_a_loss_that_is_not_finite_updates_nothing(monkeypatch):
    with mochac.compile(small_net.net()) as program:
        program.params["y"]["weight"] = np.full((3, small_net.HIDDEN), 3e38)
        solver = Solver(SGD(0.1), regu_coef=0.0)
        solver.init_solve(program)
        before = weights(program)
        forward_backward(program, X, Y)
        with pytest.raises(NumericError, match="iteration 1: the loss became"):
            solver.update()
        assert all(np.array_equal(before[n], a) for n, a in weights(program).items())
        solver.finalize()


def test_a_gradient_that_is_not_finite(monkeypatch):
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        forward_backward(program, X, Y)
        program.grads["h"]["weight"][1, 2] = np.nan
        with pytest.raises(NumericError, match=r"gradient of parameter 'h.weight' is nan, first at \(1, 2\)"):
            solver.update()
        solver.finalize()


def test_data_layers_feed_an_own_loop():
    """forward() takes the next batch of the data layers: the loop is train() bit by bit."""
    found = []
    for own in (False, True):
        with mochac.compile(small_net.net()) as program:
            if own:
                solver = Solver(METHODS["SGD"])
                solver.init_solve(program)
                for _ in range(4):
                    program.forward()
                    program.backward()
                    solver.update()
                assert (solver.state.epoch, program.rng_step) == (1, 4)
                solver.finalize()
            else:
                program.train(METHODS["SGD"], max_iter=4)
            found.append(all_of(program))
    assert same(*found)


def test_a_parameter_that_is_a_blob():
    """Its gradient may be given like that of any blob."""
    layers = [
        MemoryDataLayer(name="in", data=[X.astype(np.float32)], tops=["data"], batch_size=BATCH),
        mochac.ParameterLayer(name="w", shape=(3, X.shape[1])),
        InnerProductLayer(name="y", output_dim=3, bottoms=["data"], weight="w"),
    ]
    with mochac.compile(Net("blob", layers), dtype="float64") as program:
        solver = Solver(SGD(1.0), regu_coef=0.0)
        solver.init_solve(program)
        before = program.params["w"]["value"][...]
        program.forward()
        program.backward(diffs={"w": np.ones((3, X.shape[1]))})
        solver.update()
        np.testing.assert_allclose(program.params["w"]["value"][...], before - 1, rtol=1e-12)
        solver.finalize()


def test_a_replaced_gradient_that_is_not_finite_updates_nothing():
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        forward_backward(program, X, Y)
        before = weights(program)
        program.grads["y"]["weight"][1, 2] = np.nan
        with pytest.raises(NumericError, match=r"iteration 1: gradient of parameter 'y.weight' is nan, first at \(1"):
            solver.update()
        assert same(before, weights(program))
        forward_backward(program, X, Y)
        solver.update()
        assert solver.finalize() is not None


def test_finalize_finds_parameters_that_are_not_finite():
    with mochac.compile(small_net.net()) as program:
        solver = Solver(SGD(1e30))
        solver.init_solve(program)
        forward_backward(program, X, Y)
        program.grads["y"]["weight"][...] = 1e30
        solver.update()
        with pytest.raises(NumericError, match=r"iteration 1: parameter .* became -?inf"):
            solver.finalize()
        assert program.session.training is None


@pytest.mark.parametrize("threads", [1, 2])
def test_backward_does_not_run_forward_again(threads):
    """From the second time on; the numbers are those of the whole plan."""

    def losses_and_gradients(in_parts):
        with mochac.compile(normed_net(), threads=threads) as program:
            found = []
            for _ in range(3):
                found.append(program.forward(data=X, label=Y))
                if not in_parts:
                    program.session.debug._begun = None
                found.append(program.blobs["y"].tobytes())
                program.backward()
                found += [program.grads["h"]["weight"].tobytes(), program.blob_diffs["h"].tobytes()]
            plan = program.session.results.last.bound.compiled.plan
            assert 0 < plan.head < len(plan.launches)
            return found

    assert losses_and_gradients(True) == losses_and_gradients(False)


def test_forward_before_another_kind_of_backward():
    with mochac.compile(normed_net()) as program:
        program.forward(data=X, label=Y)
        program.backward()
        want = program.grads["h"]["weight"].copy()
        assert program.forward(data=X, label=Y) > 0
        program.backward(diffs={"y": np.zeros((BATCH, 3))})
        assert not program.grads["h"]["weight"].any()
        assert program.forward(data=X, label=Y) > 0  # begins the plan with diffs
        program.backward()
        assert program.grads["h"]["weight"].tobytes() != want.tobytes()  # other dropout masks
        program.forward(data=X, label=Y)
        with pytest.raises(OptionError, match="no blob gradient"):
            program.blob_diffs["h"]
