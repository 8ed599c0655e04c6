"""Groups of parameters with a method each: their rules, names, snapshots, and groups that do not fit the net."""

import logging

import numpy as np
import pytest
import rules_by_hand as hand
import small_net
from small_net import METHODS, weights

import mochac
from mochac import (
    SGD,
    Adam,
    AdamW,
    EmbeddingLayer,
    InnerProductLayer,
    L2Regu,
    LRPolicy,
    MemoryDataLayer,
    Net,
    OptionError,
    ReductionLayer,
    Snapshot,
    SnapshotError,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
    ValidationPerformance,
)
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.solvers.method import METHODS as KNOWN
from mochac.nets.trace import trace

STEPS = 12
MIXED = {"h.bias": METHODS["Adam"], "h*": METHODS["SGD"], "*": METHODS["RAdam"]}
RULES = {"h___bias": "Adam", "h___weight": "SGD", "y___weight": "RAdam", "y___bias": "RAdam"}


def by_hand(p, steps, *, coef=0.0, clip=None):
    """Train each parameter by its own rule, in NumPy."""
    kept = {name: {} for name in p}
    for t, (x, label) in enumerate(small_net.batches(steps)):
        _, grads = hand.gradients(p, x, label)
        trained = {name: g for name, g in grads.items() if hand.LR_MULT[name]}
        grads = hand.clipped(hand.regularized(p, trained, coef), clip)
        for name in grads:
            rule = hand.RULES[RULES[name]]
            p[name] = p[name] + rule(p[name], grads[name], kept[name], t, hand.LR_MULT[name])
    return p


def after(method, steps=STEPS, net=None, **how):
    with mochac.compile(net or small_net.net(), dtype="float64") as program:
        start = weights(program)
        program.train(method, max_iter=steps, verbose=0, **how)
        return start, weights(program)


def require_equal(found, want, rtol=1e-11):
    for name, array in want.items():
        np.testing.assert_allclose(found[name], array, rtol=rtol, atol=1e-13, err_msg=name)


def test_each_group_follows_its_rule_and_limits_act_on_all():
    start, found = after(MIXED, regu_coef=0.01, clip_norm=0.4)
    require_equal(found, by_hand(start, STEPS, coef=0.01, clip=0.4))


@pytest.mark.slow
def test_several_batches_an_update():
    """Groups see the mean gradient; the same as two single methods where the gradients are the same."""
    start, found = after(MIXED, 1, regu_coef=0.0, accumulate=2)
    for name, array in found.items():
        _, alone = after(METHODS[RULES[name]], 1, regu_coef=0.0, accumulate=2)
        np.testing.assert_array_equal(array, alone[name], err_msg=name)
    assert not np.array_equal(found["h___bias"], start["h___bias"])


@pytest.mark.parametrize("name", [name for name, _ in KNOWN.items()])
def test_one_method_is_the_group_of_all(name):
    """The same graph, and so the same code."""
    traced, method = trace(small_net.net(), "train", "float32"), METHODS[name]
    one, table = (Solver(given, max_iter=1) for given in (method, {"*": method}))
    graphs = [str(step_plan(traced, s.update_of(s.method)).graph) for s in (one, table)]
    assert graphs[0] == graphs[1]


