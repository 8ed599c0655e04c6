"""Training scripts: three steps of Adam give PyTorch's losses and parameters, in float64."""

import copy

import numpy as np
import pytest
from training_scripts import SCRIPTS, Trained, perceptron

import mochac
from mochac import InputLayer, MemoryDataLayer, UnsupportedError

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional


def inputs_of(net):
    return [layer.tops[0] for layer in net.layers if isinstance(layer, InputLayer)]


def stepped(program, solver, net, batches, lead=False):
    """The losses of steps on these batches."""
    solver.init_solve(program)
    arrays = [[x.numpy()[None] if lead else x.numpy() for x in batch] for batch in batches]
    losses = [solver.step(**dict(zip(inputs_of(net), batch, strict=True))) for batch in arrays]
    solver.finalize()
    return losses


def theirs(module, optimizer, batches):
    """Those of PyTorch."""
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = module(*batch)
        loss = loss[0] if isinstance(loss, tuple) else loss
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def require_same_training(module, batches, **how):
    module = module.double()
    twin = copy.deepcopy(module)
    net, params = mochac.from_torch(module, batches[0], **how)
    optimizer = torch.optim.Adam(twin.parameters(), 0.01, eps=1e-3)
    with mochac.compile(net, params=params, dtype="float64", threads=1) as program:
        solver = mochac.solver_from_torch(optimizer, module=twin)
        found = stepped(program, solver, net, batches, lead="batch_axis" in how)
        np.testing.assert_allclose(found, theirs(twin, optimizer, batches), rtol=1e-11)
        require_same_state(program, twin)
        return program.statistics()


def require_same_state(program, module):
    state = module.state_dict()
    for name, array in program.state_dict().items():
        np.testing.assert_allclose(array.reshape(state[name].shape), state[name], rtol=1e-9, atol=1e-11, err_msg=name)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name):
    require_same_training(*SCRIPTS[name]())


class Reporting(nn.Module):
    """Returns a loss, and numbers to look at."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 3)

    def forward(self, x, y):
        scores = self.body(x)
        right = scores.argmax(1) == y
        shares = F.one_hot(scores.argmax(1), 3).double().mean(0)
        return (
            F.cross_entropy(scores, y), right.double().mean(), right.sum(), F.mse_loss(scores, x[:, :3]).detach(),
            torch.exp(-(shares * torch.log(shares + 1e-10)).sum()),
        )  # fmt: skip


def test_numbers_without_a_gradient_are_statistics():
    """They change neither the loss nor the parameters; a partial batch counts by its samples."""
    torch.manual_seed(0)
    module, x, y = Reporting().double(), torch.randn(7, 6).double(), torch.randint(0, 3, (7,))
    require_same_training(copy.deepcopy(module), [(x[:5], y[:5])] * 3)
    net, params = mochac.from_torch(module, (x[:5], y[:5]))
    data = MemoryDataLayer(data=[x.numpy(), y.numpy()], batch_size=5)
    with mochac.compile(net.to_train(data), params=params, dtype="float64") as program:
        found = program.evaluate()
    parts = [[part.item() for part in module(x[own], y[own])] for own in (slice(0, 5), slice(5, 7))]
    for k in range(1, 5):
        want = (5 * parts[0][k] + 2 * parts[1][k]) / 7
        np.testing.assert_allclose(found[f"output{k}-mean"], want, rtol=1e-12)


class Graph(nn.Module):
    """Nodes of a graph, of which some have labels."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 8), nn.Linear(8, 3)
        self.register_buffer("labels", torch.randint(0, 3, (9,)))

    def forward(self, x, edges):
        y = edges @ self.second(torch.relu(edges @ self.first(x)))
        known = torch.tensor([0, 2, 5, 7])
        return F.cross_entropy(y[known], self.labels[known], label_smoothing=0.1) + F.nll_loss(y, self.labels)


def test_nodes_of_a_graph():
    torch.manual_seed(0)
    batch = torch.randn(9, 6).double(), torch.rand(9, 9).double()
    require_same_training(Graph(), [batch] * 3, batch_axis=None)


class Critic(nn.Module):
    def __init__(self, models):
        super().__init__()
        self.models = models

    def forward(self, real, noise):
        real, made = self.models["critic"](real), self.models["critic"](self.models["maker"](noise).detach())
        ones, zeros = torch.ones_like(real), torch.zeros_like(made)
        return F.binary_cross_entropy_with_logits(real, ones) + F.binary_cross_entropy_with_logits(made, zeros)


class Maker(Critic):
    def forward(self, noise):
        return F.softplus(-self.models["critic"](self.models["maker"](noise))).mean()


def test_two_nets_against_each_other():
    """A GAN: two programs share the parameters, also of what one calls twice and the other once."""
    torch.manual_seed(0)
    norm = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 1))
    models = nn.ModuleDict({"maker": perceptron(3, 6, 4), "critic": norm}).double()
    twin = copy.deepcopy(models)
    batches = [(torch.randn(5, 4).double(), torch.randn(5, 3).double()) for _ in range(3)]
    optimizers = [torch.optim.Adam(twin[name].parameters(), 0.01, eps=1e-3) for name in ("critic", "maker")]
    nets = [mochac.from_torch(Critic(models), batches[0]), mochac.from_torch(Maker(models), batches[0][1:])]
    with (
        mochac.compile(nets[0][0], params=nets[0][1], dtype="float64", threads=1) as first,
        mochac.compile(nets[1][0], params=first.params, dtype="float64", threads=1) as second,
    ):
        modules = Critic(twin), Maker(twin)
        solvers = [mochac.solver_from_torch(o, module=m) for o, m in zip(optimizers, modules, strict=True)]
        for program, solver in zip((first, second), solvers, strict=True):
            solver.init_solve(program)
        for real, noise in batches:
            losses = [solvers[0].step(real=real.numpy(), noise=noise.numpy()), solvers[1].step(noise=noise.numpy())]
            wanted = [theirs(modules[0], optimizers[0], [(real, noise)]), theirs(modules[1], optimizers[1], [(noise,)])]
            np.testing.assert_allclose(losses, [x for [x] in wanted], rtol=1e-11)
        for program, module in zip((first, second), modules, strict=True):
            require_same_state(program, module)


