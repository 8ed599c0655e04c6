"""Training scripts as people write them, each a module that returns its loss, with batches; small, and in float64.

`SCRIPTS` holds functions by name, which make (module, batches). What is special about each is in its loss: it
computes across samples, with parameters, with other losses, or with a teacher that has no gradient.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
distributions = torch.distributions

Script = tuple[Any, list[tuple[Any, ...]]]
SCRIPTS: dict[str, Callable[[], Script]] = {}


class Trained(nn.Module):
    """A model behind its loss, a function of both."""

    def __init__(self, model, loss):
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, *inputs):
        return self.loss(self.model, *inputs)


def script(*makers):
    """Register a function that makes (model, loss), with a function for each input of a batch."""

    def add(make):
        def made():
            torch.manual_seed(0)
            model, loss = make()
            return Trained(model, loss), [tuple(maker() for maker in makers) for _ in range(3)]

        SCRIPTS[make.__name__] = made
        return make

    return add


def reals(*shape):
    return lambda: torch.randn(*shape, dtype=torch.float64)


def labels(classes, *shape):
    return lambda: torch.randint(0, classes, shape)


def truths(*shape):
    return lambda: torch.randint(0, 2, shape).double()


def perceptron(*widths):
    layers = [part for n, m in itertools.pairwise(widths) for part in (nn.Linear(n, m), nn.Tanh())]
    return nn.Sequential(*layers[:-1])


# --- teachers -------------------------------------------------------------------------------------------------------


@script(reals(5, 6), labels(4, 5))
def distillation():
    def loss(models, x, y):
        with torch.no_grad():
            taught = models["teacher"](x)
        scores = models["student"](x)
        soft = F.kl_div(F.log_softmax(scores / 2, 1), F.softmax(taught / 2, 1), reduction="batchmean")
        return 0.9 * 4 * soft + 0.1 * F.cross_entropy(scores, y)

    return nn.ModuleDict({"student": perceptron(6, 4), "teacher": perceptron(6, 8, 4)}), loss


class Target(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3))

    @torch.no_grad()
    def forward(self, x):
        y = self.net(x)
        with torch.enable_grad():
            return y.max(1).values


@script(reals(5, 4), labels(3, 5, 1), reals(5), reals(5, 4))
def dqn():
    """Also its target's numbers go on, and a part that has a gradient again inside of one without."""

    def loss(models, state, action, reward, following):
        value = models["policy"](state).gather(1, action).squeeze(1)
        return F.smooth_l1_loss(value, reward + 0.9 * models["target"](following))

    return nn.ModuleDict({"policy": perceptron(4, 8, 3), "target": Target()}), loss


@script(reals(5, 4), labels(4, 5))
def data_of_a_tensor():
    """As old scripts detach."""

    def loss(model, x, y):
        scores = F.log_softmax(model(x), 1)
        target = scores.data.clone().fill_(0.1).scatter_(1, y.unsqueeze(1), 0.7)
        return F.kl_div(scores, target, reduction="sum") + (scores.data.exp() * scores).mean()

    return perceptron(4, 4), loss


# --- policies -------------------------------------------------------------------------------------------------------


@script(reals(7, 4), labels(2, 7), reals(7))
def reinforce():
    def loss(model, state, action, gain):
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        return -(distributions.Categorical(F.softmax(model(state), 1)).log_prob(action) * gain).sum()

    return perceptron(4, 8, 2), loss


