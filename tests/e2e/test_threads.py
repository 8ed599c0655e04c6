"""Threads that call programs at the same time: every result is one that a call alone has.

A training of a few steps is repeated from the same parameters, so the results that predict() and evaluate() may have
beside it are known: those after each number of steps.
"""

import sys
import threading
from collections import Counter

import numpy as np
import pytest
from patience import HANG_S

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    PoolingLayer,
    SoftmaxLossLayer,
    Solver,
)

STEPS, BATCH, SAMPLES, THREADS = 12, 16, 64, 4
RNG = np.random.default_rng(0)
X = RNG.normal(size=(SAMPLES, 1, 10, 10)).astype(np.float32)
Y = (X[:, 0, 0, 0] * X[:, 0, 5, 5] > 0).astype(int)
SIZES = (1, 3, 8, BATCH, 40)


@pytest.fixture(autouse=True)
def _often():
    """Threads take turns at Python's lock as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def net(batch=BATCH, name="net"):
    return Net(
        name,
        [
            MemoryDataLayer(data=[X, Y], batch_size=batch),
            ConvolutionLayer(name="conv", n_filter=4, kernel=(3, 3), bottoms=["data"], tops=["conv"]),
            PoolingLayer(name="pool", kernel=(2, 2), stride=(2, 2), bottoms=["conv"], tops=["pool"]),
            InnerProductLayer(name="ip", output_dim=20, neuron=Neurons.Tanh(), bottoms=["pool"]),
            InnerProductLayer(name="out", output_dim=2, bottoms=["ip"]),
            SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
            AccuracyLayer(name="accuracy", bottoms=["out", "label"]),
        ],
    )


def solver(steps=STEPS):
    made = Solver(SGD(0.05, momentum=0.9), max_iter=steps)
    made.progress = False
    return made


def at_once(work, threads=THREADS):
    """Run work(k) in threads; returns the errors."""
    errors = []

    def run(k):
        try:
            work(k)
        except BaseException as error:
            errors.append(error)

    started = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join(HANG_S)
    assert not any(thread.is_alive() for thread in started), "a thread hangs"
    return errors


class Trial:
    """Threads that call three programs: one that is trained, one that shares its parameters, and another one.

    Attributes:
        calls: how often each call was made; `wrong`: how often its result was none of the possible ones.
    """

    def __init__(self, threads):
        self.first = mochac.compile(net(), threads=threads)
        self.twin = mochac.compile(net(8, "twin"), params=self.first.params, threads=threads)
        self.other = mochac.compile(net(name="other"), dtype="float64", seed=5, threads=threads)
        self.programs = {"first": self.first, "twin": self.twin, "other": self.other}
        self.begin = self.first.state_dict()
        self.calls, self.wrong, self.training = Counter(), Counter(), threading.Lock()
        self.right = {}
        stepper = solver()
        stepper.init_solve(self.first)
        self.note()
        for _ in range(STEPS):
            stepper.step()
            self.note()
        stepper.finalize()
        self.end = self.first.state_dict()

    def note(self):
        """Add the results of all calls with the parameters of this moment."""
        for name, program in self.programs.items():
            for size in SIZES:
                for start in range(0, SAMPLES - size + 1, 8):
                    found = program.predict(X[start : start + size], ["out", "ip"])
                    self.right.setdefault((name, "predict", size, start), []).append(found)
            self.right.setdefault((name, "evaluate"), []).append(program.evaluate(data=X[:8], label=Y[:8]))
        self.right.setdefault(("other", "pass"), []).append(self.other.evaluate())

    def train(self):
        """Train from the first parameters, on the same batches as ever."""
        self.first.session.seek(0)
        self.first.load(self.begin)
        self.first.train(solver())

    def judge(self, call, right, same):
        self.calls[call] += 1
        self.wrong[call] += not any(map(same, right))

    def predict(self, rng, name):
        size = int(rng.choice(SIZES))
        start = 8 * int(rng.integers(0, (SAMPLES - size) // 8 + 1))
        right = self.right[name, "predict", size, start]
        x = X[start : start + size].astype(rng.choice(["f4", "f8"]))
        if rng.random() < 0.5:
            found = self.programs[name].predict({"data": x} if rng.random() < 0.2 else x)
            self.judge("predict", right, lambda want: np.array_equal(found, want[0]))
        else:
            both = self.programs[name].predict(x, ["out", "ip"])
            self.judge("predict", right, lambda want: all(map(np.array_equal, both, want)))

    def evaluate(self, rng, name):
        if name == "other" and rng.random() < 0.5:
            found = self.other.evaluate()
            self.judge("evaluate", self.right["other", "pass"], lambda want: want == found)
        else:
            found = self.programs[name].evaluate(data=X[:8], label=Y[:8])
            self.judge("evaluate", self.right[name, "evaluate"], lambda want: want == found)

    def train_alone(self, rng, name):
        """Unless another thread trains now."""
        if self.training.acquire(blocking=False):
            try:
                self.train()
                found = self.first.state_dict()
            finally:
                self.training.release()
            self.judge("train", [self.end], lambda want: all(np.array_equal(found[key], want[key]) for key in want))

    def run(self, seed, n):
        def work(k):
            rng = np.random.default_rng([seed, k])
            for _ in range(n):
                call = rng.choice([self.predict, self.evaluate, self.train_alone], p=[0.7, 0.2, 0.1])
                call(rng, str(rng.choice(list(self.programs))))

        assert at_once(work) == []

    def close(self):
        for program in self.programs.values():
            program.close()


def tried(seed, threads, n):
    """The counts of a trial, of which none may be wrong."""
    trial = Trial(threads)
    trial.run(seed, n)
    trial.close()
    print(f"seed {seed}, {threads} threads a step: {dict(trial.calls)}, wrong: {dict(trial.wrong)}")
    assert not trial.wrong.total()
    assert min(trial.calls[call] for call in ("predict", "evaluate", "train")) > 0


def test_four_threads_predict_evaluate_and_train():
    tried(seed=0, threads=1, n=60)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_four_threads_predict_evaluate_and_train_for_longer(threads):
    tried(seed=1, threads=threads, n=500)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_four_threads_for_long(seed):
    tried(seed=seed, threads=1 + seed % 2, n=2000)
