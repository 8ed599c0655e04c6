"""Modules that change their buffers in forward(): three steps give PyTorch's losses, parameters and buffers."""

import copy

import numpy as np
import pytest
from test_training_scripts import require_same_training, stepped, theirs
from training_scripts import reals

import mochac
from mochac import UnsupportedError

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
norms = nn.utils.parametrizations


class Projected(nn.Module):
    """A linear layer, and a buffer."""

    def __init__(self, *shape, width=3):
        super().__init__()
        self.fc = nn.Linear(4, width)
        self.register_buffer("kept", torch.zeros(shape))


class MovingMean(Projected):
    """Changed before it is read; the counter is read by nothing."""

    def __init__(self):
        super().__init__(3)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, x, y):
        h = self.fc(x)
        if self.training:
            with torch.no_grad():
                self.kept.mul_(0.9).add_(h.mean(0), alpha=0.1)
                self.calls += 1
        return F.mse_loss(h - self.kept, y)


class Center(Projected):
    """Read before it is changed, as in DINO."""

    def __init__(self):
        super().__init__(1, 3)

    def forward(self, x, y):
        h = self.fc(x).detach()
        target = F.softmax(h - self.kept, 1)
        self.kept.copy_(self.kept * 0.9 + h.mean(0, keepdim=True) * 0.1)
        return -(target * F.log_softmax(self.fc(y), 1)).sum(1).mean()


class Queue(Projected):
    """Keys of earlier batches, as in MoCo; the buffer is replaced by another tensor."""

    def __init__(self):
        super().__init__(15, 3)
        self.kept.copy_(F.normalize(torch.randn(15, 3), dim=1))

    def forward(self, x, y):
        query = F.normalize(self.fc(x), dim=1)
        with torch.no_grad():
            key = F.normalize(self.fc(y), dim=1)
        scores = torch.cat([(query * key).sum(1, keepdim=True), query @ self.kept.clone().detach().T], 1)
        self.kept = torch.cat([key, self.kept[: -len(key)]])
        return F.cross_entropy(scores / 0.2, torch.zeros(len(x), dtype=torch.long))


class Codes(nn.Module):
    """A codebook of moving averages, as in VQ-VAE."""

    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(4, 3), nn.Linear(3, 4)
        for name, start in (("codes", torch.randn(6, 3)), ("sizes", torch.ones(6)), ("sums", torch.randn(6, 3))):
            self.register_buffer(name, start)

    def forward(self, x):
        z = self.encoder(x)
        nearest = torch.cdist(z, self.codes).argmin(1)
        found = F.embedding(nearest, self.codes)
        with torch.no_grad():
            one_hot = F.one_hot(nearest, 6).to(z.dtype)
            self.sizes.mul_(0.9).add_(one_hot.sum(0), alpha=0.1)
            self.sums.mul_(0.9).add_(one_hot.T @ z, alpha=0.1)
            n = self.sizes.sum()
            self.codes.copy_(self.sums / ((self.sizes + 1e-5) / (n + 6e-5) * n).unsqueeze(1))
        straight = z + (found - z).detach()
        return F.mse_loss(self.decoder(straight), x) + 0.25 * F.mse_loss(z, found.detach())


