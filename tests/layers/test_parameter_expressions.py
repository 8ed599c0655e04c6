"""Blobs without samples: weights that layers compute from parameters, in training, evaluation and prediction."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AttentionLayer,
    BatchNormLayer,
    ConcatLayer,
    ConvolutionLayer,
    EinsumLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    EmbeddingLayer,
    FlattenLayer,
    FunctionLayer,
    GRULayer,
    InnerProductLayer,
    LayerNormLayer,
    LRPolicy,
    LSTMLayer,
    MemoryDataLayer,
    NarrowLayer,
    Net,
    NoRegu,
    PadLayer,
    ParameterLayer,
    PermuteLayer,
    PowerLayer,
    PReLULayer,
    ReductionLayer,
    ReshapeLayer,
    RMSNormLayer,
    ShapeError,
    SliceLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SplitLayer,
    SquareLossLayer,
    TileLayer,
    ir,
)
from mochac.ir.passes.cut_batch import cut_batch
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.layers.config import config
from mochac.nets.layers.initializers import Initializer
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace

RNG = np.random.default_rng(7)
X = RNG.normal(size=(12, 2, 3, 3))
Y = np.arange(12) % 4
F = {"shape": (4, 2, 3, 3)}


def data(x=X, y=Y, batch=4):
    return MemoryDataLayer(name="in", data=[x, y], batch_size=batch)


@config
class Numbers(Initializer):
    """Numbers from 0.5 to 1.5, whose roots and quotients are finite."""

    def fill(self, shape, dtype, generator):
        return generator.uniform(0.5, 1.5, shape).astype(dtype)


def parameter(name, *shape, **settings):
    return ParameterLayer(name=name, shape=shape, init=Numbers(), **settings)


def f(name, function, *bottoms, constants=()):
    return FunctionLayer(name=name, function=function, bottoms=list(bottoms), constants=constants)


def over(name, bottom, axes, operation="sum"):
    return ReductionLayer(name=name, bottoms=[bottom], axes=axes, operation=operation)


def shaped(name, bottom, *shape):
    return ReshapeLayer(name=name, bottoms=[bottom], shape=shape)


def filters(layers, formula):
    """A chain that makes the filters "W" of a convolution."""
    conv = ConvolutionLayer(name="conv", n_filter=4, kernel=3, filter="W", bias=False, bottoms=["data"])
    ends = [shaped("rows", "conv", 4), SoftmaxLossLayer(name="loss", bottoms=["rows", "label"])]
    return [*layers, conv, *ends], formula


def weight_norm():
    """g * v / ||v||, with a norm for each filter."""
    chain = [
        parameter("v", *F["shape"]), parameter("g", 4, 1, 1, 1), over("squares", "v", (1, 2, 3), "sumsq"),
        f("norms", "sqrt", "squares"), shaped("norm", "norms", 4, 1, 1, 1), f("unit", "div", "v", "norm"),
        f("W", "mul", "unit", "g"),
    ]  # fmt: skip
    return filters(chain, lambda v, g: g * v / np.sqrt((v**2).sum((1, 2, 3), keepdims=True)))


def norm_of_all():
    """v / ||v||: one number."""
    chain = [parameter("v", *F["shape"]), over("q", "v", (0, 1, 2, 3), "sumsq"), f("n", "sqrt", "q"),
             f("W", "div", "v", "n")]  # fmt: skip
    return filters(chain, lambda v: v / np.sqrt((v**2).sum()))


def spectral():
    """W / (u W v), with constants u and v, as spectral_norm divides."""
    rows = FlattenLayer(name="m", bottoms=["v"])
    chain = [
        parameter("v", *F["shape"]), parameter("left", 1, 4, lr=0, regu=NoRegu()),
        parameter("right", 18, 1, lr=0, regu=NoRegu()), rows,
        EinsumLayer(name="lm", spec="ij,jk->ik", bottoms=["left", "m"]),
        EinsumLayer(name="sigma", spec="ij,jk->ik", bottoms=["lm", "right"]), shaped("s", "sigma", 1, 1, 1, 1),
        f("W", "div", "v", "s"),
    ]  # fmt: skip
    return filters(chain, lambda v, left, right: v / (left @ v.reshape(4, 18) @ right).item())


def standardized():
    """(v - mean) / sqrt(variance + epsilon), over each filter."""
    chain = [
        parameter("v", *F["shape"]), FlattenLayer(name="m", bottoms=["v"]), over("mean", "m", 1, "mean"),
        shaped("means", "mean", 4, 1), f("centred", "sub", "m", "means"), f("squares", "square", "centred"),
        over("variance", "squares", -1, "mean"),
        PowerLayer(name="inverse", power=-0.5, shift=1e-5, bottoms=["variance"]), shaped("factor", "inverse", 4, 1),
        f("scaled", "mul", "centred", "factor"), shaped("W", "scaled", *F["shape"]),
    ]  # fmt: skip

    def formula(v):
        m = v.reshape(4, 18)
        m = (m - m.mean(1, keepdims=True)) / np.sqrt(m.var(1, keepdims=True) + 1e-5)
        return m.reshape(v.shape)

    return filters(chain, formula)


def assembled():
    """Parts of two parameters along axis 0, one of them a 1 x 1 kernel with a border, as in RepVGG; tiled and cut."""
    chain = [
        parameter("a", 2, 2, 3, 3), parameter("b", 1, 2, 1, 1),
        PadLayer(name="wide", before=(0, 0, 1, 1), after=(0, 0, 1, 1), bottoms=["b"]),
        SliceLayer(name="cut", axis=0, bottoms=["a"], tops=["a0", "a1"]),
        TileLayer(name="twice", axis=0, tiles=2, bottoms=["wide"]),
        NarrowLayer(name="last", axis=0, start=1, length=1, bottoms=["twice"]),
        ConcatLayer(name="W", axis=0, bottoms=["a1", "wide", "a0", "last"]),
    ]  # fmt: skip

    def formula(a, b):
        wide = np.pad(b, ((0, 0), (0, 0), (1, 1), (1, 1)))
        return np.concatenate([a[1:], wide, a[:1], wide])

    return filters(chain, formula)


def mixed_experts():
    """Kernels of experts, mixed by a softmax over them, axis 0; used twice, through a SplitLayer."""
    chain = [
        parameter("experts", 3, 4, 18), parameter("gate", 3), SoftmaxLayer(name="p", axis=0, bottoms=["gate"]),
        EinsumLayer(name="mix", spec="e,eok->ok", bottoms=["p", "experts"]),
        SplitLayer(name="both", bottoms=["mix"], tops=["one", "two"]),
        ElementWiseLayer(name="product", operation=ElementWiseFunctors.Multiply(), bottoms=["one", "two"]),
        shaped("W", "product", *F["shape"]),
    ]  # fmt: skip

    def formula(experts, gate):
        p = np.exp(gate - gate.max())
        return (np.einsum("e,eok->ok", p / p.sum(), experts) ** 2).reshape(F["shape"])

    return filters(chain, formula)


def low_rank():
    """W + A B, as LoRA adds, with W frozen."""
    chain = [
        parameter("w", 4, 18, lr=0, regu=NoRegu()), parameter("A", 4, 2), parameter("B", 2, 18),
        EinsumLayer(name="AB", spec="ik,kj->ij", bottoms=["A", "B"]),
        ElementWiseLayer(name="W", bottoms=["w", "AB"], coefficients=(1.0, 0.5)),
    ]  # fmt: skip
    used = InnerProductLayer(name="y", output_dim=4, weight="W", bottoms=["data"])
    return [*chain, used, SoftmaxLossLayer(name="loss", bottoms=["y", "label"])], lambda w, A, B: w + 0.5 * A @ B


def tied_transposed():
    """An autoencoder whose decoder has the transposed weight; both uses add their gradients."""
    layers = [
        parameter("w", 5, 18), PermuteLayer(name="W", order=(1, 0), bottoms=["w"]),
        InnerProductLayer(name="code", output_dim=5, weight="w", bottoms=["data"]),
        InnerProductLayer(name="out", output_dim=18, weight="W", bottoms=["code"]),
        FlattenLayer(name="flat", bottoms=["data"]), SquareLossLayer(name="loss", bottoms=["out", "flat"]),
    ]  # fmt: skip
    return layers, lambda w: w.T


def norms():
    """A norm's scale of 1 + w, as in Gemma, a shift that another one shares, and a slope, as parameters of layers."""
    layers = [
        FlattenLayer(name="x", bottoms=["data"]), parameter("w", 18), PowerLayer(name="W", shift=1.0, bottoms=["w"]),
        parameter("shared", 18), LayerNormLayer(name="ln", scale="W", shift="shared", bottoms=["x"]),
        RMSNormLayer(name="rms", scale="W", bottoms=["ln"]),
        BatchNormLayer(name="bn", scale=False, shift="shared", bottoms=["rms"]),
        PReLULayer(name="leak", slope="w", bottoms=["bn"]), InnerProductLayer(name="y", output_dim=4, bottoms=["leak"]),
        SoftmaxLossLayer(name="loss", bottoms=["y", "label"]),
    ]  # fmt: skip
    return layers, lambda w, shared: 1 + w


