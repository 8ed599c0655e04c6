"""Program.to_torch: parameters and running statistics into a module, in place; everything that does not fit at once."""

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    ConvolutionLayer,
    EmbeddingLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    ParameterLayer,
    ReductionLayer,
    SnapshotError,
    SoftmaxLossLayer,
)
from mochac.formats.pytorch.exported import write_weights

torch = pytest.importorskip("torch")
nn = torch.nn

RNG = np.random.default_rng(3)
X, Y = RNG.standard_normal((12, 2, 5, 5)), RNG.integers(0, 3, 12)


def module(**how):
    class Small(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(2, 4, 3)
            self.bn = nn.BatchNorm2d(4)
            self.fc = nn.Linear(36, 3)

        def forward(self, x):
            return self.fc(self.bn(self.conv(x)).flatten(1))

    torch.manual_seed(2)
    return Small().to(**how)


def net():
    return Net("small", [
        MemoryDataLayer(name="in", data=[X, Y], batch_size=6),
        ConvolutionLayer(name="conv", n_filter=4, kernel=3, bottoms=["data"]),
        BatchNormLayer(name="bn", bottoms=["conv"]),
        InnerProductLayer(name="fc", output_dim=3, bottoms=["bn"]),
        SoftmaxLossLayer(name="loss", bottoms=["fc", "label"]),
    ])  # fmt: skip


@pytest.fixture
def program():
    with mochac.compile(net(), dtype="float64") as program:
        program.train(SGD(0.1), max_iter=3, verbose=0)
        yield program


def test_a_trained_program_goes_back(program):
    """In place: tensors, optimizers and names stay; then both predict the same."""
    twin = module(dtype=torch.float64)
    before = {name: tensor.data_ptr() for name, tensor in twin.state_dict().items()}
    assert program.to_torch(twin) is twin
    found = twin.state_dict()
    assert {name: tensor.data_ptr() for name, tensor in found.items()} == before
    for name, array in program.state_dict().items():
        assert np.array_equal(found[name].numpy(), array), name
    assert {*found} - {*program.state_dict()} == {"bn.num_batches_tracked"} and found["bn.num_batches_tracked"] == 0
    assert all(p.requires_grad and p.is_leaf for p in twin.parameters())
    predicted = twin.eval()(torch.tensor(X)).detach().numpy()
    np.testing.assert_allclose(predicted, program.predict(X, blob="fc"), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_tensors_keep_their_dtype(program, dtype):
    twin = program.to_torch(module(dtype=dtype))
    for name, array in program.state_dict().items():
        assert twin.state_dict()[name].dtype == dtype
        assert torch.equal(twin.state_dict()[name], torch.tensor(array).to(dtype))


def test_buffers_of_its_own_stay(program):
    twin = module()
    twin.register_buffer("mask", torch.arange(4.0))
    twin.register_buffer("steps", torch.tensor(7))
    program.to_torch(twin)
    assert twin.mask.tolist() == [0, 1, 2, 3] and twin.steps == 7


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 5)
        self.head.weight = self.emb.weight


def test_a_tied_tensor_is_written_once():
    """One parameter of the net is one tensor with two names of the module."""
    ids = RNG.integers(0, 5, (6, 3))
    net = Net("tied", [
        MemoryDataLayer(name="in", data=[ids, ids[:, 0]], batch_size=6),
        ParameterLayer(name="emb.weight", shape=(5, 4)),
        EmbeddingLayer(name="emb", vocabulary=5, output_dim=4, weight="emb.weight", bottoms=["data"]),
        ReductionLayer(name="sum", axes=(1,), bottoms=["emb"]),
        InnerProductLayer(name="head", output_dim=5, weight="emb.weight", bottoms=["sum"]),
        SoftmaxLossLayer(bottoms=["head", "label"]),
    ])  # fmt: skip
    with mochac.compile(net) as program:
        program.train(SGD(0.1), max_iter=2, verbose=0)
        twin = program.to_torch(Tied())
        assert {*program.state_dict()} == {"emb.weight", "head.bias"}
        assert twin.head.weight is twin.emb.weight
        assert np.array_equal(twin.head.weight.detach().numpy(), program.state_dict()["emb.weight"])


def test_two_values_for_a_tied_tensor():
    array, twin = np.ones((5, 4)), Tied()
    bias = {"head.bias": np.zeros(5)}
    write_weights({**bias, "emb.weight": array, "head.weight": array}, twin, "tied")
    assert twin.head.weight.eq(1).all()
    with pytest.raises(SnapshotError) as caught:
        write_weights({**bias, "emb.weight": array, "head.weight": 2 * array}, twin, "tied")
    assert str(caught.value).splitlines()[1:] == [
        "  two values   head.weight and emb.weight, which are one tensor of the module"
    ]
    assert twin.head.weight.eq(1).all()


def test_everything_that_does_not_fit_is_one_error_and_changes_nothing(program):
    twin = module()
    twin.fc = nn.Linear(36, 4)
    twin.other = nn.Linear(2, 2, bias=False)
    del twin.bn
    before = {name: tensor.clone() for name, tensor in twin.state_dict().items()}
    with pytest.raises(SnapshotError) as caught:
        program.to_torch(twin)
    assert str(caught.value).splitlines() == [
        "module Small cannot take the parameters of net 'small': 7 problems; nothing is changed",
        "  wrong shape  fc.weight (3, 36), but the module's is (4, 36)",
        "  wrong shape  fc.bias (3,), but the module's is (4,)",
        "  missing      other.weight (2, 2)",
        "  unexpected   bn.weight (4,)",
        "  unexpected   bn.bias (4,)",
        "  unexpected   bn.running_mean (4,)",
        "  unexpected   bn.running_var (4,)",
    ]
    assert all(torch.equal(tensor, before[name]) for name, tensor in twin.state_dict().items())


def test_tensors_without_memory_or_shape(program):
    with pytest.raises(SnapshotError, match=r"no memory    conv\.weight is on the device 'meta'"):
        program.to_torch(module(device="meta"))
    twin = module()
    twin.fc = nn.LazyLinear(3)
    with pytest.raises(SnapshotError) as caught:
        program.to_torch(twin)
    assert "wrong shape  fc.weight (3, 36), but the module's is of no shape yet" in str(caught.value)


def test_other_things(program):
    for given in (3, program, {"conv.weight": X}):
        with pytest.raises(OptionError) as caught:
            program.to_torch(given)
        assert str(caught.value).startswith("to_torch: not a module\n  expected  torch.nn.Module,  got  ")
