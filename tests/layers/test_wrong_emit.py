"""An `emit` of a user's that calls an op wrongly, or returns no values, is one error: layer, op, expected, line."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from mochac import (
    ActivationLayer,
    ConstantInitializer,
    MemoryDataLayer,
    MochacError,
    Net,
    Neurons,
    NoRegu,
    OptionError,
    SquareLossLayer,
)
from mochac.nets.layers import Layer, Loss, Parametric, layer
from mochac.nets.layers.base import LAYERS
from mochac.nets.trace import trace

ZERO = ConstantInitializer(0)
PLAIN = (ZERO, NoRegu(), 1.0)
UNPACKED = "hint: bottoms is a tuple of values: (x,) = bottoms"
CASES = {
    "no such op": (lambda ctx, x: [ctx.op("sigmod", x)], "there is no operation 'sigmod'", "did you mean 'sigmoid'?"),
    "another library's": (lambda ctx, x: [ctx.op("matmul", x, x)], "there is no operation 'matmul'", "'inner_product'"),
    "an operand too few": (lambda ctx, x: [ctx.op("softmax_loss", x, axis=1)], "wrong number", "expected  2"),
    "a number as operand": (lambda ctx, x: [ctx.op("mul", x, 2.0)], "operand 1 of mul is no", "as in x * 2.0"),
    "an attribute's name": (lambda ctx, x: [ctx.op("softmax", x, dim=1)], "operation 'softmax' has", "expected  axis"),
    "an attribute's type": (lambda ctx, x: [ctx.op("reduce_sum", x, axes=1)], "attribute 'axes'", "write axes=(1,)"),
    "a factor": (lambda ctx, x: [ctx.scaled(x, "2")], "a constant is not a number", "got  '2'"),
    "a value": (lambda ctx, x: ctx.op("relu", x), "emit returns a value, not a list of values", "return [y]"),
    "nothing": (lambda ctx, x: None, "emit returns no values", "a list, one value per top"),
    "too little": (lambda ctx, x: [], "emit returns too few values", "one per top: 1"),
    "too much": (lambda ctx, x: [x, x], "emit returns too many values", "one per top: 1,  got  2"),
    "a loss": (lambda ctx, x: [ctx.loss(x, 1.0)], "ctx.loss in a class that is no loss", "is_loss = True in the class"),
    "a statistic": (
        lambda ctx, x: [ctx.statistic("s", x)], "ctx.statistic in a class that is no", "is_statistic = True",
    ),
    "a list's loss": (lambda ctx, x: [ctx.loss([x], 1.0)], "the loss of each sample is not a value", "*values"),
    "a shape": (lambda ctx, x: [ctx.param("a", 3, *PLAIN)], "the shape of 'a' is no shape", "write (3,)"),
    "a state's shape": (lambda ctx, x: [ctx.state("a", "3", ZERO)], "the shape of 'a' is no shape", "got  '3'"),
    "an initializer": (lambda ctx, x: [ctx.param("a", (3,), 0.5, *PLAIN[1:])], "the initializer of 'a' is none", "0.5"),
    "a regularizer": (
        lambda ctx, x: [ctx.param("a", (3,), ZERO, 0.5, 1.0)], "the regularizer of 'a' is none", "NoRegu()",
    ),
    "a parameter": (
        lambda ctx, x: [x * ctx.param("a", (3,), *PLAIN)], "ctx.param in a class that is not Parametric",
        "expected  class WrongLayer(Parametric),  got  class WrongLayer(Layer)",
    ),
    "a state": (
        lambda ctx, x: [x * ctx.state("a", (3,), ZERO)], "ctx.state in a class that is not Parametric",
        "hint: derive from Parametric",
    ),
    "a name": (
        lambda ctx, x: [x + undefined], "its emit raised NameError: name 'undefined' is not defined", "",  # noqa: F821
    ),
    "PyTorch's dim": (lambda ctx, x: [x.sum(dim=1)], "sum of a value has no argument 'dim'", "did you mean 'axis'?"),
    "PyTorch's keepdim": (lambda ctx, x: [x.max(1, keepdim=True)], "max of a value has no argument", "'keepdims'?"),
    "PyTorch's method": (lambda ctx, x: [x.relu()], "a value has no attribute 'relu'", "hint: ctx.op('relu', ...)"),
    "a key": (lambda ctx, x: [{}["a"]], "its emit raised KeyError: 'a'", ""),
    "all bottoms times a number": (lambda ctx, x: [(x,) * 2.0], "its emit raised TypeError: can't", UNPACKED),
    "all bottoms less a number": (lambda ctx, x: [(x,) - 1], "its emit raised TypeError: unsupported", UNPACKED),
    "a number times all bottoms": (lambda ctx, x: [np.exp((x,))], "its emit raised TypeError: loop of", UNPACKED),
    "all bottoms' shape": (lambda ctx, x: [(x,).shape], "its emit raised AttributeError: 'tuple'", UNPACKED),
    "shapes": (
        lambda ctx, x: [ctx.op("add", x, x[:, :2])], "operands of add must have one shape", "bottom 'x': f32[2,3]",
    ),
    "no value": (lambda ctx, x: ["y"], "element 0 of what emit returns is not a value", "got  'y'"),
}  # fmt: skip


def in_the_step(use):
    """An emit with a loop over time, in whose step `use` gets the context and the carried value."""

    def emit(ctx, x):
        def step(carried, now):
            use(ctx, carried[0])
            return [carried[0] + now[0]], []

        return list(ctx.scan(step, [x[:, 0]], [x]).last)

    return emit


def left(back):
    """An emit that keeps a value of a loop's step, and returns what `back` makes of it."""

    def emit(ctx, x):
        kept = []
        done = in_the_step(lambda ctx, h: kept.append(h * 2))(ctx, x)
        return [back(ctx, kept[0], x, *done)]

    return emit