class Drawing(nn.Module):
    def forward(self, x):
        like = torch.empty_like(x)
        return (
            torch.rand_like(x), like.uniform_(-1, 3), torch.randint(2, 7, (x.shape[0],)).double(),
            like.clone().exponential_(2.0), torch.bernoulli(x), torch.normal(x, 0.5 * torch.ones_like(x)),
            torch.distributions.Normal(x, x.exp()).rsample(),
        )  # fmt: skip


def test_random_numbers():
    """Means and deviations of a hundred thousand numbers are those of the distributions, within five deviations."""
    x = torch.full((400, 1), 0.3)
    net, params = mochac.from_torch(Drawing(), x)
    n = 100_000
    wanted = [
        (0.5, 12**-0.5), (1.0, 4 * 12**-0.5), (4.0, 2**0.5), (0.5, 0.5), (0.3, 0.21**0.5), (0.3, 0.5),
        (0.3, np.exp(0.3)),
    ]  # fmt: skip
    with mochac.compile(net, params=params) as program:
        found = program.predict(np.full((n, 1), 0.3, np.float32), [f"output{k}" for k in range(len(wanted))])
    for k, (y, (mean, deviation)) in enumerate(zip(found, wanted, strict=True)):
        assert abs(y.mean() - mean) < 5 * deviation / n**0.5, k
        assert abs(y.std() / deviation - 1) < 0.02, k
    assert set(np.unique(found[2])) == {2, 3, 4, 5, 6}
    assert found[0].min() >= 0
    assert found[0].max() <= 1


class Shuffled(nn.Module):
    def forward(self, x):
        order = torch.randperm(len(x))
        return x[order], 2 * x.index_select(0, order)


def test_a_random_permutation():
    """One for all its uses, which depends on the seed; for as many samples as the net has."""
    x = torch.arange(24.0).view(12, 2)
    net, params = mochac.from_torch(Shuffled(), x)
    orders = []
    for seed in range(4):
        with mochac.compile(net, params=params, seed=seed) as program:
            first, second = program.predict(x.numpy(), ["output0", "output1"])
            np.testing.assert_array_equal(2 * first, second)
            orders.append([int(row[0]) // 2 for row in first])
            with pytest.raises(UnsupportedError, match="only works with 12 samples at a time"):
                program.predict(x.numpy()[:5], "output0")
    assert all(sorted(order) == [*range(12)] for order in orders)
    assert len({*map(tuple, orders)}) == 4


def penalized(model, x):
    x = x.requires_grad_(True)
    return torch.autograd.grad(model(x).sum(), x, create_graph=True)[0].pow(2).sum()


def packed(model, x):
    return nn.utils.rnn.pack_padded_sequence(x, torch.tensor([3, 2]), batch_first=True).data.sum()


REFUSED = {
    "gradient penalty": (
        penalized, "the module computes a gradient in its forward(), as for a gradient penalty\n"
        "  hint: second derivatives are not supported: clipped weights do without",
    ),
    "packed": (
        packed, "packed sequences are not supported\n  hint: give the padded sequences, and take the last output of "
        "each with gather; or LSTMLayer(lengths=...)",
    ),
    "ctc": (
        lambda model, x: F.ctc_loss(x, torch.ones(2, 2), torch.tensor([3, 3]), torch.tensor([2, 2])),
        "F.ctc_loss is not supported\n  hint: return the scores, and give program.backward(diffs=...) the gradient of "
        "the loss: docs/guide/training.md",
    ),
    "several masks": (
        lambda model, x: (model(x)[x > 0] - x[x > 0.5]).mean(),
        "layer 'sub_2' (sub): its mask decides how many elements there are\n  expected  as many for all samples\n"
        "  hint: (loss_of_each * mask).sum() / mask.sum(), or ignore_index of a loss of classes",
    ),
    "means of rows": (
        lambda model, x: model(x)[x[:, 0, 0] > 0].mean(1).sum(),
        "layer 'mean' (mean): its mask decides how many elements there are\n  expected  as many for all samples\n"
        "  hint: (loss_of_each * mask).sum() / mask.sum(), or ignore_index of a loss of classes",
    ),
    "chosen elements as output": (
        lambda model, x: model(x)[x > 0],
        "layer 'index' (index): its mask decides how many elements there are\n  expected  as many for all samples\n"
        "  hint: (loss_of_each * mask).sum() / mask.sum(), or ignore_index of a loss of classes",
    ),
    "mixed before a layer": (
        lambda model, x: model(x - x.mean(0)).mean(),
        "layer 'mean' (mean): samples must not mix: it goes over the batch\n  expected  all axes, as a loss does, or "
        "others\n  hint: return a tensor of samples, with InfoNCELossLayer(bottoms=[...]) or a layer of your own "
        "behind it: docs/guide/losses.md, Losses across samples",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    loss, text = REFUSED[name]
    with pytest.raises(UnsupportedError) as caught:
        mochac.from_torch(Trained(nn.Linear(3, 3), loss), torch.randn(2, 3, 3))
    message, _, line = str(caught.value).rpartition("\n  at ")
    assert message == text
    assert line.split(":")[0].endswith(("test_training_scripts.py", "training_scripts.py"))
