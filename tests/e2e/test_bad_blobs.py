"""Distinct mistakes with labels, parameters as blobs, transformers and collectors: what the user reads.

Each names the layer, the blob or file in question and the line that made the layer; where there is a remedy, the hint.
"""

from pathlib import Path

import h5py
import numpy as np
import pytest
from message_kit import assert_mistake, refused

import mochac
from mochac import (
    AccuracyLayer,
    BinaryCrossEntropyLossLayer,
    ConcatLayer,
    ConvolutionLayer,
    DataTransformers,
    HDF5OutputLayer,
    HingeLossLayer,
    Index2OnehotLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    ParameterLayer,
    SoftmaxLossLayer,
    SquareLossLayer,
)

X, Y = np.random.default_rng(0).standard_normal((20, 1, 6, 6)), np.arange(20) % 3
SubMean, Scale = DataTransformers.SubMean, DataTransformers.Scale


def data(**fields):
    return MemoryDataLayer(**{"name": "data", "data": [X, Y], "batch_size": 4, **fields})


def net(*more, source=None):
    """A net that works, and more layers."""
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    return Net("n", [source or data(), ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]), *more])


def run(the_net):
    with mochac.compile(the_net) as program:
        program.forward()


def mean(**how):
    return net(source=data(transformers=[("data", SubMean(**how))]))


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("text.h5").write_text("hello")
    Path("there.h5").write_bytes(b"x")
    means = {"small": np.zeros((1, 5, 5)), "no": np.zeros(36), "nan": np.full(36, np.nan)}
    for name, value in means.items():
        with h5py.File(f"{name}.h5", "w") as file:
            file["maen" if name == "no" else "mean"] = value


MISTAKES = {
    # -- labels
    "signs that are 0 and 1": (
        lambda: run(net(HingeLossLayer(name="hinge", bottoms=["label", "label"]))),
        "DataError",
        "data",
        ["blob 'label', sample", "-1 or 1", "2 * label - 1"],
    ),
    "a class too many for one-hot": (
        lambda: run(net(Index2OnehotLayer(name="hot", n_class=2, bottoms=["label"]))),
        "DataError",
        "data",
        ["label out of range", "0 <= label < 2,  got  2", "blob 'label', sample 2"],
    ),
    "probabilities that are none": (
        lambda: run(net(BinaryCrossEntropyLossLayer(name="bce", bottoms=["data", "data"]))),
        "DataError",
        "data",
        ["blob 'data', sample 0"],
    ),
    # -- parameters as blobs
    "a parameter that no layer makes": (
        lambda: net(InnerProductLayer(name="ip2", output_dim=3, weight="W", bottoms=["data"])),
        "NetError",
        "ip2",
        ["no layer produces blob 'W' for weight", "blobs: data ip"],
    ),
    "a weight of another shape": (
        lambda: net(
            ParameterLayer(name="W", shape=(3, 35)),
            InnerProductLayer(name="ip2", output_dim=3, weight="W", bottoms=["data"]),
        ),
        "ShapeError",
        "ip2",
        ["weight 'W' has another shape", "(3, 36),  got  (3, 35)", "shape=(3, 36)", "'data'"],
    ),
    "samples as a weight": (
        lambda: net(InnerProductLayer(name="ip2", output_dim=3, weight="data", bottoms=["data"])),
        "ShapeError",
        "ip2",
        ["weight 'data' holds samples", "make it with ParameterLayer", "bottom 'data'"],
    ),
    "a filter of the wrong rank": (
        lambda: net(
            ParameterLayer(name="F", shape=(2, 9)),
            ConvolutionLayer(name="c", n_filter=2, kernel=3, filter="F", bottoms=["data"]),
        ),
        "ShapeError",
        "c",
        ["filter 'F' has another shape", "(2, 1, 3, 3),  got  (2, 9)", "bottom 'data'"],
    ),
    "settings of a weight that is a blob": (
        lambda: InnerProductLayer(name="ip2", output_dim=3, weight="W", weight_lr=0.1, bottoms=["data"]),
        "OptionError",
        "ip2",
        ["weight_lr has no effect: weight is the blob 'W'", "ParameterLayer: lr=..."],
    ),
    "a parameter without a shape": (
        lambda: ParameterLayer(name="W"),
        "OptionError",
        "W",
        ["field 'shape' must be given"],
    ),
    "a parameter with a bottom": (
        lambda: ParameterLayer(name="W", shape=(3, 3), bottoms=["data"]),
        "OptionError",
        "W",
        ["expected  0 bottoms,  got  1"],
    ),
    "two parameters of one key and two shapes": (
        lambda: net(ParameterLayer(name="W", shape=(2, 2)), ParameterLayer(name="V", shape=(3, 2), param_key="W")),
        "NetError",
        "V",
        ["shares parameters 'W'", "value shape: (3, 2) here, (2, 2) there", "the other is layer 'W'"],
    ),
    "a parameter beside samples": (
        lambda: net(ParameterLayer(name="W", shape=(4, 2)), ConcatLayer(name="cat", bottoms=["ip", "W"])),
        "ShapeError",
        "cat",
        ["a bottom without samples does not fit beside samples", "bottom 'ip'", "bottom 'W': f32[4,2]"],
    ),
    # -- transformers
    "a transformer without its top": (
        lambda: MemoryDataLayer(name="in", data=[X, Y], batch_size=4, transformers=[Scale(2)]),
        "OptionError",
        "in",
        ["transformers is out of range", "write [(top, transformer)], a list of pairs"],
    ),
    "a transformer of no top": (
        lambda: MemoryDataLayer(name="in", data=[X, Y], batch_size=4, transformers=[("dota", Scale(2))]),
        "OptionError",
        "in",
        ["a transformer names 'dota', which is not a top", "data label"],
    ),
    "a transformer that is a class": (
        lambda: MemoryDataLayer(name="in", data=[X, Y], batch_size=4, transformers=[("data", Scale)]),
        "OptionError",
        "in",
        ["transformers is out of range", "write Scale(...) with parentheses"],
    ),
    "a transformer without a mean": (lambda: SubMean(), "OptionError", "", ["SubMean: needs a mean", "neither"]),
    "a scale that is text": (lambda: Scale("2"), "OptionError", "", ["Scale: scale is out of range", "got  '2'"]),
    "a mean of another size": (
        lambda: mean(mean_file="small.h5"),
        "DataError",
        "data",
        ["the mean does not fit a sample", "(1, 6, 6),  got  (1, 5, 5)", "SubMean of top 'data'"],
    ),
    "a mean blob of another size": (
        lambda: mean(mean_blob=np.zeros(7)),
        "DataError",
        "data",
        ["the mean does not fit a sample", "got  (7,)", "(channels, 1, 1)"],
    ),
    "no mean file": (
        lambda: mean(mean_file="gone.h5"),
        "DataError",
        "data",
        ["no mean file gone.h5", "SubMean of top 'data'"],
    ),
    "a mean file without a mean": (
        lambda: mean(mean_file="no.h5"),
        "DataError",
        "data",
        ["no.h5 has no dataset 'mean'", "got  maen"],
    ),
    "a mean file that is text": (
        lambda: mean(mean_file="text.h5"),
        "DataError",
        "data",
        ["cannot read the mean from text.h5", "an HDF5 file"],
    ),
    "a mean that is NaN": (lambda: mean(mean_file="nan.h5"), "DataError", "data", ["the mean in nan.h5 is not finite"]),
    "labels that a transformer makes fractions of": (
        lambda: run(net(source=data(transformers=[("label", Scale(0.5))]))),
        "DataError",
        "data",
        ["label is not an integer", "got  0.5", "blob 'label', sample 1"],
    ),
    # -- collectors
    "an output file that is there": (
        lambda: run(net(HDF5OutputLayer(name="out", filename="there.h5", bottoms=["ip"]))),
        "DataError",
        "out",
        ["output file there.h5 already exists", "force_overwrite=True"],
    ),
    "an output without a file": (
        lambda: HDF5OutputLayer(name="out", bottoms=["ip"]),
        "OptionError",
        "out",
        ["field 'filename' must be given"],
    ),
    "two outputs into one file": (
        lambda: run(
            net(
                HDF5OutputLayer(name="a", filename="o.h5", bottoms=["ip"]),
                HDF5OutputLayer(name="out", filename="o.h5", bottoms=["ip"]),
            )
        ),
        "DataError",
        "out",
        ["o.h5"],
    ),
    "one name for two datasets": (
        lambda: HDF5OutputLayer(name="out", filename="o.h5", bottoms=["ip", "label"], datasets=["a"]),
        "OptionError",
        "out",
        ["needs one dataset per bottom", "expected  2 names,  got  1"],
    ),
    "a bottom twice into one dataset": (
        lambda: HDF5OutputLayer(name="out", filename="o.h5", bottoms=["ip", "ip"]),
        "OptionError",
        "out",
        ["takes a bottom twice", "name the datasets: datasets=[...]"],
    ),
}


