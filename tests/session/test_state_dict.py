"""Weights in and out under PyTorch's names: by name, by order, by a table; everything that is wrong at once."""

import logging

import numpy as np
import pytest

import mochac
from mochac import (
    BatchNormLayer,
    ConvolutionLayer,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LayerNormLayer,
    LSTMLayer,
    MultiHeadAttentionLayer,
    Net,
    OptionError,
    ParameterLayer,
    PReLULayer,
    SnapshotError,
)

RNG = np.random.default_rng(3)
X = RNG.normal(size=(5, 2, 6, 6)).astype(np.float32)
LAYERS = [
    ConvolutionLayer(name="conv", n_filter=3, kernel=3, bottoms=["data"]),
    BatchNormLayer(name="bn", bottoms=["conv"]),
    PReLULayer(name="act", bottoms=["bn"]),
    InnerProductLayer(name="fc", output_dim=4, bottoms=["act"]),
]
NAMES = [
    *("conv.weight", "conv.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var", "act.weight"),
    *("fc.weight", "fc.bias"),
]


def compiled(*layers, **options):
    net = Net("small", [InputLayer(name="in", shape=(5, 2, 6, 6), tops=["data"]), *(layers or LAYERS)])
    return mochac.compile(net, threads=1, **options)


def random_state(program, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(0.1, 1, array.shape) for name, array in program.state_dict().items()}


class Tensor:
    """What PyTorch's tensors let others see."""

    def __init__(self, array, dtype="torch.float32"):
        self.array, self.dtype, self.shape = array, dtype, array.shape

    def detach(self):
        return self

    cpu = detach

    def float(self):
        return Tensor(self.array)

    def __array__(self, dtype=None, copy=None):
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array


class Module:
    def __init__(self, state):
        self.state = state

    def state_dict(self):
        return self.state


def test_names_and_shapes_are_pytorchs():
    program = compiled()
    state = program.state_dict()
    assert list(state) == NAMES
    assert state["conv.weight"].shape == (3, 2, 3, 3) and state["fc.weight"].shape == (4, 48)
    state["fc.bias"][:] = 7
    assert not program.params["fc"]["bias"][...].any(), "copies"


@pytest.mark.parametrize("wrap", [dict, Module, lambda s: {f"module.{k}": v for k, v in s.items()}])
def test_there_and_back(wrap):
    program, other = compiled(seed=1), compiled(seed=2)
    state = random_state(program)
    program.load(wrap({**state, "bn.num_batches_tracked": np.array(3)} if wrap is dict else state))
    other.load(program)
    for name, array in other.state_dict().items():
        np.testing.assert_array_equal(array, state[name].astype(np.float32))
    np.testing.assert_array_equal(program.predict(X), other.predict(X))


def test_by_order_when_no_name_fits(caplog):
    program = compiled()
    state = random_state(program)
    module = {"conv": "0", "bn": "1", "act": "2", "fc": "net.4"}
    theirs = {f"{module[k.split('.')[0]]}.{k.split('.')[1]}": v for k, v in state.items()}
    with caplog.at_level(logging.INFO, "mochac"):
        loaded = program.load({**theirs, "1.num_batches_tracked": np.array(3)})
    assert [(c.source, c.target) for c in loaded.copied[:3]] == [
        ("0.weight", "conv.filter"),
        ("0.bias", "conv.bias"),
        ("1.weight", "bn.scale"),
    ]
    assert "no name fits, so layers are filled in their order: 0.weight -> conv.filter" in caplog.text
    np.testing.assert_array_equal(program.states["bn"]["variance"][...], state["bn.running_var"].astype(np.float32))
    with pytest.raises(SnapshotError, match=r"missing +conv\.filter"):
        program.load(theirs, by="name")


def test_by_a_table():
    program = compiled()
    state = random_state(program)
    theirs = {name.replace("conv.", "features.0.").replace("fc.", "head."): v for name, v in state.items()}
    program.load(theirs, by={"features.0": "conv", "head": "fc"})
    np.testing.assert_array_equal(program.params["conv"]["filter"][...], state["conv.weight"].astype(np.float32))
    with pytest.raises(OptionError) as caught:
        program.load(theirs, by={"features.0": "convo"})
    assert str(caught.value) == (
        "load: no layer 'convo' has parameters\n  expected  conv, bn, act, fc\n  hint: did you mean 'conv'?"
    )
    with pytest.raises(
        OptionError, match=r"the state_dict has no module 'tail'\n  expected  features.0, bn, act, head"
    ):
        program.load(theirs, by={"tail": "fc"})


