"""Distinct mistakes with solvers, breaks, estimators, Caffe's files and the image classifier: one message each."""

from pathlib import Path

import numpy as np
import pytest
from message_kit import refused

import mochac
from mochac import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    ConvolutionLayer,
    ImageClassifier,
    InnerProductLayer,
    L2Cons,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Nesterov,
    Net,
    NetClassifier,
    NetRegressor,
    RMSProp,
    Snapshot,
    SoftmaxLayer,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
    ValidationPerformance,
)

X, Y = np.random.default_rng(0).standard_normal((20, 4)), np.array(["a", "b", "c", "a"] * 5)
FIXED = LRPolicy.Fixed(0.1)


def check(action, kind, words):
    error = refused(action)
    assert error.report.startswith(f"{kind}: "), error.report
    for word in words:
        assert word in str(error), error.report


def net():
    data = MemoryDataLayer(name="data", data=[X, np.arange(20) % 3], batch_size=4)
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    return Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


SOLVERS = {
    "momentum twice": (lambda: SGD(0.1, 0.5, momentum=0.9), ["momentum and mom_policy mean the same", "give one"]),
    "a rate by its short name": (
        lambda: Adam(lr=0.1),
        ["Adam has no parameter 'lr'", "write Adam(0.01) or lr_policy=0.01"],
    ),
    "momentum of the solver": (
        lambda: Solver(SGD(), max_iter=1, momentum=0.9),
        ["no parameter 'momentum'", "it belongs to the method: SGD(momentum=...)"],
    ),
    "a rate as a momentum": (lambda: SGD(mom_policy=FIXED), ["mom_policy is out of range", "LRPolicy.Fixed"]),
    "a momentum as a rate": (lambda: Nesterov(lr_policy=MomPolicy.Fixed(0.1)), ["lr_policy is out of range"]),
    "a policy that is a word": (lambda: Nesterov(mom_policy="0.9"), ["mom_policy is out of range", "got  '0.9'"]),
    "a policy that is a class": (lambda: SGD(lr_policy=LRPolicy.Fixed), ["lr_policy is out of range"]),
    "a misspelt parameter of a policy": (lambda: LRPolicy.Step(0.1, gama=2), ["no parameter 'gama'", "'gamma'?"]),
    "steps of no length": (lambda: LRPolicy.Step(0.1, 0.5, 0), ["LRPolicy.Step: stepsize is out of range", "got  0"]),
    "no stages": (lambda: LRPolicy.Staged(), ["LRPolicy.Staged: no stages", "pairs (n_iter, policy)"]),
    "a stage without a length": (lambda: LRPolicy.Staged(FIXED), ["not a stage", "a pair (n_iter, policy or number)"]),
    "a decay of nothing": (lambda: Adam(beta1=1.0), ["Adam: beta1 is out of range", "< 1, or a policy", "got  1.0"]),
    "a mean that grows": (lambda: RMSProp(rho=1.5), ["RMSProp: rho is out of range", "got  1.5"]),
    "a negative step": (lambda: Adagrad(gamma=-1), ["Adagrad: gamma is out of range", "got  -1"]),
    "momentum where there is none": (lambda: Adadelta(mom_policy=FIXED), ["no parameter 'mom_policy'", "rho, eps"]),
    "a norm below 0": (lambda: Solver(SGD(), max_iter=1, clip_norm=-1), ["clip_norm is out of range", "got  -1"]),
    "a regularization below 0": (lambda: Solver(SGD(), max_iter=1, regu_coef=-1), ["regu_coef is out of range"]),
    "no epochs": (lambda: Solver(SGD(), max_epoch=0), ["max_epoch is out of range", "an integer >= 1"]),
    "a break that is a class": (
        lambda: Solver(SGD(), max_iter=1).add_coffee_break(TrainingSummary),
        ["not a coffee break", "TrainingSummary(...)"],
    ),
    "a break every -1 iterations": (
        lambda: Solver(SGD(), max_iter=1).add_coffee_break(Snapshot("x"), every_n_iter=-1),
        ["every_n_iter is out of range"],
    ),
    "a validation of a net": (lambda: ValidationPerformance(net()), ["needs a program", "mochac.compile(test_net"]),
    "a net to solve": (lambda: Solver(SGD(), max_iter=1).solve(net()), ["solve() needs a program", "got  Net"]),
    "a step before the start": (lambda: Solver(SGD(), max_iter=1).step(), ["step() before init_solve(program)"]),
    "an end before the start": (lambda: Solver(SGD(), max_iter=1).finalize(), ["finalize() before init_solve"]),
    "statistics to append to": (
        lambda: Solver(SGD(), max_iter=1).setup_coffee_lounge("s.h5", file_exists="append"),
        ["file_exists is out of range", "'merge', 'overwrite' or 'panic'"],
    ),
    "a constraint of nothing": (lambda: L2Cons(0), ["L2Cons: threshold is out of range", "> 0,  got  0"]),
}