COMPILED = (
    "signs that are 0 and 1",
    "a class too many for one-hot",
    "probabilities that are none",
    "labels that a transformer makes fractions of",
    "two outputs into one file",
)
CASES = [pytest.param(m, marks=[pytest.mark.slow] if m in COMPILED else []) for m in MISTAKES]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", CASES)
def test_a_mistake_is_one_message(mistake):
    assert_mistake(*MISTAKES[mistake])


def test_reading_what_a_collector_never_got():
    with mochac.compile(net(MemoryOutputLayer(name="out", bottoms=["ip"]))) as program:
        error = refused(lambda: program.outputs["uot"])
        assert error.report == "OptionError: no MemoryOutputLayer 'uot'\n  there are: out\n  hint: did you mean 'out'?"


def test_a_blob_of_a_parameter_that_is_wrong_itself():
    """Both problems are told, the second with the blob's maker."""
    first, second = (
        ParameterLayer(name="V", shape=(4, 3), param_key="k"),
        ParameterLayer(name="W", shape=(4,), param_key="k"),
    )
    error = refused(lambda: net(first, second, AccuracyLayer(name="acc", bottoms=["W", "label"])))
    assert [(type(p).__name__, p.layer) for p in error.problems] == [("NetError", "W"), ("ShapeError", "acc")]
    assert "bottom 'W': f32[4], from layer 'W' (Parameter)" in str(error)


@pytest.mark.slow
def test_a_parameter_that_fits_whole_batches_only():
    """20 samples are 5 batches of 4; the parameter has 8 rows, as two bottoms of 4 samples; 18 samples leave 2 over."""
    two = ConcatLayer(name="two", axis=0, bottoms=["data", "data"])
    more = (two, ParameterLayer(name="V", shape=(8, 1, 6, 6)), SquareLossLayer(name="sq", bottoms=["two", "V"]))
    with mochac.compile(net(*more)) as program:
        assert program.evaluate()["sq"] > 0
        assert program.predict(X[:3], blob="ip").shape == (3, 3)
    with mochac.compile(net(*more, source=data(data=[X[:18], Y[:18]]))) as program:
        error = refused(program.evaluate)
    assert error.report.startswith("UnsupportedError: net 'n' only works with 4 samples at a time\n  got  2 samples\n")
    assert "layer 'sq' (SquareLoss): pred and label differ in their number of samples" in str(error)
    assert error.hint == "a number of samples that 4 divides, or another batch_size"