def recurrent():
    """Weights of a GRU and an LSTM from one parameter, the other way round in the second."""
    layers = [
        shaped("steps", "data", 6, 3), parameter("w", 12, 3), PermuteLayer(name="turned", order=(1, 0), bottoms=["w"]),
        parameter("b", 12), PowerLayer(name="half", scale=0.5, bottoms=["b"]),
        NarrowLayer(name="W", axis=0, start=0, length=9, bottoms=["w"]),
        GRULayer(name="gru", output_dim=3, weight_x="W", weight_h="W", bias=False, bottoms=["steps"]),
        LSTMLayer(name="lstm", output_dim=3, weight_x="w", bias_h="half", last=True, bottoms=["gru"]),
        InnerProductLayer(name="y", output_dim=12, weight="w", bottoms=["lstm"]),
        InnerProductLayer(name="z", output_dim=3, weight="turned", bottoms=["y"]),
        InnerProductLayer(name="classes", output_dim=4, bottoms=["z"]),
        SoftmaxLossLayer(name="loss", bottoms=["classes", "label"]),
    ]  # fmt: skip
    return layers, lambda w, b: w[:9]


@config
class Ids(Initializer):
    """Whole numbers 0 to 4."""

    def fill(self, shape, dtype, generator):
        return generator.integers(0, 5, shape).astype(dtype)


