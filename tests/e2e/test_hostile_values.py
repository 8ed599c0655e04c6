"""A public call with a value that makes no sense ends in an error of ours or works: never in a bare Python error.

Every field of every layer and solver method, and the arguments of a program, with the same list of values.
"""

import dataclasses

import numpy as np
import pytest
from layers.catalogue import NAME, around

import mochac
from mochac import SGD, InnerProductLayer, LRPolicy, MemoryDataLayer, MomPolicy, Net, SoftmaxLossLayer
from mochac.base.errors import shown
from mochac.nets.layers.base import LAYERS
from mochac.nets.solvers.method import METHODS
from mochac.nets.trace import trace

HOSTILE = [
    10**400, -(10**400), 10**5000, 2**62, 2**63, -(2**62), 1e308, float("nan"), float("inf"), None, "", "xxx", b"a",
    "\0", [], {}, (), [[]], object(), [10**400], (2**62,), (2**62, 2**62), True, 1j, np.array([1e400]),
    np.float64("nan"), {"a": 1},
]  # fmt: skip
X = np.zeros((4, 3))
CALLS = {
    "predict": lambda p, v: p.predict(v),
    "predict a number": lambda p, v: p.predict([[v, 0, 0]]),
    "predict a blob": lambda p, v: p.predict(X, v),
    "predict from a blob": lambda p, v: p.predict({"x": v}),
    "evaluate": lambda p, v: p.evaluate(x=v, y=v),
    "evaluate, average": lambda p, v: p.evaluate(v),
    "forward": lambda p, v: p.forward(x=[[v, 0, 0]] * 2, y=[0, 0]),
    "step": lambda p, v: p.step(x=v, y=[0, 0]),
    "backward": lambda p, v: p.backward(v),
    "backward from": lambda p, v: p.backward(diffs=v),
    "freeze": lambda p, v: p.freeze(v),
    "is_frozen": lambda p, v: p.is_frozen(v),
    "load": lambda p, v: p.load(v),
    "reset_outputs": lambda p, v: p.reset_outputs(v),
    "profile": lambda p, v: None if v is None or isinstance(v, int) else p.profile(v),
    "clip_norm": lambda p, v: p.train(SGD(0.1), max_iter=1, verbose=0, clip_norm=v),
    "regu_coef": lambda p, v: p.train(SGD(0.1), max_iter=1, verbose=0, regu_coef=v),
    "load_from": lambda p, v: p.train(SGD(0.1), max_iter=1, verbose=0, load_from=v),
    "Net": lambda p, v: Net(v, v),
    "layers": lambda p, v: Net("n", [v]),
    "compile": lambda p, v: mochac.compile(v),
    **{
        f"compile, {name}": lambda p, v, name=name: mochac.compile(p.session.net, **{name: v})
        for name in ("backend", "dtype", "threads", "seed", "parts", "params", "schedules")
    },
}  # fmt: skip


def bare(call, value) -> str:
    """The Python error in which a call ends; "" if it works or is refused."""
    try:
        call(value)
    except mochac.MochacError:
        return ""
    except Exception as error:
        return f"{shown(value)[:30]}: {type(error).__name__} {error}"
    return ""


@pytest.fixture(scope="module")
def program():
    layers = [MemoryDataLayer(data=[X, np.zeros(4)], tops=["x", "y"], batch_size=2)]
    layers += [InnerProductLayer(name="i", output_dim=2, bottoms=["x"]), SoftmaxLossLayer(bottoms=["i", "y"])]
    with mochac.compile(Net("n", layers)) as program:
        yield program


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_programs(program, name):
    assert [found for value in HOSTILE if (found := bare(lambda v: CALLS[name](program, v), value))] == []


OWN = [
    kind
    for kind, cls in LAYERS.items()
    if cls.__module__.startswith("mochac.") and any(not e.rule for e in cls.examples)
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", OWN)
def test_fields_of_layers(kind):
    """The layer is made, and a net of it is built and traced where it is."""
    cls = LAYERS[kind]
    example = next(e for e in cls.examples if not e.rule)
    given = {"name": NAME, **example.fields}
    if cls.n_bottoms[1] != 0:
        given["bottoms"] = [f"b{k}" for k in range(len(example.bottoms))]
    found = []
    for field in dataclasses.fields(cls):

        def call(value, name=field.name):
            trace(Net("n", [*around(example, 0), cls(**{**given, name: value})]))

        found += [f"{field.name}={said}" for value in HOSTILE if (said := bare(call, value))]
    assert found == []


FIELDS = [
    (cls, field.name)
    for cls in (*dict(METHODS.items()).values(), *(c for ns in (LRPolicy, MomPolicy) for c in vars(ns).values()))
    if dataclasses.is_dataclass(cls)
    for field in dataclasses.fields(cls)
]


@pytest.mark.parametrize(("cls", "name"), FIELDS, ids=lambda v: v if isinstance(v, str) else v.__name__)
def test_fields_of_methods_and_policies(cls, name):
    def call(value):
        made = cls(**{name: value})
        if hasattr(made, "hypers"):
            made.hypers(5)

    assert [found for value in HOSTILE if (found := bare(call, value))] == []
