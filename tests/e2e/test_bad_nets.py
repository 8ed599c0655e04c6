"""What a wrong net, layer, solver or option gets: the whole message, as a user reads it."""

import dataclasses

import numpy as np
import pytest
from message_kit import assert_message, refused

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    FunctionLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    NetError,
    Neurons,
    NumericError,
    OptionError,
    PoolingLayer,
    SoftmaxLayer,
    SoftmaxLossLayer,
    Solver,
)

X, Y = np.random.default_rng(0).standard_normal((20, 1, 6, 6)), np.arange(20) % 3


def data(**fields):
    return MemoryDataLayer(**{"name": "data", "data": [X, Y], "batch_size": 4, **fields})  # @data


def ip(**fields):
    return InnerProductLayer(**{"name": "ip", "output_dim": 3, "bottoms": ["data"], **fields})  # @ip


def loss(**fields):
    return SoftmaxLossLayer(**{"name": "loss", "bottoms": ["ip", "label"], **fields})  # @loss


def good():
    return Net("n", [data(), ip(), loss()])


def test_a_misspelt_bottom():
    assert_message(
        lambda: Net("n", [data(), ip(bottoms=["dota"]), loss()]),
        """
        NetError: layer 'ip' (InnerProduct): no layer produces bottom 'dota'
          blobs: data label
          hint: did you mean 'data'?
          at @ip
        """,
    )


def test_a_missing_data_layer():
    assert_message(
        lambda: Net("n", [ip(), loss()]),
        """
        NetError: net 'n' has 2 problems
          1. NetError: layer 'ip' (InnerProduct): no layer produces bottom 'data'
               blobs: none
               at @ip
          2. NetError: layer 'loss' (SoftmaxLoss): no layer produces bottom 'label'
               blobs: ip
               at @loss
        """,
    )


def test_a_top_made_twice():
    twin = ip(name="ip2", tops=["other"])
    second = InnerProductLayer(name="ip3", output_dim=3, bottoms=["data"], tops=["ip"])  # @second
    assert_message(
        lambda: Net("n", [data(), ip(), twin, second, loss()]),
        """
        NetError: layer 'ip3' (InnerProduct): top 'ip' is already made by another layer
          the other is layer 'ip' (InnerProduct), @ip
          hint: give one of the two tops another name
          at @second
        """,
    )


def test_a_cycle():
    a = InnerProductLayer(name="a", output_dim=3, bottoms=["b"])  # @a
    b = InnerProductLayer(name="b", output_dim=3, bottoms=["a"])  # @b
    assert_message(
        lambda: Net("n", [data(), ip(), b, a, loss()]),
        """
        NetError: layer 'b' (InnerProduct): the layers form a cycle
          b -> a -> b
          layer 'a' (InnerProduct), @a
          at @b
        """,
    )


@pytest.mark.parametrize("kind", [ConvolutionLayer, PoolingLayer])
def test_a_kernel_larger_than_its_input(kind):
    window = kind(name="c", kernel=(3, 7), bottoms=["data"])  # @window
    name = kind.__name__.removesuffix("Layer")
    assert_message(
        lambda: Net("n", [data(), window, ip(bottoms=["c"]), loss()]),
        f"""
        ShapeError: layer 'c' ({name}): kernel does not fit its input
          expected  width + 2*pad >= kernel,  got  6 + 2*0 < 7
          bottom 'data': f32[4,1,6,6] (batch, channels, height, width), from layer 'data' (MemoryData), @data
          hint: pad=(0, 1), or a kernel of at most (6, 6)
          at @window
        """,
    )


def test_a_blob_of_the_wrong_rank():
    conv = ConvolutionLayer(name="c", bottoms=["ip"])  # @conv
    assert_message(
        lambda: Net("n", [data(), ip(), conv, loss()]),
        """
        ShapeError: layer 'c' (Convolution): a bottom is not a batch of images
          expected  3 to 5 axes (batch, channels, then one to three spatial ones, such as height, width),  got  2 axes
          bottom 'ip': f32[4,3] (batch, features), from layer 'ip', @ip
          hint: ReshapeLayer(shape=(channels, height, width)) turns features into images
          at @conv
        """,
    )


