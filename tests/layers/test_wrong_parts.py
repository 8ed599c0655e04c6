"""Mistakes in users' initializers, neurons, regularizers, constraints, methods and transformers: an error says whose
mistake it is and where."""

import math
from typing import ClassVar

import numpy as np
import pytest

import mochac
from mochac import SGD, InnerProductLayer, LRPolicy, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.base.records import option, record
from mochac.nets.layers import Constraint, DataTransformer, Initializer, Layer, Neuron, Regularizer, layer
from mochac.nets.layers.config import config
from mochac.nets.solvers.method import Method, Rate
from mochac.nets.solvers.policies import learning_rate

DATA = MemoryDataLayer(data=[np.ones((4, 3)), [0, 1, 0, 1]], batch_size=4)
IP = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])


def train(method=None, data=DATA, **settings):
    net = Net("net", [data, IP.replace(**settings), SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    with mochac.compile(net, seed=1) as program:
        program.train(method or SGD(0.1), max_iter=2, verbose=0)
        return program.params["ip"]["weight"][...]


@config
class Filled(Initializer):
    """Fills with what a function of the shape returns."""

    values: object = None

    def fill(self, shape, dtype, generator):
        return self.values(shape)


@pytest.mark.parametrize(
    ("values", "got"),
    [
        (lambda shape: np.ones(shape[1]), "(3,)"),  # NumPy would repeat it
        (lambda shape: 0.5, "()"),
        (lambda shape: None, "None"),  # NumPy would make NaN of it
        (lambda shape: np.full(shape, "a"), "array([['a', 'a', 'a'],"),
    ],
)
def test_an_initializer_returns_an_array_of_the_shape(values, got):
    with pytest.raises(mochac.OptionError) as caught:
        train(weight_init=Filled(values))
    said = str(caught.value)
    assert "layer 'ip' (InnerProduct): fill of Filled does not return the initial values of ip.weight" in said
    assert "expected  an array of numbers of shape (2, 3)" in said and f"got  {got}" in said
    assert train(weight_init=Filled(lambda shape: np.ones(shape, int))).shape == (2, 3)


@config
class Written(Neuron):
    """What a function of the value returns."""

    rule: object = None

    def emit(self, ctx, x):
        return self.rule(x)


def test_a_neuron_returns_a_value():
    with pytest.raises(mochac.MochacError, match=r"(?s)emit of neuron Written returns is a list.*return y, without"):
        train(neuron=Written(lambda x: [x]))
    with pytest.raises(mochac.MochacError, match="what emit of neuron Written returns is not a value"):
        train(neuron=Written(lambda x: None))
    assert np.isfinite(train(neuron=Written(lambda x: 2 * x))).all()


@pytest.mark.parametrize("function", [math.exp, float, int])
def test_a_value_has_no_numbers(function):
    rule = Written(lambda x: x * function(x))
    line = rule.rule.__code__.co_firstlineno
    with pytest.raises(
        mochac.MochacError, match=rf"(?s)a value has no numbers.*hint: np\.exp.*wrong_parts\.py:{line}$"
    ):
        train(neuron=rule)


@config
class Term(Regularizer):
    """The term that a function returns."""

    rule: object = None

    def gradient(self, b, w, regu_coef):
        return self.rule(b, w)


@config
class Limit(Constraint):
    """The new value that a function returns."""

    rule: object = None
    every_n_iter: int = 1

    def project(self, b, w, due):
        return self.rule(b, w)


RULES = [
    (lambda b, w: b.op("reduce_sum", w, axes=(0,)), r"has another type\n  expected  f32\[2,3\],  got  f32\[3\]"),
    (lambda b, w: np.ones((2, 3)), r"is not a value\n  expected  f32\[2,3\].*hint: operations are written by b"),
    (lambda b, w: 2 * w, r"raised TypeError: unsupported.*hint: .*b\.op.*at .*test_wrong_parts\.py"),
    (lambda b, w: b.op("squre", w), r"raised KeyError: .*did you mean 'square'.*at .*test_wrong_parts\.py"),
    (lambda b, w: b.op("add", w, b.op("reduce_sum", w, axes=(0,))), r"raised OpTypeError: operands of add must have"),
]


@pytest.mark.parametrize(("rule", "said"), RULES)
def test_a_regularizer_returns_a_term_of_the_parameters_type(rule, said):
    with pytest.raises(mochac.OptionError, match=r"(?s)the gradient of Term for ip\.weight " + said):
        train(weight_regu=Term(rule))


@pytest.mark.parametrize(("rule", "said"), [*RULES, (lambda b, w: None, "is not a value")])
def test_a_constraint_returns_a_value_of_the_parameters_type(rule, said):
    with pytest.raises(mochac.OptionError, match=r"(?s)the projection of Limit for ip\.weight " + said):
        train(weight_cons=Limit(rule))


@record
class Stepping(Method):
    """What a function returns."""

    rule: object = None
    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Fixed(0.1))
    slots: ClassVar[tuple[str, ...]] = ("seen",)

    def hypers(self, t):
        return {"lr": self.at("lr_policy", t)}

    def update(self, b, w, g, slots, hyper, lr_mult):
        return self.rule(b, w, g)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (lambda b, w, g: b.op("sub", w, g), r"is no pair\n  expected  \(new value, \{slot: new value\}\)"),
        (lambda b, w, g: None, "is no pair.*got  None"),
        (lambda b, w, g: (b.op("sub", w, g), {}), "has other slots than its class\n  expected  seen,  got  none"),
        (
            lambda b, w, g: (w, {"seen": g, "more": g}),
            "has other slots than its class\n  expected  seen,  got  more seen",
        ),
        (lambda b, w, g: (w - g, {"seen": g}), r"raised TypeError.*hint: .*b\.op.*at .*test_wrong_parts\.py"),
    ],
)
def test_an_update_returns_the_new_value_and_slots(rule, said):
    with pytest.raises(mochac.OptionError, match="(?s)the update of Stepping " + said):
        train(Stepping(rule))


