"""Random recurrent cells, written as users write layers of their own: gates of any number, joined in any way.

Kernels join a product with the gates that read it (passes/join_products.py); the cells of the catalogue are only three.
"""

import random

import pytest
from random_training import check

from mochac import ConstantInitializer, L2Regu, Net, NoRegu, XavierInitializer
from mochac.nets.layers import Parametric, integer, layer, option
from mochac.nets.layers.base import LAYERS
from mochac.tools.fuzzing.blocks import BATCHES, BlockDrawer, DrawnNet

pytestmark = pytest.mark.slow
FUNCTIONS = ("sigmoid", "tanh", "relu", "sigmoid", "")


@pytest.fixture(scope="module")
def cell():
    """A recurrent layer whose cell its seed draws; the catalogue of other tests lacks it."""
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)

    @layer
    class RandomCellLayer(Parametric):
        size: int = option(integer(1))
        seed: int = option(integer(0))

        def emit(self, ctx, bottoms):
            rng, size, (x,) = random.Random(self.seed), self.size, bottoms
            n, two, apart, all_steps = rng.randint(1, 5), rng.random() < 0.5, rng.random() < 0.4, rng.random() < 0.5
            weights, shifts = (XavierInitializer(), L2Regu(1.0), 1.0), (ConstantInitializer(0.1), NoRegu(), 1.0)
            weight_x = ctx.param("weight_x", (n * size, x.shape[2]), *weights)
            weight_h = ctx.param("weight_h", (n * size, size), *weights)
            bias = [ctx.param("bias_x", (n * size,), *shifts, decays=False)] if rng.random() < 0.7 else []
            later = ctx.param("weight_c", (size, size), *weights) if rng.random() < 0.3 else None
            functions, joins = rng.choices(FUNCTIONS, k=n), rng.choices(("scaled", "added", "taken", "mixed"), k=n)

            def step(state, slices):
                from_x = ctx.op("inner_product", slices[0], weight_x, *bias)
                from_h = ctx.op("inner_product", state[0], weight_h)
                columns = [slice(k * size, (k + 1) * size) for k in range(n)]
                whole = None if apart else from_x + from_h
                sums = [from_x[:, c] + from_h[:, c] if whole is None else whole[:, c] for c in columns]
                gates = [ctx.op(f, s) if f else s for f, s in zip(functions, sums, strict=True)]
                value = state[-1]
                for how, gate in zip(joins, gates, strict=True):
                    if how == "mixed":
                        value = value * (1.0 - ctx.op("sigmoid", gate)) + gate * 0.5
                    elif how == "taken":
                        value = gate - value * 0.25
                    else:
                        value = value * (gate if how == "scaled" else 0.5) + gate
                value = ctx.op("tanh", value)
                if later is not None:
                    value = value + ctx.op("inner_product", value, later) * 0.1
                return [gates[0] * value, value] if two else [value], [gates[-1]]

            zero = ctx.op("fill", value=0.0, dtype=ctx.dtype, shape=(x.shape[0], size), batch=True)
            done = ctx.scan(step, [zero, zero] if two else [zero], [x])
            return [rng.choice((done.outputs[0], done.after[0])) if all_steps else done.last[0]]

    yield RandomCellLayer
    LAYERS._items, LAYERS.foreign = before


SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(8, 150))]


@pytest.mark.parametrize("seed", SEEDS)
def test_trained_equals_interpreted(cell, seed, monkeypatch):
    class Cells(BlockDrawer):
        """A cell, and perhaps a second behind it."""

        def draw(self, steps):
            rng = self.rng
            self.batch = rng.choice(BATCHES)
            self.samples = 2 * self.batch
            shape = rng.choice((1, 2, 3, 5, 9)), rng.choice((1, 3, 4, 8, 16, 17, 24))
            self.blobs["data"], self.newest = shape, "data"
            self.arrays["data"] = self.numbers.standard_normal((self.samples, *shape))
            for k in range(rng.choice((1, 1, 2))):
                if len(self.blobs[self.newest]) == 2:
                    size = rng.choice((1, 3, 4, 8, 15, 16, 17, 24, 33))
                    self.put(cell(name=f"cell{k}", size=size, seed=self.seed + 1000 * k, bottoms=[self.newest]))
            self.blobs = {self.newest: self.blobs[self.newest]}
            self.head(0)
            self.layers.append(self.data())
            net = Net(f"cells{self.seed}", self.layers)
            return DrawnNet(net, self.arrays, self.batch, self.solver(steps), (), self.seed)

    if seed % 4 == 3:
        monkeypatch.setenv("MOCHAC_CPU", "haswell")
    check(seed, ("float32", "float32", "float64")[seed % 3], drawer=Cells)
