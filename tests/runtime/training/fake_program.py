"""A session in NumPy: one linear layer trained by SGD with momentum on a real Feed, noise keyed by rng_step."""

from contextlib import nullcontext
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from data_layers import FakeLayer

from mochac.base.support.memory import first_not_finite
from mochac.ir.plan import Share
from mochac.lowering.measures import Statistics
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver
from mochac.nets.solvers.update import Update
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.model_file import load_model
from mochac.runtime.data.order import generator
from mochac.runtime.data.source import Reading, open_source
from mochac.training.session.session import CallTurns


@dataclass(frozen=True)
class Momentum(Method):
    """A method whose scalars FakeProgram steps by; the learning rate is another one for every update."""

    lr: float = 0.05
    momentum: float = 0.9

    def hypers(self, t):
        return {"lr": self.lr / (1 + t), "momentum": self.momentum}

    def update(self, b, w, g, slots, hyper, lr_mult):
        raise NotImplementedError


class Other(Momentum):
    """A method of another name."""


def solver(method=Momentum(), breaks=(), save_into="", save_every_n_iter=1, file_exists="merge", **settings):
    """A solver with its coffee breaks, as BreakEntry, and what setup_coffee_lounge sets."""
    made = Solver(method, **settings)
    made.setup_coffee_lounge(save_into, save_every_n_iter, file_exists)
    made.breaks = list(breaks)
    return made


class FakeProgram:
    """A program, its session, and that session's plans, batches, results and plan of a step: all that a training uses,
    in one object."""

    name, seed, parts, convolutions, claimed, last_training = "fake-net", 3, 1, "auto", None, None
    keep, frozen, exchange, closed, scheduled, scalars = (), frozenset(), None, False, {}, {}
    update = Update(Momentum())
    options, backend = SimpleNamespace(precision="float32"), SimpleNamespace(env=SimpleNamespace(check=""))
    net = SimpleNamespace(losses=(SimpleNamespace(name="loss"),), collectors=(), batch=4)
    source = SimpleNamespace(periods={}, graph=SimpleNamespace(nodes=()))
    share, turns, writing = Share(), CallTurns("fake-net"), nullcontext()

    def __init__(self, n=20, batch_size=4, shuffle=True, weight=None, x=None):
        rng = np.random.default_rng(7)
        data = rng.normal(size=(n, 3)).astype(np.float32) if x is None else x
        label = (data @ np.array([1, -2, 3.0], np.float32))[:, None]
        layer = FakeLayer(data=(data, label), batch_size=batch_size, shuffle=shuffle)
        self.feed = self.position = Feed([open_source(layer, Reading(seed=3))])
        self.weight = np.full(3, 0.1, np.float32) if weight is None else weight
        self.history = np.zeros(3, np.float32)
        self.batch_size, self.rng_step = batch_size, 0
        self.calls, self.on_step, self.loads = [], lambda step: None, []
        self.renew, self.wait = self.feed.renew, self.feed.wait

    session = plans = batches = debug = results = property(lambda self: self)

    # a session

    def claim(self, training):
        self.claimed = training

    def release(self, what):
        """A training, or batches that advance() has released already."""
        if what is self.claimed:
            self.claimed = None

    def begin(self, update, *, resume=False):
        if not resume:
            self.history[:] = 0

    def parameters(self):
        return {"ip___weight": self.weight}

    def slots(self):
        return {"ip.weight.history": self.history}

    def overflowed(self):
        return first_not_finite({"parameter ip.weight": self.weight, "solver slot ip.weight.history": self.history})

    def load(self, path):
        self.loads.append(path)
        load_model(path, self.parameters())

    def require_open(self):
        """Nobody closes it."""

    require_still_open = require_open

    # its plans, batches and results

    def step(self, update, frozen, keep):
        return self

    def feeds(self, bound, n):
        return [self.feed.arrays(k) for k in range(n)]

    def return_borrowed(self, bound):
        """It has none."""

    def forget(self):
        """It keeps no batch of forward()."""

    def trained(self, bound, keep):
        """It keeps no blobs."""

    # the plan of a step

    def run(self, n, batches, scalars):
        return self.advance(n, scalars, batches)

    def run_one(self, batches, scalars):
        losses = self.advance(1, scalars, batches)
        return {name: float(values[0]) for name, values in losses.items()}

    def advance(self, n, hypers, batches):
        self.calls.append(n)
        hypers = {name: np.broadcast_to(value, n) for name, value in hypers.items()}
        losses = np.empty(n)
        for k, batch in enumerate(batches):
            noise = generator(0, "noise", self.rng_step).normal(size=3).astype(np.float32)
            error = batch["data"] @ self.weight - batch["label"][:, 0]
            gradient = batch["data"].T @ error / len(error) + np.float32(0.01) * noise
            self.history *= np.float32(hypers["momentum"][k])
            self.history -= np.float32(hypers["lr"][k]) * gradient
            self.weight += self.history
            losses[k] = np.mean(error**2)
            self.rng_step += 1
            self.on_step(self.rng_step)
        self.feed.release(n)
        return {"obj_val": losses, "loss": losses}

    # a program that is validated

    def statistic_names(self):
        return ["test-accuracy-accuracy"]

    def warn_of_unset(self, known):
        assert known

    def evaluation(self):
        found = Statistics()
        passed = self.feed.evaluation()
        while passed.wait(1):
            valid, batch = int(passed.n_valid(1)[0]), passed.arrays()
            error = batch["data"] @ self.weight - batch["label"][:, 0]
            found.add("test-accuracy", "accuracy", (np.abs(error[:valid]) < 1).sum(), valid)
            passed.release(1)
        passed.close()
        return found

    def state(self):
        return (self.weight.tolist(), self.history.tolist(), self.rng_step, self.position.cursor())

    def close(self):
        self.feed.close()
