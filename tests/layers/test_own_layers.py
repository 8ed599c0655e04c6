"""What users define in files of their own: found by name, defined again at will, kept apart from mochac's."""

import numpy as np
import pytest

import mochac
from mochac.ir.kernel_build import Pointwise
from mochac.ir.op import OPS, Op, Sample, register
from mochac.nets.layers import Layer, Loss, Parametric, layer, option, real
from mochac.nets.layers.base import LAYERS
from mochac.nets.solvers.method import METHODS, Method, solver_method


@pytest.fixture(autouse=True)
def borrowed():
    """What a test registers is gone afterwards."""
    tables = (LAYERS, METHODS, OPS)
    for table in tables:
        table.scan()
    before = [(dict(t._items), set(t.foreign)) for t in tables]
    yield
    for table, (items, foreign) in zip(tables, before, strict=True):
        table._items, table.foreign = items, foreign


def shrink(default):
    @layer
    class ShrinkLayer(Layer):
        factor: float = option(real(), default=default)

        def emit(self, ctx, bottoms):
            return [ctx.scaled(bottoms[0], self.factor)]

    return ShrinkLayer


def test_a_class_may_be_defined_again_and_is_no_public_name():
    shrink(0.5)
    again = shrink(0.25)
    assert LAYERS["Shrink"] is again
    assert again(name="s", bottoms=["x"]).factor == 0.25
    assert "Shrink" not in list(LAYERS)
    assert "ShrinkLayer" not in mochac._public()
    assert not hasattr(mochac, "ShrinkLayer")


def test_mochacs_names_are_taken():
    with pytest.raises(mochac.OptionError, match="PoolingLayer: mochac has a layer of this name\n") as caught:

        @layer
        class PoolingLayer(Layer):
            pass

    assert "hint: choose another name, such as MyPoolingLayer" in str(caught.value)
    assert "test_own_layers.py:" in str(caught.value)
    with pytest.raises(mochac.OptionError, match="SGD: mochac has a solver of this name"):
        solver_method(type("SGD", (Method,), {"__module__": __name__}))
    with pytest.raises(mochac.OptionError, match="op 'relu': mochac has an op of this name") as caught:
        register(steps(1.0, name="relu"))
    assert "test_own_layers.py:" in str(caught.value)


def test_an_own_layer_is_wired_traced_and_drawn():
    data = mochac.MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
    net = mochac.Net("own", [data, shrink(0.5)(name="less", bottoms=["x"])])
    assert str(net.blobs["less"]) == "f32[b2,3]"
    assert "Shrink(less)" in str(net)
    assert "Shrink" in net.to_dot()
    with pytest.raises(mochac.NetError, match=r"layer 'less' \(Shrink\): no layer produces bottom 'y'"):
        mochac.Net("own", [data, shrink(0.5)(name="less", bottoms=["y"])])


def steps(factor, name="own_steps", **more):
    """An op that multiplies by a number which stands in its code only."""

    def lower(k, bound, index):
        return (k.call("mul", k.read(bound, 0, index), k.const(factor, bound.inputs[0].type.dtype)),)

    return Op(
        name=name,
        infer=lambda x: (x,),
        reference=lambda x: x * x.dtype.type(factor),
        lower=Pointwise(lower),
        samples=(Sample(("f32[b3,5]",)),),
        **more,
    )


def predictions():
    @layer
    class OwnStepsLayer(Layer):
        def emit(self, ctx, bottoms):
            return [ctx.op("own_steps", bottoms[0])]

    data = mochac.MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
    with mochac.compile(mochac.Net("own", [data, OwnStepsLayer(name="y", bottoms=["x"])])) as program:
        return program.predict(np.ones((2, 3)))


@pytest.mark.slow
def test_code_of_an_own_op_is_never_stale():
    """Its graph's text is the same, so the cache must not answer for it."""
    register(steps(2.0))
    assert (predictions() == 2).all()
    register(steps(3.0))
    assert (predictions() == 3).all()


@pytest.mark.slow
def test_an_own_schedule_is_asked_first():
    from mochac.ir.schedule import Schedule

    asked = []

    def rule(kernel, target):
        asked.append(target.lanes("f32"))
        return Schedule("mine") if len(asked) == 1 else None

    register(steps(2.0, schedules={"cpu": rule}))
    data = mochac.MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)

    @layer
    class OwnStepsLayer(Layer):
        def emit(self, ctx, bottoms):
            return [ctx.op("own_steps", bottoms[0])]

    net = mochac.Net("own", [data, OwnStepsLayer(name="y", bottoms=["x"])])
    assert "schedule mine" in mochac.explain(net)
    text = mochac.explain(net)
    assert "schedule mine" not in text
    assert "schedule generic." in text
    assert len(asked) == 2


def test_the_parameter_of_an_own_loss_is_saved_and_loaded():
    @layer
    class CentreLossLayer(Loss, Parametric):
        def losses(self, ctx, bottoms):
            (x, y), no = bottoms, mochac.NoRegu()
            return np.square(x - y - ctx.param("centre", (3,), mochac.ConstantInitializer(1), no, 1.0))

    data = mochac.MemoryDataLayer(data=[np.ones((4, 3)), np.zeros((4, 3))], tops=["x", "y"], batch_size=2)
    net = mochac.Net("own", [data, CentreLossLayer(name="apart", bottoms=["x", "y"], param_key="c")])
    with mochac.compile(net) as program, mochac.compile(net) as other:
        program.params["c"]["centre"][...] = (1, 2, 3)
        saved = program.state_dict()
        assert list(saved) == ["c.centre"]
        other.load(saved)
        np.testing.assert_array_equal(other.params["c"]["centre"], (1, 2, 3))