@pytest.mark.parametrize("mistake", SOLVERS)
def test_a_mistake_with_solvers(mistake):
    action, words = SOLVERS[mistake]
    check(action, "OptionError", words)


def layers(outputs=3):
    return [InnerProductLayer(name="h", output_dim=5), InnerProductLayer(name="o", output_dim=outputs)]


ESTIMATORS = {
    "an array of layers that holds none": (
        lambda: NetClassifier([3]).fit(X, Y),
        ["element 0 of layers is not a layer"],
    ),
    "a layer that is a class": (
        lambda: NetClassifier([InnerProductLayer]).fit(X, Y),
        ["element 0 of layers is a class", "InnerProductLayer(...)"],
    ),
    "a data layer": (
        lambda: NetClassifier([MemoryDataLayer(name="d", data=[X, np.zeros(20)], batch_size=2), *layers()]).fit(X, Y),
        ["layer 'd' (MemoryData)", "needs no data layer", "test_bad_tools.py:"],
    ),
    "a loss in the chain": (
        lambda: NetClassifier([*layers(), SoftmaxLossLayer(name="l")]).fit(X, Y),
        ["layer 'l' (SoftmaxLoss)", "give bottoms=[...]", "test_bad_tools.py:"],
    ),
    "a convolution of features": (
        lambda: NetClassifier([ConvolutionLayer(name="c", kernel=3), *layers()]).fit(X, Y),
        ["layer 'c' (Convolution)", "a bottom is not a batch of images", "test_bad_tools.py:"],
    ),
    "too few labels": (lambda: NetClassifier(layers()).fit(X, Y[:3]), ["inconsistent numbers of samples: [20, 3]"]),
    "NaN": (lambda: NetClassifier(layers()).fit(np.full((20, 4), np.nan), Y), ["Input X contains NaN"]),
    "predictions before the fit": (lambda: NetClassifier(layers()).predict(X), ["is not fitted yet", "call fit(X, y)"]),
    "a method in words": (lambda: NetClassifier(layers(), method="sgd").fit(X, Y), ["not a solver method", "'sgd'"]),
    "more than all for validation": (
        lambda: NetClassifier(layers(), validation_split=1.5).fit(X, Y),
        ["validation_split is out of range", "got  1.5"],
    ),
    "empty batches": (
        lambda: NetClassifier(layers(), batch_size=0).fit(X, Y),
        ["batch_size is out of range", "got  0"],
    ),
    "a loss in words": (
        lambda: NetClassifier(layers(), loss="soft").fit(X, Y),
        ["cannot train with this loss", "'soft'"],
    ),
    "words to regress": (lambda: NetRegressor(layers(1)).fit(X, Y), ["y does not hold numbers"]),
}


@pytest.mark.parametrize("mistake", ESTIMATORS)
def test_a_mistake_with_estimators(mistake):
    action, words = ESTIMATORS[mistake]
    error = refused(action)
    for word in words:
        assert word in str(error), error.report


INPUT = 'layer { name: "d" type: "Input" top: "data" input_param { shape { dim: 1 dim: 1 dim: 6 dim: 6 } } }\n'
CONV = (
    'layer { name: "c" type: "Convolution" bottom: "data" top: "c" convolution_param { num_output: 2 kernel_size: 3 } }'
)
FILES = {
    "good.prototxt": INPUT + CONV,
    "unknown.prototxt": INPUT + 'layer { name: "x" type: "Foo" bottom: "data" }\nlayer { name: "y" type: "Bar" }',
    "large.prototxt": INPUT + CONV.replace("size: 3", "size: 9"),
    "bottom.prototxt": INPUT + CONV.replace('"data"', '"dota"'),
    "half.prototxt": INPUT + CONV.replace("num_output: 2", ""),
    "fancy.prototxt": 'net: "good.prototxt"\nbase_lr: 0.1\nlr_policy: "fancy"\n',
    "lost.prototxt": 'net: "gone.prototxt"\nbase_lr: 0.1\nlr_policy: "fixed"\nmax_iter: 3\n',
    "w.caffemodel": "hello",
    "m.binaryproto": "hello",
}
CAFFE = {
    "types that do not exist": (
        lambda c: c.load_net("unknown.prototxt"),
        "UnsupportedError",
        ["2 types of layers", "'x' at unknown.prototxt:2", "Bar"],
    ),
    "a kernel too large": (
        lambda c: c.load_net("large.prototxt"),
        "ShapeError",
        ["layer 'c' (Convolution)", "6 + 2*0 < 9", "bottom 'data'", "at large.prototxt:2"],
    ),
    "a bottom misspelt": (
        lambda c: c.load_net("bottom.prototxt"),
        "NetError",
        ["no layer produces bottom 'dota'", "at bottom.prototxt:2"],
    ),
    "no number of filters": (
        lambda c: c.load_net("half.prototxt"),
        "UnsupportedError",
        ["layer 'c'", "num_output must be", "half.prototxt:2"],
    ),
    "no such net": (lambda c: c.load_net("gone.prototxt"), "DataError", ["cannot read gone.prototxt"]),
    "a net that a solver lost": (
        lambda c: c.load_training("lost.prototxt"),
        "DataError",
        ["cannot read gone.prototxt"],
    ),
    "a solver as a net": (lambda c: c.load_net("lost.prototxt"), "DataError", ["is not a net", "lost.prototxt:1"]),
    "a net as a solver": (
        lambda c: c.load_solver("good.prototxt"),
        "DataError",
        ["is not a solver", "good.prototxt:1"],
    ),
    "a policy of its own": (
        lambda c: c.load_solver("fancy.prototxt"),
        "UnsupportedError",
        ["no counterpart for lr_policy 'fancy'"],
    ),
    "a phase misspelt": (
        lambda c: c.load_net("good.prototxt", phase="trian"),
        "OptionError",
        ["phase", "got  'trian'"],
    ),
    "weights that are text": (lambda c: c.load_weights("w.caffemodel"), "SnapshotError", ["w.caffemodel is damaged"]),
    "a mean that is text": (lambda c: c.load_mean("m.binaryproto"), "SnapshotError", ["m.binaryproto is damaged"]),
}


