"""from_torch: modules predict, train and come back as in PyTorch, in float64; errors are tested word for word."""

import copy
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from torch_language import MODULES

import mochac
from mochac import InputLayer, MemoryDataLayer, OptionError, SquareLossLayer, UnsupportedError
from mochac.formats.pytorch.converters import ATEN

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional

PREDICTED, STEPPED = 1e-10, 1e-9
ROUNDED = {"mlp_hardsigmoid": 1e-6}
"""Whose gradients PyTorch rounds to float32."""
OPTIMIZERS = {
    "SGD": lambda module: torch.optim.SGD(module.parameters(), 0.1, momentum=0.9, weight_decay=0.01),
    # a larger eps, since gradients that are 0 in exact arithmetic are rounding noise, which Adam would scale up
    "AdamW": lambda module: torch.optim.AdamW(module.parameters(), 0.01, eps=1e-3, weight_decay=0.1),
}


# --- helpers ----------------------------------------------------------------------------------------------------------


def made(name):
    """A module in float64 and training mode, and its inputs."""
    torch.manual_seed(0)
    module, inputs = MODULES[name]()
    return module.double().train(), tuple(doubled(x) for x in inputs)


def doubled(x):
    return x.double() if x.is_floating_point() else x


def tensors(outputs):
    return [x for x in torch.utils._pytree.tree_leaves(outputs) if isinstance(x, torch.Tensor)]


def names_of(outputs):
    return ["output"] if len(outputs) == 1 else [f"output{k}" for k in range(len(outputs))]


def inputs_of(net):
    return [layer.tops[0] for layer in net.layers if isinstance(layer, InputLayer)]


def predictions(program, net, inputs, outputs):
    """Arrays of the program in the order and shapes of the module's outputs."""
    found = program.predict(dict(zip(inputs_of(net), map(array, inputs), strict=True)), names_of(outputs))
    return [y.reshape(x.shape) for x, y in zip(outputs, found, strict=True)]


def array(x):
    return x.detach().numpy()


def trainable(net, inputs, outputs):
    """The net behind its inputs as data, with a square loss for each output that is no loss itself, and the targets."""
    rng, names = np.random.default_rng(1), [] if net.losses else names_of(outputs)
    targets = {f"target {name}": rng.standard_normal(net.blobs[name].shape) for name in names}
    given = {**dict(zip(inputs_of(net), map(array, inputs), strict=True)), **targets}
    batch = net.layers[0].shape[0]
    data = MemoryDataLayer(name="data", data=list(given.values()), tops=list(given), batch_size=batch)
    losses = [SquareLossLayer(name=f"loss {name}", bottoms=[name, f"target {name}"]) for name in names]
    return net.to_train(data, losses), [torch.tensor(t) for t in targets.values()]


def loss_of(outputs, targets):
    """The same losses by PyTorch."""
    if not targets:
        return sum(outputs)
    return sum(((x - t.reshape(x.shape)) ** 2).sum() / (2 * len(t)) for x, t in zip(outputs, targets, strict=True))


def stepped(module, optimizer, inputs, targets):
    """The module after a step."""
    loss_of(tensors(module(*inputs)), targets).backward()
    optimizer.step()
    return module


def require_same_state(program, module, start, tolerance=STEPPED):
    """Parameters and buffers have moved as far as the module's."""
    found = program.state_dict()
    shared = {}
    for name, tensor in module.state_dict(keep_vars=True).items():
        shared.setdefault(id(tensor), []).append(name)
    for (first, *others), tensor in ((names, module.state_dict()[names[0]]) for names in shared.values()):
        if not any(name in found for name in (first, *others)):
            assert first not in dict(module.named_parameters()) or not tensor.numel(), f"{first} is missing"
            continue
        name = next(name for name in (first, *others) if name in found)
        want, before = array(tensor), array(start[first])
        moved = np.abs(want - before).max(initial=0)
        error = np.abs(found[name].reshape(want.shape) - want).max(initial=0) / max(moved, 1e-3)
        assert error < tolerance, f"{name}: {error:.1e} of its step"


# --- every module -----------------------------------------------------------------------------------------------------


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("turn", "name"), [*enumerate(MODULES)])
def test_modules(turn, name):
    """A module predicts as in evaluation mode, makes a step of SGD or AdamW, and comes back."""
    make = [*OPTIMIZERS.values()][turn % 2]
    require_as_in_torch(*made(name), make, ROUNDED.get(name, STEPPED))


def require_as_in_torch(module, inputs, make_optimizer=None, tolerance=STEPPED, predicted=PREDICTED, threads=1):
    """Predictions and a step of an optimizer, if one is made, are PyTorch's."""
    start = copy.deepcopy(module.state_dict())
    net, params = mochac.from_torch(module, inputs)
    with torch.no_grad():
        outputs = tensors(copy.deepcopy(module)(*inputs))
    training, targets = trainable(net, inputs, outputs)
    with mochac.compile(training, params=params, dtype="float64", threads=threads) as program:
        if not net.losses:
            with torch.no_grad():
                expected = tensors(copy.deepcopy(module).eval()(*inputs))
            for want, found in zip(expected, predictions(program, net, inputs, outputs), strict=True):
                np.testing.assert_allclose(found, array(want), rtol=predicted, atol=predicted)
        if make_optimizer is not None:
            twin = copy.deepcopy(module)
            optimizer = make_optimizer(twin)
            program.train(mochac.solver_from_torch(optimizer, module=twin, max_iter=1), verbose=0)
            stepped(twin, optimizer, inputs, targets)
            require_same_state(program, twin, start, tolerance)
        back = program.to_torch(copy.deepcopy(module))
        require_same_state(program, back, start, 1e-15)


