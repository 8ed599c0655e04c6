"""Distinct mistakes with the layers, transformers, outputs and parameter blobs of the catalogue: what the user reads.

Each names the layer, the blob or file in question and the line that made the layer; where there is a remedy, the hint.
"""

from pathlib import Path

import h5py
import numpy as np
import pytest
from message_kit import refused

import mochac
from mochac import (
    AccuracyLayer,
    ArgmaxLayer,
    BinaryCrossEntropyLossLayer,
    ConcatLayer,
    ConvolutionLayer,
    CropLayer,
    DataTransformers,
    DropoutLayer,
    ElementWiseLayer,
    FlattenLayer,
    HDF5OutputLayer,
    HingeLossLayer,
    IdentityLayer,
    Index2OnehotLayer,
    InnerProductLayer,
    L2Cons,
    LRNLayer,
    LRNMode,
    MemoryDataLayer,
    MemoryOutputLayer,
    MultinomialLogisticLossLayer,
    Net,
    OrthogonalInitializer,
    ParameterLayer,
    PoolingLayer,
    PowerLayer,
    RandomNormalLayer,
    ReshapeLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    SplitLayer,
    SquareLossLayer,
    TiedInnerProductLayer,
    WassersteinLossLayer,
    XavierInitializer,
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
    # -- wrong order, wrong wiring
    "an output layer before its blob's maker misspelt": (
        lambda: net(MemoryOutputLayer(name="out", bottoms=["ipp"])),
        "NetError", "out", ["no layer produces bottom 'ipp'", "blobs: data ip label", "did you mean 'ip'?"],
    ),
    "a loss as a label": (
        lambda: net(SquareLossLayer(name="sq", bottoms=["ip", "loss"])),
        "NetError", "sq", ["no layer produces bottom 'loss'"],
    ),
    "pred and label the wrong way round": (
        lambda: net(SoftmaxLossLayer(name="swap", bottoms=["label", "ip"])),
        "ShapeError", "swap", ["labels must be one class number per position", "bottom 'ip': f32[4,3]"],
    ),
    "three branches into two": (
        lambda: ElementWiseLayer(name="sum", bottoms=["a", "b", "c"]),
        "OptionError", "sum", ["wrong number of bottoms", "expected  2 bottoms,  got  3"],
    ),
    "one branch to concatenate": (
        lambda: ConcatLayer(name="cat", bottoms=["a"]),
        "OptionError", "cat", ["expected  2 or more bottoms,  got  1"],
    ),
    "a split without tops": (
        lambda: SplitLayer(name="fork", bottoms=["ip"]),
        "OptionError", "fork", ["field 'tops' must be given"],
    ),
    "a decoder before its encoder has a name": (
        lambda: net(TiedInnerProductLayer(name="dec", tied_param_key="ipp", bottoms=["ip"])),
        "NetError", "dec", ["no layer of this net has parameters under the key 'ipp'", "did you mean 'ip'?"],
    ),
    "a decoder tied to itself": (
        lambda: net(TiedInnerProductLayer(name="dec", tied_param_key="dec", bottoms=["ip"])),
        "NetError", "dec", ["no layer of this net has parameters under the key 'dec'", "keys: ip"],
    ),
    "a decoder of a convolution": (
        lambda: net(
            ConvolutionLayer(name="c", bottoms=["data"]),
            TiedInnerProductLayer(name="dec", tied_param_key="c", bottoms=["ip"]),
        ),
        "ShapeError", "dec", ["the parameters under the key 'c' hold no weight", "bottom 'ip': f32[4,3]"],
    ),
    "a decoder of the wrong width": (
        lambda: net(TiedInnerProductLayer(name="dec", tied_param_key="ip", bottoms=["data"])),
        "ShapeError", "dec", ["does not fit the weight of 'ip'", "expected  3 features,  got  36", "bottom 'data'"],
    ),
    # -- wrong shapes
    "branches of different length": (
        lambda: net(ElementWiseLayer(name="sum", bottoms=["ip", "label"])),
        "ShapeError", "sum", ["bottoms differ in shape", "(4, 3),  got  (4, 1)", "bottom 'ip'", "bottom 'label'"],
    ),
    "images beside features": (
        lambda: net(ConcatLayer(name="cat", bottoms=["data", "ip"])),
        "ShapeError", "cat", ["bottoms may differ along axis 1 only", "bottom 'ip': f32[4,3]"],
    ),
    "a crop larger than the image": (
        lambda: net(CropLayer(name="crop", crop_size=(7, 3), bottoms=["data"])),
        "ShapeError", "crop", ["crop_size is larger than its input", "at most (6, 6)", "got  (7, 3)", "bottom 'data'"],
    ),
    "a crop of features": (
        lambda: net(CropLayer(name="crop", crop_size=2, bottoms=["ip"])),
        "ShapeError", "crop", ["crops images", "bottom 'ip': f32[4,3]"],
    ),
    "within channels of features": (
        lambda: net(LRNLayer(name="norm", mode=LRNMode.WithinChannel(), bottoms=["ip"])),
        "ShapeError", "norm", ["normalisation within channels needs images", "bottom 'ip'"],
    ),
    "an axis that is not there": (
        lambda: net(ArgmaxLayer(name="best", axis=2, bottoms=["ip"])),
        "ShapeError", "best", ["axis 2 is not an axis of its input", "1 <= axis < 2", "bottom 'ip'"],
    ),
    "the batch as an axis": (
        lambda: ArgmaxLayer(name="best", axis=0, bottoms=["ip"]),
        "OptionError", "best", ["bad value of field 'axis'", "axis 0 is the batch; axis 1 is the channels"],
    ),
    "more axes than there are": (
        lambda: net(FlattenLayer(name="flat", outdim=4, bottoms=["ip"])),
        "ShapeError", "flat", ["cannot flatten to more axes than there are", "4 or more axes", "bottom 'ip'"],
    ),
    "features that do not divide": (
        lambda: net(ReshapeLayer(name="fold", shape=(2, 2), bottoms=["ip"])),
        "ShapeError", "fold", ["shape does not fit its input", "expected  3 features,  got  2 * 2 = 4", "bottom 'ip'"],
    ),
    "one-hot of what is no label": (
        lambda: net(Index2OnehotLayer(name="hot", n_class=3, bottoms=["ip"])),
        "ShapeError", "hot", ["bottom 'ip': f32[4,3]"],
    ),
    "targets of another size": (
        lambda: net(BinaryCrossEntropyLossLayer(name="bce", bottoms=["ip", "label"])),
        "ShapeError", "bce", ["pred and label differ in size", "label with 3 features", "got  1", "bottom 'label'"],
    ),
    "a cost matrix of another size": (
        lambda: net(WassersteinLossLayer(name="w", M=np.eye(2), lambda_=1, bottoms=["ip", "ip"])),
        "ShapeError", "w", ["M needs a row per feature of pred", "(3, 3)", "(2, 2)", "bottom 'ip'"],
    ),
    "weights of too few classes": (
        lambda: net(SoftmaxLossLayer(name="l2", weights=[1, 2], bottoms=["ip", "label"])),
        "ShapeError", "l2", ["weights do not fit the prediction", "(3,)", "got  (2,)", "bottom 'ip'"],
    ),
    "weights that sum to nothing": (
        lambda: net(MultinomialLogisticLossLayer(name="l2", weights=[0, 0, 0], bottoms=["ip", "label"])),
        "ShapeError", "l2", ["sum to 0", 'normalize="no" uses them as they are'],
    ),
    # -- wrong types and values
    "a constraint that is a number": (
        lambda: InnerProductLayer(name="ip2", output_dim=3, weight_cons=4.5, bottoms=["data"]),
        "OptionError", "ip2", ["bad value of field 'weight_cons'", "a constraint such as L2Cons(4.5)", "got  4.5"],
    ),
    "a constraint that is a class": (
        lambda: InnerProductLayer(name="ip2", output_dim=3, weight_cons=L2Cons, bottoms=["data"]),
        "OptionError", "ip2", ["bad value of field 'weight_cons'", "write L2Cons() with parentheses"],
    ),
    "an initializer that is a class": (
        lambda: ParameterLayer(name="W", shape=(3, 3), init=XavierInitializer),
        "OptionError", "W", ["bad value of field 'init'", "write XavierInitializer() with parentheses"],
    ),
    "orthogonal biases": (
        lambda: net(InnerProductLayer(name="ip2", output_dim=2, bias_init=OrthogonalInitializer(), bottoms=["ip"])),
        "ShapeError", "ip2", ["OrthogonalInitializer is for parameters of 2 axes or more", "bottom 'ip'"],
    ),
    "negative class weights": (
        lambda: SoftmaxLossLayer(name="l2", weights=[1, -1, 1], bottoms=["ip", "label"]),
        "OptionError", "l2", ["bad value of field 'weights'", "finite numbers >= 0"],
    ),
    "a regularization of transport that is 0": (
        lambda: WassersteinLossLayer(name="w", M=np.eye(3), lambda_=0, bottoms=["ip", "ip"]),
        "OptionError", "w", ["bad value of field 'lambda_'", "a finite number > 0", "got  0"],
    ),
    "a power that is text": (
        lambda: PowerLayer(name="cube", power="3", bottoms=["ip"]),
        "OptionError", "cube", ["bad value of field 'power'", "got  '3'"],
    ),
    "a ratio of 1": (
        lambda: DropoutLayer(name="drop", ratio=1.0, bottoms=["ip"]),
        "OptionError", "drop", ["bad value of field 'ratio'", "a finite number > 0 and < 1"],
    ),
    "Mocha's name of an axis": (
        lambda: ConcatLayer(name="cat", dim=3, bottoms=["a", "b"]),
        "OptionError", "cat", ["no field 'dim'", "did you mean 'axis'?"],
    ),
    "a mode that is text": (
        lambda: LRNLayer(name="norm", mode="within", bottoms=["data"]),
        "OptionError", "norm", ["bad value of field 'mode'", "LRNMode.AcrossChannel() or LRNMode.WithinChannel()"],
    ),
    "noise for another batch": (
        lambda: net(RandomNormalLayer(name="noise", tops=["z"], output_dims=[3], batch_sizes=[5])),
        "NetError", "noise", ["batch_size", "expected  4,  got  5"],
    ),
    "an accuracy with a top": (
        lambda: AccuracyLayer(name="acc", bottoms=["ip", "label"], tops=["value"]),
        "OptionError", "acc", ["expected  0 tops,  got  1"],
    ),
    # -- labels
    "signs that are 0 and 1": (
        lambda: run(net(HingeLossLayer(name="hinge", bottoms=["label", "label"]))),
        "DataError", "data", ["blob 'label', sample", "-1 or 1", "2 * label - 1"],
    ),
    "a class too many for one-hot": (
        lambda: run(net(Index2OnehotLayer(name="hot", n_class=2, bottoms=["label"]))),
        "DataError", "data", ["label out of range", "0 <= label < 2,  got  2", "blob 'label', sample 2"],
    ),
    "probabilities that are none": (
        lambda: run(net(BinaryCrossEntropyLossLayer(name="bce", bottoms=["data", "data"]))),
        "DataError", "data", ["blob 'data', sample 0"],
    ),
    # -- parameters as blobs
    "a parameter that no layer makes": (
        lambda: net(InnerProductLayer(name="ip2", output_dim=3, weight="W", bottoms=["data"])),
        "NetError", "ip2", ["no layer produces parameter blob 'W'", "blobs: data ip"],
    ),
    "a weight of another shape": (
        lambda: net(
            ParameterLayer(name="W", shape=(3, 35)),
            InnerProductLayer(name="ip2", output_dim=3, weight="W", bottoms=["data"]),
        ),
        "ShapeError", "ip2", ["weight 'W' has another shape", "(3, 36),  got  (3, 35)", "shape=(3, 36)", "'data'"],
    ),
    "samples as a weight": (
        lambda: net(InnerProductLayer(name="ip2", output_dim=3, weight="data", bottoms=["data"])),
        "ShapeError", "ip2", ["weight 'data' holds samples", "make it with ParameterLayer", "bottom 'data'"],
    ),
    "a filter of the wrong rank": (
        lambda: net(
            ParameterLayer(name="F", shape=(2, 9)),
            ConvolutionLayer(name="c", n_filter=2, kernel=3, filter="F", bottoms=["data"]),
        ),
        "ShapeError", "c", ["filter 'F' has another shape", "(2, 1, 3, 3),  got  (2, 9)", "bottom 'data'"],
    ),
    "settings of a weight that is a blob": (
        lambda: InnerProductLayer(name="ip2", output_dim=3, weight="W", weight_lr=0.1, bottoms=["data"]),
        "OptionError", "ip2", ["weight_lr has no meaning here: weight is the blob 'W'", "ParameterLayer: lr=..."],
    ),
    "a parameter without a shape": (
        lambda: ParameterLayer(name="W"),
        "OptionError", "W", ["field 'shape' must be given"],
    ),
    "a parameter with a bottom": (
        lambda: ParameterLayer(name="W", shape=(3, 3), bottoms=["data"]),
        "OptionError", "W", ["expected  0 bottoms,  got  1"],
    ),
    "two parameters of one key and two shapes": (
        lambda: net(ParameterLayer(name="W", shape=(2, 2)), ParameterLayer(name="V", shape=(3, 2), param_key="W")),
        "NetError", "V", ["shares parameters 'W'", "value shape: (3, 2) here, (2, 2) there", "the other is layer 'W'"],
    ),
    "a parameter beside samples": (
        lambda: net(ParameterLayer(name="W", shape=(4, 2)), ConcatLayer(name="cat", bottoms=["ip", "W"])),
        "ShapeError", "cat", ["only one of them holds samples", "bottom 'ip'", "bottom 'W': f32[4,2]"],
    ),
    # -- transformers
    "a transformer without its top": (
        lambda: MemoryDataLayer(name="in", data=[X, Y], batch_size=4, transformers=[Scale(2)]),
        "OptionError", "in", ["bad value of field 'transformers'", "write [(top, transformer)], a list of pairs"],
    ),
    "a transformer of no top": (
        lambda: MemoryDataLayer(name="in", data=[X, Y], batch_size=4, transformers=[("dota", Scale(2))]),
        "OptionError", "in", ["a transformer names 'dota', which is no top", "data label"],
    ),
    "a transformer that is a class": (
        lambda: MemoryDataLayer(name="in", data=[X, Y], batch_size=4, transformers=[("data", Scale)]),
        "OptionError", "in", ["bad value of field 'transformers'", "write Scale(...) with parentheses"],
    ),
    "a transformer without a mean": (lambda: SubMean(), "OptionError", "", ["SubMean: needs a mean", "neither"]),
    "a scale that is text": (lambda: Scale("2"), "OptionError", "", ["Scale: bad value of field 'scale'", "got  '2'"]),
    "a mean of another size": (
        lambda: mean(mean_file="small.h5"),
        "DataError", "data", ["the mean does not fit a sample", "(1, 6, 6),  got  (1, 5, 5)", "SubMean of top 'data'"],
    ),
    "a mean blob of another size": (
        lambda: mean(mean_blob=np.zeros(7)),
        "DataError", "data", ["the mean does not fit a sample", "got  (7,)", "(channels, 1, 1)"],
    ),
    "no mean file": (
        lambda: mean(mean_file="gone.h5"), "DataError", "data", ["no mean file gone.h5", "SubMean of top 'data'"]
    ),
    "a mean file without a mean": (
        lambda: mean(mean_file="no.h5"), "DataError", "data", ["no.h5 has no data set 'mean'", "got  maen"]
    ),
    "a mean file that is text": (
        lambda: mean(mean_file="text.h5"), "DataError", "data", ["cannot read the mean from text.h5", "an HDF5 file"]
    ),
    "a mean that is NaN": (
        lambda: mean(mean_file="nan.h5"), "DataError", "data", ["the mean in nan.h5 is not finite"]
    ),
    "labels that a transformer makes fractions of": (
        lambda: run(net(source=data(transformers=[("label", Scale(0.5))]))),
        "DataError", "data", ["label is not an integer", "got  0.5", "blob 'label', sample 1"],
    ),
    # -- output layers
    "an output file that is there": (
        lambda: run(net(HDF5OutputLayer(name="out", filename="there.h5", bottoms=["ip"]))),
        "DataError", "out", ["output file there.h5 already exists", "force_overwrite=True"],
    ),
    "an output without a file": (
        lambda: HDF5OutputLayer(name="out", bottoms=["ip"]), "OptionError", "out", ["field 'filename' must be given"]
    ),
    "two outputs into one file": (
        lambda: run(
            net(
                HDF5OutputLayer(name="a", filename="o.h5", bottoms=["ip"]),
                HDF5OutputLayer(name="out", filename="o.h5", bottoms=["ip"]),
            )
        ),
        "DataError", "out", ["o.h5"],
    ),
    "one name for two data sets": (
        lambda: HDF5OutputLayer(name="out", filename="o.h5", bottoms=["ip", "label"], datasets=["a"]),
        "OptionError", "out", ["needs one data set per bottom", "expected  2 names,  got  1"],
    ),
    "a bottom twice into one data set": (
        lambda: HDF5OutputLayer(name="out", filename="o.h5", bottoms=["ip", "ip"]),
        "OptionError", "out", ["takes a bottom twice", "name the data sets: datasets=[...]"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message(mistake):
    action, kind, layer, words = MISTAKES[mistake]
    error = refused(action)
    assert error.report.startswith(f"{kind}: "), error.report
    assert error.layer == layer, error.report
    for word in words:
        assert word in str(error), error.report
    if layer:
        assert_names_the_line(error)


def assert_names_the_line(error):
    """The message ends with the line of this file that made the layer."""
    file, _, number = error.at.rpartition(":")
    assert Path(file).name == Path(__file__).name, error.report
    line = Path(__file__).read_text().splitlines()[int(number) - 1]
    assert f'name="{error.layer}"' in line or f'"name": "{error.layer}"' in line, error.report


def test_reading_what_an_output_layer_never_got():
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


@pytest.mark.parametrize("layer", [SoftmaxLayer, IdentityLayer, PoolingLayer])
def test_one_bottom_of_several_is_wrong(layer):
    """The message shows every bottom, so that the wrong one is seen."""
    error = refused(lambda: net(layer(name="both", bottoms=["data", "nothing"], tops=["x", "y"])))
    assert (error.layer, error.hint) == ("both", "")
    assert "no layer produces bottom 'nothing'" in str(error)


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
    assert error.report.startswith("UnsupportedError: net 'n' works with 4 samples at a time only\n  got  2 samples\n")
    assert "layer 'sq' (SquareLoss): pred and label differ in their number of samples" in str(error)
    assert error.hint == "a number of samples that 4 divides, or another batch_size"
