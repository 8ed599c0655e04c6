"""Nets and ONNX models side by side: what the interpreter computes, and what onnxruntime does."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime

from mochac import Net, Params, ir
from mochac.frontend.trace import trace
from mochac.onnx.loading import ConvertedModel
from mochac.session.net_parameters import live_arrays, make_parameters


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
