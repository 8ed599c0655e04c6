"""Ids and lengths as models of others have them: integers or floats, (batch,) or (batch, 1), beside onnxruntime."""

from __future__ import annotations

import itertools

import numpy as np
import onnxruntime
import pytest
from model_kit import run
from onnx import ModelProto, TensorProto, helper, numpy_helper

import mochac
from mochac.formats.onnx.loading import converted

RNG = np.random.default_rng(5)
BATCH, TIME, WORDS, WIDTH, UNITS = 4, 5, 9, 3, 2
IDS, LENGTHS = RNG.integers(0, WORDS, (BATCH, TIME)), np.array([5, 1, 3, 2])
KINDS = {"int64": TensorProto.INT64, "int32": TensorProto.INT32, "float32": TensorProto.FLOAT}


def floats(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def model(ids: str, lengths: str, column: bool) -> ModelProto:
    """An embedding and a GRU that reads as many steps of each sample as its length says."""
    nodes, read, count = [], "ids", "lengths"
    if ids == "float32":
        nodes.append(helper.make_node("Cast", ["ids"], ["whole"], to=TensorProto.INT64))
        read = "whole"
    if column:
        nodes.append(helper.make_node("Squeeze", ["lengths", "last"], ["each"]))
        count = "each"
    if lengths != "int32":
        nodes.append(helper.make_node("Cast", [count], ["short"], to=TensorProto.INT32))
        count = "short"
    nodes += [
        helper.make_node("Gather", ["table", read], ["x"]),
        helper.make_node("Transpose", ["x"], ["steps"], perm=[1, 0, 2]),
        helper.make_node("GRU", ["steps", "w", "r", "b", count], ["", "h"], hidden_size=UNITS, linear_before_reset=1),
        helper.make_node("Squeeze", ["h", "first"], ["out"]),
    ]
    weights = {"table": floats(WORDS, WIDTH), "w": floats(1, 3 * UNITS, WIDTH), "r": floats(1, 3 * UNITS, UNITS)}
    weights |= {"b": floats(1, 6 * UNITS), "first": np.array([0]), **({"last": np.array([1])} if column else {})}
    infos = [
        helper.make_tensor_value_info("ids", KINDS[ids], ["n", TIME]),
        helper.make_tensor_value_info("lengths", KINDS[lengths], ["n", 1] if column else ["n"]),
    ]
    made = [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["n", UNITS])]
    arrays = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "g", infos, made, arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.slow
@pytest.mark.parametrize(("ids", "lengths", "column"), [*itertools.product(KINDS, KINDS, (False, True))])
def test_read_and_written_again(tmp_path, ids, lengths, column):
    given = model(ids, lengths, column)
    shaped = LENGTHS[:, None] if column else LENGTHS
    (expected,) = run(given, {"ids": IDS.astype(ids), "lengths": shaped.astype(lengths)})
    path = tmp_path / "given.onnx"
    path.write_bytes(given.SerializeToString())
    net, params = mochac.onnx.load(path)
    with mochac.compile(net, params=params) as program:
        for whole in (np.int64, np.float32):
            for each in (LENGTHS, LENGTHS[:, None]):
                found = program.predict({"ids": IDS.astype(whole), "lengths": each.astype(whole)})
                np.testing.assert_allclose(found, expected, atol=1e-6)
        program.save(tmp_path / "again.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "again.onnx")
    assert [(i.name, i.type, i.shape[1]) for i in session.get_inputs()] == [
        ("ids", "tensor(int64)", TIME),
        ("lengths", "tensor(int32)", 1),
    ]
    (again,) = session.run(None, {"ids": IDS.astype(np.int64), "lengths": LENGTHS[:, None].astype(np.int32)})
    np.testing.assert_allclose(again, expected, atol=1e-6)


def test_the_layers_are_those_that_others_write():
    kinds = [layer.kind for layer in converted(model("int64", "int64", False), "m.onnx").layers]
    assert "Embedding" in kinds and "GRU" in kinds, kinds