def test_all_problems_are_reported_together():
    conv = ConvolutionLayer(name="c", kernel=7, bottoms=["data"])  # @conv2
    second = InnerProductLayer(name="ip9", output_dim=3, bottoms=["c"], tops=["data"])  # @second2
    error = refused(lambda: Net("n", [data(), ip(bottoms=["dota"]), conv, second, loss()]))
    assert isinstance(error, NetError)
    assert sorted((type(p).__name__, p.layer) for p in error.problems) == [
        ("NetError", "ip"),
        ("NetError", "ip9"),
        ("ShapeError", "c"),
    ]
    assert str(error).startswith("net 'n' has 3 problems\n  1. ")
    assert all(p.at for p in error.problems)


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        (
            {"output_dim": "3"},
            "layer 'ip' (InnerProduct): output_dim is out of range\n  expected  an integer >= 1,  got  '3'",
        ),
        (
            {"output_dim": 0},
            "layer 'ip' (InnerProduct): output_dim is out of range\n  expected  an integer >= 1,  got  0",
        ),
        (
            {"neuron": Neurons.ReLU},
            "layer 'ip' (InnerProduct): neuron is out of range\n"
            "  expected  a neuron such as Neurons.ReLU(),  got  <class 'mochac.nets.layers.neurons.ReLU'>\n"
            "  hint: write Neurons.ReLU() with parentheses",
        ),
        (
            {"bottoms": "data"},
            "layer 'ip' (InnerProduct): bottoms is out of range\n"
            "  expected  a list of blob names,  got  'data'\n  hint: write ['data']",
        ),
        (
            {"bias_lr": float("nan")},
            "layer 'ip' (InnerProduct): bias_lr is out of range\n  expected  a finite number >= 0,  got  nan",
        ),
    ],
)
def test_a_wrong_or_unknown_field(fields, wanted):
    assert_message(lambda: ip(**fields), f"OptionError: {wanted}\n  at @ip")


def test_an_unknown_field():
    known = " ".join(f.name for f in dataclasses.fields(InnerProductLayer))
    assert_message(
        lambda: ip(output_dims=3),
        f"""
        OptionError: layer 'ip' (InnerProduct): no field 'output_dims'
          fields: {known}
          hint: did you mean 'output_dim'?
          at @ip
        """,
    )


def test_a_field_of_mocha_by_its_old_name():
    assert "hint: did you mean 'axis'?" in str(refused(lambda: SoftmaxLayer(name="s", bottoms=["a"], dim=-2)))


@pytest.mark.parametrize(
    ("action", "wanted"),
    [
        (
            lambda: Solver(SGD(), max_itr=3),
            "OptionError: solver SGD has no parameter 'max_itr'\n  hint: did you mean 'max_iter'?",
        ),
        (
            lambda: SGD(lr_polcy=LRPolicy.Fixed(0.1)),
            "OptionError: solver SGD has no parameter 'lr_polcy'\n  hint: did you mean 'lr_policy'?",
        ),
        (
            lambda: Solver(SGD(), max_iter=3, lr_policy=LRPolicy.Fixed(0.1)),
            "OptionError: solver SGD has no parameter 'lr_policy'\n"
            "  hint: it belongs to the method: SGD(lr_policy=...)",
        ),
        (
            lambda: SGD(lr_policy="0.1"),
            "OptionError: SGD: lr_policy is out of range\n"
            "  expected  a number >= 0, or a policy such as LRPolicy.Inv(0.01, 0.0001, 0.75),  got  '0.1'",
        ),
        (
            lambda: Solver(SGD(), max_iter=-1),
            "OptionError: max_iter is out of range\n  expected  an integer >= 0, or None,  got  -1",
        ),
        (
            lambda: Solver(SGD, max_iter=3),
            "OptionError: Solver: method is a class\n  hint: write SGD() with parentheses",
        ),
    ],
)
def test_a_wrong_solver_parameter(action, wanted):
    assert_message(action, wanted)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"backend": "cpy"},
            "BackendError: unknown backend 'cpy'\n  expected  auto, cpu, cuda,  got  'cpy'\n  hint: did",
        ),
        ({"backend": "opencl"}, "BackendError: unknown backend 'opencl'\n  expected  auto, cpu, cuda,  got  'opencl'"),
        ({"backend": None}, "BackendError: unknown backend None"),
        (
            {"backend": "gpu"},
            "BackendError: unknown backend 'gpu'\n  expected  auto, cpu, cuda,  got  'gpu'\n  hint: did you mean 'cu",
        ),
        (
            {"dtype": "float16"},
            "OptionError: dtype is out of range\n  expected  'float32' or 'float64',  got  'float16'",
        ),
        ({"dtype": None}, "OptionError: dtype is out of range"),
        (
            {"mode": "tset"},
            "OptionError: mode is out of range\n  expected  'train' or 'test', or None,  got  'tset'\n  hint: did",
        ),
        ({"mode": 3}, "OptionError: mode is out of range"),
        ({"threads": 0}, "OptionError: threads is out of range\n  expected  an integer from 1 to 4096"),
        ({"seed": "x"}, "OptionError: seed is out of range"),
        (
            {"keep": ["ipp"]},
            "OptionError: net 'n' has no blob 'ipp'\n  blobs: data label ip\n  hint: did you mean 'ip'?",
        ),
        (
            {"params": {}},
            "OptionError: params is out of range\n  expected  mochac.Params, such as program.params, or None,  got  {}",
        ),
        ({"tune": "fast"}, "OptionError: tune is out of range"),
    ],
)
def test_a_wrong_option_of_compile(options, words):
    assert refused(lambda: mochac.compile(good(), **options)).report.startswith(words)


def test_cuda_where_there_is_none(monkeypatch):
    error = refused(lambda: mochac.compile(good(), backend="cuda"))
    assert error.report.startswith("BackendError: ")
    assert "CUDA" in str(error)
    assert "backend='cpu'" in error.hint
    monkeypatch.setenv("MOCHAC_BACKEND", "cuda")
    assert refused(lambda: mochac.compile(good())).report == error.report
    mochac.compile(good(), backend="cpu").close()