CLASSES = torch.tensor([0, 2, 1, 1])
WEIGHTS = torch.tensor([0.5, 2.0, 1.25])


def positive(*shape):
    return torch.rand(*shape) + 0.1


class OfProbabilities(nn.Module):
    """A criterion of probabilities, or of their logarithms."""

    def __init__(self, criterion, function):
        super().__init__()
        self.criterion, self.function = criterion, function

    def forward(self, x, target):
        return self.criterion(self.function(x), target)


class EachLoss(nn.Module):
    """The mean of the squares of a criterion that has no reduction."""

    def __init__(self, criterion):
        super().__init__()
        self.criterion = criterion

    def forward(self, x, target):
        return self.criterion(x, target).pow(2).mean()


CRITERIA = {
    "mse": (nn.MSELoss, lambda: torch.randn(4, 3)),
    "mae": (nn.L1Loss, lambda: torch.randn(4, 3)),
    "smooth": (lambda: nn.SmoothL1Loss(beta=0.5), lambda: torch.randn(4, 3)),
    "huber": (nn.HuberLoss, lambda: 3 * torch.randn(4, 3)),
    "bce_logits": (nn.BCEWithLogitsLoss, lambda: torch.rand(4, 3)),
    "bce_pos_weight": (lambda: nn.BCEWithLogitsLoss(pos_weight=3 * WEIGHTS), lambda: torch.rand(4, 3)),
    "bce_both_weights": (lambda: nn.BCEWithLogitsLoss(weight=WEIGHTS, pos_weight=2 * WEIGHTS, reduction="sum"),
                         lambda: torch.rand(4, 3)),
    "bce": (lambda: OfProbabilities(nn.BCELoss(), torch.sigmoid), lambda: torch.rand(4, 3)),
    "kl": (lambda: nn.KLDivLoss(reduction="batchmean"), lambda: positive(4, 3)),
    "margin": (nn.MultiMarginLoss, lambda: CLASSES),
    "multilabel": (nn.MultiLabelSoftMarginLoss, lambda: torch.rand(4, 3).round()),
    "poisson": (nn.PoissonNLLLoss, lambda: positive(4, 3)),
    "poisson_full": (lambda: nn.PoissonNLLLoss(full=True, reduction="sum"), lambda: 3 * positive(4, 3)),
    "poisson_of_rates": (
        lambda: OfProbabilities(nn.PoissonNLLLoss(log_input=False), torch.exp), lambda: positive(4, 3)
    ),
    "cross_entropy_each": (lambda: EachLoss(nn.CrossEntropyLoss(WEIGHTS, reduction="none", label_smoothing=0.2)),
                           lambda: CLASSES),
    "nll_of_any_scores": (nn.NLLLoss, lambda: CLASSES),
    "probabilities_each": (lambda: EachLoss(nn.CrossEntropyLoss(reduction="none")), lambda: torch.rand(4, 3)),
}  # fmt: skip
for _reduction in ("mean", "sum"):
    for _options in (
        {}, {"weight": WEIGHTS}, {"ignore_index": 1}, {"weight": WEIGHTS, "ignore_index": 1}, {"label_smoothing": 0.1},
        {"weight": WEIGHTS, "label_smoothing": 0.1}, {"weight": WEIGHTS, "label_smoothing": 0.3, "ignore_index": 1},
    ):  # fmt: skip
        _how = {**_options, "reduction": _reduction}
        _name = "-".join([_reduction, *_options])
        CRITERIA[f"cross_entropy-{_name}"] = (lambda how=_how: nn.CrossEntropyLoss(**how), lambda: CLASSES)
        if "ignore_index" not in _options:
            CRITERIA[f"probabilities-{_name}"] = (lambda how=_how: nn.CrossEntropyLoss(**how), lambda: torch.rand(4, 3))
        if "label_smoothing" not in _options:
            CRITERIA[f"nll-{_name}"] = (
                lambda how=_how: OfProbabilities(nn.NLLLoss(**how), lambda x: torch.log_softmax(x, 1)),
                lambda: CLASSES,
            )
for _criterion in (nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.HuberLoss, nn.BCEWithLogitsLoss, nn.KLDivLoss):
    CRITERIA[f"sum_of_{_criterion.__name__}"] = (
        lambda kind=_criterion: kind(reduction="sum"), lambda: positive(4, 3)
    )  # fmt: skip


class WithLoss(nn.Module):
    def __init__(self, body, criterion):
        super().__init__()
        self.body, self.criterion = body, criterion

    def forward(self, x, target):
        return self.criterion(self.body(x), target)


@pytest.mark.parametrize("name", CRITERIA)
def test_losses_of_pytorch(name):
    """A module that returns its loss trains without a loss layer."""
    torch.manual_seed(0)
    criterion, target = CRITERIA[name]
    module = WithLoss(nn.Linear(5, 3), criterion()).double()
    require_same_step(module, (torch.randn(4, 5).double(), doubled(target())))