def relative_positions():
    """Rows of a table, picked by constant numbers for each pair of positions, as biases of scores: Swin, BEiT, T5."""
    layers = [
        shaped("steps", "data", 3, 6), parameter("table", 5, 2),
        ParameterLayer(name="ids", shape=(9,), init=Ids(), lr=0, regu=NoRegu()),
        EmbeddingLayer(name="picked", vocabulary=5, output_dim=2, weight="table", bottoms=["ids"]),
        shaped("pairs", "picked", 3, 3, 2), PermuteLayer(name="W", order=(2, 0, 1), bottoms=["pairs"]),
        AttentionLayer(name="y", heads=2, score_bias="W", bottoms=["steps"]),
        InnerProductLayer(name="z", output_dim=4, bottoms=["y"]), SoftmaxLossLayer(name="loss", bottoms=["z", "label"]),
    ]  # fmt: skip
    return layers, lambda table, ids: table[ids.astype(int)].reshape(3, 3, 2).transpose(2, 0, 1)


def repeated():
    """A table for every sample, as the queries of a decoder: a choice between two equal blobs, beside samples."""
    layers = [
        shaped("steps", "data", 6, 3), parameter("W", 5, 3),
        ReductionLayer(name="any", axes=(1, 2), bottoms=["steps"]), shaped("each", "any", 1, 1),
        f("queries", "select", "each", "W", "W"), AttentionLayer(name="y", bottoms=["queries", "steps", "steps"]),
        InnerProductLayer(name="z", output_dim=4, bottoms=["y"]), SoftmaxLossLayer(name="loss", bottoms=["z", "label"]),
    ]  # fmt: skip
    return layers, lambda W: W


