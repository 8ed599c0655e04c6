"""Decoupled weight decay: which parameters decay, decay_all, and regu_coef's default."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AdamW,
    ConstantInitializer,
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    NoRegu,
    OptionError,
    ParameterLayer,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
    Solver,
)
from mochac.nets.layers import Parametric, layer

HOW = {"decay": 0.5, "epsilon": 1.0}


def zero_images():
    """All gradients but those of the last bias are zero, so only decay moves the others."""
    return MemoryDataLayer(data=[np.zeros((8, 1, 6, 6), np.float32), np.arange(8) % 2], batch_size=4)


def net(*middle, bottoms="conv"):
    conv = ConvolutionLayer(name="conv", n_filter=2, kernel=(3, 3), bottoms=["data"], bias_init=ConstantInitializer(1))
    ip = InnerProductLayer(
        name="ip", output_dim=2, bottoms=[bottoms], weight_init=ConstantInitializer(0), bias_init=ConstantInitializer(1)
    )
    return Net("decay", [zero_images(), conv, *middle, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


def moved(net, **more):
    """By which factor one step of AdamW changes each parameter that the loss does not move."""
    with mochac.compile(net, dtype="float64") as program:
        before = {name: array.copy() for name, array in program.parameters().items()}
        program.train(AdamW(0.1, **HOW), max_iter=1, **more)
        after = program.parameters()
        return {n: np.unique((after[n] / before[n]).round(12)).tolist() for n in before if before[n].all()}


@pytest.mark.slow
def test_weights_decay_and_biases_do_not():
    assert moved(net()) == {"conv___filter": [0.95], "conv___bias": [1.0], "ip___bias": [1.0]}


@pytest.mark.slow
def test_decay_all():
    """bias_lr is 2."""
    assert moved(net(), decay_all=True) == {"conv___filter": [0.95], "conv___bias": [0.9], "ip___bias": [0.9]}


@pytest.mark.slow
def test_a_layer_says_which_of_its_parameters_decay():
    @layer
    class TwoFactorsLayer(Parametric):
        def emit(self, ctx, bottoms):
            (x,) = bottoms
            for name, decays in (("kept", False), ("shrunk", True)):
                p = ctx.param(name, (), ConstantInitializer(2), NoRegu(), 1.0, decays=decays)
                x = ctx.op("mul", x, ctx.op("broadcast", p, shape=x.type.shape, axes=(), batch=x.type.batch))
            return [x]

    found = moved(net(TwoFactorsLayer(name="two", bottoms=["conv"]), bottoms="two"))
    assert (found["two___kept"], found["two___shrunk"]) == ([1.0], [0.95])


@pytest.mark.slow
def test_a_parameter_layer_that_is_a_bias_somewhere_does_not_decay():
    blobs = [ParameterLayer(name=n, shape=s, init=ConstantInitializer(3)) for n, s in (("W", (2, 32)), ("b", (2,)))]
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["conv"], weight="W", bias="b")
    layers = [*blobs, *(ip if old.name == "ip" else old for old in net().layers)]
    found = moved(Net("blobs", layers))
    assert found["W___value"] != [1.0]
    assert found["b___value"] == [1.0]


@pytest.mark.slow
def test_pooling_has_nothing_to_decay():
    pool = PoolingLayer(name="pool", kernel=(2, 2), pooling=Pooling.Mean(), bottoms=["conv"])
    assert set(moved(net(pool, bottoms="pool"))) == {"conv___filter", "conv___bias", "ip___bias"}


def test_regu_coef_is_0_by_default():
    assert Solver(AdamW(), max_iter=1).regu_coef == 0.0
    assert Solver(AdamW(), max_iter=1, regu_coef=0.1).regu_coef == 0.1
    assert Solver(SGD(), max_iter=1).regu_coef == 0.0005


def test_layers_that_share_parameters_must_agree():
    @layer
    class BiasLayer2(Parametric):
        shrinks: bool = False

        def emit(self, ctx, bottoms):
            (x,) = bottoms
            p = ctx.param("p", (), ConstantInitializer(2), NoRegu(), 1.0, decays=self.shrinks)
            return [ctx.op("mul", x, ctx.op("broadcast", p, shape=x.type.shape, axes=(), batch=x.type.batch))]

    one = BiasLayer2(name="one", param_key="k", bottoms=["conv"])
    two = BiasLayer2(name="two", param_key="k", shrinks=True, bottoms=["one"])
    with pytest.raises(mochac.NetError, match="p weight decay: True here, False there"):
        net(one, two, bottoms="two")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: Solver(SGD(), max_iter=1, decay_all=True),
            "decay_all: SGD has no decoupled weight decay\n"
            "  hint: AdamW has; other methods decay by regularizers: bias_regu=L2Regu(1)",
        ),
        (lambda: Solver(AdamW(), max_iter=1, decay_all=1), "decay_all is out of range\n  expected  True or False"),
        (lambda: AdamW(decay=-1), "AdamW: decay is out of range\n  expected  a finite number >= 0,  got  -1"),
        (lambda: AdamW(weight_decay=0.1), "solver AdamW has no parameter 'weight_decay'\n  hint: write decay=0.1"),
        (lambda: Solver(AdamW(), max_iter=1, decay=0.1), "it belongs to the method: AdamW(decay=...)"),
    ],
)
def test_bad_arguments(make, text):
    with pytest.raises(OptionError) as caught:
        make()
    assert text in str(caught.value)
