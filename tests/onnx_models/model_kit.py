"""Nets and ONNX models side by side: what the interpreter computes, and what onnxruntime does."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from mochac import Net, Params, ir
from mochac.formats.onnx.loading import ConvertedModel, converted
from mochac.nets.trace import trace
from mochac.training.session.net_parameters import live_arrays, make_parameters

RNG = np.random.default_rng(7)


def initial(net: Net, dtype: str = "float32") -> dict[str, np.ndarray]:
    """Initial parameters and states by "key___name"."""
    params = Params()
    make_parameters(net, params, dtype, seed=0)
    return live_arrays(net, params)


def stored(net: Net, loaded: ConvertedModel) -> dict[str, np.ndarray]:
    """Parameters and states of a net that was imported."""
    arrays = initial(net, loaded.dtype)
    return {name: loaded.arrays.get(name, array).reshape(array.shape) for name, array in arrays.items()}


def interpreted(net: Net, arrays: dict[str, np.ndarray], fed: dict[str, np.ndarray], blobs: list[str]) -> list[Any]:
    """Blobs in test mode for as many samples as `fed` has, in float64."""
    batch = len(next(iter(fed.values()))) if fed else net.batch
    traced = trace(net, "test", "float32", batch=batch)
    known = {i.value: np.asarray(arrays[f"{i.key}___{i.name}"], float) for i in (*traced.params, *traced.states)}
    types = traced.graph.types()
    known |= {f.value: np.asarray(fed[f.top], float).reshape(types[f.value].shape) for f in traced.feeds}
    known |= {name: np.asarray(table, float) for name, table in traced.tables.items()}
    known |= {i.name: batch if i.name == "n_valid" else 0 for i in traced.graph.inputs if i.role == "hyper"}
    graph = traced.graph.with_(outputs=tuple(dict.fromkeys(traced.blobs[blob] for blob in blobs)), updates=())
    found = ir.run(graph, {i.name: known[i.name] for i in graph.inputs}, dtype="f64")
    return [found[traced.blobs[blob]] for blob in blobs]


def run(model: Any, fed: dict[str, np.ndarray]) -> list[np.ndarray]:
    """The outputs of an ONNX model in onnxruntime; whole numbers are fed as the integers that it takes."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    integers = {"tensor(int32)": np.int32, "tensor(int64)": np.int64}
    return session.run(
        None,
        {
            i.name: fed[i.name].astype(integers.get(i.type)) if i.type in integers else fed[i.name]
            for i in session.get_inputs()
        },
    )


def model_of(nodes, inputs, *, outputs=("y",), weights=None, opset=17, batch="n"):
    """A model; inputs by name without the batch."""
    infos = [helper.make_tensor_value_info(k, TensorProto.FLOAT, [batch, *shape]) for k, shape in inputs.items()]
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    tensors = [numpy_helper.from_array(np.asarray(a), name) for name, a in (weights or {}).items()]
    graph = helper.make_graph(nodes, "g", infos, made, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model)


def node(operator, inputs, outputs="y", **attributes):
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def floats(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def same(model, samples=5, tolerance=1e-5):
    """The net of a model computes what onnxruntime does; returns it."""
    fed = {
        i.name: floats(d[0].dim_value or samples, *(e.dim_value for e in d[1:]))
        for i in model.graph.input
        for d in [i.type.tensor_type.shape.dim]
    }
    found = converted(model, "m.onnx")
    net = Net("n", found.layers)
    outputs = [o.name for o in model.graph.output]
    for a, b in zip(interpreted(net, stored(net, found), fed, outputs), run(model, fed), strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
    return net
