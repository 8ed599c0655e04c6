"""A Trainable in NumPy: one linear layer trained by SGD with momentum on a real Feed, noise keyed by rng_step."""

from contextlib import nullcontext
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from data_layers import FakeLayer

from mochac.base.support.memory import first_not_finite
from mochac.lowering.measures import Statistics
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.model_file import load_model
from mochac.runtime.data.order import generator
from mochac.runtime.data.source import Reading, open_source


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
    name, seed, parts, convolutions, claimed, last_training = "fake-net", 3, 1, "auto", None, None
    precision = "float32"
    net = SimpleNamespace(losses=(SimpleNamespace(name="loss"),))
    stepping = writing = nullcontext()

    def __init__(self, n=20, batch_size=4, shuffle=True, weight=None, x=None):
        rng = np.random.default_rng(7)
        data = rng.normal(size=(n, 3)).astype(np.float32) if x is None else x
        label = (data @ np.array([1, -2, 3.0], np.float32))[:, None]
        layer = FakeLayer(data=(data, label), batch_size=batch_size, shuffle=shuffle)
        self.feed = Feed([open_source(layer, Reading(seed=3))])
        self.weight = np.full(3, 0.1, np.float32) if weight is None else weight
        self.history = np.zeros(3, np.float32)
        self.batch_size, self.rng_step = batch_size, 0
        self.calls, self.on_step, self.loads = [], lambda step: None, []

    @property
    def session(self):
        return self

    @property
    def scheduled(self):
        return {}

    def take_hypers(self, scalars):
        """It has no losses whose weights follow policies."""

    def claim(self, training):
        self.claimed = training

    def release(self, training):
        self.claimed = None

    def prepare(self, update, *, resume=False):
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

    def cursor(self):
        return self.feed.cursor()

    def set_cursor(self, cursor):
        self.feed.set_cursor(cursor)

    def epoch(self):
        return self.feed.epoch

    def knows_epochs(self):
        return self.feed.n_samples > 0

    def steps_to_epoch(self, epochs=1):
        return self.feed.steps_to_epoch(epochs)

    def renew(self):
        self.feed.renew()

    def ready(self, limit, wanted=lambda: True):
        return self.feed.wait(limit, wanted)

    def waited(self):
        return self.feed.waited()

    def advance(self, n, hypers, first):
        self.calls.append(n)
        hypers = {name: np.broadcast_to(value, n) for name, value in hypers.items()}
        losses = np.empty(n)
        for k in range(n):
            batch = self.feed.arrays(k)
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

    def advance_one(self, hypers, first):
        losses = self.advance(1, hypers, first)
        return {name: float(values[0]) for name, values in losses.items()}

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
        return (self.weight.tolist(), self.history.tolist(), self.rng_step, self.cursor())

    def close(self):
        self.feed.close()
