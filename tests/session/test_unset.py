"""Warnings of layers whose parameters nobody has set: misspelt in a net that is only evaluated."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    BatchNormLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
    Solver,
    ValidationPerformance,
)
from mochac.base.support import log

X, Y = np.eye(4, 3), np.array([0, 1, 0, 1])
DATA = MemoryDataLayer(data=[X, Y], batch_size=4)
LOSS = SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"])


def layer(name, bottom, **more):
    return InnerProductLayer(name=name, output_dim=2, bottoms=[bottom], **more)


def trained():
    return mochac.compile(Net("train", [DATA, layer("ip1", "data"), layer("ip2", "ip1"), LOSS]))


def judged(last, judge=AccuracyLayer, name="test", key=""):
    end = judge(name="end", bottoms=[last, "label"])
    return Net(name, [DATA, layer("ip1", "data"), layer(last, "ip1", param_key=key), end])


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch):
    monkeypatch.setattr(log, "_logged_lines", set())


def warnings(caplog):
    return [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]


MISSPELT = (
    "net 'test' shares parameters, but those of layer 'out' are as initialized: layers share by param_key, which is "
    "their name by default; of those it shares with, it does not use ip2"
)


@pytest.mark.parametrize("use", [lambda p: p.evaluate(), lambda p: p.predict(X, "out")])
def test_a_misspelt_layer_is_named_once(caplog, use):
    with trained() as program, mochac.compile(judged("out"), params=program.params) as tested:
        use(tested)
        use(tested)
    assert warnings(caplog) == [MISSPELT]


@pytest.mark.slow
@pytest.mark.parametrize("judge", [AccuracyLayer, SoftmaxLossLayer])
def test_a_validation_names_it(caplog, judge):
    with trained() as program, mochac.compile(judged("out", judge), params=program.params) as tested:
        solver = Solver(SGD(0.1), max_iter=2)
        solver.add_coffee_break(ValidationPerformance(tested), every_n_iter=1)
        program.train(solver, verbose=0)
    assert warnings(caplog) == [MISSPELT]


def test_no_warning_where_parameters_are_set_or_trained(caplog):
    with trained() as program:
        for use in ("ip2", "same key", "loaded", "own loop"):
            key = "ip2" if use == "same key" else ""
            net = judged("ip2" if use == "ip2" else use, name=use, key=key)
            store = mochac.Params()
            store.share(program.params["ip1"]["weight"])
            store.share(program.params["ip1"]["bias"])
            with mochac.compile(net, params=program.params if use in ("ip2", "same key") else store) as tested:
                if use == "loaded":
                    tested.params[use]["weight"] = np.ones((2, 2))
                if use == "own loop":
                    Solver(SGD(0.1)).init_solve(tested)
                tested.evaluate()
    assert warnings(caplog) == []


def test_no_warning_for_fine_tuning(caplog):
    """A new last layer is random until it is trained; its test net shares it."""
    with trained() as program:
        head = SoftmaxLossLayer(name="loss", bottoms=["new", "label"])
        new = Net("new", [DATA, layer("ip1", "data"), layer("new", "ip1"), head])
        with mochac.compile(new, params=program.params) as tuned:
            with mochac.compile(judged("new"), params=tuned.params) as tested:
                tuned.evaluate()
                tuned.predict(X)
                solver = Solver(SGD(0.1), max_iter=1)
                solver.add_coffee_break(ValidationPerformance(tested), every_n_iter=1)
                solver.add_coffee_break(ValidationPerformance(tuned, prefix="train-"), every_n_iter=1)
                tuned.train(solver, verbose=0)
    assert warnings(caplog) == []


def test_running_statistics_of_nowhere(caplog):
    with trained() as program:
        norm = BatchNormLayer(name="bn", bottoms=["ip1"])
        end = AccuracyLayer(name="end", bottoms=["bn", "label"])
        with mochac.compile(Net("norm", [DATA, layer("ip1", "data"), norm, end]), params=program.params) as tested:
            tested.evaluate()
    assert len(warnings(caplog)) == 1
    assert "net 'norm' shares parameters, but those of layer 'bn' are as initialized" in warnings(caplog)[0]
