"""A thousand damaged ONNX files: each is read, or refused by one error, and nothing is half loaded. So are
small files that would take hours, or all memory."""

from __future__ import annotations

import random

import numpy as np
import onnx
import pytest
from model_kit import converted, initial, model_of, node, same
from onnx import helper, numpy_helper

import mochac
from mochac import (
    BatchNormLayer,
    ConvolutionLayer,
    EmbeddingLayer,
    FunctionLayer,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LayerNormLayer,
    LSTMLayer,
    MochacError,
    MultiHeadAttentionLayer,
    NarrowLayer,
    Net,
    PoolingLayer,
    ReductionLayer,
    RNNLayer,
    UnsupportedError,
)
from mochac.formats.onnx.export.save import to_model

OPERATORS = (
    "Conv Flatten Concat Softmax Slice ConvTranspose Shape Loop Gather Where MatMul Einsum Expand Pad Resize Cast "
    "ReduceMax Trilu Split OneHot GatherElements CumSum ArgMax Transpose Clip Mod QuantizeLinear Equal "
    "RNN LSTM GRU ReduceProd Squeeze"
).split()


def whole() -> bytes:
    """A model with convolution, pooling, normalization and products."""
    layers = [
        InputLayer(name="data", shape=(2, 1, 8, 8)),
        ConvolutionLayer(name="conv", kernel=3, n_filter=2, bottoms=["data"]),
        PoolingLayer(name="pool", kernel=2, stride=2, bottoms=["conv"]),
        BatchNormLayer(name="bn", bottoms=["pool"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["bn"]),
    ]
    net = Net("n", layers)
    return to_model(net, initial(net), "float32").SerializeToString()


def sequence() -> bytes:
    """A model with an embedding, attention, norms, comparisons, choices and extremes."""
    layers = [
        InputLayer(name="ids", shape=(2, 4)),
        EmbeddingLayer(name="words", vocabulary=5, output_dim=6, bottoms=["ids"]),
        MultiHeadAttentionLayer(name="attend", heads=2, causal=True, bottoms=["words"]),
        LayerNormLayer(name="norm", bottoms=["attend"]),
        FunctionLayer(name="above", function="gt", constants=(0.0,), bottoms=["norm"]),
        FunctionLayer(name="kept", function="select", bottoms=["above", "norm", "words"]),
        ReductionLayer(name="most", operation="max", axes=(1,), bottoms=["kept"]),
        NarrowLayer(name="part", start=1, length=3, bottoms=["most"]),
    ]
    net = Net("n", layers)
    return to_model(net, initial(net), "float32").SerializeToString()


def recurrent() -> bytes:
    """A model with recurrent layers, in which the batch moves."""
    layers = [
        InputLayer(name="steps", shape=(2, 4, 3)),
        InputLayer(name="n", shape=(2,)),
        LSTMLayer(name="read", output_dim=2, bidirectional=True, lengths="n", bottoms=["steps"], tops=["y", "h", "c"]),
        GRULayer(name="again", output_dim=2, n_layers=2, initial=["h"], bottoms=["y"]),
        RNNLayer(name="last", output_dim=3, last=True, bottoms=["again"]),
        ReductionLayer(name="most", operation="max", axes=(1,), bottoms=["again"]),
    ]
    net = Net("n", layers)
    return to_model(net, initial(net), "float32", ["last", "most", "c"]).SerializeToString()


def damaged(content: bytes, seed: int) -> bytes:
    """Some bytes changed, repeated or cut off."""
    rng, made = random.Random(seed), bytearray(content)
    for _ in range(rng.randint(1, 6)):
        made[rng.randrange(len(made))] = rng.randrange(256)
    if rng.random() < 0.2:
        del made[rng.randrange(len(made)) :]
    if rng.random() < 0.1:
        place = rng.randrange(len(made) + 1)
        made[place:place] = made[: rng.randint(1, 60)]
    return bytes(made)


def edited(content: bytes, seed: int) -> bytes:
    """A well-formed message that says something else: other attributes, extents, names or operators."""
    rng, model = random.Random(seed), onnx.load_model_from_string(content)
    graph = model.graph
    numbers = (0, -1, 1, 2, 7, 2**31, 2**62, -(2**62))
    for _ in range(rng.randint(1, 3)):
        node = rng.choice(graph.node)
        kind = rng.randrange(6)
        if kind == 0 and (lists := [a for a in node.attribute if a.ints]):
            rng.choice(lists).ints[0] = rng.choice(numbers)
        elif kind == 1:
            node.op_type = rng.choice(OPERATORS)
        elif kind == 2 and node.input:
            node.input[rng.randrange(len(node.input))] = rng.choice([i for n in graph.node for i in n.input])
        elif kind == 3:
            tensor = rng.choice(graph.initializer)
            tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(numbers)
        elif kind == 4:
            dim = rng.choice(graph.input[0].type.tensor_type.shape.dim)
            dim.dim_value = rng.choice(numbers)
        else:
            del node.input[-1:]
    return model.SerializeToString()


@pytest.mark.parametrize("change", [damaged, edited])
@pytest.mark.parametrize("part", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 5))])
def test_changed_models_are_read_or_refused(tmp_path, part, change):
    contents, path = (whole(), sequence(), recurrent()), tmp_path / "m.onnx"
    refused = 0
    for seed in range(100 * part, 100 * part + 100):
        print("seed", seed)
        path.write_bytes(change(contents[seed % 3], seed))
        try:
            with np.errstate(all="ignore"):
                net, params = mochac.onnx.load(path, batch_axis=(0, 0, 1, None)[seed % 4])
        except MochacError as error:
            refused += 1
            assert "this is a bug in mochac" not in str(error), error  # noqa: PT017
        else:
            assert {p.key for p in net.params} <= set(params)
    assert refused


