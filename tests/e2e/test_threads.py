"""Threads that call programs at the same time: every result is one that a call alone has.

A training of a few steps is repeated from the same parameters, so the results that predict() and evaluate() may have
beside it are known: those after each number of steps.
"""

import threading
import time
from collections import Counter

import numpy as np
import pytest
from patience import HANG_S
from threads_kit import at_once

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    MemoryOutputLayer,
    Net,
    Neurons,
    OptionError,
    PoolingLayer,
    PythonDataLayer,
    SoftmaxLossLayer,
    Solver,
)
from mochac.training.session.session import Turn

pytestmark = pytest.mark.usefixtures("eager_threads")
STEPS, BATCH, SAMPLES, THREADS = 12, 16, 64, 4
RNG = np.random.default_rng(0)
X = RNG.normal(size=(SAMPLES, 1, 10, 10)).astype(np.float32)
Y = (X[:, 0, 0, 0] * X[:, 0, 5, 5] > 0).astype(int)
SIZES = (1, 3, 8, BATCH, 40)


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
        self.first.session.batches.position.seek(0)
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


class Pausing:
    """A coffee break in which a training waits until another thread lets it go on."""

    def __init__(self):
        self.there, self.go_on = threading.Event(), threading.Event()

    def enjoy(self, lounge, program, state):
        self.there.set()
        assert self.go_on.wait(HANG_S)


def in_training(program, call):
    """What a call of another thread gives while a training pauses; returns it or its error, and that of train()."""
    pause, found = Pausing(), []
    training = solver()
    training.add_coffee_break(pause, every_n_iter=3)

    def work(k):
        if k:
            program.train(training)
        else:
            assert pause.there.wait(HANG_S)
            try:
                found.append(call())
            except Exception as error:
                found.append(error)
            finally:
                pause.go_on.set()

    errors = at_once(work, 2)
    return found[0], errors


@pytest.mark.slow
@pytest.mark.parametrize("call", ["forward()", "backward()", "step()", "train()", "evaluate() with output layers"])
def test_calls_that_move_the_data_are_refused_while_another_thread_trains(call):
    made = net()
    if "output" in call:
        made = Net("net", [*made.layers, MemoryOutputLayer(name="kept", bottoms=["out"])])
    with mochac.compile(made) as program:
        calls = {
            "train()": lambda: program.train(solver()),
            "evaluate() with output layers": program.evaluate,
            "forward()": program.forward,
            "backward()": program.backward,
            "step()": lambda: program.step(),
        }
        error, errors = in_training(program, calls[call])
        assert errors == []
        assert isinstance(error, OptionError)
        hint = "predict() and evaluate() may be called meanwhile"
        assert str(error) == f"{call} while another thread trains program 'net'\n  hint: {hint}"
        program.forward()


@pytest.mark.slow
def test_a_training_inside_a_training_does_not_refuse_later_calls():
    """The inner train() is an error. Afterwards other threads wait for their turn again."""

    class Inner:
        def enjoy(self, lounge, program, state):
            with pytest.raises(OptionError, match="another training of program 'net' is running"):
                program.train(solver())

    def work(k):
        with Turn(program.session.turns, "step()"):
            time.sleep(0.2)

    with mochac.compile(net()) as program:
        training = solver()
        training.add_coffee_break(Inner(), every_n_iter=3)
        program.train(training)
        assert at_once(work, 2) == []


@pytest.mark.slow
def test_predictions_beside_a_training_that_pauses():
    with mochac.compile(net()) as program:
        found, errors = in_training(program, lambda: program.predict(X[:3]))
        assert errors == [] and found.shape == (3, 2)


@pytest.mark.slow
def test_a_program_is_closed_while_others_train_and_predict():
    """Calls that run end; the next ones are refused, by the same error."""
    for seed in range(5):
        program, begun = mochac.compile(net()), threading.Barrier(THREADS)

        def work(k, program=program, begun=begun, seed=seed):
            begun.wait(HANG_S)
            if k == 0:
                for _ in range(20 * seed + 1):
                    program.predict(X[:3])
                program.close()
            while k:
                program.train(solver(200)) if k == 1 else program.predict(X[:8]) if k == 2 else program.evaluate()

        errors = at_once(work)
        assert {(type(error), str(error)) for error in errors} == {(OptionError, "program 'net' is closed")}
        assert len(errors) == THREADS - 1


@pytest.mark.slow
def test_a_silent_training_silences_no_other_thread(caplog):
    """Nor does the log stay silent after two of them that overlap."""
    with mochac.compile(net()) as program:

        def work(k):
            with mochac.compile(net()) as own:
                for _ in range(3):
                    own.train(SGD(0.05), max_iter=2, verbose=k % 2)

        assert at_once(work) == []
        program.train(SGD(0.05), max_iter=2, verbose=1)
    told = [record.threadName for record in caplog.records if "2 iterations in" in record.getMessage()]
    assert len(told) == 3 * THREADS // 2 + 1 and len(set(told)) == THREADS // 2 + 1


class SlowData:
    """Samples that take their time: a program is closed while a training waits for them."""

    def __init__(self, waiting):
        self.waiting = waiting

    def __len__(self):
        return SAMPLES

    def __getitem__(self, k):
        if k >= 4:
            self.waiting.set()
            threading.Event().wait(0.3)
        return X[k], Y[k]


@pytest.mark.slow
def test_a_program_is_closed_while_a_training_waits_for_data():
    waiting = threading.Event()
    layers = [PythonDataLayer(make=SlowData(waiting), batch_size=BATCH), *net().layers[1:]]
    program = mochac.compile(Net("net", layers))

    def work(k):
        if k:
            program.train(solver(200))
        else:
            assert waiting.wait(HANG_S)
            program.close()

    (error,) = at_once(work, 2)
    assert (type(error), str(error)) == (OptionError, "program 'net' is closed")


def test_steps_of_several_threads_take_turns():
    """Together they are the steps of one thread."""
    with mochac.compile(net()) as program, mochac.compile(net()) as alone:
        stepping, one = solver(), solver()
        stepping.init_solve(program)
        one.init_solve(alone)
        assert at_once(lambda k: [stepping.step() for _ in range(5)]) == []
        for _ in range(5 * THREADS):
            one.step()
        want = alone.state_dict()
        assert all(np.array_equal(array, want[name]) for name, array in program.state_dict().items())


@pytest.mark.slow
def test_programs_that_share_new_parameters_are_compiled_at_once():
    for _ in range(5):
        store = mochac.Params()
        assert at_once(lambda k, store=store: mochac.compile(net(), params=store).predict(X[:1])) == []


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("threads", [2, 1])
def test_four_threads_predict_evaluate_and_train(threads):
    tried(seed=1, threads=threads, n=500)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_four_threads_for_long(seed):
    tried(seed=seed, threads=1 + seed % 2, n=2000)
