"""What the model of a multiprocessor predicts for every product and convolution of a training step, without a device.

    python benchmarks/cuda_tiles.py            # LeNet, CIFAR-10 full and an MLP on an H100
    python benchmarks/cuda_tiles.py --net lenet --batch 1024 --multiprocessors 108 --sm 80

These are estimates, not measurements (`mochac profile` on a device times kernels). They show which kernels are worth
work, and can be compared with a device's times later; the model is `codegen/cuda/schedules/tiles.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mochac import (
    ConvolutionLayer,
    InnerProductLayer,
    LRNLayer,
    LRNMode,
    MemoryDataLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
)
from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.cuda.estimate import products
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.schedules.block_tile import BlockTile, sizes
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import CLOCK_HZ, CudaTarget
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace

RELU = Neurons.ReLU()
LAUNCH = 3400
"""Cycles between dependent kernels in a graph: 2 us (an estimate)."""


def data(batch: int, *shape: int) -> MemoryDataLayer:
    arrays = [np.zeros((batch, *shape), np.float32), np.zeros(batch)]
    return MemoryDataLayer(name="data", data=arrays, batch_size=batch)


def lenet(batch: int) -> list[Any]:
    return [
        data(batch, 1, 28, 28),
        ConvolutionLayer(name="conv1", n_filter=20, kernel=5, bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=2, stride=2, bottoms=["conv1"]),
        ConvolutionLayer(name="conv2", n_filter=50, kernel=5, bottoms=["pool1"]),
        PoolingLayer(name="pool2", kernel=2, stride=2, bottoms=["conv2"]),
        InnerProductLayer(name="ip1", output_dim=500, neuron=RELU, bottoms=["pool2"]),
        InnerProductLayer(name="ip2", output_dim=10, bottoms=["ip1"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
    ]


def cifar(batch: int) -> list[Any]:
    lrn: dict[str, Any] = {"kernel": 3, "scale": 5e-5, "power": 0.75, "mode": LRNMode.WithinChannel()}
    mean: dict[str, Any] = {"kernel": 3, "stride": 2, "pooling": Pooling.Mean()}
    return [
        data(batch, 3, 32, 32),
        ConvolutionLayer(name="conv1", n_filter=32, kernel=5, pad=2, bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=3, stride=2, neuron=RELU, bottoms=["conv1"]),
        LRNLayer(name="norm1", **lrn, bottoms=["pool1"]),
        ConvolutionLayer(name="conv2", n_filter=32, kernel=5, pad=2, neuron=RELU, bottoms=["norm1"]),
        PoolingLayer(name="pool2", **mean, bottoms=["conv2"]),
        LRNLayer(name="norm2", **lrn, bottoms=["pool2"]),
        ConvolutionLayer(name="conv3", n_filter=64, kernel=5, pad=2, neuron=RELU, bottoms=["norm2"]),
        PoolingLayer(name="pool3", **mean, bottoms=["conv3"]),
        InnerProductLayer(name="ip1", output_dim=10, bottoms=["pool3"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip1", "label"]),
    ]


def mlp(batch: int) -> list[Any]:
    return [
        data(batch, 784),
        InnerProductLayer(name="ip1", output_dim=1200, neuron=RELU, bottoms=["data"]),
        InnerProductLayer(name="ip2", output_dim=1200, neuron=RELU, bottoms=["ip1"]),
        InnerProductLayer(name="ip3", output_dim=10, bottoms=["ip2"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip3", "label"]),
    ]


NETS: dict[str, tuple[Callable[[int], list[Any]], tuple[int, ...]]] = {
    "lenet": (lenet, (64, 1024)),
    "cifar": (cifar, (100,)),
    "mlp": (mlp, (64,)),
}


SHOWN = ("contraction.tiled", "contraction.pooled", "contraction.split-sum")


def table(layers: list[Any], target: CudaTarget) -> Iterator[str]:
    """A line for every contraction: rule, blocks x threads, tile, panels, microseconds and percent of the peak."""
    plan = step_plan(trace(Net("net", layers), "train", "float32"), Update())
    total = 0.0
    for kernel in lower(plan.graph, CudaGenerator(target), scalars=plan.scalars, named=plan.named).kernels:
        naive = products(kernel.staged, kernel.naive, kernel.schedule)
        found = contraction(naive)
        if found is None or kernel.schedule.name not in SHOWN:
            continue
        cycles, tile = best_tile(sizes(found), target)
        if tile is None:
            continue
        microseconds = 1e6 * (cycles + LAUNCH) / CLOCK_HZ
        total += microseconds
        floor = naive.flops / 2 / target.machine.products(4) / target.multiprocessors
        yield (
            f"{naive.name[:42]:42} {tile.blocks:5} x {tile.threads:3} {spelt(tile):44}"
            f" {microseconds:6.1f} us {100 * floor / cycles:4.0f} %"
        )
    yield f"{'all of them, launches included':42} {'':56} {total:6.1f} us"


def spelt(tile: BlockTile) -> str:
    sides = (" ".join(f"{v}:{t}x{r}" for v, t, r in s.parts if t * r > 1) for s in (tile.rows, tile.columns))
    groups = f" in {tile.groups}" if tile.groups > 1 else ""
    return f"{' | '.join(sides)}  {tile.panel.count} x {tile.panel.terms}{groups}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--net", choices=NETS, action="append", help="default: all")
    parser.add_argument("--batch", type=int, help="batch size of every net")
    parser.add_argument("--sm", type=int, default=90, help="compute capability times ten")
    parser.add_argument("--multiprocessors", type=int, default=132)
    args = parser.parse_args()
    target = CudaTarget(args.sm, multiprocessors=args.multiprocessors)
    for name in args.net or NETS:
        net, batches = NETS[name]
        for batch in (args.batch,) if args.batch else batches:
            print(f"{name}, batch {batch}, {target.name} with {target.multiprocessors} multiprocessors")
            print(*table(net(batch), target), sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
