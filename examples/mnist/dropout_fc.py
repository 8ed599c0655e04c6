"""A fully connected net with dropout on MNIST: 784-1200-1200-10, with the norm of a unit's weights at most 4.5.

    python get_mnist.py                      # once: creates data/
    python dropout_fc.py                     # 200 epochs; run it again to resume from the last snapshot
    python dropout_fc.py --max-epoch 2000    # as many as Mocha's example

Net and settings are those of Mocha's examples/mnist/mnist_dropout_fc.jl, after Srivastava et al. 2014, "Dropout": a
fifth of the pixels and half of the hidden units are dropped in every step, the learning rate falls by 0.2 % per epoch,
and momentum rises from 0.5 to 0.9 over 500 epochs. The test net has the same layers, because dropout is active in
training only.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import mochac
from mochac import *

HERE = Path(__file__).resolve().parent
DATA = HERE / "data"
SHAPES = {"data": (1, 28, 28), "label": (1,)}  # so that you can look at the net before the data exists
SNAPSHOTS = HERE / "snapshots-dropout"
EPOCH = 600  # iterations: 60,000 digits in batches of 100
SEED = 1

settings = {"weight_cons": L2Cons(4.5)}
small = GaussianInitializer(std=0.01)
relu = Neurons.ReLU()
common = [
    DropoutLayer(name="drop_in", ratio=0.2, bottoms=["data"]),
    InnerProductLayer(name="fc1", output_dim=1200, neuron=relu, weight_init=small, **settings, bottoms=["data"]),
    DropoutLayer(name="drop_fc1", ratio=0.5, bottoms=["fc1"]),
    InnerProductLayer(name="fc2", output_dim=1200, neuron=relu, weight_init=small, **settings, bottoms=["fc1"]),
    DropoutLayer(name="drop_fc2", ratio=0.5, bottoms=["fc2"]),
    InnerProductLayer(name="out", output_dim=10, weight_init=ConstantInitializer(0), **settings, bottoms=["fc2"]),
]

data = HDF5DataLayer(name="train-data", source=DATA / "train.txt", shapes=SHAPES, batch_size=100, shuffle=True)
net = Net("MNIST-dropout", [data, *common, SoftmaxLossLayer(name="loss", bottoms=["out", "label"])])

test_data = HDF5DataLayer(name="test-data", source=DATA / "test.txt", shapes=SHAPES, batch_size=100)
accuracy = AccuracyLayer(name="test-accuracy", report_error=True, bottoms=["out", "label"])
test_net = Net("MNIST-dropout-test", [test_data, *common, accuracy])

method = SGD(
    lr_policy=LRPolicy.Step(0.1, 0.998, EPOCH),
    mom_policy=MomPolicy.Linear(0.5, 0.0008, EPOCH, 0.9),
)
solver = Solver(method, max_iter=200 * EPOCH, regu_coef=0.0, load_from=SNAPSHOTS)


def train(max_iter: int, threads: int | None) -> float:
    """Train up to `max_iter`, from the last snapshot if there is one; return the test accuracy."""
    solver.max_iter = max_iter
    with (
        mochac.compile(net, seed=SEED, threads=threads) as program,
        mochac.compile(test_net, params=program.params, threads=threads) as test,
    ):
        solver.setup_coffee_lounge(save_into=SNAPSHOTS / "statistics.h5", every_n_iter=5 * EPOCH)
        solver.add_coffee_break(TrainingSummary("iter", "obj_val", "learning_rate", "momentum"), every_n_iter=EPOCH)
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=EPOCH)
        solver.add_coffee_break(Snapshot(SNAPSHOTS), every_n_iter=min(10 * EPOCH, max_iter))
        program.train(solver)
        return test.evaluate()["test-accuracy-accuracy"]


def main() -> None:
    parser = argparse.ArgumentParser(description="A network with dropout on MNIST.")
    parser.add_argument("--max-epoch", type=int, default=200, help="epoch to stop at")
    parser.add_argument("--max-iter", type=int, help="iteration to stop at, instead")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    if not (DATA / "train.txt").exists():
        raise SystemExit(f"no MNIST in {DATA}: python {HERE / 'get_mnist.py'} downloads it")
    print(f"test accuracy {train(args.max_iter or args.max_epoch * EPOCH, args.threads):.2%}")


if __name__ == "__main__":
    main()