class Gaussian(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.value = perceptron(4, 8, 2), perceptron(4, 8, 1)
        self.deviation = nn.Parameter(torch.zeros(1, 2))

    def forward(self, state, action):
        mean = self.mean(state)
        found = distributions.Normal(mean, self.deviation.expand_as(mean).exp())
        return found.log_prob(action).sum(1), found.entropy().sum(1), self.value(state).flatten()


@script(reals(7, 4), reals(7, 2), reals(7), reals(7), reals(7))
def ppo():
    def loss(model, state, action, before, gain, goal):
        chance, entropy, value = model(state, action)
        ratio, gain = (chance - before).exp(), (gain - gain.mean()) / (gain.std() + 1e-8)
        policy = torch.max(-gain * ratio, -gain * ratio.clamp(0.8, 1.2)).mean()
        return policy - 0.01 * entropy.mean() + 0.5 * F.mse_loss(value, goal)

    return Gaussian(), loss


@script(reals(7, 4), labels(3, 7), reals(7), reals(7))
def ppo_of_each():
    """The loss of each sample has a mean over the batch in it."""

    def loss(model, state, action, before, goal):
        scores = model(state)
        chosen = distributions.Categorical(F.softmax(scores[:, :3], 1))
        ratio = (chosen.log_prob(action) - before.detach()).exp()
        value = F.mse_loss(scores[:, 3], goal)
        return (-torch.min(ratio * goal, ratio.clamp(0.8, 1.2) * goal) + 0.5 * value - 0.01 * chosen.entropy()).mean()

    return perceptron(4, 8, 4), loss


# --- across samples -------------------------------------------------------------------------------------------------


@script(reals(5, 6), reals(5, 6))
def simclr():
    def loss(model, first, second):
        z = F.normalize(torch.cat([model(first), model(second)]), dim=1)
        near = (z @ z.T / 0.5).masked_fill(torch.eye(10, dtype=torch.bool), -1e9)
        return F.cross_entropy(near, (torch.arange(10) + 5) % 10)

    return perceptron(6, 8, 4), loss


class Clip(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text, self.scale = perceptron(6, 4), perceptron(7, 4), nn.Parameter(torch.tensor(1.0))

    def forward(self, image, text):
        image, text = (F.normalize(x, dim=-1) for x in (self.image(image), self.text(text)))
        return self.scale.exp() * image @ text.T


@script(reals(5, 6), reals(5, 7))
def clip():
    def loss(model, image, text):
        scores, own = model(image, text), torch.arange(5)
        return (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2

    return Clip(), loss


@script(reals(5, 6), reals(5, 6))
def vicreg():
    def loss(model, first, second):
        first, second = model(first), model(second)
        apart = [F.relu(1 - torch.sqrt(x.var(dim=0) + 1e-4)).mean() / 2 for x in (first, second)]
        both = (first - first.mean(dim=0)).T @ (second - second.mean(dim=0)) / 4
        mixed = both.pow(2).sum() - torch.diagonal(both).pow(2).sum()
        return 25 * F.mse_loss(first, second) + 25 * sum(apart) + mixed / 4

    return perceptron(6, 8, 4), loss


@script(reals(6, 5), labels(2, 6))
def hardest_triplets():
    def loss(model, x, y):
        z = model(x)
        far = (z.unsqueeze(1) - z.unsqueeze(0)).pow(2).sum(2)
        same = y.unsqueeze(1) == y.unsqueeze(0)
        return F.relu((far * same).amax(1) - torch.where(same, 1e6, far).amin(1) + 1).mean()

    return perceptron(5, 8, 4), loss


@script(reals(5, 6), labels(3, 5))
def balanced_experts():
    def loss(models, x, y):
        shares = F.softmax(models["gate"](x), 1)
        scores = (shares.unsqueeze(2) * models["experts"](x).view(-1, 4, 3)).sum(1)
        load = shares.sum(0)
        return F.cross_entropy(scores, y) + 0.1 * load.var() / load.mean() ** 2

    return nn.ModuleDict({"gate": nn.Linear(6, 4), "experts": nn.Linear(6, 12)}), loss


# --- with parameters and other losses -------------------------------------------------------------------------------


@script(reals(5, 1, 6, 6), truths(5, 1, 6, 6))
def dice():
    """Of the whole batch, beside that of each image."""

    def loss(model, x, y):
        p = torch.sigmoid(model(x))
        whole = 1 - (2 * (p * y).sum() + 1) / (p.sum() + y.sum() + 1)
        common, size = ((z * y).sum((1, 2, 3)) for z in (p, torch.ones_like(p)))
        return whole + 1 - ((2 * common + 1) / (p.sum((1, 2, 3)) + size + 1)).mean() + whole**0.75

    return nn.Conv2d(1, 1, 3, padding=1), loss


@script(labels(9, 7), labels(8, 7), reals(7))
def matrix_factorization():
    def loss(models, user, item, rating):
        both = (models["user"](user) * models["item"](item)).sum(1)
        size = models["user"].weight.norm() + sum(p.abs().sum() for p in models.parameters())
        return F.mse_loss(both, rating) + 0.01 * size

    return nn.ModuleDict({"user": nn.Embedding(9, 4, sparse=True), "item": nn.Embedding(8, 4)}), loss


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.spread = nn.Linear(6, 3), nn.Linear(6, 1), nn.Parameter(torch.zeros(2))

    def forward(self, x):
        return self.first(x), self.second(x)


@script(reals(5, 6), labels(3, 5), reals(5, 1))
def weighted_by_uncertainty():
    def loss(model, x, y, z):
        scores, value = model(x)
        both = torch.stack([F.cross_entropy(scores, y), F.mse_loss(value, z)])
        return (torch.exp(-model.spread) * both + model.spread).sum()

    return TwoTasks(), loss


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.scores, self.steps = nn.Embedding(9, 4), nn.Parameter(torch.randn(4, 4))


@script(labels(9, 5, 4), labels(4, 5, 4))
def crf():
    """A table at two places of each sample."""

    def loss(model, x, y):
        scores = model.scores(x)
        path, every = scores.gather(2, y.unsqueeze(2)).sum((1, 2)), scores[:, 0]
        for t in range(1, 4):
            path = path + model.steps[y[:, t - 1], y[:, t]] + model.steps[-1, y[:, t]]
            every = torch.logsumexp(every.unsqueeze(2) + model.steps + model.steps[-1] + scores[:, t : t + 1], 1)
        return (torch.logsumexp(every, 1) - path).mean()

    return Tagger(), loss


class Diffusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(5, 4)
        self.register_buffer("kept", torch.linspace(0.99, 0.1, 12, dtype=torch.float64))


@script(reals(5, 4), labels(12, 5), reals(5, 4))
def diffusion():
    def loss(model, x, step, noise):
        kept = model.kept.gather(-1, step).reshape(-1, 1)
        mixed = kept.sqrt() * x + (1 - kept).sqrt() * noise
        return F.mse_loss(model.net(torch.cat([mixed, step.unsqueeze(1).to(x.dtype) / 12], 1)), noise)

    return Diffusion(), loss


@script(reals(5, 3), reals(5))
def mixture_density():
    def loss(model, x, y):
        share, mean, spread = model(x).chunk(3, 1)
        parts = distributions.Normal(mean, F.softplus(spread))
        return -distributions.MixtureSameFamily(distributions.Categorical(logits=share), parts).log_prob(y).mean()

    return perceptron(3, 8, 12), loss


@script(labels(9, 5, 6), labels(9, 5, 6))
def masked_transformer():
    """nn.Transformer with a mask that it is not told to be causal, and padding."""

    def loss(model, x, y):
        mask, pad = nn.Transformer.generate_square_subsequent_mask(6, dtype=torch.float64), torch.log((x > 0).double())
        z = model["body"](model["table"](x) * math.sqrt(8), mask, pad.clamp(min=-1e9))
        return F.cross_entropy(model["table"].weight @ z.transpose(1, 2), y, ignore_index=0)

    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    body = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
    return nn.ModuleDict({"table": nn.Embedding(9, 8), "body": body}), loss


# --- masks ----------------------------------------------------------------------------------------------------------


@script(reals(5, 6), reals(5, 4))
def chosen_elements():
    """Means and sums where a mask is true."""

    def loss(model, x, y):
        each, scores = F.mse_loss(model(x), y, reduction="none"), model(x)
        some = (scores[y > 0] - y[y > 0]).abs().sum() / (y > 0).sum()
        rows = each[x[:, 0] > 0].mean()
        return each[y > 0].mean() - 0.5 * torch.masked_select(2 * each, y < 0.3).sum() / 20 + some + rows

    return perceptron(6, 4), loss


@script(reals(5, 6), labels(4, 5))
def chosen_samples():
    def loss(model, x, y):
        return F.cross_entropy(model(x), y, reduction="none")[y != 2].mean()

    return perceptron(6, 4), loss


@script(reals(5, 6), reals(5, 4))
def put_where_true():
    def loss(model, x, y):
        scores = model(x).clone()
        scores[y > 0] *= 2
        scores[y < -1] = y[y < -1]
        x = x.clone()
        x[x[:, 0] > 0] = 0.0
        x[x > 1] = 1.0
        return F.mse_loss(scores, y) + model(x).masked_fill(y > 0, 0.5).square().mean()

    return perceptron(6, 4), loss


LOSSES = F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss, nn.BCEWithLogitsLoss()


@script(reals(5, 6), truths(5, 4), reals(5, 4))
def losses_of_chosen_elements():
    """The mask is one tensor; the last loss is of samples."""

    def loss(model, x, y, z):
        scores, mask, rows = model(x), z > 0, x[:, 0] > -0.5
        parts = [function(scores[mask], y[mask]) for function in LOSSES]
        return sum(parts) + F.mse_loss(scores[mask], y[mask], reduction="sum") + nn.MSELoss()(scores[rows], y[rows])

    return perceptron(6, 4), loss


@script(reals(5, 7, 6), labels(4, 5, 7))
def masked_language_model():
    """Classes at some positions, of which some are ignored."""

    def loss(model, x, y):
        scores, mask = model(x), x[..., 0] > -0.5
        tokens = F.cross_entropy(scores[mask], y[mask], label_smoothing=0.1)
        return tokens + F.cross_entropy(scores[mask], y[mask], ignore_index=1)

    return perceptron(6, 4), loss


# --- samples that are mixed -------------------------------------------------------------------------------------------


def permutations(n):
    return lambda: torch.randperm(n)


@script(reals(5, 6), labels(4, 5), permutations(5))
def mixup():
    def loss(model, x, y, order):
        scores = model(0.7 * x + 0.3 * x[order])
        return 0.7 * F.cross_entropy(scores, y) + 0.3 * F.cross_entropy(scores, y[order])

    return perceptron(6, 8, 4), loss


@script(reals(4, 2, 6, 6), labels(3, 4), permutations(4))
def cutmix():
    def loss(model, x, y, order):
        box = torch.zeros(6, 6, dtype=torch.bool)
        box[1:4, 2:5] = True
        scores = model(torch.where(box, x.index_select(0, order), x))
        return F.cross_entropy(scores, 0.75 * F.one_hot(y, 3).double() + 0.25 * F.one_hot(y, 3).double()[order])

    return nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Linear(48, 3)), loss


@script(reals(5, 6), permutations(5))
def manifold_mixup():
    """Gradients reach both samples."""

    def loss(model, x, order):
        h = model[0](x)
        return model[1](0.6 * h + 0.4 * h[order]).square().mean()

    return nn.Sequential(perceptron(6, 8), perceptron(8, 4)), loss
