"""Sends signals at random instants to a process that compiles, trains, predicts and evaluates: `signals.py [N] [SEED]`.

Some have a handler in Python, some stop the process for a while, some go to a thread of its team, and some are Ctrl-C.
A call that Ctrl-C does not end returns the bits that it returns in a quiet process. A call that Ctrl-C ends raises
KeyboardInterrupt; a training may also end early, with the parameters of an earlier iteration. Later calls of all
programs work as before.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

import mochac
from mochac import SGD, DropoutLayer, InnerProductLayer, MemoryDataLayer, Net, Neurons, SoftmaxLossLayer, Solver

ITERATIONS, WIDTHS = 40, (8, 11, 16)
LONGEST_S = 0.02
"""Maximum time between two signals."""
HANDLED = (signal.SIGUSR1, signal.SIGALRM, signal.SIGCHLD, signal.SIGWINCH, signal.SIGHUP)
KINDS = (*(*HANDLED, "thread", signal.SIGSTOP) * 3, signal.SIGINT)
TGKILL = 234
"""Number of the system call on x86-64."""
RNG = np.random.default_rng(0)
X, LABELS = RNG.standard_normal((60, 10)).astype(np.float32), RNG.integers(0, 3, 60)


def compiled(width: int) -> mochac.Program:
    layers = [
        MemoryDataLayer(data=[X, LABELS], batch_size=20),
        InnerProductLayer(name="ip", output_dim=width, neuron=Neurons.Tanh(), bottoms=["data"]),
        DropoutLayer(name="drop", bottoms=["ip"], ratio=0.2),
        InnerProductLayer(name="out", output_dim=3, bottoms=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ]
    return mochac.compile(Net(f"net{width}", layers), threads=2, seed=width)


def results(program: mochac.Program) -> tuple[bytes, float]:
    """What predict() and evaluate() give."""
    return program.predict(X[:7]).tobytes(), program.evaluate()["loss"]


def after_each_iteration(width: int) -> list[tuple[bytes, float]]:
    """The results after 0, 1, 2, ... iterations, from steps one by one."""
    with compiled(width) as program:
        found, solver = [results(program)], Solver(SGD(0.05, momentum=0.9), max_iter=ITERATIONS)
        solver.init_solve(program)
        for _ in range(ITERATIONS):
            solver.step()
            found.append(results(program))
        solver.finalize()
        return found


class Disturbed:
    """The process that gets signals.

    Attributes:
        right: by width, the results after each number of iterations.
        counts: calls that ended, by name and how; `wrong`: descriptions of wrong ones.
    """

    def __init__(self) -> None:
        self.right = {width: after_each_iteration(width) for width in WIDTHS}
        self.lasting = compiled(WIDTHS[0])
        self.counts, self.wrong, self.handled = Counter[str](), list[str](), 0
        self.may_end = False

    def handle(self, number: int, frame: object) -> None:
        self.handled += 1

    def interrupt(self, number: int, frame: object) -> None:
        """Ctrl-C ends a round once."""
        if self.may_end:
            self.may_end = False
            raise KeyboardInterrupt

    def round(self, width: int) -> None:
        """Compile, train, predict and evaluate; use the program that lasts."""
        with compiled(width) as program:
            self.require(f"first predictions of {width}", results(program) == self.right[width][0])
            solver = Solver(SGD(0.05, momentum=0.9), max_iter=ITERATIONS)
            lounge = program.train(solver, verbose=0)
            found = results(program)
            if lounge.interrupted:
                self.counts["trainings that ended early"] += 1
                self.require(f"an interrupted training of {width}", found in self.right[width])
            else:
                self.require(f"a training of {width}", found == self.right[width][-1])
        self.require("later predictions", results(self.lasting) == self.right[WIDTHS[0]][0])

    def require(self, what: str, holds: bool) -> None:
        self.counts["results"] += 1
        if not holds:
            self.wrong.append(what)

    def run(self, end: Path, rng: random.Random) -> None:
        """Rounds until the file `end` is there; prints what came of them."""
        while not end.exists():
            os.environ["MOCHAC_CACHE"] = rng.choice("01")
            try:
                self.may_end = True
                self.round(rng.choice(WIDTHS))
                self.may_end = False
            except KeyboardInterrupt:
                self.counts["calls that Ctrl-C ended"] += 1
            except Exception as error:
                self.may_end = False
                self.wrong.append(f"{type(error).__name__}: {error}")
        print(dict(self.counts), f"{self.handled} signals handled; wrong: {self.wrong or 'none'}", flush=True)


def disturbed(end: Path, ready: Path, seed: int) -> int:
    """The life of the child; its exit status."""
    faulthandler.enable()
    process = Disturbed()
    for number in HANDLED:
        signal.signal(number, process.handle)
    signal.signal(signal.SIGINT, process.interrupt)
    ready.touch()
    process.run(end, random.Random(seed))
    return int(bool(process.wrong))


def send(child: int, rng: random.Random) -> str:
    """A signal, after a while; its name."""
    time.sleep(rng.uniform(0, LONGEST_S))
    kind = rng.choice(KINDS)
    if kind == "thread":
        thread = int(rng.choice(os.listdir(f"/proc/{child}/task")))
        ctypes.CDLL(None).syscall(TGKILL, child, thread, signal.SIGUSR1)
        return kind
    os.kill(child, kind)
    if kind == signal.SIGSTOP:
        time.sleep(rng.uniform(0, LONGEST_S))
        os.kill(child, signal.SIGCONT)
    return kind.name


def main(n: int, seed: int) -> int:
    """Send n signals; the exit status is 0 if nothing was wrong."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"MOCHAC_CACHE_DIR": f"{folder}/cache"}
        end, ready = Path(folder) / "end", Path(folder) / "ready"
        child = os.fork()
        if not child:
            os._exit(disturbed(end, ready, seed))
        while not ready.exists():
            time.sleep(0.05)
        sent = Counter(send(child, rng) for _ in range(n))
        end.touch()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(f"{n} signals {dict(sent)}, exit status {status}")
    return int(status != 0)


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*words, *(200, 0)[len(words) :]))