def require_same_step(module, inputs, batch_axis=0):
    """One step of a module that returns losses; the net's loss is their sum."""
    start = copy.deepcopy(module.state_dict())
    net, params = mochac.from_torch(module, inputs, batch_axis=batch_axis)
    training, targets = trainable(net, inputs, [])
    assert not targets
    with mochac.compile(training, params=params, dtype="float64", threads=1) as program:
        loss = sum(tensors(copy.deepcopy(module)(*inputs))).item()
        np.testing.assert_allclose(program.forward(), loss, rtol=1e-12)
        optimizer = OPTIMIZERS["SGD"](module)
        program.train(mochac.solver_from_torch(optimizer, module=module, max_iter=1), verbose=0)
        stepped(module, optimizer, inputs, [])
        require_same_state(program, module, start)
    return net


def test_logarithms_of_a_softmax_of_far_scores_are_finite():
    """A logarithm of probabilities that are 0 would be minus infinity."""
    x = torch.tensor([[1000.0, 0, 3], [0, -900, 900]])
    net, params = mochac.from_torch(nn.LogSoftmax(1), x)
    with mochac.compile(net, params=params) as program:
        np.testing.assert_allclose(program.predict(x.numpy()), array(torch.log_softmax(x, 1)), rtol=1e-6)


# --- modes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layer", [nn.Dropout(0.5), nn.Dropout1d(0.5)], ids=str)
def test_dropout_is_on_in_training_alone(layer):
    """Half of the elements, or channels, of each sample are dropped in training, and none in prediction."""

    class Dropped(nn.Module):
        def __init__(self):
            super().__init__()
            self.drop = layer

        def forward(self, x):
            return self.drop(x)

    x = torch.ones(8, 64, 4, dtype=torch.float64)
    net, params = mochac.from_torch(Dropped().train(), x)
    training, _ = trainable(net, [x], [x])
    with mochac.compile(training, params=params, dtype="float64") as program:
        assert np.array_equal(program.predict(x.numpy(), "output"), x)
        program.forward()
        y = program.blobs["output"][...]
        dropped = y == y.min()
        assert 0.4 < dropped.mean() < 0.6
        if isinstance(layer, nn.Dropout1d):
            assert np.array_equal(dropped.all(2), dropped.any(2))


@pytest.mark.parametrize("layer", [nn.AlphaDropout(0.3), nn.FeatureAlphaDropout(0.3)], ids=str)
def test_alpha_dropout(layer):
    """What is kept and what is dropped get the numbers that PyTorch gives them."""
    torch.manual_seed(0)
    x = torch.rand(50, 16, 4, dtype=torch.float64)
    net, params = mochac.from_torch(nn.Sequential(nn.Flatten(2), layer).train(), x)
    training, _ = trainable(net, [x], [x])
    with mochac.compile(training, params=params, dtype="float64") as program:
        assert np.array_equal(program.predict(x.numpy(), "output"), x)
        program.forward()
        found, wanted = program.blobs["output"][...], array(layer(x))
    lowest, dropped = wanted.min(), found == found.min()
    kept = wanted != lowest
    assert 0.25 < dropped.mean() < 0.35
    np.testing.assert_allclose(found.min(), lowest, rtol=1e-12)
    slope, shift = np.polyfit(array(x)[kept], wanted[kept], 1)
    np.testing.assert_allclose(found[~dropped], slope * array(x)[~dropped] + shift, rtol=1e-8, atol=1e-8)
    if isinstance(layer, nn.FeatureAlphaDropout):
        assert np.array_equal(dropped.all(2), dropped.any(2))


def test_dropout_in_evaluation_mode_is_off():
    x = torch.ones(8, 64)
    net, _ = mochac.from_torch(nn.Sequential(nn.Linear(64, 3), nn.Dropout(0.5)).eval(), x)
    assert [layer.kind for layer in net.layers] == ["Input", "InnerProduct"]


def norms():
    torch.manual_seed(0)
    body = nn.Sequential(nn.Linear(5, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 4), nn.BatchNorm1d(4))
    for layer in (body[1], body[4]):
        layer.running_mean.uniform_(), layer.running_var.uniform_(0.5, 2.0)
    return WithLoss(body, nn.MSELoss()).double(), (torch.randn(6, 5).double(), torch.randn(6, 4).double())


def test_statistics_of_a_submodule_in_evaluation_mode_stay():
    """Each batch normalization has its own mode, as in fine-tuning with frozen statistics."""
    module, inputs = norms()
    module.body[1].eval()
    frozen = module.body[1].running_mean.clone()
    net = require_same_step(module, inputs)
    assert [layer.frozen_statistics for layer in net.layers if layer.kind == "BatchNorm"] == [True, False]
    assert torch.equal(module.body[1].running_mean, frozen)


def test_a_module_in_evaluation_mode_trains_in_evaluation_mode():
    module, inputs = norms()
    require_same_step(module.eval(), inputs)


def test_spectral_norm_in_evaluation_mode():
    """Its buffers stay, and its weight is trained through them."""
    torch.manual_seed(0)
    body = nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(5, 4)), nn.Tanh())
    module = WithLoss(body, nn.MSELoss()).double()
    module.body[0].parametrizations.eval()
    require_same_step(module, (torch.randn(6, 5).double(), torch.randn(6, 4).double()))


