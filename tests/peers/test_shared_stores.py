"""Nets of from_torch that share a store: what is one parameter in PyTorch is one array, wherever a net keeps it."""

import copy
import logging

import numpy as np
import pytest
from test_training_scripts import inputs_of, require_same_state, theirs

import mochac
from mochac import SGD, InnerProductLayer, Net, ParameterAverage, ParameterLayer, ShapeError, Solver
from mochac.base.support import log
from mochac.training.session.net_parameters import averaged_store

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional


class Calls(nn.Module):
    """Calls its parts as modules: their parameters are those of layers."""

    def __init__(self, parts):
        super().__init__()
        self.parts = parts

    def forward(self, x, y):
        return F.mse_loss(self.parts["end"](self.body(x)), y)


class Linears(Calls):
    def body(self, x):
        return torch.tanh(self.parts["first"](x))


class Functional(Calls):
    """Reads the weight twice, and the bias in a formula."""

    def body(self, x):
        first = self.parts["first"]
        y = F.linear(x, first.weight) + first.bias.sin()
        return torch.tanh(y) + 0.1 * F.linear(y @ first.weight, first.weight)


class Convolutions(Calls):
    def body(self, x):
        return self.parts["norm"](self.parts["first"](x.view(-1, 1, 2, 3))).flatten(1)


class Filters(Calls):
    def body(self, x):
        first, norm = self.parts["first"], self.parts["norm"]
        y = F.conv2d(x.view(-1, 1, 2, 3), first.weight - first.weight.mean(), first.bias)
        return norm(y * norm.weight.view(1, 4, 1, 1)).flatten(1)


class Recurrent(Calls):
    def body(self, x):
        return self.parts["first"](x.view(-1, 2, 3))[0].flatten(1)


class Cells(Calls):
    """Reads the matrices of an LSTM in a formula."""

    def body(self, x):
        first = self.parts["first"]
        y = torch.tanh(F.linear(x.view(-1, 2, 3), first.weight_ih_l0, first.bias_ih_l0))
        return F.linear(y, first.weight_hh_l0.T).flatten(1)


class Attention(Calls):
    def body(self, x):
        x = x.view(-1, 3, 2)
        return self.parts["first"](x, x, x, need_weights=False)[0].flatten(1)


class Projections(Calls):
    def body(self, x):
        first = self.parts["first"]
        y = F.linear(x.view(-1, 3, 2), first.in_proj_weight[:2], first.in_proj_bias[2:4])
        return F.linear(y, first.out_proj.weight, first.out_proj.bias).flatten(1)


PAIRS = {
    "linear": (Linears, Functional, lambda: {"first": nn.Linear(6, 4)}, 4),
    "convolution": (
        Convolutions, Filters, lambda: {"first": nn.Conv2d(1, 4, (2, 3)), "norm": nn.GroupNorm(2, 4)}, 4),
    "lstm": (Recurrent, Cells, lambda: {"first": nn.LSTM(3, 4, batch_first=True)}, 8),
    "attention": (Attention, Projections, lambda: {"first": nn.MultiheadAttention(2, 1, batch_first=True)}, 6),
}  # fmt: skip


@pytest.mark.parametrize("turned", [False, True], ids=["layers first", "formulas first"])
@pytest.mark.parametrize("name", PAIRS)
def test_one_array_for_a_layer_and_a_formula(name, turned):
    """Two programs train in turn, as two optimizers of PyTorch on the same parts."""
    *pair, make, width = PAIRS[name]
    torch.manual_seed(0)
    parts = nn.ModuleDict({**make(), "end": nn.Linear(width, 2)}).double()
    twin = copy.deepcopy(parts)
    batches = [(torch.randn(5, 6).double(), torch.randn(5, 2).double()) for _ in range(3)]
    kinds = pair[::-1] if turned else pair
    nets = [mochac.from_torch(kind(parts), batches[0]) for kind in kinds]
    modules = [kind(twin) for kind in kinds]
    with (
        mochac.compile(nets[0][0], params=nets[0][1], dtype="float64", threads=1) as first,
        mochac.compile(nets[1][0], params=first.params, dtype="float64", threads=1, seed=1) as second,
    ):
        optimizers = [torch.optim.SGD(module.parameters(), 0.1, momentum=0.5) for module in modules]
        solvers = [mochac.solver_from_torch(o, module=m) for o, m in zip(optimizers, modules, strict=True)]
        for program, solver in zip((first, second), solvers, strict=True):
            solver.init_solve(program)
        for batch in batches:
            arrays = [x.numpy() for x in batch]
            for net, solver, module, optimizer in zip(nets, solvers, modules, optimizers, strict=True):
                loss = solver.step(**dict(zip(inputs_of(net[0]), arrays, strict=True)))
                np.testing.assert_allclose([loss], theirs(module, optimizer, [batch]), rtol=1e-11)
        for program, module in zip((first, second), modules, strict=True):
            require_same_state(program, module)