def tokens():
    """A class token in front of a sequence, and the first rows of a table of positions added."""
    layers = [
        shaped("steps", "data", 6, 3), parameter("cls", 1, 3), parameter("pos", 9, 3),
        ConcatLayer(name="all", axis=1, bottoms=["cls", "steps"]),
        NarrowLayer(name="W", axis=0, start=0, length=7, bottoms=["pos"]),
        f("h", "add", "all", "W"), f("squared", "square", "h"),
        InnerProductLayer(name="y", output_dim=4, bottoms=["squared"]),
        SoftmaxLossLayer(name="loss", bottoms=["y", "label"]),
    ]  # fmt: skip
    return layers, lambda cls, pos: pos[:7]


CHAINS = [
    weight_norm, norm_of_all, spectral, standardized, assembled, mixed_experts, low_rank, tied_transposed, norms,
    recurrent, relative_positions, repeated, tokens,
]  # fmt: skip


def net(chain, batch=4):
    return Net(chain.__name__, [data(batch=batch), *chain()[0]])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("chain", CHAINS)
def test_a_weight_has_no_samples_and_its_formula_s_value(chain):
    layers, formula = chain()
    made = net(chain)
    assert not made.blobs["W"].batch
    with mochac.compile(made, dtype="float64", seed=3, threads=1) as program:
        program.forward()
        names = [x.name for x in layers if isinstance(x, ParameterLayer)]
        given = [program.params[name]["value"][...] for name in names]
        np.testing.assert_allclose(program.blobs["W"], formula(*given), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("chain", CHAINS)
def test_gradients_reach_the_parameters(chain):
    """By central differences, and in compiled code."""
    check = mochac.check_gradients(net(chain), samples=12)
    assert check.ok, check


def test_max_and_min_of_all_elements():
    chain = [parameter("v", 40, 30), over("high", "v", (0, 1), "max"), over("low", "v", (0, 1), "min"),
             f("range", "sub", "high", "low"), f("W", "div", "v", "range")]  # fmt: skip
    ends = [InnerProductLayer(name="y", output_dim=40, weight="W", bottoms=["x"]),
            SquareLossLayer(name="loss", bottoms=["y", "y0"])]  # fmt: skip
    inputs = MemoryDataLayer(name="in", data=[RNG.normal(size=(4, 30)), RNG.normal(size=(4, 40))], batch_size=4,
                             tops=["x", "y0"])  # fmt: skip
    made = Net("n", [inputs, *chain, *ends])
    with mochac.compile(made, dtype="float64", threads=1) as program:
        program.forward()
        v = program.params["v"]["value"][...]
        np.testing.assert_allclose(program.blobs["W"], v / (v.max() - v.min()), rtol=1e-12)
    assert mochac.check_gradients(made, native=False).ok


@pytest.mark.parametrize("chain", [weight_norm, mixed_experts, tokens])
def test_parts_of_a_batch_share_what_is_computed_of_parameters(chain):
    """Two parts: nothing that only parameters lead to is computed twice, forward or backward."""
    traced = trace(net(chain), "train", "float32", seed=0)
    graph = step_plan(traced, Update(SGD())).graph
    one, two = counts(graph), counts(cut_batch(graph, 2))
    assert two == one


def counts(graph: ir.Graph) -> dict[str, int]:
    """How many nodes of each op are not reached by data: forward ones."""
    held = {i.name for i in graph.inputs if i.role == "data"}
    found: dict[str, int] = {}
    for node in graph.nodes:
        if held.isdisjoint(node.inputs):
            if node.op not in ("fill", "broadcast"):
                found[node.op] = found.get(node.op, 0) + 1
        else:
            held.update(out.name for out in node.outputs)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("chain", [weight_norm, mixed_experts, relative_positions, tokens, tied_transposed, recurrent])
def test_parts_and_threads_train_alike(chain):
    def trained(**how):
        with mochac.compile(net(chain, batch=12), dtype="float64", seed=3, **how) as program:
            program.train(SGD(lr_policy=LRPolicy.Fixed(0.05)), max_iter=4, regu_coef=0.01)
            values = program.parameters()
            program.evaluate()
            return values

    alone = trained(threads=1)
    for how in ({"threads": 4}, {"threads": 3, "parts": 2}, {"threads": 1, "parts": 4}):
        got = trained(**how)
        assert got.keys() == alone.keys()
        for name, value in alone.items():
            np.testing.assert_allclose(got[name], value, rtol=1e-9, atol=1e-12, err_msg=f"{name} {how}")


@pytest.mark.parametrize("chain", [weight_norm, standardized])
def test_a_frozen_expression_costs_no_gradient(chain):
    """With lr=0 for its parameters, neither its backward pass nor the gradient of the weight is in the step."""
    layers = [x.replace(lr=0, regu=NoRegu()) if isinstance(x, ParameterLayer) else x for x in chain()[0]]
    learnt = [InnerProductLayer(name="first", output_dim=18, bottoms=["data"]), shaped("image", "first", 2, 3, 3)]
    layers = [x.replace(bottoms=["image"]) if x.name == "conv" else x for x in layers]
    made = Net("frozen", [data(), *learnt, *layers])
    graph = step_plan(trace(made, "train", "float32", seed=0), Update(SGD())).graph
    names = {node.op for node in graph.nodes}
    assert "conv_dx" in names and "conv_dw" not in names
    assert not [o.name for n in graph.nodes for o in n.outputs if o.name.startswith(("d.W", "d.v", "d.unit"))]


def test_prediction_and_evaluation_use_the_weight():
    made = net(weight_norm)
    with mochac.compile(made, dtype="float64", seed=3, threads=1) as program:
        program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=2)
        v, g = (program.params[k]["value"][...] for k in ("v", "g"))
        w = weight_norm()[1](v, g)
        wanted = X[:5].reshape(5, 18) @ w.reshape(4, 18).T
        np.testing.assert_allclose(program.predict(X[:5], blob="rows"), wanted, rtol=1e-10)
        shifted = X.reshape(12, 18) @ w.reshape(4, 18).T
        shifted -= shifted.max(1, keepdims=True)
        loss = np.mean(np.log(np.exp(shifted).sum(1)) - shifted[np.arange(12), Y])
        np.testing.assert_allclose(program.evaluate()["loss"], loss, rtol=1e-10)