def test_frozen_parameters_stay():
    module, inputs = norms()
    module.body[0].requires_grad_(False)
    module.body[4].weight.requires_grad_(False)
    start = copy.deepcopy(module.state_dict())
    require_same_step(module, inputs)
    assert torch.equal(module.body[0].weight, start["body.0.weight"])


def test_what_shares_a_parameter_shares_it_in_the_net():
    net, params = mochac.from_torch(*made("gpt"))
    with mochac.compile(net, params=params, dtype="float64") as program:
        found = [name for name in program.state_dict() if name in ("wte.weight", "lm_head.weight")]
        assert found == ["wte.weight"]


# --- inputs and outputs -----------------------------------------------------------------------------------------------


class TimeFirst(nn.Module):
    """Takes (time, batch, features) and starting states (layers, batch, units), as recurrent layers do by default."""

    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(4, 6), nn.Linear(6, 2)

    def forward(self, x, h, c):
        return self.head(self.lstm(x, (h, c))[0])


def test_batch_axis_1():
    """Blobs have the batch first."""
    torch.manual_seed(0)
    module = TimeFirst().double()
    x, h, c = (torch.randn(n, 3, m).double() for n, m in ((5, 4), (1, 6), (1, 6)))
    net, params = mochac.from_torch(module, (x, h, c), batch_axis=1)
    assert [net.blobs[name].shape for name in ("x", "h", "c", "output")] == [(3, 5, 4), (3, 1, 6), (3, 1, 6), (3, 5, 2)]
    with mochac.compile(net, params=params, dtype="float64") as program:
        found = program.predict({"x": flipped(x), "h": flipped(h), "c": flipped(c)})
        np.testing.assert_allclose(found, flipped(module(x, h, c)), rtol=PREDICTED, atol=PREDICTED)


def flipped(x):
    return array(x.transpose(0, 1))