class Ends(nn.Module):
    def __init__(self, parts, name):
        super().__init__()
        self.parts, self.name = parts, name

    def forward(self, x):
        return self.parts[self.name](self.parts["body"](x))


@pytest.fixture
def nothing_logged(monkeypatch):
    monkeypatch.setattr(log, "_logged_lines", set())


def test_what_the_store_lacks_is_as_in_the_module(caplog, nothing_logged):
    """A second head on a shared body has the module's weights, also with data; a net that shares nothing warns."""
    torch.manual_seed(0)
    parts = nn.ModuleDict({"body": nn.Linear(3, 4), "a": nn.Linear(4, 2), "b": nn.Linear(4, 2)})
    x = torch.randn(5, 3)
    (net, params), (other, _) = (mochac.from_torch(Ends(parts, name), x) for name in "ab")
    caplog.set_level(logging.INFO, "mochac")
    with mochac.compile(net, params=params) as first:
        first.params["parts.body"]["bias"][...] += 1.0
        data = mochac.MemoryDataLayer(data=[x.numpy(), np.zeros(5, int)], batch_size=5)
        for each in (other, other.to_train(data, mochac.SoftmaxLossLayer())):
            store = mochac.Params()
            for name in ("weight", "bias"):
                store.share(first.params["parts.body"][name])
            with mochac.compile(each, params=store, seed=7) as second:
                found = second.predict(x.numpy())
            with torch.no_grad():
                wanted = parts["b"](parts["body"](x) + 1.0)
            np.testing.assert_allclose(found, wanted, atol=1e-6)
        whole, _ = mochac.from_torch(nn.Sequential(Ends(parts, "b")), x)
        with mochac.compile(whole, params=first.params) as third, torch.no_grad():
            np.testing.assert_allclose(third.predict(x.numpy()), parts["b"](parts["body"](x)), atol=1e-6)
    lines = [(r.levelname, r.getMessage()) for r in caplog.records if "of the store" in r.getMessage()]
    assert lines == [
        ("INFO", "net 'Ends' shares some parameters of the store: it has no parts.a.weight, parts.a.bias, "
         "parts.b.weight, parts.b.bias; these begin with their imported values"),
        ("WARNING", "net 'Sequential' shares no parameter of the store: it has no 0.parts.a.weight, "
         "0.parts.a.bias, 0.parts.body.weight, 0.parts.body.bias, 0.parts.b.weight, ...; all begin with their "
         "imported values"),
    ]  # fmt: skip


def test_averages_are_shared():
    """One program trains and averages, the other predicts with the averages."""
    torch.manual_seed(0)
    parts = nn.ModuleDict({"first": nn.Linear(6, 4), "end": nn.Linear(4, 2)})
    x, y = torch.randn(5, 6), torch.randn(5, 2)
    (net, params), (other, _) = (mochac.from_torch(kind(parts), (x, y)) for kind in (Linears, Functional))
    with mochac.compile(net, params=params) as first, mochac.compile(other, params=params) as second:
        solver = Solver(SGD(0.5))
        solver.add_coffee_break(ParameterAverage(decay=0.5), every_n_iter=1)
        solver.init_solve(first)
        for _ in range(3):
            solver.step(x=x.numpy(), y=y.numpy())
        solver.finalize()
        averages = first.averages
        assert averages is not None
        assert "parts.first" in averages
        store = averaged_store(second.net, second.params)
        np.testing.assert_array_equal(store["parts.first.weight"]["value"][...], averages["parts.first"]["weight"][...])
        assert (store["parts.first.weight"]["value"][...] != second.params["parts.first.weight"]["value"][...]).any()


def test_a_shape_that_does_not_fit():
    x = torch.randn(5, 6)
    net, params = mochac.from_torch(nn.Sequential(nn.Linear(6, 4)), x)
    other = Net("other", [
        *[layer for layer in net.layers if layer.kind == "Input"],
        ParameterLayer(name="0.weight", shape=(4, 5)),
        InnerProductLayer(name="y", bottoms=["input"], output_dim=2),
    ])  # fmt: skip
    with pytest.raises(ShapeError) as caught:
        mochac.compile(other, params=params)
    assert str(caught.value).rpartition("\n  at ")[0] == (
        "layer '0.weight' (Parameter): shared parameter 0.weight has another shape\n  expected  (4, 5),  got  (4, 6)"
    )
    assert "0.weight" not in [*params]


def test_parameters_of_one_net_stay_apart():
    """A layer of the user's may be called like the weight of another one."""
    net = Net("own", [
        mochac.InputLayer(name="x", shape=(5, 3)),
        InnerProductLayer(name="ip", bottoms=["x"], output_dim=2),
        ParameterLayer(name="ip.weight", shape=(2, 3)),
        InnerProductLayer(name="z", bottoms=["x"], output_dim=2, weight="ip.weight"),
    ])  # fmt: skip
    with mochac.compile(net) as program, mochac.compile(net, params=program.params) as again:
        for each in (program, again):
            assert (each.params["ip"]["weight"][...] != each.params["ip.weight"]["value"][...]).all()