class Observer(Projected):
    """Keeps the largest number, and counts in integers that a result depends on."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, x, y):
        h = self.fc(x)
        self.kept = torch.maximum(self.kept, h.detach().abs().max())
        self.calls += 1
        return F.mse_loss(h / (self.kept + 1) * (1 + self.calls.double() * 0.1), y)


class ScaledLoss(Projected):
    """A moving average of the loss itself."""

    def forward(self, x, y):
        loss = F.mse_loss(self.fc(x), y)
        self.kept.mul_(0.9).add_(0.1 * loss.detach())
        return loss / (1 + self.kept)


class LastBatch(Projected):
    """The buffer has as many rows as the batch."""

    def __init__(self):
        super().__init__(5, 3)

    def forward(self, x, y):
        h = self.fc(x)
        loss = F.mse_loss(h - self.kept, y)
        self.kept.copy_(h.detach())
        return loss


class BesideNorm(Projected):
    def __init__(self):
        super().__init__(3)
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x, y):
        h = self.norm(self.fc(x))
        self.kept.lerp_(h.detach().mean(0), 0.1)
        return F.mse_loss(h, y) + (h - self.kept).abs().mean()


class Teacher(nn.Module):
    """Its parameters without a gradient follow those of the student."""

    def __init__(self):
        super().__init__()
        self.student, self.teacher = nn.Linear(4, 3), nn.Linear(4, 3).requires_grad_(False)

    def forward(self, x, y):
        with torch.no_grad():
            for mean, now in zip(self.teacher.parameters(), self.student.parameters(), strict=True):
                mean.mul_(0.9).add_(now, alpha=0.1)
            taught = self.teacher(x)
        return F.mse_loss(self.student(y), taught)


class Squared(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.model = nn.Sequential(*layers)

    def forward(self, x, y):
        return F.mse_loss(self.model(x), y)


REAL = reals(5, 4), reals(5, 3)
SCRIPTS = {
    "moving mean": (MovingMean, REAL), "center": (Center, (reals(5, 4), reals(5, 4))),
    "queue": (Queue, (reals(5, 4), reals(5, 4))), "codes": (Codes, (reals(5, 4),)), "observer": (Observer, REAL),
    "scaled loss": (ScaledLoss, REAL), "last batch": (LastBatch, REAL), "beside a norm": (BesideNorm, REAL),
    "teacher": (Teacher, (reals(5, 4), reals(5, 4))),
    "spectral norm": (lambda: Squared(norms.spectral_norm(nn.Linear(4, 6)), nn.Tanh(), nn.Linear(6, 3)), REAL),
    "spectral norm of two iterations": (
        lambda: Squared(norms.spectral_norm(nn.Linear(4, 3), n_power_iterations=2)), REAL),
    "older spectral norm": (lambda: Squared(nn.utils.spectral_norm(nn.Linear(4, 3))), REAL),
    "spectral norm of a convolution": (
        lambda: Squared(norms.spectral_norm(nn.Conv2d(2, 3, 3)), nn.Tanh(), nn.Flatten(), nn.Linear(27, 3)),
        (reals(5, 2, 5, 5), reals(5, 3)),
    ),
    "weight norm": (lambda: Squared(norms.weight_norm(nn.Linear(4, 6)), nn.Tanh(), nn.Linear(6, 3)), REAL),
}  # fmt: skip


def made(name):
    make, inputs = SCRIPTS[name]
    torch.manual_seed(0)
    return make(), [tuple(draw() for draw in inputs) for _ in range(3)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name):
    require_same_training(*made(name))


def test_buffers_go_back_into_the_module():
    """Also into one that goes on in PyTorch; the count of calls that nothing reads stays as it is."""
    module, batches = made("moving mean")
    module, twin = module.double(), copy.deepcopy(module).double()
    net, params = mochac.from_torch(module, batches[0])
    optimizer = torch.optim.SGD(twin.parameters(), 0.1)
    with mochac.compile(net, params=params, dtype="float64") as program:
        stepped(program, mochac.solver_from_torch(optimizer), net, batches)
        theirs(twin, optimizer, batches)
        program.to_torch(module)
        losses = [m.eval()(*batches[0]).item() for m in (module, twin)]
    np.testing.assert_allclose(*losses, rtol=1e-11)
    np.testing.assert_allclose(module.kept, twin.kept, rtol=1e-11)
    assert module.calls == 0


class Clamped(Projected):
    def forward(self, x, y):
        with torch.no_grad():
            self.fc.weight.clamp_(-0.1, 0.1)
        return F.mse_loss(self.fc(x), y)


class ReadingNorm(BesideNorm):
    def forward(self, x, y):
        return F.mse_loss(self.norm(self.fc(x)) + self.norm.running_mean, y)


class NormalizedBefore(Projected):
    def __init__(self):
        super().__init__(4)

    def forward(self, x, y):
        with torch.no_grad():
            self.kept.lerp_(x.mean(0), 0.1)
        return F.mse_loss(self.fc(x - self.kept), y)


REFUSED = {
    "a trained parameter": (
        Clamped, "layer 'clamp' (clamp): forward() changes the parameter 'fc.weight', which is trained\n"
        "  hint: requires_grad_(False) if only forward() changes it; else change it between steps",
    ),
    "a statistic of a norm": (
        ReadingNorm, "layer 'add_1' (add): it reads the running statistic 'norm.running_mean' of a batch "
        "normalization, which changes in each step\n"
        "  hint: compute such a statistic as a buffer of the module's own, or take the module's eval()",
    ),
    "in front of a layer": (
        NormalizedBefore, "layer 'mean' (mean): samples must not mix: it goes over the batch\n"
        "  expected  all axes, as a loss does, or others\n"
        "  hint: return a tensor of samples, with InfoNCELossLayer(bottoms=[...]) or a layer of your own behind it: "
        "docs/guide/losses.md, Losses across samples",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    """Also what is computed under torch.no_grad() has its line."""
    make, text = REFUSED[name]
    with pytest.raises(UnsupportedError) as caught:
        mochac.from_torch(make(), (torch.randn(5, 4), torch.randn(5, 3)))
    message, _, line = str(caught.value).rpartition("\n  at ")
    assert message == text
    assert line.split(":")[0].endswith("test_buffers.py")
