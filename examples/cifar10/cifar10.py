"""Caffe's "full" CIFAR-10 model with Mocha's settings: 70,000 iterations of batch 100, learning rate in three stages.

    python get_cifar10.py               # once: creates data/
    python cifar10.py                   # trains; stop it any time, and run it again to resume from the last snapshot
    mochac explain cifar10.py           # what the compiler made of it

The net is that of Mocha's examples/cifar10/cifar10.jl, translated there from Caffe's cifar10_full_train_test.prototxt;
the mochac command looks for `net`, `test_net` and `solver` in a file. As in Mocha and Caffe, images are not shuffled.
"""

from __future__ import annotations

from cifar10_training import DATA, HERE, SHAPES, main

from mochac import *

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


if __name__ == "__main__":
    main("Caffe's full CIFAR-10 model.", net, test_net, solver)
