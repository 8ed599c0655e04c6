"""ResNet-20 with batch normalization on images of 32 x 32, batch 128: He et al. 2015, section 4.2."""

from contest.layers import Add, Conv, Dense, Layer, Norm, Pool
from contest.task import SGD, Task

BLOCKS = 3
"""Of each width, with two convolutions each."""


def _normed(name: str, channels: int, stride: int = 1, neuron: str = "relu") -> tuple[Layer, ...]:
    conv = Conv(f"{name}-conv", channels, kernel=3, pad=1, stride=stride, bias=False)
    return conv, Norm(name, neuron)


def residual(blocks: int) -> tuple[Layer, ...]:
    """6 * blocks + 2 layers with weights."""
    layers, below = [*_normed("stem", 16)], "stem"
    for stage, channels in enumerate((16, 32, 64), 1):
        for k in range(1, blocks + 1):
            name, stride = f"block{stage}{k}", 2 if stage > 1 and k == 1 else 1
            layers += [*_normed(f"{name}a", channels, stride), *_normed(f"{name}b", channels, neuron="")]
            layers.append(Add(name, below, "relu"))
            below = name
    return (*layers, Pool("pool", kernel=8, stride=8, how="mean"), Dense("ip", 10))


TASK = Task(
    "resnet",
    "ResNet-20 with batch normalization, batch 128",
    batch=128,
    shape=(3, 32, 32),
    layers=residual(BLOCKS),
    sgd=SGD(lr=0.01, decay=0.0001),
)
