"""Blocks of ConvNeXt (Liu et al. 2022) for images of 32 x 32: depthwise 7x7, a norm of pixels, two 1x1 convolutions.

Patches of 2 x 2 pixels become 64 channels. The four blocks are of one width, without layer scale and stochastic depth.
"""

from contest.layers import Add, Conv, Dense, Layer, Pool, RowNorm
from contest.task import SGD, Task

WIDTH, SIDE, BLOCKS = 64, 16, 4


def block(n: int, below: str) -> tuple[Layer, ...]:
    """Its output is added to what came."""
    return (
        Conv(f"dw{n}", WIDTH, kernel=7, pad=3, group=WIDTH),
        RowNorm(f"norm{n}"),
        Conv(f"wide{n}", 4 * WIDTH, kernel=1, neuron="gelu"),
        Conv(f"narrow{n}", WIDTH, kernel=1),
        Add(f"sum{n}", other=below),
    )


TASK = Task(
    "convnext",
    "ConvNeXt blocks, 64 channels on 16 x 16, batch 32",
    batch=32,
    shape=(3, 32, 32),
    layers=(
        Conv("patches", WIDTH, kernel=2, stride=2),
        *(layer for n in range(1, BLOCKS + 1) for layer in block(n, f"sum{n - 1}" if n > 1 else "patches")),
        Pool("pool", kernel=SIDE, stride=SIDE, how="mean"),
        Dense("ip", 10),
    ),
    sgd=SGD(lr=0.01, decay=0.0001),
)