def test_patterns():
    """A layer, a parameter by either name, the first match."""
    net = Net("names", [
        MemoryDataLayer(name="in", data=[np.ones((4, 3, 4, 4)), np.zeros(4, int)], batch_size=2),
        mochac.ConvolutionLayer(name="conv1", n_filter=2, kernel=2, bottoms=["data"]),
        mochac.ConvolutionLayer(name="conv10", n_filter=2, kernel=2, bottoms=["conv1"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["conv10"]),
        SoftmaxLossLayer(bottoms=["ip", "label"]),
    ])  # fmt: skip
    groups = {"conv1": SGD(1.0), "conv10.filter": SGD(2.0), "ip.w*": SGD(3.0), ("ip", "conv10.bias"): SGD(4.0)}
    method = Solver(groups, max_iter=1).method
    found = {p.names[-1]: method.group_of(p.names).method.hypers(0)["lr"] for p in net.params}
    assert found == {
        "conv1.weight": 1.0, "conv1.bias": 1.0, "conv10.weight": 2.0, "conv10.bias": 4.0, "ip.weight": 3.0,
        "ip.bias": 4.0,
    }  # fmt: skip
    assert [*method.policies()] == [
        f"{name}.{scalar}" for name in ("conv1", "conv10.filter", "ip.w*", "group3") for scalar in ("lr", "momentum")
    ]
    by_weight = Solver({"*.weight": SGD(2.0), "*": SGD(1.0)}, max_iter=1).method
    found = {p.names[-1]: by_weight.group_of(p.names).method.hypers(0)["lr"] for p in net.params}
    assert found == {name: 2.0 if name.endswith("weight") else 1.0 for name in found}


@pytest.mark.slow
def test_a_table_of_another_group_is_updated_by_rows():
    """Rows of a table that no id names keep their bits where its own method only subtracts; where another group has
    momentum, the result is that of training without groups."""
    ids = np.array([[0, 1], [1, 2]])
    net = Net("rows", [
        MemoryDataLayer(name="in", data=[ids, np.array([0, 1])], batch_size=2),
        EmbeddingLayer(name="emb", vocabulary=50, output_dim=4, bottoms=["data"]),
        ReductionLayer(name="sum", axes=(1,), bottoms=["emb"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["sum"]),
        SoftmaxLossLayer(bottoms=["ip", "label"]),
    ])  # fmt: skip
    with mochac.compile(net, dtype="float64") as program:
        program.train({"emb": SGD(0.1), "*": Adam(0.01)}, max_iter=3, regu_coef=0.0, verbose=0)
        assert "add_rows" in "".join(k.text for k in program.kernels)
    dense = {"emb": SGD(LRPolicy.Fixed(0.1), momentum=0.5), "*": Adam(0.01)}
    with mochac.compile(net, dtype="float64") as program:
        program.train(dense, max_iter=3, regu_coef=0.0, verbose=0)
        assert "add_rows" not in "".join(k.text for k in program.kernels)


# --- names ---------------------------------------------------------------------------------------------------


def test_hypers_and_statistics_have_the_names_of_groups():
    with mochac.compile(small_net.net()) as program:
        solver = Solver({"h*": AdamW(LRPolicy.Step(0.1, 0.5, 1)), "*": SGD(0.2, momentum=0.5)}, max_iter=9)
        solver.init_solve(program)
        assert dict(solver.hypers) == {"h*.lr": 0.1, "lr": 0.2, "momentum": 0.5}
        solver.step()
        assert solver.hypers["h*.lr"] == 0.05
        assert solver.state.hypers == {
            "h*.learning_rate": 0.1, "h*.step_size": pytest.approx(1.0), "h*.root_scale": pytest.approx(1000**0.5),
            "learning_rate": 0.2, "momentum": 0.5,
        }  # fmt: skip
        before = weights(program)
        solver.hypers["h*.lr"] = 0.0
        solver.hypers["lr"] = 0.3
        solver.step()
        moved = {name: not np.array_equal(a, before[name]) for name, a in weights(program).items()}
        assert moved == {"h___weight": False, "h___bias": False, "y___weight": True, "y___bias": False}
        del solver.hypers["h*.lr"]
        assert solver.hypers["h*.lr"] == 0.025
        for name, hint in (("h*.lrr", "did you mean 'h*.lr'?"), ("h*.beta1", "beta1 is a constant of the compiled")):
            with pytest.raises(OptionError) as caught:
                solver.hypers[name] = 1.0
            assert "has no hyper-parameter" in str(caught.value) and hint in str(caught.value)
        with pytest.raises(OptionError, match=r"a policy belongs to the method: AdamW\(lr_policy=...\)"):
            solver.hypers["h*.lr"] = LRPolicy.Fixed(0.1)  # type: ignore[assignment]
        solver.finalize()


def test_text():
    solver = Solver({"h*": AdamW(0.1), ("y", "z"): SGD(0.2)}, max_iter=9)
    assert repr(solver) == "Solver(h*: AdamW, y z: SGD, max_iter=9, regu_coef=0.0)"
    assert repr(solver.method) == f"{{'h*': {AdamW(0.1)!r}, ('y', 'z'): {SGD(0.2)!r}}}"
    assert Solver({"h*": SGD(), "*": SGD()}, max_iter=9).regu_coef == 0.0005


# --- state ---------------------------------------------------------------------------------------------------


def bits(program):
    arrays = {**weights(program), **program.session.slots()}
    return {name: array.tobytes() for name, array in arrays.items()}


@pytest.mark.slow
def test_two_halves_have_the_bits_of_the_whole(tmp_path):
    groups = {"h*": AdamW(LRPolicy.Exp(0.1, 0.9)), "*": SGD(LRPolicy.Inv(0.05, 0.1, 0.75), momentum=0.9)}
    with mochac.compile(small_net.net()) as program:
        program.train(groups, max_iter=8, verbose=0)
        whole = bits(program)
    assert sorted(whole)[:3] == ["h.bias.mean", "h.bias.square_mean", "h.weight.mean"]
    with mochac.compile(small_net.net()) as program:
        program.train(groups, max_iter=4, verbose=0)
        program.train(groups, max_iter=4, resume=True, verbose=0)
        assert bits(program) == whole
    for path in (tmp_path, tmp_path / "flat.safetensors"):
        with mochac.compile(small_net.net()) as program:
            solver = Solver(groups, max_iter=4)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=4)
            program.train(solver, verbose=0)
            if path != tmp_path:
                program.save(path, training=True)
        with mochac.compile(small_net.net(), seed=3) as program:
            program.train(groups, max_iter=8, load_from=path, verbose=0)
            assert bits(program) == whole
    with mochac.compile(small_net.net()) as program, pytest.raises(SnapshotError) as caught:
        program.train({"y*": AdamW(0.1), "*": SGD()}, max_iter=8, load_from=tmp_path, verbose=0)
    assert str(caught.value).endswith(
        "was written by another solver\n  expected  y*: AdamW, *: SGD,  got  h*: AdamW, *: SGD"
    )


def test_what_was_set_goes_on(tmp_path):
    groups = {"h*": AdamW(0.1), "*": SGD(0.2)}
    with mochac.compile(small_net.net()) as program:
        solver = Solver(groups, max_iter=2)
        solver.init_solve(program)
        solver.hypers["h*.lr"] = 0.01
        solver.step()
        solver.finalize()
        program.save(tmp_path / "flat.safetensors", training=True)
        solver = Solver(groups, max_iter=2, load_from=tmp_path / "flat.safetensors")
        solver.init_solve(program)
        assert dict(solver.hypers) == {"h*.lr": 0.01, "lr": 0.2, "momentum": 0.0}
        solver.finalize()


@pytest.mark.slow
def test_a_policy_of_a_group_watches_validations():
    """Both groups lose their state when one of them decays."""
    x, label = small_net.samples()
    test_net = Net("test", [
        MemoryDataLayer(name="t", data=[x, label], batch_size=10),
        *[layer for layer in small_net.net().layers if layer.name in ("h", "y")],
        mochac.AccuracyLayer(name="acc", bottoms=["y", "label"]),
    ])  # fmt: skip
    falling = LRPolicy.DecayOnValidation(0.5, "acc-accuracy", gamma=0.1, higher_better=False)
    with mochac.compile(small_net.net()) as program, mochac.compile(test_net, params=program.params) as test:
        solver = Solver({"h*": SGD(falling, momentum=0.9), "*": SGD(0.1, momentum=0.9)}, max_iter=30)
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=1)
        zeroed = []
        solver.add_coffee_break(Watch(lambda: zeroed.append(not any(map(np.any, program.session.slots().values())))), 1)
        program.train(solver, verbose=0)
        assert solver.hypers["h*.lr"] < 0.5 and solver.hypers["lr"] == 0.1
        assert zeroed.count(True) > 1 and False in zeroed


