"""Steps and predictions of the tiny MLP one call at a time, from the user's arrays: mochac beside PyTorch.

Run `python benchmarks/single_steps.py [--rounds 40] [--record]`. In every round each contender makes 50 calls, which
are timed one by one, on one thread. A call takes NumPy arrays and ends with a Python number or array, as in a loop of
reinforcement or online learning.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from contest import report

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    DataTransformers,
    InnerProductLayer,
    Layer,
    MemoryDataLayer,
    Net,
    NetClassifier,
    Neurons,
    PoolingLayer,
    Program,
    SoftmaxLossLayer,
    Solver,
)

INTRO = """# Single steps and predictions

The MLP 20-32-32-10 (tanh, batch 32, SGD with momentum), one call at a time, each with the user's NumPy arrays, on one
thread: microseconds a call. The convolutional net has 8 filters of 3 x 3, a pooling and 10 outputs. "python" is a list
comprehension over 40 integers, a measure of the machine's speed in that minute. Written by
`python benchmarks/single_steps.py --record`.
"""
HEAD = ("call", "least us", "median us", "median in units of python")
BATCH, CALLS, WARM_UP = 32, 50, 1200
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(BATCH, 20)).astype(np.float32), RNG.integers(0, 10, BATCH)

Call = Callable[[], object]


def main(argv: Sequence[str] | None = None) -> int:
    """All contenders in turns."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--record", action="store_true", help="write results/single_steps.md")
    options = parser.parse_args(argv)
    calls = {"python": lambda: [k for k in range(40)], **mochac_calls(), **torch_calls()}
    found = measure(calls, options.rounds)
    unit = statistics.median(found["python"])
    rows = [
        [name, f"{min(us):.1f}", f"{statistics.median(us):.1f}", f"{statistics.median(us) / unit:.1f}"]
        for name, us in found.items()
    ]
    body = f"{report.circumstances()}.\n\n{report.table(HEAD, rows)}"
    print(body)
    if options.record:
        print(f"written: {report.record('single_steps', INTRO, body)}")
    return 0


def measure(calls: dict[str, Call], rounds: int) -> dict[str, list[float]]:
    """Microseconds of each call."""
    for call in calls.values():
        for _ in range(WARM_UP):
            call()
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            for _ in range(CALLS):
                begin = time.perf_counter_ns()
                call()
                found[name].append((time.perf_counter_ns() - begin) / 1e3)
    return found


def mochac_calls() -> dict[str, Call]:
    """A step, the kernels of a step alone, the parts of a step, and a prediction."""
    solver, program = begun()
    other, parts = begun()

    def own_loop() -> None:
        parts.forward(data=X, label=Y)
        parts.backward()
        other.update()

    one = X[:1]
    solver.step(data=X, label=Y)
    executor = program.session.main_plan().runner
    run, job = executor._run, executor._job_address
    return {
        "solver.step(data=x, label=y)": lambda: solver.step(data=X, label=Y),
        "of it native": lambda: run(job),
        "forward(), backward(), update()": own_loop,
        "program.predict(one sample)": lambda: program.predict(one),
        **predictions(),
    }


def predictions() -> dict[str, Call]:
    """Predictions of one image of 8 x 8 by a small convolutional net, given in several ways."""
    images = RNG.uniform(size=(BATCH, 1, 8, 8)).astype(np.float32)
    layers: list[Layer] = [
        ConvolutionLayer(name="conv", n_filter=8, kernel=3, neuron=Neurons.ReLU(), bottoms=["data"]),
        PoolingLayer(name="pool", kernel=2, stride=2, bottoms=["conv"]),
        InnerProductLayer(name="ip", output_dim=10, bottoms=["pool"]),
    ]
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])

    def program(*transformers: tuple[str, object]) -> Program:
        data = MemoryDataLayer(data=[images, Y], batch_size=BATCH, transformers=transformers)
        return mochac.compile(Net("small", [data, *layers, loss]), threads=1, backend="cpu")

    plain, scaled = program(), program(("data", DataTransformers.Scale(1 / 255)))
    chain = [ConvolutionLayer(name="conv", n_filter=8, kernel=3, neuron=Neurons.ReLU())]
    fitted = NetClassifier(chain, max_epoch=1, threads=1).fit(images, Y)
    one = images[:1]
    return {
        "a convolutional net: predict(one image)": lambda: plain.predict(one),
        "the same, predict({'data': image})": lambda: plain.predict({"data": one}),
        "the same with a transformer": lambda: scaled.predict(one),
        "NetClassifier.predict(one image)": lambda: fitted.predict(one),
    }


def begun() -> tuple[Solver, Program]:
    """The net, in training."""
    layers = [
        MemoryDataLayer(data=[X, Y], batch_size=BATCH),
        InnerProductLayer(name="ip1", output_dim=32, neuron=Neurons.Tanh(), bottoms=["data"]),
        InnerProductLayer(name="ip2", output_dim=32, neuron=Neurons.Tanh(), bottoms=["ip1"]),
        InnerProductLayer(name="ip3", output_dim=10, bottoms=["ip2"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip3", "label"]),
    ]
    program = mochac.compile(Net("tiny", layers), threads=1, backend="cpu")
    solver = Solver(SGD(0.01, momentum=0.9))
    solver.init_solve(program)
    return solver, program


def torch_calls() -> dict[str, Call]:
    """A step and a prediction; without PyTorch none."""
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
        return {}
    torch.set_num_threads(1)
    nn = torch.nn
    net = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 10))
    sgd = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, weight_decay=5e-4, fused=True)
    one = X[:1]

    def step() -> float:
        sgd.zero_grad()
        loss = nn.functional.cross_entropy(net(torch.from_numpy(X)), torch.from_numpy(Y))
        loss.backward()
        sgd.step()
        return loss.item()

    def predict() -> np.ndarray:
        with torch.inference_mode():
            return net(torch.from_numpy(one)).numpy()

    return {"PyTorch: a step": step, "PyTorch: a prediction of one sample": predict}


if __name__ == "__main__":
    raise SystemExit(main())