@pytest.mark.parametrize(
    ("layer", "rule"),
    [
        (PermuteLayer(name="t", order=(1, 0), bottoms=["rows"]), "samples must stay in front"),
        (ReductionLayer(name="t", axes=0, bottoms=["rows"]), "samples must not mix"),
        (NarrowLayer(name="t", axis=-2, start=0, length=1, bottoms=["rows"]), "axis -2 is not an axis of its input"),
        (SoftmaxLayer(name="t", axis=0, bottoms=["rows"]), "axis 0 is the batch"),
    ],
)
def test_samples_stay_in_front(layer, rule):
    rows = FlattenLayer(name="rows", bottoms=["data"])
    with pytest.raises(ShapeError, match=rule):
        Net("n", [data(), rows, layer])


def test_twice_as_many_rows_are_samples():
    """What a ConcatLayer makes of samples along axis 0 holds samples, though it has no mark of a batch."""
    rows = FlattenLayer(name="rows", bottoms=["data"])
    twice = ConcatLayer(name="twice", axis=0, bottoms=["rows", "rows"])
    with pytest.raises(ShapeError, match="samples must stay in front"):
        Net("n", [data(), rows, twice, PermuteLayer(name="t", order=(1, 0), bottoms=["twice"])])
    shaped_ = Net("n", [data(), rows, twice, shaped("t", "twice", 2, 9)])
    assert shaped_.blobs["t"].shape == (8, 2, 9)