def test_our_own_names_and_nested_dictionaries():
    program = compiled(LAYERS[0], LAYERS[3].replace(bottoms=["conv"]))
    rng = np.random.default_rng(0)
    w, b = rng.normal(size=(4, 48)), np.arange(4.0)
    f = rng.normal(size=(3, 2, 3, 3))
    program.load({"conv": {"filter": f, "bias": np.ones(3)}, "fc___weight": w, "fc": {"bias": b}})
    np.testing.assert_array_equal(program.params["fc"]["weight"][...], w.astype(np.float32))
    np.testing.assert_array_equal(program.params["conv"]["filter"][...], f.astype(np.float32))


def test_the_table():
    program = compiled(LAYERS[3].replace(bottoms=["data"]))
    state = random_state(program)
    loaded = program.load({"fc.weight": Tensor(state["fc.weight"].astype(np.float32), "torch.bfloat16")})
    assert str(loaded) == (
        "  from           to         shape\n"
        "  fc.weight  ->  fc.weight  (4, 72)\n"
        "             ->  fc.bias    (4,)     0: the module has no bias"
    )


def test_everything_wrong_is_listed_and_nothing_is_changed():
    program = compiled()
    state = random_state(program)
    before = program.state_dict()
    del state["bn.running_mean"]
    bad = {**state, "fc.weight": state["fc.weight"].T, "conv.bias": np.ones(5), "tail.weight": np.ones(2)}
    with pytest.raises(SnapshotError) as caught:
        program.load(bad)
    assert str(caught.value) == (
        "net 'small' cannot take these parameters: 4 problems; nothing is changed\n"
        "  wrong shape  conv.bias (5,), but conv.bias is (3,)\n"
        "  wrong shape  fc.weight (48, 4), but fc.weight is (4, 48); its transpose would fit\n"
        "  missing      bn.mean (3,)\n"
        "  unexpected   tail.weight (2,)\n"
        '  hint: by={"module": "layer"} says which is which, by="order" goes by order; '
        "load(..., strict=False) keeps what is missing and ignores what is unexpected"
    )
    for name, array in program.state_dict().items():
        np.testing.assert_array_equal(array, before[name])
    loaded = program.load({k: v for k, v in bad.items() if k in state and v.shape == state[k].shape}, strict=False)
    assert loaded.kept == ("bn.mean", "fc.weight") and "kept" in str(loaded)


def test_shared_parameters_have_a_name_for_each_layer():
    left = InnerProductLayer(name="left", param_key="both", output_dim=72, bottoms=["data"])
    right = left.replace(name="right", bottoms=["left"])
    program = compiled(left, right)
    w, b = RNG.normal(size=(72, 72)), np.zeros(72)
    program.load({"left.weight": w, "left.bias": b, "right.weight": w, "right.bias": b})
    assert list(program.state_dict()) == ["both.weight", "both.bias"]
    with pytest.raises(SnapshotError, match=r"two values +right\.weight and left\.weight, for the shared both\.weight"):
        program.load({"left.weight": w, "left.bias": b, "right.weight": 2 * w, "right.bias": b})


def test_parameters_of_no_module_and_extents_of_one():
    table = ParameterLayer(name="W", shape=(4, 72))
    wide = InnerProductLayer(name="fc", output_dim=4, weight="W", bottoms=["data"])
    program = compiled(table, wide)
    program.load({"W": np.ones((4, 72, 1, 1)), "fc.bias": np.ones(4)})
    assert list(program.state_dict()) == ["W", "fc.bias"]
    norm = compiled(LayerNormLayer(name="ln", axes=(1, 2, 3), bottoms=["data"]))
    assert norm.state_dict()["ln.weight"].shape == (2, 6, 6)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (3, "load: no parameters in this\n  expected  a file name, a dictionary of arrays, or an object with state_di"),
        ({"fc.weight": object()}, "load: fc.weight is not an array of numbers\n  got  object"),
        ({"fc.weight": "abc"}, "load: fc.weight is not an array of numbers"),
        (
            {"epoch": 3, "model": {"fc.weight": np.ones(2)}},
            "load: this is a checkpoint, not a state_dict\n  got  epoch, model\n  hint: load(checkpoint['model'])",
        ),
        ("net.pt", "load: PyTorch reads its own files\n  got  net.pt\n  hint: load(torch.load('net.pt', weights_only="),
        ("net.onnx", "load: an ONNX model is a net with its parameters\n  got  net.onnx\n  hint: net, params"),
    ],
)
def test_what_is_no_state_dict(source, words):
    with pytest.raises(OptionError) as caught:
        compiled().load(source)
    assert str(caught.value).startswith(words)


def test_by_is_checked():
    program = compiled()
    with pytest.raises(OptionError, match=r'by is out of range\n  expected  "name", "order" or \{module: layer\}'):
        program.load({}, by=3)
    with pytest.raises(OptionError, match="by is for a state_dict"):
        program.load("net.h5", by="order")


