"""Caffe's "full" CIFAR-10 model with Mocha's settings: 70,000 iterations of batch 100, learning rate in three stages.

    python get_cifar10.py               # once: creates data/
    python cifar10.py                   # trains; stop it any time, and run it again to resume from the last snapshot
    mochac explain cifar10.py           # what the compiler made of it

The net is that of Mocha's examples/cifar10/cifar10.jl, translated there from Caffe's cifar10_full_train_test.prototxt;
the mochac command looks for `net`, `test_net` and `solver` in a file.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import mochac
from mochac import *

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("CIFAR10_DATA") or HERE / "data")
SHAPES = {"data": (3, 32, 32), "label": (1,)}  # so that you can look at the net before the data exists
SEED = 1  # of the weights; the images are not shuffled, as in Mocha and Caffe

mean = [("data", DataTransformers.SubMean(mean_file=DATA / "mean.hdf5"))]
settings = {"shapes": SHAPES, "batch_size": 100, "transformers": mean}
data = HDF5DataLayer(name="train-data", source=DATA / "train.txt", **settings)
test_data = HDF5DataLayer(name="test-data", source=DATA / "test.txt", **settings)

lrn = {"kernel": 3, "scale": 5e-5, "power": 0.75, "mode": LRNMode.WithinChannel()}
wide = GaussianInitializer(std=0.01)
common = [
    ConvolutionLayer(name="conv1", n_filter=32, kernel=5, pad=2, filter_init=GaussianInitializer(std=0.0001),
                     bottoms=["data"]),
    PoolingLayer(name="pool1", kernel=3, stride=2, neuron=Neurons.ReLU(), bottoms=["conv1"]),
    LRNLayer(name="norm1", **lrn, bottoms=["pool1"]),
    ConvolutionLayer(name="conv2", n_filter=32, kernel=5, pad=2, filter_init=wide, neuron=Neurons.ReLU(),
                     bottoms=["norm1"]),
    PoolingLayer(name="pool2", kernel=3, stride=2, pooling=Pooling.Mean(), bottoms=["conv2"]),
    LRNLayer(name="norm2", **lrn, bottoms=["pool2"]),
    ConvolutionLayer(name="conv3", n_filter=64, kernel=5, pad=2, filter_init=wide, neuron=Neurons.ReLU(),
                     bottoms=["norm2"]),
    PoolingLayer(name="pool3", kernel=3, stride=2, pooling=Pooling.Mean(), bottoms=["conv3"]),
    InnerProductLayer(name="ip1", output_dim=10, weight_init=wide, weight_regu=L2Regu(250), bottoms=["pool3"]),
]  # fmt: skip

net = Net("CIFAR10-train", [data, *common, SoftmaxLossLayer(name="softmax", bottoms=["ip1", "label"])])
test_net = Net("CIFAR10-test", [test_data, *common, AccuracyLayer(name="accuracy", bottoms=["ip1", "label"])])

policy = LRPolicy.Staged(
    (60000, 0.001),
    (5000, 0.0001),
    (5000, 0.00001),
)
method = SGD(policy, momentum=0.9)
solver = Solver(method, max_iter=70000, regu_coef=0.004, load_from=HERE / "snapshots")


def train(max_iter: int, snapshots: Path, threads: int | None, every: int) -> float:
    """Train up to `max_iter`, from the last of `snapshots` if there is one; return the test accuracy."""
    solver.max_iter, solver.load_from = max_iter, snapshots
    with (
        mochac.compile(net, seed=SEED, threads=threads) as program,
        mochac.compile(test_net, params=program.params, threads=threads) as test,
    ):
        solver.setup_coffee_lounge(save_into=snapshots / "statistics.h5", every_n_iter=every)
        solver.add_coffee_break(TrainingSummary(), every_n_iter=200)
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=min(1000, every))
        solver.add_coffee_break(Snapshot(snapshots), every_n_iter=every)
        program.train(solver)
        return test.evaluate()["accuracy-accuracy"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Caffe's full CIFAR-10 model.")
    parser.add_argument("--max-iter", type=int, default=70000, help="iteration to stop at")
    parser.add_argument("--snapshots", type=Path, default=HERE / "snapshots", help="folder of snapshots to resume from")
    parser.add_argument("--every", type=int, default=5000, help="iterations between snapshots")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    if not (DATA / "train.txt").exists():
        raise SystemExit(f"no CIFAR-10 in {DATA}: python {HERE / 'get_cifar10.py'} downloads it")
    print(f"test accuracy {train(args.max_iter, args.snapshots, args.threads, args.every):.2%}")


if __name__ == "__main__":
    main()
