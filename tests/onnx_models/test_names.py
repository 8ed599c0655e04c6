"""What parameters of an imported model are called: the name of a weight means the numbers of this weight."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from model_kit import floats, initial, model_of, node, same
from onnx import TensorProto, helper, numpy_helper

import mochac
from mochac import ElementWiseLayer, InnerProductLayer, InputLayer, Net, Neurons, SnapshotError
from mochac.formats.onnx.export.save import to_model
from mochac.formats.onnx.loading import converted
from mochac.nets.layers.base import Parametric


def named(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Parameters by "layer___name", of a net that computes what onnxruntime does."""
    same(model)
    return converted(model, "m.onnx").arrays


def scoped(operator: str, inputs: str, output: str, module: str, exporter: str) -> onnx.NodeProto:
    """A node of a module, as PyTorch's exporters name them."""
    made = node(operator, inputs, output)
    made.name = f"/{module}/{operator}" if exporter == "old" else f"node_{operator}_{output}"
    if exporter == "new":
        made.metadata_props.add(key="pkg.torch.onnx.name_scopes", value=f"['', '{module}', '{operator.lower()}']")
    return made


@pytest.mark.parametrize("kept", ["q", "k", "v"])
@pytest.mark.parametrize("exporter", ["old", "new"])
def test_equal_biases_that_are_stored_once_name_no_other_module(exporter, kept):
    """Of three linear modules, whatever the name of the one bias is."""
    weights = {f"onnx::MatMul_{m}": floats(4, 3) for m in "kqv"} | {f"{kept}.bias": np.zeros(3, np.float32)}
    nodes = []
    for m in "kqv":
        nodes.append(scoped("MatMul", f"x onnx::MatMul_{m}", f"{m}1", m, exporter))
        nodes.append(scoped("Add", f"{kept}.bias {m}1", f"{m}2", m, exporter))
    arrays = named(model_of([*nodes, node("Sum", "k2 q2 v2")], {"x": (4,)}, weights=weights))
    for m in "kqv":
        np.testing.assert_array_equal(arrays[f"{m}___weight"], weights[f"onnx::MatMul_{m}"].T)
        assert not arrays[f"{m}___bias"].any()
    assert len(arrays) == 6


def test_identity_gives_a_shared_weight_the_name_of_each_module():
    """As PyTorch's old exporter writes equal weights."""
    weights = {"norm1.weight": np.ones(4, np.float32), "norm1.bias": np.zeros(4, np.float32)}
    nodes = [node("Identity", "norm1.weight", "norm2.weight"), node("Identity", "norm1.bias", "norm2.bias")]
    nodes += [node("LayerNormalization", "x norm2.weight norm2.bias", "h")]
    nodes += [node("LayerNormalization", "h norm1.weight norm1.bias", "y")]
    arrays = named(model_of(nodes, {"x": (4,)}, weights=weights))
    assert list(arrays) == ["norm2___scale", "norm2___shift", "norm1___scale", "norm1___shift"]


def test_a_weight_names_its_layer_although_a_shared_bias_follows():
    weights = {"q.weight": floats(4, 3), "k.weight": floats(4, 3), "k.bias": np.zeros(3, np.float32)}
    nodes = [node("MatMul", "x q.weight", "a"), node("Add", "a k.bias", "b")]
    nodes += [node("MatMul", "x k.weight", "c"), node("Add", "c k.bias", "d"), node("Add", "b d")]
    arrays = named(model_of(nodes, {"x": (4,)}, weights=weights))
    for m in "qk":
        np.testing.assert_array_equal(arrays[f"{m}___weight"], weights[f"{m}.weight"].T)


def test_a_bias_names_the_layer_of_a_nameless_matrix_unless_others_read_it():
    weights = {"w": floats(4, 3), "fc.bias": floats(3)}
    nodes = [node("MatMul", "x w", "a"), node("Add", "a fc.bias", "y")]
    assert list(named(model_of(nodes, {"x": (4,)}, weights=weights))) == ["fc___weight", "fc___bias"]
    nodes[1].output[0] = "b"
    nodes += [node("Add", "x2 fc.bias", "c"), node("Add", "b c")]
    arrays = named(model_of(nodes, {"x": (4,), "x2": (3,)}, weights=weights))
    assert list(arrays) == ["matmul___weight", "fc.bias___value"]