class Watch:
    def __init__(self, look):
        self.look = look

    def enjoy(self, lounge, program, state):
        self.look()


# --- other places --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_nets_train_in_groups():
    """Each with numbers of its own; as train() does, within rounding."""
    tables = [{"h*": AdamW(rate, decay=0.1 * rate), "*": SGD(0.2)} for rate in (0.1, 0.01)]
    results = mochac.train_many(small_net.net(), tables, max_iter=5, regu_coef=0.0)
    for table, (params, lounge) in zip(tables, results, strict=True):
        with mochac.compile(small_net.net()) as program:
            program.train(table, max_iter=5, regu_coef=0.0, verbose=0)
            for key in ("h", "y"):
                for name in ("weight", "bias"):
                    np.testing.assert_allclose(
                        params[key][name][...], program.params[key][name][...], rtol=1e-4, atol=1e-6
                    )
        assert lounge.statistics["h*.learning_rate"][5] == table["h*"].lr_policy.value(0)
        assert lounge.statistics["learning_rate"][5] == 0.2


def test_summary_of_a_group(caplog):
    with mochac.compile(small_net.net()) as program, caplog.at_level(logging.INFO, "mochac"):
        solver = Solver({"h*": AdamW(0.125), "*": SGD(0.2)}, max_iter=1)
        solver.add_coffee_break(TrainingSummary("h*.learning_rate"), every_n_iter=1)
        program.train(solver)
    assert "0.125" in caplog.text


