"""Solver methods and learning-rate policies against PyTorch's, in float64.

Where PyTorch adds epsilon elsewhere than Mocha (Adam: to the corrected root; RMSProp: outside the root), it is so small
that this makes no difference.
"""

import numpy as np
import pytest

import mochac
from mochac import LRPolicy, Solver

torch = pytest.importorskip("torch")

import small_net  # noqa: E402
from small_net import batches, weights  # noqa: E402

STEPS, RATE, NONE = 20, 0.05, 1e-150
CASES = {
    "SGD": (mochac.SGD(RATE, momentum=0.9), lambda p: torch.optim.SGD(p, RATE, momentum=0.9)),
    "Nesterov": (mochac.Nesterov(RATE, momentum=0.9), lambda p: torch.optim.SGD(p, RATE, momentum=0.9, nesterov=True)),
    "Adam": (mochac.Adam(RATE, epsilon=NONE), lambda p: torch.optim.Adam(p, RATE, eps=NONE)),
    "AdamW": (mochac.AdamW(RATE, decay=0.2), lambda p: torch.optim.AdamW(p, RATE, weight_decay=0.2)),
    "RAdam": (mochac.RAdam(RATE), lambda p: torch.optim.RAdam(p, RATE)),
    "RAdam, short means": (
        mochac.RAdam(RATE, beta1=0.5, beta2=0.9, epsilon=1e-3),
        lambda p: torch.optim.RAdam(p, RATE, (0.5, 0.9), eps=1e-3),
    ),
    "NAdam": (mochac.NAdam(RATE, momentum_decay=0.2), lambda p: torch.optim.NAdam(p, RATE, momentum_decay=0.2)),
    "Adamax": (mochac.Adamax(RATE), lambda p: torch.optim.Adamax(p, RATE)),
    "Adadelta": (mochac.Adadelta(0.9, 1e-5), lambda p: torch.optim.Adadelta(p, 1.0, 0.9, 1e-5)),
    "Adagrad": (mochac.Adagrad(RATE), lambda p: torch.optim.Adagrad(p, RATE, eps=1e-8)),
    "RMSProp": (mochac.RMSProp(RATE, 0.9, NONE), lambda p: torch.optim.RMSprop(p, RATE, 0.9, NONE)),
}


@pytest.fixture(autouse=True)
def scalars_in_float64():
    """PyTorch has scalars of its optimizers, such as the product of NAdam's decays, in the default dtype."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def peer_of(start):
    """The parameters of small_net's net as tensors, and its loss on a batch."""
    p = {name: torch.tensor(array, requires_grad=True) for name, array in start.items()}

    def loss(x, label):
        h = torch.tanh(torch.tensor(x) @ p["h___weight"].T + p["h___bias"])
        y = h @ p["y___weight"].T + p["y___bias"]
        return torch.nn.functional.cross_entropy(y, torch.tensor(label))

    return p, loss


def groups(p, decay_all):
    """Each parameter with small_net's factor of the learning rate; biases do not decay."""
    factors = {"h___weight": 1.0, "h___bias": 2.0, "y___weight": 0.5, "y___bias": 0.0}
    for name, tensor in p.items():
        yield factors[name], {"params": [tensor], **({} if decay_all or tensor.ndim > 1 else {"weight_decay": 0.0})}


def steps_of_peer(optimizer_of, start, data, decay_all=False, clip_value=None):
    p, loss = peer_of(start)
    made = list(groups(p, decay_all))
    optimizer = optimizer_of([group for _, group in made])
    for (factor, _), group in zip(made, optimizer.param_groups, strict=True):
        group["lr"] *= factor
    for x, label in data:
        optimizer.zero_grad()
        loss(x, label).backward()
        if clip_value is not None:
            torch.nn.utils.clip_grad_value_(p.values(), clip_value)
        optimizer.step()
    return {name: tensor.detach().numpy() for name, tensor in p.items()}