def in_another_loop(ctx, kept, x, done):
    return ctx.scan(lambda carried, now: ([carried[0] * kept], []), [done], [x]).last[0]


IN_A_STEP = "call it before the loop, or after it"
OUTSIDE, RETURN_IT = "a value of a loop's step is used outside of it", "hint: return it as an output"
LOOPS = {
    "a loop": (
        in_the_step(lambda ctx, h: ctx.scan(lambda c, s: (c, []), [h], length=2)), "a loop in the step of a loop",
        "UnsupportedError",
    ),
    "an update": (
        in_the_step(lambda ctx, h: ctx.update(ctx.state("s", (), ZERO), h)), "ctx.update in the step of", IN_A_STEP,
    ),
    "a loss": (in_the_step(lambda ctx, h: ctx.loss(h, 1.0)), "ctx.loss in the step of a loop", IN_A_STEP),
    "a label": (in_the_step(lambda ctx, h: ctx.label(h, 2)), "ctx.label in the step of a loop", IN_A_STEP),
    "a value left": (left(lambda ctx, kept, x, done: done + kept), OUTSIDE, RETURN_IT),
    "a value returned": (left(lambda ctx, kept, x, done: kept), OUTSIDE, RETURN_IT),
    "a value carried": (
        left(lambda ctx, kept, x, done: ctx.scan(lambda c, s: (c, []), [kept], length=2).last[0]), OUTSIDE, RETURN_IT,
    ),
    "a value in another loop": (left(in_another_loop), OUTSIDE, RETURN_IT),
    "a value in an update": (
        left(lambda ctx, kept, x, done: ctx.update(ctx.state("s", (2,), ZERO), kept)), OUTSIDE, RETURN_IT,
    ),
}  # fmt: skip


@pytest.fixture
def own():
    """What a test registers is gone afterwards."""
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    yield
    LAYERS._items, LAYERS.foreign = before