@pytest.mark.parametrize("factor", ["alpha", "beta"])
def test_a_layer_with_other_numbers_has_another_name(factor):
    """The product of alpha and a matrix is not what a state_dict has under the name of the matrix."""
    weights = {"fc.weight": floats(4, 3), "fc.bias": floats(3)}
    gemm = node("Gemm", "x fc.weight fc.bias", **{factor: 2.0})
    arrays = named(model_of([gemm], {"x": (4,)}, weights=weights))
    assert list(arrays) == ["fc.innerproduct___weight", "fc.innerproduct___bias"]


def test_layers_with_the_same_weights_share_them():
    """A module that is called twice; but norms of 1 and 0, which exporters store once, are not one module."""
    weights = {"fc.weight": floats(4, 4), "fc.bias": np.zeros(4, np.float32)}
    weights |= {"norm.weight": np.ones(4, np.float32), "norm.bias": np.zeros(4, np.float32)}
    nodes = [node("Gemm", "x fc.weight fc.bias", "a"), node("LayerNormalization", "a norm.weight norm.bias", "b")]
    nodes += [node("Relu", "b", "c"), node("Gemm", "c fc.weight fc.bias", "d")]
    nodes += [node("LayerNormalization", "d norm.weight norm.bias", "e"), node("Gemm", "e fc.weight other.bias")]
    weights["other.bias"] = floats(4)
    model = model_of(nodes, {"x": (4,)}, weights=weights)
    net = same(model)
    keys = [(layer.kind, layer.key) for layer in net.layers if isinstance(layer, Parametric)]
    assert keys == [
        ("Parameter", "fc.weight"),
        ("InnerProduct", "gemm"),
        ("LayerNorm", "layernormalization"),
        ("InnerProduct", "gemm"),
        ("LayerNorm", "layernormalization-2"),
        ("InnerProduct", "other"),
    ]
    own = {key.partition("___")[0] for key in converted(model, "m.onnx").arrays}
    assert own == {"fc.weight", "gemm", "layernormalization", "layernormalization-2", "other"}


def test_two_branches_of_one_net_come_back_as_such():
    x, z = (InputLayer(name=name, shape=(2, 4)) for name in "xz")
    left = InnerProductLayer(name="left", output_dim=3, bottoms=["x"])
    right = InnerProductLayer(name="right", output_dim=3, bottoms=["z"], param_key="left", neuron=Neurons.ReLU())
    net = Net("siamese", [x, z, left, right, ElementWiseLayer(name="y", bottoms=["left", "right"])])
    again = same(to_model(net, initial(net), "float32"))
    assert [(layer.name, layer.key) for layer in again.layers if isinstance(layer, Parametric)] == [
        ("left", "left"),
        ("right", "left"),
    ]