@pytest.mark.slow
def test_estimators_take_groups():
    x, label = small_net.samples()
    layers = [InnerProductLayer(name="head", output_dim=3)]
    made = mochac.NetClassifier(layers, method={"head.bias": SGD(0.0), "*": SGD(0.1)}, max_epoch=2).fit(x, label)
    assert not made.program_.params["head"]["bias"][...].any() and made.program_.params["head"]["weight"][...].any()


# --- what does not fit ---------------------------------------------------------------------------------------


def complaint(groups, call=lambda p, groups: p.train(groups, max_iter=1, verbose=0)):
    with mochac.compile(small_net.net()) as program, pytest.raises(OptionError) as caught:
        call(program, groups)
    return str(caught.value)


HINT = "  hint: patterns match layers ('conv1') and their parameters ('conv1.bias'); '*' matches all that are left"
KNOWN_NAMES = "  parameters: h.weight, h.bias, y.weight, y.bias"


def test_parameters_without_a_group_and_patterns_without_a_parameter():
    assert complaint({"h.*": SGD(), "yy": SGD(), ("y.weight", "q*"): SGD(), "h": Adam()}) == "\n".join([
        "the solver's groups do not fit the net's parameters",
        "  no pattern matches  'y.bias'",
        "  matches nothing     'yy'; did you mean 'y'?",
        "  matches nothing     'q*'",
        "  never reached       'h', whose parameters earlier patterns match",
        KNOWN_NAMES,
        HINT,
    ])  # fmt: skip
    assert complaint({"*": SGD(), "h*": Adam()}).splitlines()[1] == (
        "  never reached       'h*', whose parameters earlier patterns match"
    )


def test_own_loops_many_nets_and_libraries_say_it_too(tmp_path):
    groups = {"z": SGD()}
    for call in (
        lambda p, g: Solver(g, max_iter=1).init_solve(p),
        lambda p, g: mochac.train_many(p.net, g, max_iter=1),
        lambda p, g: mochac.build(p.net, tmp_path, Solver(g, max_iter=1)),
    ):
        assert complaint(groups, call).startswith("the solver's groups do not fit the net's parameters\n")


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ({}, "Solver: no methods\n  expected  {\"head*\": AdamW(0.001), \"*\": SGD(0.01)},  got  {}"),
        ({3: SGD()}, "Solver: not a pattern of parameters\n  expected  a pattern such as 'conv*' or '*.bias', or a "
         "tuple of patterns,  got  3"),
        ({"": SGD()}, "Solver: not a pattern of parameters"),
        ({(): SGD()}, "Solver: not a pattern of parameters"),
        ({("h", 3): SGD()}, "Solver: not a pattern of parameters"),
        ({"*": SGD}, "Solver: method is a class\n  hint: write SGD() with parentheses"),
        ({"*": 0.1}, "Solver: not a solver method\n  expected  SGD(...) or another method,  got  0.1"),
        ({"*": {"h": SGD()}}, "Solver: not a solver method"),
    ],
)  # fmt: skip
def test_bad_tables(groups, text):
    with pytest.raises(OptionError) as caught:
        Solver(groups, max_iter=1)
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize("given", [[("h*", SGD()), ("*", SGD())], [{"params": "h*", "lr": 0.1}]])
def test_lists_of_groups_lead_to_a_dict(given):
    with pytest.raises(OptionError) as caught:
        Solver(given, max_iter=1)
    assert caught.value.report.endswith('are a dict of methods by patterns: {"head*": AdamW(0.001), "*": SGD(0.01)}')


def test_decay_all_needs_a_group_that_decays():
    assert Solver({"h*": AdamW(), "*": SGD()}, max_iter=1, decay_all=True).decay_all
    with pytest.raises(OptionError, match="decay_all: h: Adam, \\*: SGD has no decoupled weight decay"):
        Solver({"h": Adam(), "*": SGD()}, max_iter=1, decay_all=True)


@pytest.mark.slow
def test_regularizers_of_a_group():
    """regu_coef acts in every group."""
    usual = {"weight_regu": L2Regu(1.0)}
    _, none = after({"h": SGD(0.1), "*": SGD(0.1)}, 3, small_net.net(**usual), regu_coef=0.0)
    _, some = after({"h": SGD(0.1), "*": SGD(0.1)}, 3, small_net.net(**usual), regu_coef=0.1)
    _, want = after(SGD(0.1), 3, small_net.net(**usual), regu_coef=0.1)
    require_equal(some, want)
    assert not np.allclose(none["h___weight"], some["h___weight"])