def test_numpy_types_are_as_good_as_names():
    with mochac.compile(good(), dtype=np.float64) as a, mochac.compile(good(), dtype=np.dtype("float32")) as b:
        assert (a.dtype, b.dtype) == ("float64", "float32")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (
            lambda p: p.train(SGD()),
            "OptionError: training has no stopping condition\n  expected  max_iter or max_epoch",
        ),
        (
            lambda p: p.predict(X[0]),
            "ShapeError: input 'data' does not fit its data layer\n  expected  (any number, 1, 6",
        ),
        (
            lambda p: p.predict(X.transpose(0, 2, 3, 1)),
            "ShapeError: input 'data' does not fit its data layer\n"
            "  expected  (any number, 1, 6, 6),  got  (20, 6, 6, 1)\n"
            "  hint: channels come before height and width: x.transpose(0, 3, 1, 2)",
        ),
        (
            lambda p: p.predict(X[:, 0]),
            "ShapeError: input 'data' does not fit its data layer\n"
            "  expected  (any number, 1, 6, 6),  got  (20, 6, 6)\n"
            "  hint: the axis of the one channel is missing: x[:, None]",
        ),
        (lambda p: p.predict(X, blob="ipp"), "OptionError: net 'n' has no blob 'ipp'"),
        (lambda p: p.blobs["ip"], "OptionError: no blob 'ip' to read\n  hint: call forward()"),
        (lambda p: p.backward(), "OptionError: backward() before forward()"),
        (lambda p: p.freeze("ipp"), "OptionError: net 'n' has no layer 'ipp'"),
        (lambda p: p.params["ipp"], "OptionError: no parameters under 'ipp'\n  known: ip\n  hint: did you mean 'ip'?"),
        (lambda p: p.params["ip"]["wieght"], "OptionError: 'ip' has no parameter 'wieght'"),
    ],
)
def test_wrong_use_of_a_program(action, words):
    with mochac.compile(good()) as program:
        assert refused(lambda: action(program)).report.startswith(words)


def test_a_closed_program():
    program = mochac.compile(good())
    program.close()
    program.close()
    for use in (
        program.forward,
        program.evaluate,
        lambda: program.predict(X),
        lambda: program.train(SGD(), max_iter=1),
    ):
        assert isinstance(refused(use), OptionError)


def test_a_backend_as_the_target(tmp_path):
    error = refused(lambda: mochac.dump(good(), tmp_path, target="cuda"))
    assert error.report.endswith("\n  hint: the name of a GPU is that of its architecture, such as sm_90")


def test_a_gpu_as_the_cpu_to_compile_for(tmp_path):
    error = refused(lambda: mochac.dump(good(), tmp_path, backend="cpu", target="sm_90"))
    assert error.report == (
        "BackendError: LLVM has no CPU 'sm_90' with code for x86_64 or aarch64\n"
        "  expected  such a CPU, or cortex-m4, cortex-m7, cortex-m33, cortex-m55, cortex-a7, rv64gc, rv32imfc, wasm32, "
        "wasm32-simd,  got  sm_90\n"
        "  hint: sm_90 is a GPU; with backend='cpu' a target is a CPU such as 'haswell'"
    )


def test_a_misspelt_pass_and_text_that_is_no_graph():
    graph = mochac.ir.parse("graph @g(%x: f32[2]) { %y: f32[2] = neg(%x) return %y }")
    error = refused(lambda: mochac.passes.run("simplfy", graph))
    assert isinstance(error, (OptionError, KeyError))
    assert str(error).startswith("no pass 'simplfy'\n  passes: assign_layout ")
    assert error.hint == "did you mean 'simplify'?"
    for text in ("graph @g( {", "kernel @k", "plan x"):
        assert isinstance(refused(lambda text=text: mochac.ir.parse(text)), ValueError)


def test_a_loss_that_is_nan_before_any_update():
    """No learning rate is to blame."""
    parts = good().layers
    log = [FunctionLayer(name="log", function="log", bottoms=["ip"]), parts[-1].replace(bottoms=["log", "label"])]
    with mochac.compile(Net("logs", [*parts[:-1], *log])) as program:
        error = refused(lambda: program.train(SGD(), max_iter=3))
    assert str(error).startswith("iteration 1: the loss became nan")
    assert error.hint == "it is the first step: MOCHAC_CHECK=nan names the blob in which it begins"


def test_a_loss_that_explodes():
    """The message comes, the process stays, and another training on fresh parameters works."""
    with mochac.compile(good()) as program:
        error = refused(lambda: program.train(SGD(lr_policy=LRPolicy.Fixed(1e30)), max_iter=1000))
        assert isinstance(error, NumericError)
        assert "the loss became nan" in str(error) or "the loss became inf" in str(error)
        assert error.hint == "lower the learning rate"
        for array in program.parameters().values():
            array[...] = 0
        program.train(SGD(), max_iter=3)
        assert np.isfinite(program.forward())