class OneImage(nn.Module):
    """Computes one sample, and mixes axis 0."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x):
        return torch.softmax(self.mix(x) - x.mean(0), -1)


def test_no_batch_axis():
    torch.manual_seed(0)
    module, x = OneImage().double(), torch.randn(5, 3, 4).double()
    net, params = mochac.from_torch(module, x[0], batch_axis=None, batch_size=5)
    assert net.blobs["output"].shape == (5, 3, 4)
    with mochac.compile(net, params=params, dtype="float64") as program:
        expected = torch.stack([module(one) for one in x])
        np.testing.assert_allclose(program.predict(x.numpy()), array(expected), rtol=PREDICTED, atol=PREDICTED)


class Gram(nn.Module):
    """Products of all rows of a sample with each other."""

    def __init__(self):
        super().__init__()
        self.map = nn.Linear(4, 4)

    def forward(self, x):
        return self.map(x) @ x.T


def test_products_within_a_sample():
    torch.manual_seed(0)
    module, x = Gram().double(), torch.randn(3, 5, 4).double()
    net, params = mochac.from_torch(module, x[0], batch_axis=None, batch_size=3)
    with mochac.compile(net, params=params, dtype="float64") as program:
        expected = torch.stack([module(one) for one in x])
        np.testing.assert_allclose(program.predict(x.numpy()), array(expected), rtol=PREDICTED, atol=PREDICTED)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.map, self.norm = nn.Linear(4, 3), nn.BatchNorm1d(3)
        self.register_buffer("scale", torch.rand(3))

    def forward(self, x):
        return self.norm(self.map(x)) * self.scale


def test_a_net_takes_the_weights_of_a_module_with_buffers():
    """Those that are constants of the net are left over; other names are not."""
    module, x = Scaled().double(), torch.randn(5, 4).double()
    net, params = mochac.from_torch(module, x)
    other = copy.deepcopy(module)
    with torch.no_grad():
        other.map.weight.uniform_(), other.norm.running_mean.uniform_()
    with mochac.compile(net, params=params, dtype="float64") as program:
        assert program.load(other).unused == ("scale",)
        expected = array(other.eval()(x))
        np.testing.assert_allclose(program.predict(x.numpy()), expected, rtol=PREDICTED, atol=PREDICTED)
        other.more = nn.Linear(1, 1)
        with pytest.raises(mochac.SnapshotError, match=r"unexpected   more\.weight"):
            program.load(other)


def test_batch_size():
    """Of a step; a prediction takes any number of samples."""
    module, (x,) = made("resnet")
    net, params = mochac.from_torch(module, x, batch_size=7)
    assert net.blobs["output"].shape == (7, 5)
    with mochac.compile(net, params=params, dtype="float64") as program:
        expected = module.eval()(x)
        np.testing.assert_allclose(program.predict(x.numpy()), array(expected), rtol=PREDICTED, atol=PREDICTED)


class Keywords(nn.Module):
    """Has optional inputs and returns a dictionary, one value of which is there twice."""

    def __init__(self):
        super().__init__()
        self.head, self.hidden = nn.Linear(4, 2), nn.Linear(4, 4)

    def forward(self, ids=None, *, features=None, scale=1.0):
        hidden = self.hidden(features)
        return {"scores": self.head(hidden) * scale, "hidden": hidden, "nothing": ids, "again": hidden}


def test_keywords_and_several_outputs():
    torch.manual_seed(0)
    module, x = Keywords().double(), torch.randn(3, 4).double()
    net, params = mochac.from_torch(module, {"features": x, "scale": 2.0})
    assert inputs_of(net) == ["features"]
    with mochac.compile(net, params=params, dtype="float64") as program:
        found = program.predict({"features": x.numpy()}, ["output0", "output1", "output2"])
        for want, got in zip(tensors(module(features=x, scale=2.0)), found, strict=True):
            np.testing.assert_allclose(got, array(want), rtol=PREDICTED, atol=PREDICTED)


class TwoLosses(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 3)

    def forward(self, x, target):
        scores = self.body(x)
        return F.cross_entropy(scores, target), 0.1 * scores.pow(2).mean()


def test_several_losses():
    """All that a module returns as scalars are losses."""
    torch.manual_seed(0)
    net = require_same_step(TwoLosses().double(), (torch.randn(4, 5).double(), torch.tensor([0, 2, 1, 1])))
    assert len(net.losses) == 2


FUNCTIONS_OF_LOSSES = {
    "difference": lambda y: y.pow(2).mean() - 0.1 * y.abs().mean(),
    "negative": lambda y: -y.mean(),
    "negative_cross_entropy": lambda y: -F.cross_entropy(y, torch.argmax(y, 1)),
    "root": lambda y: torch.sqrt(F.mse_loss(y, 3 * y.detach())),
    "exponential": lambda y: y.pow(2).mean().exp(),
    "product": lambda y: y.pow(2).mean() * y.abs().mean(),
    "quotient": lambda y: y.pow(2).mean() / (1 + y.abs().sum()),
    "reciprocal": lambda y: 1 / y.pow(2).mean(),
    "with_its_root": lambda y: (lambda loss: loss + loss.sqrt() / 2)(y.pow(2).mean()),
    "twice": lambda y: (lambda loss: 2 * loss + loss)(y.pow(2).mean()),
    "two_outputs": lambda y: (lambda loss: (loss, loss.sqrt()))(y.pow(2).mean()),
    "one_output_twice": lambda y: (lambda loss: (loss, loss))(y.pow(2).mean()),
    "stacked": lambda y: torch.stack([y.mean(), y.pow(2).mean()]).sum(),
    "mean_of_a_mean": lambda y: y.pow(2).mean().mean().squeeze(),
    "weighted_and_another": lambda y: (
        F.cross_entropy(y, torch.argmax(y, 1), weight=WEIGHTS.to(y.dtype)) * 0.5 + y.pow(2).mean()
    ),
}


class LossByHand(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.body, self.function = nn.Linear(5, 3), function

    def forward(self, x):
        return self.function(self.body(x))


@pytest.mark.parametrize("name", FUNCTIONS_OF_LOSSES)
def test_functions_of_losses(name):
    torch.manual_seed(0)
    require_same_step(LossByHand(FUNCTIONS_OF_LOSSES[name]).double(), (torch.randn(4, 5).double(),))


class LossAndScores(TwoLosses):
    def forward(self, x, target):
        scores = self.body(x)
        return F.cross_entropy(scores, target), scores


def test_a_loss_beside_a_prediction():
    torch.manual_seed(0)
    module, x = LossAndScores().double(), torch.randn(4, 5).double()
    net, params = mochac.from_torch(module, (x, torch.tensor([0, 2, 1, 1])))
    with mochac.compile(net, params=params, dtype="float64") as program:
        found = program.predict({"x": x.numpy()}, "output1")
        np.testing.assert_allclose(found, array(module.body(x)), rtol=PREDICTED, atol=PREDICTED)


class Named(nn.Module):
    """Submodules and an input have names of operations, and of each other."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))
        self.linear, self.add, self.output = nn.Linear(4, 3), nn.Linear(3, 3), nn.Linear(3, 2)

    def forward(self, add):
        x = self.linear(F.linear(add, self.w) + 1)
        return self.output(self.add(x + x))


def test_parameters_keep_their_names():
    torch.manual_seed(0)
    module, x = Named().double(), torch.randn(3, 4).double()
    net, params = mochac.from_torch(module, x)
    with mochac.compile(net, params=params, dtype="float64") as program:
        assert {*program.state_dict()} == {*module.state_dict()}
        np.testing.assert_allclose(program.predict(x.numpy()), array(module(x)), rtol=PREDICTED, atol=PREDICTED)
        program.to_torch(module)


# --- random numbers ---------------------------------------------------------------------------------------------------


class Variational(nn.Module):
    """An autoencoder with noise between its halves."""

    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(6, 6), nn.Linear(3, 6)

    def forward(self, x):
        mean, log = self.encoder(x).chunk(2, 1)
        noise = torch.randn_like(mean)
        code = mean + torch.exp(log / 2) * noise
        return self.decoder(code), mean, log, noise, code, torch.randn(x.shape[0], 2, device=x.device)


def test_normal_random_numbers():
    """They are others for each sample, element and operation."""
    net, params = mochac.from_torch(Variational(), torch.zeros(8, 6))
    x = np.random.default_rng(0).standard_normal((800, 6)).astype(np.float32)
    with mochac.compile(net, params=params) as program:
        _, mean, log, noise, code, more = program.predict(x, [f"output{k}" for k in range(6)])
    np.testing.assert_allclose(code, mean + np.exp(log / 2) * noise, rtol=1e-4, atol=1e-5)
    every = np.concatenate([noise, more], axis=1)
    assert np.abs(np.corrcoef(every.T) - np.eye(5)).max() < 0.12
    assert abs(every.mean()) < 0.05
    assert abs(every.std() - 1) < 0.05
    assert len(np.unique(every)) > 3990