@pytest.mark.parametrize("case", [*CASES, *LOOPS])
def test_one_error_with_the_line(own, case):
    emit, rule, more = {**CASES, **LOOPS}[case]

    @layer
    class WrongLayer(Parametric if case in LOOPS else Layer):
        def emit(self, ctx, bottoms):
            return emit(ctx, *bottoms)

    data = MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
    with pytest.raises(MochacError) as caught:
        Net("n", [data, WrongLayer(name="w", bottoms=["x"])])
    text = caught.value.report
    assert text.partition(": ")[2].startswith(f"layer 'w' (Wrong): {rule}"), text
    assert more in text
    assert "the layer was made at tests/layers/test_wrong_emit.py:" in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")


def test_parameters_and_states_of_a_step_are_the_nets(own):
    """What ctx.param returns in the step of a loop may be used after it."""

    @layer
    class FittingLayer(Parametric):
        def emit(self, ctx, bottoms):
            kept = []
            use = in_the_step(lambda ctx, h: kept.append(ctx.param("p", (), *PLAIN)))
            return [use(ctx, *bottoms)[0] * kept[0]]

    data = MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
    assert len(Net("n", [data, FittingLayer(name="w", bottoms=["x"])]).params) == 1


def refused(kind, **fields):
    data = MemoryDataLayer(data=[np.ones((4, 3)), np.ones((4, 3))], tops=["x", "y"], batch_size=2)
    with pytest.raises(OptionError) as caught:
        Net("n", [data, kind(name="w", **fields)])
    return str(caught.value)


def test_a_class_without_emit_or_losses(own):
    @layer
    class EmptyLayer(Layer):
        pass

    @layer
    class EmptyLossLayer(Loss):
        pass

    assert refused(EmptyLayer, bottoms=["x"]).startswith("layer 'w' (Empty): its class has no emit")
    assert refused(EmptyLossLayer, bottoms=["x", "y"]).startswith("layer 'w' (EmptyLoss): its class has no losses")


def test_losses_returns_a_list(own):
    @layer
    class ListLossLayer(Loss):
        def losses(self, ctx, bottoms):
            return [bottoms[0]]

    text = refused(ListLossLayer, bottoms=["x", "y"])
    assert text.startswith("layer 'w' (ListLoss): losses returns a list")
    assert "return y, without brackets" in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")


def test_another_exception_is_the_cause_of_the_error(own):
    """So that Python shows where it happened."""

    @layer
    class FallingLayer(Layer):
        def emit(self, ctx, bottoms):
            raise ZeroDivisionError

    data = MemoryDataLayer(data=[np.ones((4, 3))], tops=["x"], batch_size=2)
    with pytest.raises(OptionError, match="its emit raised ZeroDivisionError") as caught:
        Net("n", [data, FallingLayer(name="w", bottoms=["x"])])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def of_mode(shape):
    """A parameter, with its shape in training and in test mode; None: it isn't made there."""

    def emit(ctx, x):
        extents = shape[not ctx.training]
        return [x if extents is None else x * ctx.param("p", extents, *PLAIN)]

    return emit


