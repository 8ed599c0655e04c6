"""Your own operation, with its own loop nest and schedule, and a radial-basis layer that uses it.

    python own_op.py
    mochac explain own_op.py | grep squared_distance

For experts: an op consists of five rules for the interpreter, autodiff and the compiler. The schedule is optional: sums
of products are recognized and scheduled like ours, anything else runs under the generic schedule, which is correct but
slower. docs/guide/own-layers.md explains both.
"""

from __future__ import annotations

import time

import numpy as np

import mochac
from mochac import *
from mochac.codegen.analysis.nests import block_lanes, may_pad
from mochac.codegen.combinators.tiles import lanes, register_tile
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.ir.kernel_build import Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.types import TensorType
from mochac.nets.layers import Parametric, features, integer, layer, option, real


def infer(x, c):
    """Return the result's type, or raise what is wrong with the operands."""
    if len(x.shape) != 2 or len(c.shape) != 2 or x.shape[1] != c.shape[1]:
        raise OpTypeError("points and centres differ in features", str(x.shape), str(c.shape))
    return (TensorType(x.dtype, (x.shape[0], c.shape[0]), batch=x.batch, lanes=x.lanes),)


def reference(x, c):
    """Compute the result in NumPy; the interpreter runs this."""
    return ((x[:, None, :] - c[None, :, :]) ** 2).sum(axis=2)


def vjp(b, bound, dy):
    """dx = 2 (x * sum over o of dy - dy c), dc = 2 (c * sum over n of dy - dy^T x), in terms of operations."""
    x, c = bound.inputs

    def grad(of, summed, kept, product):
        total = b.op("reduce_sum", dy, axes=(summed,))
        spread = b.op("broadcast", total, shape=of.type.shape, axes=(kept,), batch=of.type.batch)
        return b.scaled(b.op("sub", b.op("mul", of, spread), product), 2.0)

    return (
        grad(x, summed=1, kept=0, product=b.op("inner_product_dx", dy, c)),
        grad(c, summed=0, kept=0, product=b.op("inner_product_dw", x, dy)),
    )


def lower(k, bound, index):
    """The loop nest of one element of the result."""
    n, o = index
    x = bound.inputs[0].type
    total = k.local("total", x.dtype, k.const(0.0, x.dtype))
    with k.sum("f", x.shape[1]) as f:
        apart = k.call("sub", k.read(bound, 0, (n, f)), k.read(bound, 1, (o, f)))
        k.accum(total, "fma", apart, apart)
    return (k.get(total),)


def tiled(kernel, target):
    """Keep a tile of centres x batch blocks in registers, as for inner products; None if samples are not in blocks."""
    b = ScheduleBuilder(kernel)
    sample, centre = b.loops()
    if not block_lanes(kernel) or not may_pad(kernel, sample):
        return None
    b.add(Reorder((centre, sample)))
    block, _ = lanes(b, sample, block_lanes(kernel), "pad")
    tile = best_tile(b.extent(centre), b.extent(block), target.machine, max_columns=4)
    (centres, _), _ = register_tile(b, (centre, tile.rows), (block, tile.columns))
    b.add(Parallel((centres,)))
    return b.schedule("squared_distance.tiled")


def define(schedules) -> None:
    register(
        Op(
            name="squared_distance",
            infer=infer,
            reference=reference,
            vjp=vjp,
            lower=Pointwise(lower, ("n", "o")),
            kind="contraction",
            flops=lambda bound: 3 * bound.inputs[0].type.elems * bound.inputs[1].type.shape[0],
            samples=(Sample(("f32[b3,7]", "f32[5,7]")), Sample(("f32[b17,33]", "f32[3,33]"))),
            schedules=schedules,
        )
    )


define({"cpu": tiled})


@layer
class RadialBasisLayer(Parametric):
    """exp(-|x - c_k|^2 / (2 width^2)) for each of `n_centres` learned centres c_k.

    Args:
        n_centres: >= 1.
        width: standard deviation of the Gaussians, > 0.

    Shapes: (batch, ...) -> (batch, n_centres).
    """

    n_centres: int = option(integer(1))
    width: float = option(real(above=0), default=1.0)

    def emit(self, ctx, bottoms):
        (x,) = bottoms
        x = x.reshape(x.shape[0], features(x))
        centres = ctx.param("centres", (self.n_centres, features(x)), GaussianInitializer(std=1), NoRegu(), 1.0)
        distance = ctx.op("squared_distance", x, centres)
        return [np.exp(distance * (-0.5 / self.width**2))]


rng = np.random.default_rng(0)
points = rng.normal(size=(512, 64)).astype(np.float32)
data = MemoryDataLayer(data=[points, (np.abs(points[:, 0]) > 0.7).astype(int)], batch_size=128)
basis = RadialBasisLayer(name="basis", n_centres=256, width=8.0, bottoms=["data"])
out = InnerProductLayer(name="out", output_dim=2, bottoms=["basis"])
loss = SoftmaxLossLayer(name="loss", bottoms=["out", "label"])
net = Net("radial", [data, basis, out, loss])


def seconds(schedules) -> float:
    """Return the time of one training step under the given schedules, the shortest of a few runs."""
    define(schedules)  # a user's own op may be registered again, as in a notebook
    with mochac.compile(net, threads=1) as program:
        program.train(SGD(), max_iter=5)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            program.train(SGD(), max_iter=20)
            runs.append(time.perf_counter() - start)
    define({"cpu": tiled})
    return min(runs) / 20


def main() -> None:
    print(mochac.check_op("squared_distance"))
    small = net.layers[0].replace(data=[points[:8, :5], np.arange(8) % 2], batch_size=4)
    print(mochac.check_gradients(Net("small", [small, basis.replace(n_centres=3), out, loss])))
    speedup = seconds({}) / seconds({"cpu": tiled})
    print(f"with this schedule a step is {speedup:.1f} times as fast as with the generic one")


if __name__ == "__main__":
    main()
