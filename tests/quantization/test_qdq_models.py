"""ONNX models of quantized nets, run by onnxruntime."""

import numpy as np
import pytest
from quantized_kit import NETS, images, interpreted, quantized

import mochac
from mochac.base.errors import OptionError
from mochac.formats.quantization.quantized import qdq_model

onnxruntime = pytest.importorskip("onnxruntime")


def session(model, optimized):
    """onnxruntime's program of a model."""
    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if optimized else levels.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


@pytest.mark.slow
@pytest.mark.parametrize("products", ["madd", "smlad", ""])
@pytest.mark.parametrize("name", NETS)
def test_a_model_computes_what_the_integers_do(name, products):
    """Every value is within one integer of onnxruntime's, which rounds sums as floats."""
    net = NETS[name]()
    made = quantized(net, products=products, outputs=tuple(blob for blob in held(net)))
    x = images(net.blobs["data"].shape[1:], 9, seed=5)
    found = session(qdq_model(made.quantized), optimized=False).run(None, {"data": x})
    for blob, got in zip(made.quantized.outputs, found, strict=True):
        wanted = interpreted(made, {"data": x}, blob)
        step = made.quantized.simulated(1)[1].scales
        quantum = step[blob].scale if blob in step else 0.01 * np.abs(wanted).max()
        assert np.abs(got - wanted).max() <= 1.001 * quantum


def held(net):
    """Blobs that are held as integers, and the last one."""
    whole = quantized(net).quantized.simulated(1)[1].scales
    return (*(blob for blob in net.blobs if blob in whole and blob != "data"), "out")


@pytest.mark.slow
def test_a_model_has_bytes_as_weights_and_takes_any_batch(tmp_path):
    onnx = pytest.importorskip("onnx")
    net = NETS["lenet"]()
    mochac.build(net, tmp_path / "lib", outputs="out", quantize="data layers", onnx=tmp_path / "q.onnx")
    model = onnx.load(tmp_path / "q.onnx")
    kinds = {i.name: onnx.helper.tensor_dtype_to_np_dtype(i.data_type) for i in model.graph.initializer}
    assert sum(kind == np.int8 for name, kind in kinds.items() if "weight" in name) == 4
    assert {"QuantizeLinear", "DequantizeLinear", "Conv", "MaxPool"} <= {node.op_type for node in model.graph.node}
    for n in (1, 11):
        (got,) = session(model, optimized=True).run(None, {"data": images((1, 12, 12), n)})
        assert got.shape == (n, 5)


def test_a_model_of_a_float_net_is_refused(tmp_path):
    with pytest.raises(OptionError, match="build: onnx= writes a quantized net"):
        mochac.build(NETS["lenet"](), tmp_path, onnx=tmp_path / "q.onnx")
