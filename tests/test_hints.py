"""Names of other libraries lead to mochac's: each answer names what exists, and reaches the user who tries the name."""

from __future__ import annotations

import copy
import pickle
import re
from inspect import signature

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    ElementWiseLayer,
    HDF5DataLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    MochacError,
    Net,
    NetClassifier,
    PoolingLayer,
    ReshapeLayer,
    Rotary,
    SoftmaxLossLayer,
    Solver,
)
from mochac.base.hints.calls import (
    ATTRIBUTES,
    CALLED,
    COMPILE,
    ESTIMATOR_PARAMETERS,
    METHOD_PARAMETERS,
    OPERATIONS,
    SOLVER_PARAMETERS,
    checked_call,
)
from mochac.base.hints.names import FIELD_NAMES, FIELDS, MOCHA, NAMES, VALUES
from mochac.ir.op import OPS
from mochac.nets.layers.base import LAYERS
from mochac.nets.layers.fields import word_hint
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.neurons import Neuron
from mochac.nets.solvers.method import METHODS, parameters_of
from mochac.training.loop.lounge import CoffeeLounge

X, Y = np.random.default_rng(0).normal(size=(12, 4)), np.arange(12) % 3
IP = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
NET = Net("n", [MemoryDataLayer(data=[X, Y], batch_size=6), IP, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


@pytest.fixture(scope="module")
def program():
    with mochac.compile(NET) as made:
        yield made


ANSWERS = {
    **{f"{kind}.{name}": text for kind, names in ATTRIBUTES.items() for name, text in names.items()},
    **{f"mochac.{name}": text for name, text in NAMES.items()},
    **{f"Mocha's {name}": text for name, text in MOCHA.items()},
    **{f"compile({name}=)": text for name, text in COMPILE.items()},
    **{f"field {name}": text for name, text in FIELDS.items()},
    **{f"{cls.__name__}({name}=)": text for _, cls in LAYERS.items() for name, text in cls.absent.items()},
    **{f"train({name}=)": text for name, text in SOLVER_PARAMETERS.items()},
    **{f"calling {kind}": text for kind, text in CALLED.items()},
}


def test_answers_name_what_exists(program):
    owners = {"program": program, "net": NET, "solver": Solver(SGD()), "lounge": CoffeeLounge(), "mochac": mochac}
    for what, text in ANSWERS.items():
        for owner, member in re.findall(r"\b(program|net|solver|lounge|mochac)\.(\w+)", text):
            assert hasattr(owners[owner], member), f"{what}: {owner}.{member}"
        for name in re.findall(r"(?<![.\w])[A-Z]\w*(?:Layer|Classifier|Regressor|Performance|Summary)\b", text):
            assert name in mochac.__all__, what


def test_no_name_is_there_by_now():
    assert sorted({*NAMES, *MOCHA} & set(mochac.__all__)) == []
    assert [name for kind, names in ATTRIBUTES.items() for name in names if hasattr(getattr(mochac, kind), name)] == []
    assert sorted(set(COMPILE) & set(signature(mochac.compile).parameters)) == []
    records = [*(cls for _, cls in LAYERS.items()), *(cls for base in PARTS for cls in base.__subclasses__())]
    fields = {name for cls in records for name in cls.__dataclass_fields__}
    assert sorted((set(FIELDS) & fields) - {"input_shape"}) == []
    assert [(cls, name) for cls in records for name in cls.absent if name in cls.__dataclass_fields__] == []
    assert sorted(set(OPERATIONS) & set(OPS)) == []
    estimator = signature(NetClassifier).parameters
    assert sorted(set(ESTIMATOR_PARAMETERS) & set(estimator)) == []


def test_fields_and_parameters_elsewhere_lead_to_some_that_exist():
    records = [Rotary, *(cls for _, cls in LAYERS.items()), *(cls for base in PARTS for cls in base.__subclasses__())]
    fields = {name for cls in records for name in cls.__dataclass_fields__}
    assert sorted(set(FIELD_NAMES) - fields) == []
    estimator = signature(NetClassifier).parameters
    assert sorted({text.partition("=")[0] for text in ESTIMATOR_PARAMETERS.values()} - set(estimator)) == []


def test_operations_and_values_exist():
    for text in OPERATIONS.values():
        assert all(name in OPS for name in re.findall(r"'(\w+)'", text)), text
    for word, said in VALUES.items():
        bases = [Neuron, Initializer, *(b for b in PARTS if b not in (Neuron, Initializer))]
        assert " " in said or any(word_hint(base, word).startswith("write ") for base in bases), word


def _parts():
    from mochac.nets.layers.element_wise import ElementWiseFunctor
    from mochac.nets.layers.pooling import PoolingFunction
    from mochac.nets.layers.regularizers import Regularizer

    return [Neuron, Initializer, ElementWiseFunctor, PoolingFunction, Regularizer]


PARTS = _parts()


@pytest.mark.parametrize("name", METHOD_PARAMETERS)
def test_parameters_of_methods(name):
    for method, cls in METHODS.items():
        known = parameters_of(cls)
        if name not in known and any(not f or f in known for f in METHOD_PARAMETERS[name]):
            with pytest.raises(mochac.OptionError, match=f"solver {method} has no parameter {name!r}\n  hint: "):
                cls(**{name: 1})


def relu(x):
    """Stands for torch.relu."""


class LeakyReLU:
    """Stands for torch.nn.LeakyReLU."""

    def __call__(self, x):
        return x


WRONG = {
    "a neuron by its name": (lambda p: IP.replace(neuron="relu"), "hint: write Neurons.ReLU()"),
    "another library's neuron": (lambda p: IP.replace(neuron="leaky_relu"), "hint: write Neurons.LReLU()"),
    "swish": (lambda p: IP.replace(neuron="swish"), "hint: write Neurons.SiLU()"),
    "gelu": (lambda p: IP.replace(neuron="gelu"), "hint: write Neurons.GELU()"),
    "a learnt neuron": (lambda p: IP.replace(neuron="prelu"), "hint: a layer of its own: PReLULayer"),
    "PyTorch's slope": (lambda p: mochac.Neurons.LReLU(negative_slope=0.1), "hint: did you mean 'slope'?"),
    "Keras's weights": (lambda p: NET.layers[-1].replace(sample_weight="w"), "hint: did you mean 'sample_weights'?"),
    "softmax as a neuron": (lambda p: IP.replace(neuron="softmax"), "hint: a layer of its own: SoftmaxLayer"),
    "no neuron at all": (lambda p: IP.replace(neuron="xyz"), "hint: one of Neurons.ELU, Neurons.Expo"),
    "a neuron's class": (lambda p: IP.replace(neuron=mochac.Neurons.Tanh), "write Neurons.Tanh() with parentheses"),
    "an initializer": (lambda p: IP.replace(weight_init="he_normal"), "hint: write HeNormalInitializer()"),
    "a regularizer": (lambda p: IP.replace(weight_regu="l2"), "hint: write L2Regu()"),
    "a pooling": (lambda p: PoolingLayer(bottoms=["x"], pooling="avg"), "hint: write Pooling.Mean()"),
    "an operation": (
        lambda p: ElementWiseLayer(bottoms=["x", "y"], operation="sum"), "hint: write ElementWiseFunctors.Add()"
    ),
    "no bias": (lambda p: IP.replace(bias=None), "expected  the name of a blob, or False for no bias"),
    "a setting of no bias": (lambda p: IP.replace(bias=False, bias_lr=0.5), "hint: leave out bias_lr"),
    "use_bias": (lambda p: IP.replace(use_bias=False), "hint: did you mean 'bias'?"),
    "no_bias": (lambda p: IP.replace(no_bias=True), "hint: bias=False"),
    "in_features": (lambda p: IP.replace(in_features=3), "hint: the shape of the bottom determines it"),
    "trainable": (lambda p: IP.replace(trainable=False), "hint: program.freeze(name) keeps a layer's parameters"),
    "causal": (
        lambda p: ConvolutionLayer(bottoms=["x"], n_filter=2, kernel=3, pad="causal"),
        "PadLayer(before=(kernel - 1) * dilation) in front of the layer",
    ),
    "sides": (
        lambda p: ConvolutionLayer(bottoms=["x"], n_filter=2, kernel=3, pad=((2, 0), (1, 1))),
        "PadLayer(before=..., after=...) in front of the layer pads the sides differently",
    ),
    "mask of a GRU": (lambda p: mochac.GRULayer(output_dim=3, mask="m", bottoms=["x"]), "did you mean 'lengths'?"),
    "activation of a GRU": (
        lambda p: mochac.GRULayer(output_dim=3, activation="relu", bottoms=["x"]),
        "an ActivationLayer behind it; inside, LSTMLayer and GRULayer have sigmoid and tanh",
    ),
    "rows of different lengths": (lambda p: p.predict([[1, 2, 3, 4], [1, 2]]), "pad the sequences to one length"),
    "rows of different lengths to fit": (
        lambda p: NetClassifier([]).fit([[1, 2], [1]], [0, 1]),
        "hint: pad the sequences to one length",
    ),
    "a mask of elements": (
        lambda p: Net("masked", [
            MemoryDataLayer(data=[X, X, X], batch_size=6, tops=["a", "b", "m"]),
            mochac.SquareLossLayer(bottoms=["a", "b"], sample_weights="m"),
        ]),
        "hint: a mask of elements multiplies both bottoms, by ElementWiseLayer; losses of classes have ignore_label",
    ),
    "same": (lambda p: ConvolutionLayer(bottoms=["x"], n_filter=2, pad="same"), "pad=(kernel - 1) / 2 keeps the size"),
    "a layer as bottom": (lambda p: IP.replace(bottoms=[IP]), "write 'ip' for the blob of layer 'ip'"),
    "a layer as bottoms": (lambda p: IP.replace(bottoms=IP), "write ['ip'] for the blob of layer 'ip'"),
    "an open extent": (lambda p: ReshapeLayer(bottoms=["x"], shape=(-1,)), "hint: give every extent as a number"),
    "an open batch": (lambda p: InputLayer(name="x", shape=(None, 3)), "hint: give every extent as a number"),
    "files": (
        lambda p: HDF5DataLayer(source=["a.h5"], batch_size=1),
        "hint: only one file: a text file can list others",
    ),
    "a method by its name": (lambda p: p.train("adam", max_iter=1), "got  'adam'\n  hint: write Adam()"),
    "training without a method": (lambda p: p.train(max_iter=3), "or a solver\n  hint: train(SGD(0.1), max_iter=...)"),
    "no method": (lambda p: p.train("lbfgs", max_iter=1), "hint: one of Adadelta, Adagrad, Adam, "),
    "data for a method": (lambda p: p.train(X, max_iter=1), "hint: data belongs to the data layer: MemoryDataLayer"),
    "epochs": (lambda p: p.train(SGD(), epochs=3), "solver SGD has no parameter 'epochs'\n  hint: write max_epoch=..."),
    "widths for layers": (
        lambda p: NetClassifier(layers=[64, 32]).fit(X, Y),
        'hint: write InnerProductLayer(name="ip1", output_dim=64, neuron=Neurons.ReLU()) for 64 units',
    ),
    "widths as scikit-learn has them": (
        lambda p: NetClassifier(hidden_layer_sizes=(3,)),
        'hint: write layers=[InnerProductLayer(name="ip1", output_dim=..., neuron=Neurons.ReLU())]',
    ),
    "widths in a net": (
        lambda p: Net("x", [64, 32]),
        'hint: write InnerProductLayer(name="ip1", output_dim=64, neuron=Neurons.ReLU(), bottoms=[...]) for 64 units',
    ),
    "a method of an estimator": (lambda p: NetClassifier(method="adam").fit(X, Y), "hint: write Adam()"),
    "device cuda": (lambda p: mochac.compile(NET, device="cuda"), "hint: write backend=\"cuda\""),
    "device cuda:1": (lambda p: mochac.compile(NET, device="cuda:1"), "hint: write backend=\"cuda\", device=1"),
    "optimizer": (lambda p: mochac.compile(NET, optimizer="adam"), "compile() has no argument 'optimizer'"),
    "a misspelt argument": (lambda p: mochac.compile(NET, thread=2), "hint: did you mean 'threads'?"),
    "explaining a program": (lambda p: mochac.explain(p), "explain() takes a Net"),
    "dumping a program": (lambda p: mochac.dump(p, "x"), "dump() takes a Net"),
    "mode eval": (lambda p: mochac.compile(NET, mode="eval"), "hint: write \"test\"; evaluate() and predict() are"),
    "class_weight": (lambda p: SoftmaxLossLayer(class_weight=[1, 2, 3]), "hint: did you mean 'weights'?"),
    "PyTorch's weight": (lambda p: SoftmaxLossLayer(weight=[1, 2, 3]), "hint: weight is one factor of the whole loss"),
    "alpha": (lambda p: mochac.FocalLossLayer(alpha=0.25), "hint: did you mean 'weights'?"),
    "from_logits": (lambda p: SoftmaxLossLayer(from_logits=True), "hint: SoftmaxLossLayer is of scores (logits), "),
    "from_logits, two classes": (
        lambda p: mochac.BinaryCrossEntropyLossLayer(from_logits=True), "hint: did you mean 'logits'?"
    ),
    "a shift of RMSNorm": (
        lambda p: mochac.RMSNormLayer(name="r", shift_init=None, bottoms=["x"]), "hint: RMSNorm has no shift"
    ),
    "training": (
        lambda p: mochac.DropoutLayer(name="drop", training=False, bottoms=["x"]), "hint: the program sets it: train()",
    ),
    "statistics that stay": (
        lambda p: mochac.BatchNormLayer(name="bn", training=False, bottoms=["x"]), "frozen_statistics=True does so",
    ),
    "Caffe's statistics": (
        lambda p: mochac.BatchNormLayer(name="bn", use_global_stats=True, bottoms=["x"]),
        "hint: did you mean 'frozen_statistics'?",
    ),
    "PReLU's init": (lambda p: mochac.PReLULayer(init=0.1), "hint: write slope_init=ConstantInitializer(0.25)"),
    "PReLU's slopes": (lambda p: mochac.PReLULayer(num_parameters=3), "hint: one slope for each channel"),
    "the norm of a triplet": (lambda p: mochac.TripletLossLayer(p=2), "hint: the distance is Euclidean"),
    "GELU with tanh": (lambda p: mochac.Neurons.GELU(approximate="tanh"), "hint: write True"),
    "GELU without": (lambda p: mochac.Neurons.GELU(approximate="none"), "hint: write False"),
    "another library's function": (lambda p: IP.replace(neuron=relu), "hint: write Neurons.ReLU()"),
    "another library's module": (lambda p: IP.replace(neuron=LeakyReLU()), "hint: write Neurons.LReLU()"),
    "Caffe's cont": (lambda p: mochac.LSTMLayer(cont="c", bottoms=["x"]), "hint: did you mean 'continues'?"),
    "reset": (lambda p: mochac.LSTMLayer(reset="c", bottoms=["x"]), "hint: did you mean 'continues'?"),
    "sequences of different lengths": (
        lambda p: MemoryDataLayer(data=[[np.ones((3, 2)), np.ones((4, 2))]], tops=["x"], batch_size=1),
        "hint: array 0: pad the sequences to one length, and give theirs as a blob: lengths= or mask= of layers",
    ),
    "a state_dict's key": (lambda p: p.params["ip.weight"], "hint: write params['ip']['weight']"),
    "a state_dict's shape": (lambda p: p.load({"ip.weight": X}), "wrong shape  ip.weight"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_hints(case, program):
    act, text = WRONG[case]
    with pytest.raises(MochacError) as caught:
        act(program)
    assert text in str(caught.value)


NO_SUCH = {
    "mochac.Linear": "module 'mochac' has no attribute 'Linear'; use InnerProductLayer",
    "mochac.nn": "module 'mochac' has no attribute 'nn'; mochac has no submodules to import from: "
    "all names are in mochac itself, such as mochac.InnerProductLayer",
    "mochac.CrossEntropyLoss": "module 'mochac' has no attribute 'CrossEntropyLoss'; use SoftmaxLossLayer",
    "mochac.MSELossLayer": "module 'mochac' has no attribute 'MSELossLayer'; use SquareLossLayer",
    "mochac.DenseLayer": "module 'mochac' has no attribute 'DenseLayer'; use InnerProductLayer",
    "mochac.from_onnx": "module 'mochac' has no attribute 'from_onnx'; use mochac.onnx.load(path)",
    "mochac.GELU": "module 'mochac' has no attribute 'GELU'; use neuron=Neurons.GELU() of a layer, or ActivationLayer",
    "mochac.SmoothL1Loss": "module 'mochac' has no attribute 'SmoothL1Loss'; "
    "use HuberLossLayer(delta=beta, weight=1 / beta, ...)",
    "mochac.Poisson": "module 'mochac' has no attribute 'Poisson'; use PoissonLossLayer",
    "mochac.PinballLoss": "module 'mochac' has no attribute 'PinballLoss'; use QuantileLossLayer(quantile=...)",
    "mochac.Tokenizer": "module 'mochac' has no attribute 'Tokenizer'; "
    "use a tokenizer of your own or scikit-learn's: docs/guide/recipes.md, A text classifier",
    "mochac.LMDB": "module 'mochac' has no attribute 'LMDB'; use LMDBDataLayer(source=...), for Caffe's databases",
    "mochac.net2dot": "module 'mochac' has no attribute 'net2dot'; Mocha's net2dot is net.to_dot()",
    "mochac.PolingLayer": "module 'mochac' has no attribute 'PolingLayer'; did you mean 'PoolingLayer'?",
    "mochac.ZebraLayer": "module 'mochac' has no attribute 'ZebraLayer'; docs/guide/layers.md lists the layers",
    "mochac.Neurons.relu": "Neurons has no 'relu', only Identity, ReLU, LReLU, Sigmoid, Tanh, Exponential, GELU, SiLU, "
    "ELU, SELU, Softplus, Softsign, HardSigmoid, HardSwish, Mish, GLU; did you mean 'ReLU'?",
    "mochac.Neurons.Swish": "Neurons has no 'Swish', only Identity, ReLU, LReLU, Sigmoid, Tanh, Exponential, GELU, "
    "SiLU, ELU, SELU, Softplus, Softsign, HardSigmoid, HardSwish, Mish, GLU; did you mean 'SiLU'?",
    "mochac.ReduceLROnPlateau": "module 'mochac' has no attribute 'ReduceLROnPlateau'; "
    "use LRPolicy.DecayOnValidation(base_lr, key), a learning-rate policy",
    "mochac.Bidirectional": "module 'mochac' has no attribute 'Bidirectional'; "
    "use bidirectional=True of an LSTMLayer, GRULayer or RNNLayer",
    "mochac.clip_grad_norm_": "module 'mochac' has no attribute 'clip_grad_norm_'; "
    "use program.train(SGD(...), clip_norm=...)",
    "mochac.TransformerEncoderLayer": "module 'mochac' has no attribute 'TransformerEncoderLayer'; "
    "use MultiHeadAttentionLayer, LayerNormLayer, ElementWiseLayer and InnerProductLayer(axis=-1, ...), "
    "as in docs/guide/sequences.md",
    "mochac.LRPolicy.CosineAnnealing": "LRPolicy has no 'CosineAnnealing', only Fixed, Step, Exp, Inv, Polynomial, "
    "Cosine, Linear, OneCycle, WarmUp, Every, DecayOnValidation, Staged, Sequence; did you mean 'Cosine'?",
    "program.trian": "'Program' object has no attribute 'trian'; did you mean 'train'?",
    "program.zero_grad": "'Program' object has no attribute 'zero_grad'; not needed: every step computes new gradients",
    "program.params['ip'].weight": "'ParamGroup' object has no attribute 'weight'; write params['ip']['weight']",
}


@pytest.mark.parametrize("expression", NO_SUCH)
def test_names_that_are_not_there(expression, program):
    with pytest.raises(AttributeError) as caught:
        eval(expression, {"mochac": mochac, "program": program})
    assert str(caught.value) == NO_SUCH[expression]
    assert "Sequential" not in vars(mochac)
    with pytest.raises(AttributeError, match=r"use Net\(name, \[layers"):
        mochac.Sequential  # noqa: B018


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_programs_are_not_copied(copied, program):
    """Of a program that is kept beside its better parameters, these are copied."""
    with pytest.raises(TypeError, match=r"a Program cannot be pickled or copied: program\.save\(path\) keeps"):
        copied(program)
    best = copy.deepcopy(program.params)
    assert (best["ip"]["weight"][...] == program.params["ip"]["weight"][...]).all()


def test_nets_and_programs_are_not_called(program):
    with pytest.raises(TypeError) as caught:
        program(X)
    assert str(caught.value) == "'Program' object is not callable; use program.predict(x)"
    with pytest.raises(TypeError) as caught:
        NET(X)
    assert str(caught.value) == "'Net' object is not callable; use mochac.compile(net).predict(x)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: mochac.Solver(mochac.SGD()).add_coffee_break(mochac.TrainingSummary(), every=1),
            "add_coffee_break() has no argument 'every'\n  hint: arguments: coffee, every_n_iter, every_n_epoch",
        ),
        (
            lambda: mochac.Solver(mochac.SGD()).setup_coffee_lounge(every_n_epoch=1),
            "setup_coffee_lounge() has no argument 'every_n_epoch'\n  hint: did you mean 'every_n_iter'?",
        ),
        (
            lambda: mochac.Solver(mochac.SGD()).setup_coffee_lounge("a", 1, "merge", 3),
            "setup_coffee_lounge() got too many values\n  expected  at most 3,  got  4\n"
            "  hint: in order: save_into, every_n_iter, file_exists",
        ),
        (
            lambda: mochac.onnx.load("a.onnx", batchsize=3),
            "load() has no argument 'batchsize'\n  hint: did you mean 'batch_size'?",
        ),
        (
            lambda: mochac.check_gradients(),
            "check_gradients() needs the argument 'net'\n"
            "  hint: in order: net; by name: epsilon, tolerance, samples, seed, native",
        ),
        (
            lambda: mochac.train_many(NET, SGD(), metods=3),
            "solver SGD has no parameter 'metods'\n  hint: parameters: max_iter, max_epoch, regu_coef, load_from, "
            "clip_norm, clip_value, decay_all, accumulate",
        ),
        (lambda: mochac.Net(), "Net needs the argument 'name'\n  hint: in order: name, layers, more"),
        (
            lambda: mochac.Solver(),
            "Solver needs the argument 'method'\n  hint: in order: method; by name: max_iter, max_epoch, regu_coef, "
            "load_from, clip_norm, clip_value, decay_all, accumulate",
        ),
        (
            lambda: SGD(0.1, lr_policy=1),
            "solver SGD got the parameter 'lr_policy' twice\n"
            "  hint: in order: lr_policy, mom_policy; by name: momentum, history, dampening, weight_decay, maximize",
        ),
        (
            lambda: mochac.compile(NET, None),
            "compile() got too many values\n  expected  at most 1,  got  2\n"
            "  hint: in order: net; by name: " + ", ".join([*signature(mochac.compile).parameters][1:]),
        ),
    ],
)
def test_arguments_that_do_not_fit(call, message):
    with pytest.raises(mochac.OptionError) as caught:
        call()
    assert str(caught.value) == message


def test_help_shows_what_a_method_takes():
    assert [*signature(SGD).parameters][:3] == ["lr_policy", "mom_policy", "momentum"]
    assert next(iter(signature(mochac.Snapshot).parameters)) == "folder"


def test_a_type_error_inside_a_checked_function_stays_one():
    @checked_call
    def faulty(x):
        return x + None

    with pytest.raises(TypeError, match="unsupported operand"):
        faulty(1)


def test_the_pad_of_a_pad_layer():
    with pytest.raises(mochac.OptionError, match=r"no field 'pad'\n  fields: .*\n  hint: did you mean 'before'\?"):
        mochac.PadLayer(bottoms=["x"], pad=1)
