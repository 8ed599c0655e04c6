"""Libraries whose inputs are integers, in floats and quantized."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from clib_kit import built, needs_cc

sys.path.insert(0, str(Path(__file__).parents[1] / "quantization"))
from quantized_kit import ends

import mochac
from mochac import ConvolutionLayer, DataTransformers, MemoryDataLayer, Net, Neurons
from mochac.base.errors import OptionError

RAW = np.random.default_rng(2).integers(0, 256, (24, 3, 7, 6))
MEAN = np.full((3, 7, 6), 0.7, np.float32)
TRANSFORMERS = {
    "scaled": [("data", DataTransformers.Scale(1 / 255))],
    "centred": [
        ("data", DataTransformers.Scale(1 / 64)),
        ("data", DataTransformers.SubMean(mean_blob=MEAN)),
    ],
}


def net(transformers):
    given = MemoryDataLayer(data=[RAW.astype(np.float32), np.arange(24) % 5], batch_size=4, transformers=transformers)
    conv = ConvolutionLayer(name="c", kernel=3, n_filter=6, neuron=Neurons.ReLU(), bottoms=["data"], tops=["c"])
    return Net("typed", [given, conv, *ends("c")])


def predicted(lib, dtype, x):
    lib.dtype = np.dtype("float32")
    return lib.instance().predict((5,), data=x)[0] if dtype is None else _typed(lib, dtype, x)


def _typed(lib, dtype, x):
    """A prediction of integers, which the kit passes as they are."""
    lib.dtype = np.dtype(dtype)
    instance = lib.instance()
    n, inputs, held = instance._inputs("predict", {"data": x})
    out = np.full((n, 5), np.nan, np.float32)
    import ctypes

    lib.check(lib["predict"](instance.net, *inputs, ctypes.c_int64(n), ctypes.c_void_p(out.ctypes.data)))
    assert held
    return out


PAIRS = [
    ("uint8", "scaled", True), ("uint8", "centred", False), ("int8", "scaled", False), ("int8", "centred", True),
    ("int16", "scaled", True), ("int16", "centred", False),
]  # fmt: skip
"""Each dtype with both transformers, in floats and quantized; each transformer in floats and quantized."""


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize(("dtype", "name", "quantized"), PAIRS)
def test_integers_give_what_their_floats_give(dtype, name, quantized, tmp_path):
    """Bit for bit in floats; in integers, scales of the input may differ."""
    samples = RAW - (128 if dtype == "int8" else 0)
    x, quantize = samples[:7].astype(dtype), samples.astype(np.float32) if quantized else None
    made = net(TRANSFORMERS[name])
    floats = built(tmp_path / "f", made, outputs="out", name="floats", quantize=quantize)
    typed = built(tmp_path / "i", made, outputs="out", name="typed", quantize=quantize, inputs={"data": dtype})
    wanted, got = predicted(floats, None, x.astype(np.float32)), predicted(typed, dtype, x)
    header = (tmp_path / "i" / "typed.h").read_text()
    assert f"typed_predict(typed *net, const {dtype}_t *data, int64_t n, float *out)" in header
    if not quantized:
        assert (got == wanted).all()
    else:
        assert np.abs(got - wanted).max() < 0.2 * np.abs(wanted).max()


@pytest.mark.slow
@needs_cc
def test_bytes_that_are_only_scaled_are_the_integers_of_the_net(tmp_path):
    lib = built(tmp_path, net(TRANSFORMERS["scaled"]), outputs="out", quantize="data layers", inputs={"data": "uint8"})
    text = (tmp_path / "explain.txt").read_text()
    assert re.search(r"^  data +u8 +0\.00392157 +0 ", text, re.MULTILINE)
    assert "quantize" not in text.partition("Functions for")[2]
    assert lib


@pytest.mark.slow
@needs_cc
def test_training_on_bytes(tmp_path):
    made = net(TRANSFORMERS["centred"])
    built(tmp_path, made, mochac.SGD(0.1), inputs={"data": "uint8"})
    assert "typed_step(typed *net, const uint8_t *data, const float *label" in (tmp_path / "typed.h").read_text()


WRONG = [
    ({"dta": "uint8"}, "build: no data layer makes 'dta'"),
    ({"data": "float16"}, "build: no such dtype of input 'data'"),
    ("uint8", "build: inputs= takes a dict"),
]


@pytest.mark.parametrize(("inputs", "message"), WRONG)
def test_wrong_inputs_are_refused(inputs, message, tmp_path):
    with pytest.raises(OptionError, match=re.escape(message)):
        mochac.build(net([]), tmp_path, inputs=inputs)


def test_labels_stay_floats(tmp_path):
    with pytest.raises(OptionError, match="build: input 'label' holds class indices"):
        mochac.build(net([]), tmp_path, mochac.SGD(0.1), inputs={"label": "uint8"})