def nested(depth: int) -> onnx.ModelProto:
    """Functions each of which calls the one before it twice."""
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    functions = []
    for k in range(depth):
        name, domain = (f"f{k - 1}", "own") if k else ("Neg", "")
        calls = [helper.make_node(name, [a], [b], domain=domain) for a, b in (("x", "h"), ("h", "y"))]
        functions.append(helper.make_function("own", f"f{k}", ["x"], ["y"], calls, imports))
    infos = [helper.make_tensor_value_info(name, 1, ["n", 3]) for name in "xy"]
    call = helper.make_node(f"f{depth - 1}", ["x"], ["y"], domain="own")
    graph = helper.make_graph([call], "g", infos[:1], infos[1:])
    return helper.make_model(graph, functions=functions, opset_imports=imports, ir_version=8)


def test_functions_inside_functions_are_counted_before_they_are_inlined(tmp_path):
    onnx.save(nested(60), tmp_path / "m.onnx")
    with pytest.raises(UnsupportedError) as caught:
        mochac.onnx.load(tmp_path / "m.onnx")
    assert str(caught.value).splitlines() == [
        f"{tmp_path}/m.onnx: its functions stand for too many nodes",
        "  expected  at most 10,000,  got  1,152,921,504,606,846,976",
    ]
    assert len(converted(nested(5), "m.onnx").layers) == 33


@pytest.mark.parametrize("read_by_a_node", [False, True])
def test_functions_that_do_not_compute_their_result_are_refused(tmp_path, read_by_a_node):
    model = nested(1)
    (function,), graph = model.functions, model.graph
    function.output[0] = "z"
    if read_by_a_node:
        graph.node[0].output[0] = "m"
        graph.node.append(helper.make_node("Neg", ["m"], ["y"]))
    onnx.save(model, tmp_path / "m.onnx")
    with pytest.raises(mochac.DataError) as caught:
        mochac.onnx.load(tmp_path / "m.onnx")
    assert str(caught.value).splitlines() == [
        f"{tmp_path}/m.onnx is damaged or not an ONNX model",
        f"  a function does not compute {'m' if read_by_a_node else 'y'!r}, which is read",
    ]


def filled(shape: list[int], kind: str = "float32") -> tuple[onnx.NodeProto, dict[str, np.ndarray]]:
    """A constant that says how large it is."""
    value = numpy_helper.from_array(np.ones(1, kind))
    return node("ConstantOfShape", "s", "a", value=value), {"s": np.array(shape)}