def tied(*nodes, **arrays):
    """A model of word ids."""
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", 3])
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3, 7])
    tensors = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    graph = helper.make_graph(list(nodes), "g", [ids], [made], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def uses(model):
    """Which layers read the blob of a ParameterLayer, and the parameters by name."""
    found = converted(model, "m.onnx")
    Net("n", found.layers)
    makers = {layer.tops[0] for layer in found.layers if layer.kind == "Parameter"}
    return {x.name: [blob for blob in x.reads if blob in makers] for x in found.layers}, found.arrays


def embedded(module="words"):
    return scoped("Gather", "words.weight ids", "a", module, "new")


def test_a_tied_decoder_reads_the_table_of_the_embedding():
    """A transposed table, as nn.Linear has it."""
    turned = helper.make_node("Transpose", ["words.weight"], ["t"], perm=[1, 0])
    table = floats(7, 4)
    read, arrays = uses(
        tied(embedded(), turned, scoped("MatMul", "a t", "y", "head", "new"), **{"words.weight": table})
    )
    assert list(arrays) == ["words.weight___value"]
    np.testing.assert_array_equal(arrays["words.weight___value"], table)
    assert read["words"] == read["head"] == ["words.weight"]


def test_a_copy_that_the_exporter_transposed_is_the_weight():
    """PyTorch's optimizer says of which weight it is."""
    table = floats(7, 4)
    copied = tied(
        embedded(), scoped("MatMul", "a val_7", "y", "head", "new"), **{"words.weight": table, "val_7": table.T}
    )
    assert uses(copied)[0]["head"] == []
    told = copied.graph.value_info.add(name="val_7")
    told.metadata_props.add(key="pkg.onnxscript.optimizer.folded_from", value="['words.weight']")
    read, arrays = uses(copied)
    assert read["words"] == read["head"] == ["words.weight"] and list(arrays) == ["words.weight___value"]
    copied.graph.initializer[1].CopyFrom(numpy_helper.from_array(2 * table.T, "val_7"))
    assert len(uses(copied)[1]) == 2


def test_a_tied_decoder_of_the_old_exporter():
    """Which gives its weight the name of the module by an Identity."""
    nodes = [node("Identity", "words.weight", "head.weight"), node("Gather", "words.weight ids", "a")]
    nodes += [node("Transpose", "head.weight", "t", perm=[1, 0]), node("MatMul", "a t")]
    read, _ = uses(tied(*nodes, **{"words.weight": floats(7, 4)}))
    assert read["words"] == read["head"] == ["words.weight"]


@pytest.mark.parametrize("stored", ["once", "twice"])
def test_copies_of_a_module_stay_apart(stored):
    """nn.TransformerEncoder begins with equal layers, which the old exporter stores once."""
    weights = {"a.weight": floats(4, 4), "a.bias": floats(4)}
    nodes = [node("Gemm", "x a.weight a.bias", "h"), node("Relu", "h", "r"), node("Gemm", "r b.weight b.bias")]
    if stored == "once":
        nodes = [node("Identity", "a.weight", "b.weight"), node("Identity", "a.bias", "b.bias"), *nodes]
    else:
        weights |= {"b.weight": weights["a.weight"], "b.bias": weights["a.bias"]}
    assert sorted(named(model_of(nodes, {"x": (4,)}, weights=weights))) == [
        "a___bias", "a___weight", "b___bias", "b___weight"
    ]  # fmt: skip


def test_a_weight_that_layers_read_in_different_ways_is_told(caplog):
    nodes = [
        embedded(),
        node("ReduceSum", "a one", "d", keepdims=0),
        node("Gemm", "d words.weight", transB=1, alpha=2.0),
    ]
    model = tied(*nodes, **{"words.weight": floats(7, 4), "one": np.array([1])})
    assert len(uses(model)[1]) == 2
    assert caplog.messages == [
        "onnx.load: weight 'words.weight' is read by layers words, gemm, which train copies of their own"
    ]


def test_a_state_dict_of_pytorch_has_a_tied_weight_twice(tmp_path):
    path, table = tmp_path / "m.onnx", floats(7, 4)
    turned = helper.make_node("Transpose", ["words.weight"], ["t"], perm=[1, 0])
    onnx.save(tied(embedded(), turned, scoped("MatMul", "a t", "y", "head", "new"), **{"words.weight": table}), path)
    net, params = mochac.onnx.load(path)
    with mochac.compile(net, params=params, threads=1) as program:
        program.load({"words.weight": 2 * table, "head.weight": 2 * table})
        np.testing.assert_array_equal(program.state_dict()["words.weight"], 2 * table)
        with pytest.raises(SnapshotError, match="two values"):
            program.load({"words.weight": 2 * table, "head.weight": table})


def test_a_tied_decoder_whose_weight_the_old_exporter_transposed():
    table = floats(7, 4)
    copied = tied(embedded(), node("MatMul", "a onnx::MatMul_9"), **{"words.weight": table, "onnx::MatMul_9": table.T})
    read, arrays = uses(copied)
    assert read["words"] == ["words.weight"] and list(arrays) == ["words.weight___value"]