MODES = {
    "shape": (
        lambda ctx, x: [x if ctx.training else x[:, :1]], "its emit makes 'w' of another shape in test mode than in",
        "expected  (2, 3),  got  (2, 1)",
    ),
    "parameter": (
        of_mode((None, (3,))), "its emit makes the parameter 'p' in test mode but not in training",
        "make it in training, too",
    ),
    "shape of a parameter": (
        of_mode(((3,), (1,))), "its emit makes the parameter 'p' of another shape in test mode than in training",
        "expected  (3,),  got  (1,)",
    ),
    "state": (
        lambda ctx, x: [x if ctx.training else x * ctx.state("s", (3,), ZERO)],
        "its emit makes the state 's' in test mode but not in training", "make it in training, too",
    ),
    "update": (
        lambda ctx, x: [ctx.update(ctx.state("s", (3,), ZERO), ctx.param("p", (3,), *PLAIN)), x][1:],
        "a state is updated in test mode", "if ctx.training: ctx.update(...)",
    ),
    "exception": (
        lambda ctx, x: [x if ctx.training else {}["a"]], "its emit raised KeyError: 'a'", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("batch", [2, 3])
@pytest.mark.parametrize("case", MODES)
def test_what_is_wrong_in_test_mode_only(own, case, batch):
    """With the net's batch size and with another one; the layers behind it are not blamed."""
    emit, rule, more = MODES[case]

    @layer
    class WrongLayer(Parametric):
        def emit(self, ctx, bottoms):
            return emit(ctx, *bottoms)

    data = MemoryDataLayer(data=[np.ones((4, 3)), np.ones((4, 3))], tops=["x", "y"], batch_size=2)
    net = Net("n", [data, WrongLayer(name="w", bottoms=["x"]), SquareLossLayer(name="loss", bottoms=["w", "y"])])
    trace(net, "train", batch=batch)
    with pytest.raises(OptionError) as caught:
        trace(net, "test", batch=batch)
    text = caught.value.report
    assert text.startswith(f"OptionError: layer 'w' (Wrong): {rule}"), text
    assert more in text
    assert "the layer was made at tests/layers/test_wrong_emit.py:" in text
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")


def test_among_layers_in_place_the_one_that_differs_is_named(own):
    @layer
    class CutLayer(Layer):
        in_place = True

        def emit(self, ctx, bottoms):
            return [bottoms[0] if ctx.training else bottoms[0][:, :1]]

    data = MemoryDataLayer(data=[np.ones((4, 3)), np.ones((4, 3))], tops=["x", "y"], batch_size=2)
    first, cut, last = (
        ActivationLayer(name="first", bottoms=["x"], tops=["x"], neuron=Neurons.Tanh()),
        CutLayer(name="cut", bottoms=["x"], tops=["x"]),
        ActivationLayer(name="last", bottoms=["x"], tops=["x"], neuron=Neurons.Tanh()),
    )
    net = Net("n", [data, first, cut, last, SquareLossLayer(name="loss", bottoms=["x", "y"])])
    with pytest.raises(OptionError, match=r"layer 'cut' \(Cut\): its emit makes 'x' of another shape in test mode"):
        trace(net, "test")


def test_a_parameter_may_be_for_training_only(own):
    @layer
    class HelpedLayer(Parametric):
        def emit(self, ctx, bottoms):
            return of_mode(((3,), None))(ctx, *bottoms)

    data = MemoryDataLayer(data=[np.ones((4, 3)), np.zeros((4, 3))], tops=["x", "y"], batch_size=2)
    net = Net("n", [data, HelpedLayer(name="w", bottoms=["x"]), SquareLossLayer(name="loss", bottoms=["w", "y"])])
    assert len(trace(net, "train").params) == 1 and not trace(net, "test").params


@pytest.mark.slow
@pytest.mark.parametrize("name", ["relu", "cat", "special.zeta", "nn.functional.relu"])
def test_a_function_of_pytorch(own, name):
    """PyTorch asks values for __torch_function__."""
    torch = pytest.importorskip("torch")
    function = operator.attrgetter(name)(torch)

    @layer
    class TorchLayer(Layer):
        def emit(self, ctx, bottoms):
            return [function([bottoms[0]] * 2 if name == "cat" else bottoms[0], *[2] * ("zeta" in name))]

    hints = {"relu": "ctx.op('relu', ...)", "cat": "use np.concatenate([x, y], axis=1)"}
    text = refused(TorchLayer, bottoms=["x"])
    assert text.splitlines()[-1].startswith("  at tests/layers/test_wrong_emit.py:")
    assert "there is no operation for torch." in text
    assert f"hint: {hints.get(name.rpartition('.')[2], 'or ctx.op(name, ...)')}" in text
