"""ResNet-20 on CIFAR-10 as He et al. trained it: batch normalization, random crops and mirror images, 64,000 updates.

    python get_cifar10.py               # once: creates data/
    python resnet20.py                  # trains; stop it any time, and run it again to resume from the last snapshot
    mochac explain resnet20.py          # what the compiler made of it

He, Zhang, Ren and Sun, Deep Residual Learning for Image Recognition, 2015, section 4.2: three stages of three blocks
of two 3x3 convolutions with 16, 32 and 64 channels, 0.27 million parameters. Where a stage begins, the shortcut takes
every second pixel and has new channels of zeros (option A).
"""

from __future__ import annotations

from cifar10_training import DATA, HERE, SHAPES, main

from mochac import *
from mochac.nets.layers import Layer, integer, layer, option

BATCH = 128
MARGIN = 4  # pixels of zeros on every side, from which 32 x 32 are cropped


@layer
class ZerosLayer(Layer):
    """Zeros around an image, or new channels of zeros around those that there are.

    Args:
        margin: new rows and columns on every side. channels: new channels before and after.
    """

    margin: int = option(integer(0), default=0)
    channels: int = option(integer(0), default=0)

    def emit(self, ctx, bottoms):
        (x,) = bottoms
        n, c, h, w = x.type.shape
        start = (0, self.channels, self.margin, self.margin)
        shape = (n, c + 2 * self.channels, h + 2 * self.margin, w + 2 * self.margin)
        return [ctx.op("pad", x, start=start, shape=shape)]


def convolution(name: str, bottom: str, channels: int, stride: int, neuron: Neuron) -> list[Layer]:
    """A 3x3 convolution without bias, which would have no effect, and its normalization."""
    conv = ConvolutionLayer(name=f"{name}-conv", n_filter=channels, kernel=3, pad=1, stride=stride, bias=False,
                            filter_init=HeNormalInitializer(), bottoms=[bottom])  # fmt: skip
    return [conv, BatchNormLayer(name=name, neuron=neuron, bottoms=[conv.name])]


def block(name: str, bottom: str, channels: int, stride: int) -> list[Layer]:
    """relu(f(x) + shortcut(x)), with f of two convolutions."""
    layers = convolution(f"{name}a", bottom, channels, stride, Neurons.ReLU())
    layers += convolution(f"{name}b", f"{name}a", channels, 1, Neurons.Identity())
    if stride > 1:
        layers.append(PoolingLayer(name=f"{name}-half", kernel=1, stride=stride, bottoms=[bottom]))
        layers.append(ZerosLayer(name=f"{name}-short", channels=channels // 4, bottoms=[f"{name}-half"]))
        bottom = f"{name}-short"
    layers.append(ElementWiseLayer(name=f"{name}-sum", bottoms=[f"{name}b", bottom]))
    return [*layers, ActivationLayer(name=name, neuron=Neurons.ReLU(), bottoms=[f"{name}-sum"], tops=[name])]


def resnet(blocks: int) -> list[Layer]:
    """6 * blocks + 2 layers with weights, from the blob "image" to the blob "ip"."""
    layers, bottom = convolution("stem", "image", 16, 1, Neurons.ReLU()), "stem"
    for stage, channels in enumerate((16, 32, 64)):
        for k in range(blocks):
            layers += block(f"block{stage + 1}{k + 1}", bottom, channels, 2 if stage and not k else 1)
            bottom = f"block{stage + 1}{k + 1}"
    layers.append(PoolingLayer(name="mean", kernel=8, stride=8, pooling=Pooling.Mean(), bottoms=[bottom]))
    return [*layers, InnerProductLayer(name="ip", output_dim=10, weight_init=HeNormalInitializer(), bias_lr=1.0,
                                       bottoms=["mean"])]  # fmt: skip


mean = [("data", DataTransformers.SubMean(mean_file=DATA / "mean.hdf5")), ("data", DataTransformers.Scale(1 / 64))]
settings = {"shapes": SHAPES, "batch_size": BATCH, "transformers": mean}
data = HDF5DataLayer(name="train-data", source=DATA / "train.txt", shuffle=True, **settings)
test_data = HDF5DataLayer(name="test-data", source=DATA / "test.txt", **settings)
images = [
    ZerosLayer(name="margin", margin=MARGIN, bottoms=["data"]),
    CropLayer(name="image", crop_size=32, random_crop=True, random_mirror=True, bottoms=["margin"], tops=["image"]),
]
common = [*images, *resnet(3)]

net = Net("ResNet20-train", [data, *common, SoftmaxLossLayer(name="softmax", bottoms=["ip", "label"])])
test_net = Net("ResNet20-test", [test_data, *common, AccuracyLayer(name="accuracy", bottoms=["ip", "label"])])

policy = LRPolicy.Staged((32000, 0.1), (16000, 0.01), (16000, 0.001))
method = SGD(policy, momentum=0.9)
solver = Solver(method, max_iter=64000, regu_coef=0.00005, load_from=HERE / "resnet20")  # adds 2 * regu_coef * w


if __name__ == "__main__":
    main("ResNet-20 on CIFAR-10.", net, test_net, solver)
