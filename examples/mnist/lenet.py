"""LeNet on MNIST with Mocha's settings: 10,000 iterations of batch 64, at least 99.0 % of the test digits right.

    python get_mnist.py          # once: creates data/
    python lenet.py              # trains; run it again to resume from the last snapshot
    mochac explain lenet.py      # what the compiler made of it

The net is that of Mocha's examples/mnist/mnist.jl; the mochac command looks for `net`, `test_net` and `solver` in a
file.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import h5py

import mochac
from mochac import *

HERE = Path(__file__).resolve().parent
DATA = HERE / "data"
SNAPSHOTS = HERE / "snapshots"
SHAPES = {"data": (1, 28, 28), "label": (1,)}  # so that you can look at the net before the data exists
SEED = 1  # of weights and shuffling; README.md has the results of other seeds

conv1 = ConvolutionLayer(name="conv1", n_filter=20, kernel=(5, 5), bottoms=["data"], tops=["conv1"])
pool1 = PoolingLayer(name="pool1", kernel=(2, 2), stride=(2, 2), bottoms=["conv1"], tops=["pool1"])
conv2 = ConvolutionLayer(name="conv2", n_filter=50, kernel=(5, 5), bottoms=["pool1"], tops=["conv2"])
pool2 = PoolingLayer(name="pool2", kernel=(2, 2), stride=(2, 2), bottoms=["conv2"], tops=["pool2"])
ip1 = InnerProductLayer(name="ip1", output_dim=500, neuron=Neurons.ReLU(), bottoms=["pool2"], tops=["ip1"])
ip2 = InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"], tops=["ip2"])
common = [conv1, pool1, conv2, pool2, ip1, ip2]

data = HDF5DataLayer(name="train-data", source=DATA / "train.txt", shapes=SHAPES, batch_size=64, shuffle=True)
loss = SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"])
net = Net("MNIST-train", [data, *common, loss])

test_data = HDF5DataLayer(name="test-data", source=DATA / "test.txt", shapes=SHAPES, batch_size=100)
accuracy = AccuracyLayer(name="test-accuracy", bottoms=["ip2", "label"])
test_net = Net("MNIST-test", [test_data, *common, accuracy])

method = SGD(LRPolicy.Inv(0.01, 0.0001, 0.75), momentum=0.9)
solver = Solver(method, max_iter=10000, regu_coef=0.0005, load_from=SNAPSHOTS)
solver.setup_coffee_lounge(save_into=SNAPSHOTS / "statistics.h5", every_n_iter=1000)
solver.add_coffee_break(TrainingSummary(), every_n_iter=100)


def train(max_iter: int) -> float:
    """Train up to `max_iter`, from the last snapshot if there is one; return the test accuracy."""
    solver.max_iter = max_iter
    with mochac.compile(net, seed=SEED) as program, mochac.compile(test_net, params=program.params) as test:
        solver.add_coffee_break(Snapshot(SNAPSHOTS), every_n_iter=min(5000, max_iter))
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=1000)
        program.train(solver)
        return test.evaluate()["test-accuracy-accuracy"]


def predict(snapshot: Path, n: int = 10) -> None:
    """Load the weights of a snapshot and print its predictions for the first `n` test digits."""
    with h5py.File(DATA / "test.hdf5") as h5:
        digits, labels = h5["data"][:n], h5["label"][:n, 0]
    with mochac.compile(test_net) as program:
        program.load(snapshot)
        predicted = program.predict(digits, "ip2").argmax(axis=1)
    print(f"{snapshot.name} predicts {predicted}, the labels are {labels.astype(int)}")


def main() -> None:
    parser = argparse.ArgumentParser(description="LeNet on MNIST.")
    parser.add_argument("--max-iter", type=int, default=10000, help="iteration to stop at")
    args = parser.parse_args()
    if not (DATA / "train.txt").exists():
        raise SystemExit(f"no MNIST in {DATA}: python {HERE / 'get_mnist.py'} downloads it")
    print(f"test accuracy {train(args.max_iter):.2%}")
    predict(max(SNAPSHOTS.glob("snapshot-*.h5")))


if __name__ == "__main__":
    main()
