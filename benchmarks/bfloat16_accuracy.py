"""Trainings with `precision="bfloat16"` beside those in float32: what three nets learn from the same seeds.

Run `python benchmarks/bfloat16_accuracy.py [NET ...] [--mnist DIR] [--cifar DIR] [--seeds 3] [--record]`. LeNet needs
the idx files of MNIST, Caffe's "full" CIFAR-10 model the files of the binary version, and the GPT nothing. Nets and
solvers are those of examples/, for fewer iterations.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from contest import report

import mochac
from mochac import MemoryDataLayer, Net, Solver
from mochac.tools.cli.demo import mnist_digits

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PRECISIONS = ("float32", "bfloat16")
INTRO = """# Learning in bfloat16

What nets of examples/ have learnt with `precision="bfloat16"` and in float32, from the same initial values on the same
batches: the accuracy on test data, of the GPT the loss. Columns are seeds.
Written by `python benchmarks/bfloat16_accuracy.py --mnist DIR --cifar DIR --record`.
"""
Arrays = tuple[np.ndarray, np.ndarray]


def example(folder: str, name: str):
    """A module of examples/."""
    sys.path.insert(0, str(EXAMPLES / folder))
    return importlib.import_module(name)


def with_data(net: Net, given: Arrays, batch: int, shuffle: bool) -> Net:
    """The net of an example, on arrays."""
    (source,) = net.sources
    data = MemoryDataLayer(name=source.name, data=list(given), batch_size=batch, shuffle=shuffle, tops=[*source.tops])
    return Net(net.name, [data, *(layer for layer in net.layers if layer is not source)])


def cifar_files(folder: Path, names: Sequence[str]) -> Arrays:
    """Images and labels of some files of the binary version."""
    rows = np.concatenate([np.fromfile(folder / name, np.uint8).reshape(-1, 3073) for name in names])
    return rows[:, 1:].reshape(-1, 3, 32, 32).astype(np.float32), rows[:, 0].astype(np.int64)


def lenet(folders: argparse.Namespace) -> tuple[Net, Net, Callable[[], Solver], str]:
    module, digits = example("mnist", "lenet"), mnist_digits(folders.mnist)
    train, test = (with_data(net, part, 64 if net is module.net else 100, net is module.net)
                   for net, part in ((module.net, digits.train), (module.test_net, digits.test)))  # fmt: skip
    return train, test, lambda: Solver(module.method, max_iter=1876, regu_coef=0.0005), "LeNet, MNIST, 2 epochs"


def cifar(folders: argparse.Namespace) -> tuple[Net, Net, Callable[[], Solver], str]:
    module = example("cifar10", "cifar10")
    train = cifar_files(folders.cifar, [f"data_batch_{k}.bin" for k in range(1, 6)])
    test, mean = cifar_files(folders.cifar, ["test_batch.bin"]), train[0].mean(0)
    nets = [with_data(net, (x - mean, y), 100, False) for net, (x, y) in ((module.net, train), (module.test_net, test))]
    return *nets, lambda: Solver(module.method, max_iter=5000, regu_coef=0.004), 'CIFAR-10 "full", 10 epochs'


def gpt(folders: argparse.Namespace) -> tuple[Net, Net, Callable[[], Solver], str]:
    module = example("text", "gpt")
    return module.net, module.test_net, lambda: module.training(500), "GPT on characters, 500 iterations"


NETS = {"lenet": lenet, "cifar": cifar, "gpt": gpt}


def learnt(net: Net, test_net: Net, solver: Solver, seed: int, precision: str) -> float:
    """The accuracy on the test data; of the GPT the loss."""
    with (
        mochac.compile(net, seed=seed, precision=precision, backend="cpu") as program,
        mochac.compile(test_net, params=program.params, precision=precision, backend="cpu") as test,
    ):
        solver.progress = False
        program.train(solver)
        found = test.evaluate()
        return float(next((v for name, v in found.items() if "accuracy" in name), found.get("loss", np.nan)))


def main() -> None:
    parser = argparse.ArgumentParser(description="What nets learn in bfloat16 and in float32.")
    parser.add_argument("names", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--mnist", type=Path, help="folder of MNIST's idx files")
    parser.add_argument("--cifar", type=Path, help="folder of CIFAR-10's binary files")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="write results/bfloat16_accuracy.md")
    options = parser.parse_args()
    rows = []
    for name in options.names or NETS:
        net, test_net, solver, title = NETS[name](options)
        for precision in PRECISIONS:
            found = [learnt(net, test_net, solver(), seed, precision) for seed in range(1, options.seeds + 1)]
            rows.append([title, precision, *(f"{value:.4f}" for value in found), f"{np.mean(found):.4f}"])
            print(" ".join(rows[-1]), flush=True)
    if options.record:
        head = ["net", "precision", *(f"seed {k}" for k in range(1, options.seeds + 1)), "mean"]
        report.record_measured("bfloat16_accuracy", INTRO, report.table(head, rows))


if __name__ == "__main__":
    main()
