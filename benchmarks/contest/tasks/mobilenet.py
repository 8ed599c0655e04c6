"""MobileNetV1 of half width for images of 32 x 32: depthwise 3x3 and pointwise 1x1 convolutions by turns.

The blocks are those of Howard et al. 2017, table 1, without batch normalization; the image is not halved at the start.
"""

from contest.layers import Conv, Dense, Layer, Pool
from contest.task import SGD, Task

WIDTHS = ((32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (256, 2), *((256, 1),) * 5, (512, 2), (512, 1))
"""Filters of the pointwise convolution and stride of the depthwise one, of each block."""


def _blocks() -> tuple[Layer, ...]:
    layers: list[Layer] = [Conv("conv", 16, kernel=3, pad=1, neuron="relu")]
    channels = 16
    for k, (filters, stride) in enumerate(WIDTHS, 1):
        layers.append(Conv(f"dw{k}", channels, kernel=3, pad=1, stride=stride, group=channels, neuron="relu"))
        layers.append(Conv(f"pw{k}", filters, kernel=1, neuron="relu"))
        channels = filters
    return tuple(layers)


TASK = Task(
    "mobilenet",
    "MobileNetV1 width 0.5, batch 32",
    batch=32,
    shape=(3, 32, 32),
    layers=(*_blocks(), Pool("pool", kernel=2, stride=2, how="mean"), Dense("ip", 10)),
    sgd=SGD(lr=0.01, decay=0.0001),
)
