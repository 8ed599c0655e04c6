"""Every parameter of every layer can be kept as it is, and without decay, by fields of its layer."""

from dataclasses import fields

import numpy as np
import pytest
from layers.catalogue import NAME, around, behind, made

import mochac
from mochac import SGD, L2Regu, Net, NoRegu, OptionError
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.layers.base import LAYERS, Parametric
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace

WITHOUT = ("Buffer",)
"""Layers with states alone."""
KINDS = [name for name, cls in LAYERS.items() if issubclass(cls, Parametric) and name not in WITHOUT]


def net(kind, **changes):
    """The first example of a layer, with a bias, and with other settings where it has fields for them."""
    example = next(e for e in LAYERS[kind].examples if not e.rule)
    known = {f.name for f in fields(LAYERS[kind])}
    given = {name: value for name, value in {"bias": True, **changes}.items() if name in known}
    bottoms = {"bottoms": [f"b{k}" for k in range(len(example.bottoms))]} if example.bottoms else {}
    front = [*around(example, 0), made(kind, {"name": NAME, **bottoms, **example.fields, **given})]
    return Net(kind, [*front, *behind(front[-1], Net("so far", front).blobs)])


def settings(kind, suffix, value):
    return {f.name: value for f in fields(LAYERS[kind]) if f.name == suffix or f.name.endswith(f"_{suffix}")}


def own(kind, **changes):
    return [p for p in net(kind, **changes).params if p.key == NAME]


@pytest.mark.parametrize("kind", WITHOUT)
def test_layers_with_states_alone(kind):
    assert not own(kind)
    assert [s for s in net(kind).states if s.key == NAME]


@pytest.mark.parametrize("kind", KINDS)
def test_all_parameters_together(kind):
    kept = {**settings(kind, "lr", 0.0), **settings(kind, "regu", NoRegu())}
    assert own(kind)
    frozen = own(kind, **kept)
    assert [p.lr_mult for p in frozen] == [0.0] * len(frozen)
    assert [p.regu for p in frozen] == [NoRegu()] * len(frozen)
    graph = step_plan(trace(net(kind, **kept), "train", "float32", seed=0), Update(SGD())).graph
    assert not {target for target, _ in graph.updates} & {p.value for p in frozen}
    assert not [node for node in graph.nodes for out in node.outputs if out.name in {f"d.{p.value}" for p in frozen}]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("suffix", "kept"), [("lr", 0.0), ("regu", L2Regu(0.25))])
def test_each_parameter_by_itself(kind, suffix, kept):
    """For each one there are settings that it has alone."""

    def value(p):
        return p.lr_mult if suffix == "lr" else p.regu

    usual = {p.name: value(p) for p in own(kind)}
    found = set()
    names = settings(kind, suffix, kept)
    both = [{name: kept} for name in names]
    both += [{name: kept, other: next(iter(usual.values()))} for name in names for other in names if other != name]
    for changes in both:
        changed = [p.name for p in own(kind, **changes) if value(p) == kept]
        found.update(changed if len(changed) == 1 else ())
    assert found == set(usual)


def test_a_frozen_weight_stays_and_its_step_has_no_gradient_of_it():
    """Of a part of a layer: lr=0 of the recurrent weights of an LSTM."""
    x, y = np.random.default_rng(0).normal(size=(8, 4, 3)), np.arange(8) % 2
    data = mochac.MemoryDataLayer(name="in", data=[x, y], batch_size=8)
    lstm = mochac.LSTMLayer(name="lstm", output_dim=2, last=True, weight_h_lr=0, bottoms=["data"])
    whole = Net("n", [data, lstm, mochac.SoftmaxLossLayer(name="loss", bottoms=["lstm", "label"])])
    with mochac.compile(whole, threads=1) as program:
        before = program.state_dict()
        program.train(SGD(), max_iter=2, regu_coef=0.1)
        after = program.state_dict()
    kept = [name for name, value in before.items() if np.array_equal(value, after[name])]
    assert kept == ["lstm.weight_hh_l0"]


def test_settings_of_absent_biases_are_refused():
    with pytest.raises(OptionError, match="bias_x has no effect: bias is False"):
        mochac.GRULayer(name="g", output_dim=2, bias=False, bias_x="b", bottoms=["x"])
    with pytest.raises(OptionError, match="weight_h is a blob for one layer and direction") as caught:
        mochac.GRULayer(name="g", output_dim=2, n_layers=2, weight_h="w", bottoms=["x"])
    assert "got  n_layers=2, bidirectional=False" in str(caught.value)