def test_files_have_a_table_too(tmp_path):
    program = compiled()
    program.save(tmp_path / "net.npz")
    loaded = program.load(tmp_path / "net.npz")
    assert loaded.copied[0].source == "conv___filter" and loaded.copied[0].target == "conv.filter"
    program.load(np.load(tmp_path / "net.npz"))


def test_a_head_of_another_size_is_left_out():
    """The hint says how, with strict and without, and it works."""
    program = compiled()
    state = random_state(program)
    bad = {**state, "fc.weight": np.ones((7, 48)), "fc.bias": np.ones(7)}
    for strict in (True, False):
        with pytest.raises(SnapshotError, match=r"leave 'fc\.weight', 'fc\.bias' out of the state_dict") as caught:
            program.load(bad, strict)
        assert "2 problems" in str(caught.value)
    kept = program.state_dict()["fc.weight"]
    program.load({name: array for name, array in state.items() if not name.startswith("fc.")}, strict=False)
    np.testing.assert_array_equal(program.state_dict()["fc.weight"], kept)
    np.testing.assert_allclose(program.state_dict()["conv.weight"], state["conv.weight"], rtol=1e-6)


SEQUENCES = {
    "gru": (GRULayer(name="read", output_dim=3, bottoms=["data"]), ("weight_ih_l0", "weight_hh_l0"), "bias_ih_l0"),
    "lstm": (
        LSTMLayer(name="read", output_dim=2, n_layers=2, bottoms=["data"]),
        ("weight_ih_l0", "weight_hh_l0", "weight_ih_l1", "weight_hh_l1"),
        "bias_hh_l1",
    ),
    "attention": (
        MultiHeadAttentionLayer(name="read", heads=2, bottoms=["data"]),
        ("in_proj_weight", "out_proj.weight"),
        "out_proj.bias",
    ),
}


def of_sequences(layer):
    return mochac.compile(Net("s", [InputLayer(name="in", shape=(2, 4, 6), tops=["data"]), layer]), threads=1)


@pytest.mark.parametrize("kind", SEQUENCES)
@pytest.mark.parametrize("prefix", ["", "0.", "block.0."])
def test_a_module_alone_and_without_biases(kind, prefix):
    """As nn.GRU(6, 3), nn.Sequential(nn.GRU(6, 3)) and so on, bias=False: the biases are 0, or else all are needed."""
    layer, weights, bias = SEQUENCES[kind]
    program = of_sequences(layer)
    state = {n.removeprefix("read."): v for n, v in random_state(program).items()}
    module = {prefix + name: array for name, array in state.items()}
    program.load(module)
    for name, array in program.state_dict().items():
        np.testing.assert_array_equal(array, state[name.removeprefix("read.")].astype(np.float32))
    program.load({prefix + name: state[name] for name in weights})
    for name, array in program.state_dict().items():
        assert name.removeprefix("read.") in weights or not array.any(), name
    with pytest.raises(SnapshotError, match="missing "):
        program.load({name: array for name, array in module.items() if name != prefix + bias})
    program.load(module, by={prefix.removesuffix("."): "read"})
    np.testing.assert_array_equal(program.state_dict()[f"read.{bias}"], state[bias].astype(np.float32))


def test_a_linear_called_as_a_part_of_attention_is_a_module_of_its_own():
    first, last = (InnerProductLayer(name=n, output_dim=2, bottoms=["data"]) for n in "ab")
    attention = MultiHeadAttentionLayer(name="c", heads=2, bottoms=["data"])
    program = mochac.compile(
        Net("s", [InputLayer(name="in", shape=(2, 4, 6), tops=["data"]), first, attention, last]), threads=1
    )
    state = random_state(program)
    parts = {"a": "out_proj", "b": "head.out_proj", "c": "attn"}
    program.load({parts[name[0]] + name[1:]: array for name, array in state.items()})
    for name, array in program.state_dict().items():
        np.testing.assert_array_equal(array, state[name].astype(np.float32))


def test_messages_and_the_table_have_the_names_of_the_source():
    program = of_sequences(SEQUENCES["attention"][0])
    state = random_state(program)
    theirs = {name.replace("read.", "0."): array for name, array in state.items()}
    loaded = program.load({**theirs, "0.extra": np.ones(2)}, strict=False, by={"0": "read"})
    assert (loaded.copied[0].source, loaded.unused) == ("0.in_proj_weight", ("0.extra",))
    with pytest.raises(SnapshotError) as caught:
        program.load({**theirs, "0.in_proj_weight": np.ones((3, 3))}, by={"0": "read"})
    assert "wrong shape  0.in_proj_weight (3, 3), but read.weight_in is (18, 6)" in str(caught.value)
    assert "leave '0.in_proj_weight' out" in str(caught.value)
    bare = {name.removeprefix("read."): array for name, array in state.items()}
    with pytest.raises(OptionError, match=r"no module 'x'\n  expected  \"\""):
        program.load(bare, by={"x": "read"})