class WithEvidence(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Variational()

    def forward(self, x):
        found, mean, log, *_ = self.model(x)
        return (found - x).pow(2).mean() - 0.05 * (1 + log - mean.pow(2) - log.exp()).mean()


def test_a_variational_autoencoder_trains():
    net, params = mochac.from_torch(WithEvidence(), torch.zeros(8, 6))
    x = np.random.default_rng(0).standard_normal((400, 6)).astype(np.float32)
    data = MemoryDataLayer(data=[x], tops=["x"], batch_size=40)
    with mochac.compile(net.to_train(data), params=params) as program:
        before = program.evaluate()
        program.train(mochac.Adam(0.01), max_epoch=20, verbose=0)
        after = program.evaluate()
    assert after["mean.meanloss"] < 0.8 * before["mean.meanloss"]


# --- what is refused --------------------------------------------------------------------------------------------------


def message_of(kind, module, inputs, **how):
    with pytest.raises(kind) as caught:
        mochac.from_torch(module, inputs, **how)
    return str(caught.value)


def line_of(text):
    """File and line of this file in which a text stands first."""
    lines = Path(__file__).read_text().splitlines()
    return f"{__file__}:{next(k for k, line in enumerate(lines, 1) if text in line)}"


X34 = torch.zeros(3, 4)


class Unknown(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Linear(4, 5)

    def forward(self, x):
        x, _ = torch.cummax(self.scale(x), 1)
        return torch.fft.rfft(x).abs() + torch.cummax(x, 1)[0][:, :3]


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Unknown()

    def forward(self, x):
        return self.inner(x)


def test_operations_without_layers_are_listed():
    """All at once, with the path of the module and the line of the user's code."""
    largest, transform = line_of("torch.cummax(self.scale(x), 1)"), line_of("torch.fft.rfft(x)")
    assert message_of(UnsupportedError, Outer(), torch.randn(3, 4)) == (
        "Outer: no layers for 2 operations\n"
        f"  cummax: inner.cummax at {largest}, inner.cummax_1 at {transform}\n"
        f"  fft_rfft: inner.fft_rfft at {transform}\n"
        "  hint: compute them outside of the module, or write a layer of your own"
    )


class Reversed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


class Saving(torch.autograd.Function):
    """x * sigmoid(x), which keeps x alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        share = x.sigmoid()
        return grad * share * (1 + x * (1 - share))


class Applied(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function, self.linear = function, nn.Linear(4, 3)

    def forward(self, x):
        return self.function.apply(self.linear(x))


def test_a_gradient_that_is_no_derivative_is_refused():
    """torch.export loses it; one that is the derivative is found, however it is written."""
    mochac.from_torch(Applied(Saving), torch.randn(3, 4))
    assert message_of(UnsupportedError, Applied(Reversed), torch.randn(3, 4)) == (
        "Applied has an autograd.Function whose gradient is not the derivative of what it computes\n"
        "  got  Reversed\n"
        "  hint: mochac.custom_gradient in a layer of your own: docs/guide/own-layers.md"
    )


class Centred(nn.Module):
    def forward(self, x):
        return x - x.mean(0)


def test_samples_must_not_mix():
    assert message_of(UnsupportedError, Centred(), torch.randn(3, 4)) == (
        "layer 'mean' (mean): samples must not mix: it goes over the batch\n"
        "  expected  all axes, as a loss does, or others\n"
        f"  hint: {ACROSS}\n"
        f"  at {line_of('return x - x.mean(0)')}"
    )
    assert f"along different axes\n  hint: {ACROSS}" in message_of(UnsupportedError, AllPairs(), torch.randn(3, 4))


ACROSS = (
    "return a tensor of samples, with InfoNCELossLayer(bottoms=[...]) or a layer of your own behind it: "
    "docs/guide/losses.md, Losses across samples"
)


class AllPairs(nn.Module):
    """Compares all samples."""

    def forward(self, x):
        return x @ x.T


class Towers(nn.Module):
    """An encoder each of images and texts."""

    def __init__(self):
        super().__init__()
        self.image, self.text = nn.Linear(5, 4), nn.Linear(6, 4)

    def forward(self, image, text):
        return self.image(image), self.text(text)


def test_losses_across_samples_behind_a_module():
    torch.manual_seed(0)
    module = Towers().double()
    image, text = torch.randn(12, 5).double(), torch.randn(12, 6).double()
    net, params = mochac.from_torch(module, (image, text))
    data = mochac.MemoryDataLayer(data=[image.numpy(), text.numpy()], tops=["image", "text"], batch_size=12)
    loss = mochac.InfoNCELossLayer(name="loss", temperature=0.2, symmetric=True, bottoms=["output0", "output1"])
    program = mochac.compile(net.to_train(data, loss), params=params, dtype="float64")
    optimizer = torch.optim.SGD(module.parameters(), 0.1, momentum=0.9)
    program.train(mochac.solver_from_torch(optimizer, max_iter=8))
    for _ in range(8):
        optimizer.zero_grad()
        a, b = (nn.functional.normalize(x, dim=1) for x in module(image, text))
        scores, partners = a @ b.T / 0.2, torch.arange(12)
        (nn.functional.cross_entropy(scores, partners) + nn.functional.cross_entropy(scores.T, partners)).div(
            2
        ).backward()
        optimizer.step()
    for name, value in module.state_dict().items():
        np.testing.assert_allclose(program.state_dict()[name], value.numpy(), atol=1e-13)


class UnevenBags(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(7, 4)

    def forward(self, ids):
        return self.bag(ids.flatten(), torch.tensor([0, 4, 9]))


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(1, 4))

    def forward(self, x):
        return x * self.table.expand(2, 4).sum(0)


class Averaging(nn.Module):
    """Keeps an average of its weight."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("average", torch.zeros(4, 4))

    def forward(self, x):
        self.average.lerp_(self.linear.weight.detach(), 0.1)
        return self.linear(x)


class Noisy(nn.Module):
    def forward(self, x):
        return x + torch.relu(torch.empty_like(x).bernoulli_(0.5))


class Uniform(nn.Module):
    def forward(self, x):
        return x + torch.rand_like(x)


class Shared(nn.Module):
    def forward(self, x):
        return x + torch.randn(4)


class LossOfEach(nn.Module):
    def forward(self, x):
        return x * x.mean()


@pytest.mark.parametrize(
    ("module", "operation", "line", "text"),
    [
        (Noisy(), "relu", "x + torch.relu(",
         "a random mask is computed with\n  expected  a product with a tensor of samples, as in dropout"),
        (LossOfEach(), "mean", "return x * x.mean()",
         "samples must not mix: it goes over the batch\n  hint: return a tensor of samples, with "
         "InfoNCELossLayer(bottoms=[...]) or a layer of your own behind it: docs/guide/losses.md, Losses across "
         "samples"),
        (Shared(), "randn", "return x + torch.randn(4)",
         "its random numbers are the same for all samples\n  expected  (3, ...),  got  (4,)"),
    ],
    ids=["mask", "samples", "shared"],
)  # fmt: skip
def test_random_numbers_and_losses_that_are_computed_with(module, operation, line, text):
    assert message_of(UnsupportedError, module, X34) == (
        f"layer '{operation}' ({operation}): {text}\n  at {line_of(line)}"
    )


def test_uniform_numbers_are_drawn_for_each_sample():
    net, params = mochac.from_torch(Uniform(), X34)
    with mochac.compile(net, mode="test", params=params) as program:
        drawn = program.predict(np.zeros((3, 4), np.float32))
    assert ((drawn >= 0) & (drawn < 1)).all()
    assert len(np.unique(drawn)) == drawn.size


def test_running_statistics_of_parameters():
    text = "its input does not depend on the samples, and it has running statistics"
    assert f": {text}\n" in message_of(UnsupportedError, OfConstants(), X34)


class FirstCall(nn.Module):
    """Computes a buffer when it is first called, as caches of positions do."""

    def __init__(self):
        super().__init__()
        self.register_buffer("places", None, persistent=False)

    def forward(self, x):
        if self.places is None:
            self.register_buffer("places", torch.arange(x.shape[1], device=x.device).to(x), persistent=False)
        return 2 * x + self.places


def test_buffers_of_a_first_call():
    module = FirstCall()
    assert message_of(UnsupportedError, module, X34) == (
        "FirstCall keeps buffers that it computes in its first call\n  got  places\n  hint: call the module once before"
    )
    assert module.places is None
    module(X34)
    net, params = mochac.from_torch(module, X34)
    with mochac.compile(net, params=params) as program:
        np.testing.assert_array_equal(program.predict(np.ones((2, 4), np.float32)), [[2, 3, 4, 5]] * 2)


class InPlace(nn.Module):
    def forward(self, x):
        x += 1
        return x


class Branch(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


class OfConstants(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.table = nn.BatchNorm1d(4), nn.Parameter(torch.randn(2, 4))

    def forward(self, x):
        return x + self.norm(self.table).sum(0)


class Alone(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        return x, self.w


TENSORS = "a tensor, a tuple of arguments, or a dictionary of keyword arguments"
REFUSED = {
    "not a module": (OptionError, 3, X34, {}, "from_torch: not a module\n  expected  a torch.nn.Module,  got  int"),
    "inputs": (
        OptionError, nn.ReLU(), np.zeros((3, 4)), {},
        f"from_torch: example_inputs is out of range\n  expected  {TENSORS},  got  ndarray",
    ),
    "no tensor": (OptionError, nn.ReLU(), (), {}, "from_torch: example_inputs has no tensor"),
    "samples": (
        OptionError, nn.Bilinear(4, 4, 3), (X34, torch.zeros(2, 4)), {},
        "from_torch: inputs differ in samples along axis 0\n  got  (3, 4), (2, 4)",
    ),
    "no axes": (
        OptionError, nn.ReLU(), torch.tensor(1.0), {},
        "from_torch: an input has no axes, so no batch\n  hint: batch_axis=None if it is one sample",
    ),
    "meta": (
        OptionError, nn.Linear(4, 3, device="meta"), X34.to("meta"), {},
        "from_torch: weight is on the device 'meta'\n  hint: load the module's weights first",
    ),
    "axis": (
        OptionError, nn.ReLU(), X34, {"batch_axis": -1},
        "from_torch: batch_axis is out of range\n  expected  an integer >= 0, or None,  got  -1",
    ),
    "size": (
        OptionError, nn.ReLU(), X34, {"batch_size": 0},
        "from_torch: batch_size is out of range\n  expected  an integer >= 1, or None,  got  0",
    ),
    "complex": (
        UnsupportedError, nn.ReLU(), X34.to(torch.complex64), {},
        "ReLU: input 'input' has complex numbers\n  got  torch.complex64",
    ),
    "input in place": (
        UnsupportedError, InPlace(), X34, {}, "InPlace changes its inputs in place\n  got  x\n  hint: clone them"
    ),
    "bags of different lengths": (
        UnsupportedError, UnevenBags(), torch.zeros(3, 4, dtype=torch.long),
        {}, "layer 'bag.embedding_bag' (embedding_bag): its bags have different lengths, or do not lie within samples\n"
        "  hint: bags of one length, (batch, length), with padding_idx\n"
        f"  at {line_of('return self.bag(ids.flatten(), torch.tensor([0, 4, 9]))')}",
    ),
    "no samples": (UnsupportedError, Alone(), X34, {}, "Alone: output1 does not depend on the samples of the inputs"),
    "merged": (
        UnsupportedError, nn.Flatten(0, 1), torch.zeros(3, 4, 2), {},
        "Flatten: output has an axis that is the batch and another one\n  got  (12, 2)\n"
        "  hint: reshape it to (batch, ...)",
    ),
    "a table as long as the batch": (
        UnsupportedError, Table(), torch.zeros(2, 4), {},
        "layer 'sum_1' (sum): samples must not mix: it goes over the batch\n"
        "  expected  all axes, as a loss does, or others\n"
        "  hint: return a tensor of samples, with InfoNCELossLayer(bottoms=[...]) or a layer of your own behind it: "
        f"docs/guide/losses.md, Losses across samples\n  at {line_of('return x * self.table.expand(2, 4).sum(0)')}\n"
        "  hint: batch_size=13 is imported: 2 is the number of samples and another extent of the module",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("module", "x"),
    [(nn.BatchNorm1d(4), X34), (nn.PReLU(4), X34), (nn.LSTM(4, 3, batch_first=True), torch.zeros(3, 2, 4))], ids=str,
)  # fmt: skip
@pytest.mark.parametrize("file", ["model.h5", "model.npz", "model.safetensors"])
def test_a_module_on_its_own_has_its_own_names(module, x, file, tmp_path):
    """Also in files; its layer is called "."."""
    net, params = mochac.from_torch(module, x)
    with mochac.compile(net, params=params) as program, mochac.compile(net, seed=3) as other:
        assert {*program.state_dict()} == {*module.state_dict()} - {"num_batches_tracked"}
        program.save(tmp_path / file)
        other.load(tmp_path / file)
        for name, array in other.state_dict().items():
            np.testing.assert_array_equal(array, module.state_dict()[name])


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    kind, module, inputs, how, text = REFUSED[name]
    assert message_of(kind, module, inputs, **how) == text


@pytest.mark.parametrize(
    ("module", "begin"),
    [
        (Branch(), "torch.export cannot take Branch\n  got  GuardOnDataDependentSymNode: Could not guard on "),
        (nn.Linear(5, 3), "torch.export cannot take Linear\n  got  RuntimeError: a and b must have same reduction dim"),
        (nn.LazyLinear(3), "torch.export cannot take LazyLinear\n  got  ValueError: Attempted to use an uninitialized"),
    ],
    ids=["branch", "shape", "lazy"],
)
def test_failures_of_torch_export(module, begin):
    """In PyTorch's words."""
    text = message_of(UnsupportedError, module, X34)
    assert text.startswith(begin)
    line = f"\n  at {line_of('if x.sum() > 0')}" if isinstance(module, Branch) else ""
    assert text.endswith(f"\n  hint: torch.export.export(module, example_inputs, strict=False) says more{line}")


def test_failures_of_torch_export_are_said_once(capfd):
    """Nothing but the error: no graph on stderr, and no log."""
    message_of(UnsupportedError, Branch(), X34)
    assert capfd.readouterr() == ("", "")


def test_an_average_of_a_weight_without_a_reader():
    torch.manual_seed(0)
    module = WithLoss(Averaging(), nn.MSELoss()).double()
    require_same_step(module, (torch.randn(6, 4).double(), torch.randn(6, 4).double()))
    assert module.body.average.abs().max() > 0


def test_a_module_is_no_net():
    with pytest.raises(OptionError) as caught:
        mochac.compile(nn.Linear(4, 3))
    assert str(caught.value) == (
        "compile() takes a Net\n  expected  mochac.Net(name, layers),  got  Linear\n"
        "  hint: mochac.from_torch(module, example_inputs) makes a net of a module"
    )


def test_every_converter_is_of_an_operation_and_its_arguments():
    known: dict[object, set[str]] = {}
    for name in ATEN:
        packet = getattr(torch.ops.aten, name)
        schemas = [getattr(packet, overload)._schema for overload in packet.overloads()]
        arguments = {"x" if a.name in ("self", "input") else a.name for schema in schemas for a in schema.arguments}
        known.setdefault(ATEN[name], set()).update(arguments)
    for converter, arguments in known.items():
        parameters = inspect.signature(converter).parameters.values()
        assert {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} - {"b", "node"} <= arguments, converter


def test_without_pytorch():
    code = """
import sys
sys.modules["torch"] = None
import mochac
try:
    mochac.from_torch(None, None)
except mochac.OptionError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "PyTorch is not installed\n  hint: pip install torch\n"