@pytest.mark.parametrize("mistake", CAFFE)
def test_a_mistake_with_caffes_files(mistake, tmp_path, monkeypatch):
    pytest.importorskip("google.protobuf")
    import mochac.formats.caffe

    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    action, kind, words = CAFFE[mistake]
    check(lambda: action(mochac.caffe), kind, words)


def pictures(**options):
    data = MemoryDataLayer(name="data", data=[np.zeros((2, 1, 6, 6))], tops=["data"], batch_size=2)
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    return ImageClassifier(Net("p", [data, ip, SoftmaxLayer(name="prob", bottoms=["ip"])]), **options)


CLASSIFIERS = {
    "a net that is text": (lambda: ImageClassifier("net"), "OptionError", ["needs a net", "got  'net'"]),
    "a model that is not there": (lambda: pictures(model="gone.h5"), "SnapshotError", ["no model file gone.h5"]),
    "a blob that is not there": (lambda: pictures(blob="q"), "OptionError", ["has no blob 'q'", "blobs: data ip prob"]),
    "a channel too many": (lambda: pictures(channel_order=(0, 1)), "OptionError", ["channel_order is out of range"]),
    "a mean of another size": (lambda: pictures(mean=np.zeros((3, 2, 2))), "ShapeError", ["the mean does not fit"]),
    "a picture that is not there": (lambda: pictures().classify("gone.png"), "DataError", ["no image file gone.png"]),
    "a batch as a picture": (lambda: pictures().classify(np.zeros((1, 2, 2, 2, 2))), "DataError", ["not an image"]),
    "the best none": (lambda: pictures().classify(np.zeros((6, 6)), k=0), "OptionError", ["k is out of range"]),
}


@pytest.mark.parametrize("mistake", CLASSIFIERS)
def test_a_mistake_with_pictures(mistake):
    pytest.importorskip("PIL")
    check(*CLASSIFIERS[mistake])


BY_FILE_NAME = {
    "onnx.load": lambda path: mochac.onnx.load(path),
    "onnx.save": lambda path: mochac.onnx.save(mochac.compile(net()), path),
    "build": lambda path: mochac.build(net(), path),
    "load_from": lambda path: mochac.compile(net()).train(SGD(), max_iter=1, load_from=path),
    "caffe.load_weights": lambda path: mochac.caffe.load_weights(path),
    "caffe.save_weights": lambda path: mochac.caffe.save_weights(path, {}),
    "caffe.load_mean": lambda path: mochac.caffe.load_mean(path),
    "caffe.save_mean": lambda path: mochac.caffe.save_mean(path, X),
}


@pytest.mark.parametrize("path", [3, b"bytes", ["a.h5"], "nul\0"])
@pytest.mark.parametrize("function", BY_FILE_NAME)
def test_what_is_no_file_name(function, path):
    check(lambda: BY_FILE_NAME[function](path), "OptionError", [function, "is out of range", "expected  "])


@pytest.mark.parametrize(("given", "hint"), [(net, ""), (NetClassifier, "estimator.program_")])
def test_an_onnx_model_of_what_is_no_program(given, hint, tmp_path):
    check(lambda: mochac.onnx.save(given(), tmp_path / "m.onnx"), "OptionError", ["takes a program", hint])