def test_weight_decay_is_twice_regu_coef():
    """Of weights; biases have no regularizer by default."""
    usual = {"weight_regu": mochac.L2Regu(1.0), "bias_regu": mochac.NoRegu()}
    layers = [layer.replace(**usual) if layer.name in ("h", "y") else layer for layer in small_net.net().layers]
    with mochac.compile(mochac.Net("usual", layers), dtype="float64") as program:
        start = weights(program)
        program.train(Solver(mochac.SGD(RATE, momentum=0.9), max_iter=STEPS, regu_coef=0.1))
        found = weights(program)
    want = steps_of_peer(lambda p: torch.optim.SGD(p, RATE, momentum=0.9, weight_decay=0.2), start, batches(STEPS))
    for name, array in found.items():
        np.testing.assert_allclose(array, want[name], rtol=1e-10, atol=1e-12, err_msg=name)


def require_equal(method, optimizer_of, **more):
    with mochac.compile(small_net.net(), dtype="float64") as program:
        start = weights(program)
        program.train(Solver(method, max_iter=STEPS, regu_coef=0.0, **more))
        found = weights(program)
    want = steps_of_peer(optimizer_of, start, batches(STEPS), **more)
    for name, array in found.items():
        np.testing.assert_allclose(array, want[name], rtol=1e-10, atol=1e-12, err_msg=name)
    assert np.abs(found["h___weight"] - start["h___weight"]).max() > 1e-3


@pytest.mark.parametrize("name", CASES)
def test_twenty_updates(name):
    require_equal(*CASES[name])


def test_decay_of_all_parameters():
    require_equal(*CASES["AdamW"], decay_all=True)


def test_elements_clipped():
    require_equal(*CASES["SGD"], clip_value=0.01)


def test_every_method_has_a_peer():
    assert {name.split(",")[0] for name in CASES} == {name for name, _ in mochac.nets.solvers.METHODS.items()}


def rates(scheduler_of, n, base=0.3):
    optimizer = torch.optim.SGD([torch.zeros(1)], base)
    scheduler, found = scheduler_of(optimizer, torch.optim.lr_scheduler), []
    for _ in range(n):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


@pytest.mark.parametrize(
    ("policy", "scheduler_of", "n"),
    [
        (LRPolicy.Step(0.3, 0.5, 7), lambda o, s: s.StepLR(o, 7, 0.5), 40),
        (LRPolicy.Exp(0.3, 0.9), lambda o, s: s.ExponentialLR(o, 0.9), 40),
        (LRPolicy.Cosine(0.3, 30, 0.02), lambda o, s: s.CosineAnnealingLR(o, 30, 0.02), 31),
        (LRPolicy.Polynomial(0.3, 1.7, 30), lambda o, s: s.PolynomialLR(o, 30, 1.7), 40),
        (LRPolicy.WarmUp(10, 0.3), lambda o, s: s.LinearLR(o, 0.1, 1.0, 9), 40),
        (LRPolicy.OneCycle(0.9, 40), lambda o, s: s.OneCycleLR(o, 0.9, 40, cycle_momentum=False), 40),
        (
            LRPolicy.OneCycle(0.9, 41, rise=0.15, divisor=10.0, final_divisor=50.0),
            lambda o, s: s.OneCycleLR(
                o, 0.9, 41, pct_start=0.15, div_factor=10.0, final_div_factor=50.0, cycle_momentum=False
            ),
            41,
        ),
        (
            LRPolicy.WarmUp(5, LRPolicy.Cosine(0.3, 30)),
            lambda o, s: s.ChainedScheduler([s.LinearLR(o, 0.2, 1.0, 4), s.CosineAnnealingLR(o, 30)]),
            30,
        ),
    ],
)  # fmt: skip
def test_policies(policy, scheduler_of, n):
    assert [policy.value(t) for t in range(n)] == pytest.approx(rates(scheduler_of, n), rel=1e-11, abs=1e-14)