def summed(*nodes: onnx.NodeProto) -> list[onnx.NodeProto]:
    """Nodes, and the sum of b added to the input."""
    more = [node("ReduceSum", "b", "c", keepdims=0), node("Cast", "c", "d", to=1), node("Add", "x d")]
    return [*nodes, *more]


WORK = "the constants of the model take too much to compute"
PARTS = "it picks too many parts"
LARGE = "a sample of its output is too large"


@pytest.mark.slow
def test_constants_take_a_limited_time():
    fill, weights = filled([4096, 4096], "int64")
    with pytest.raises(UnsupportedError) as caught:
        converted(model_of(summed(fill, node("MatMul", "a a", "b")), {"x": (3,)}, weights=weights), "m.onnx")
    assert str(caught.value).splitlines() == [
        f"layer 'b' (MatMul): {WORK}",
        "  expected  at most 4,294,967,296 operations",
        "  hint: store its value in the file: tools such as onnxsim fold constants",
        "  at m.onnx",
    ]
    fill, weights = filled([1 << 25])
    with pytest.raises(UnsupportedError, match=WORK):
        converted(model_of(summed(fill, node("Erf", "a", "b")), {"x": (3,)}, weights=weights), "m.onnx")
    fill, weights = filled([64, 64], "int64")
    same(model_of(summed(fill, node("MatMul", "a a", "b")), {"x": (3,)}, weights=weights))


@pytest.mark.slow
def test_constants_take_a_limited_memory_together():
    nodes, total = [], "x"
    for k in range(60):
        nodes += [node("ConstantOfShape", "s", f"a{k}"), node("ReduceSum", f"a{k}", f"b{k}", keepdims=0)]
        nodes += [node("Add", f"{total} b{k}", f"c{k}" if k < 59 else "y")]
        total = f"c{k}"
    small = model_of(nodes, {"x": (3,)}, weights={"s": np.array([1 << 10])})
    assert len(converted(small, "m.onnx").layers) == 61
    with pytest.raises(UnsupportedError) as caught:
        converted(model_of(nodes, {"x": (3,)}, weights={"s": np.array([1 << 27])}), "m.onnx")
    assert [(p.layer, p.rule) for p in caught.value.problems] == [("a1", WORK)]


@pytest.mark.parametrize(
    ("nodes", "shape", "weights", "rule"),
    [
        ([node("Trilu", "x")], (1 << 14, 1 << 14), {}, WORK),
        ([node("Trilu", "x")], (1 << 20, 1 << 20), {}, "m.onnx: a sample of input 'x' is too large"),
        ([node("Cast", "x", "i", to=7), node("OneHot", "i d v")], (3,), {"d": 2**40, "v": [0.0, 1.0]}, WORK),
        ([node("Pad", "x p", mode="edge")], (3, 4), {"p": [0, 0, 0, 0, 0, 2**40]}, WORK),
        ([node("Pad", "x p")], (3, 4), {"p": [0, 0, 0, 0, 0, 2**40]}, LARGE),
        ([node("Expand", "x s")], (3, 1), {"s": [1, 3, 2**40]}, LARGE),
        ([node("Gather", "x a", axis=1)], (199,), {"a": [k * k % 199 for k in range(99)]}, PARTS),
        (summed(node("Range", "k l m", "b")), (3,), {"k": 0, "l": 2**62, "m": 1}, WORK),
    ],
)  # fmt: skip
def test_numbers_in_a_file_make_no_large_arrays(nodes, shape, weights, rule):
    arrays = {name: np.array(value) for name, value in weights.items()}
    with pytest.raises(UnsupportedError) as caught:
        converted(model_of(nodes, {"x": shape}, weights=arrays), "m.onnx")
    assert caught.value.problems[0].rule == rule


def test_a_long_axis_is_cut_at_once():
    weights = {"a": np.array([5]), "b": np.array([1 << 26]), "c": np.array([1])}
    found = converted(model_of([node("Slice", "x a b c")], {"x": (1 << 27,)}, weights=weights), "m.onnx")
    assert [layer.kind for layer in found.layers] == ["Input", "Narrow"]