def test_types_of_an_update():
    with pytest.raises(mochac.OptionError, match="the new value in the update of Stepping has another type"):
        train(Stepping(lambda b, w, g: (b.op("reduce_sum", w, axes=(0,)), {"seen": g})))
    with pytest.raises(mochac.OptionError, match="slot 'seen' in the update of Stepping is not a value"):
        train(Stepping(lambda b, w, g: (w, {"seen": 0.0})))
    assert train(Stepping(lambda b, w, g: (b.op("sub", w, g), {"seen": g}))).shape == (2, 3)


@config
class Changing(DataTransformer):
    """What a function of the samples does."""

    rule: object = None

    def prepared(self, shape):
        return self.rule


def test_a_transformer_changes_its_array():
    def data(rule):
        return DATA.replace(transformers=[("data", Changing(rule))])

    with pytest.raises(mochac.DataError, match=r"(?s)Changing returns another array instead of .*hint: x \*= 2"):
        train(data=data(lambda x: 2 * x))
    with pytest.raises(mochac.DataError, match=r"(?s)prepared of Changing returns no function.*got  None"):
        train(data=data(None))
    plain, doubled = train(), train(data=data(lambda x: np.multiply(x, 2, out=x)))
    assert not np.array_equal(plain, doubled)


@pytest.mark.parametrize("decorator", [layer, config])
def test_a_record_has_no_constructor_of_its_own(decorator):
    with pytest.raises(mochac.OptionError, match=r"(?s)Scaled has an __init__ of its own.*hint: declare fields"):

        @decorator
        class Scaled(Layer):
            def __init__(self, k):
                self.k = k

            def emit(self, ctx, bottoms):
                return [self.k * bottoms[0]]
