"""Graphs of one op whose operands are constants, broadcasts and unit extents, for the tests of scheduling rules.

`replaced` gives the samples of an op with some operands made of nothing; `OddGraph` draws ops with odd operands, an
epilogue and gradients. Both are read from the registry of ops or from a seed, and know no rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mochac.ir import GraphBuilder, TensorType
from mochac.ir.graph import Graph, Value
from mochac.ir.op import OPS
from mochac.ir.pullback import gradients
from mochac.ir.samples import draw
from mochac.ir.types import DTYPES

ROOTS = [name for name, op in OPS.items() if op.kind in ("contraction", "window", "row", "reduce")]
FLOATS = ("f32", "f64")


@dataclass(frozen=True)
class Fed:
    """A graph and its inputs' values."""

    name: str
    graph: Graph
    feeds: dict[str, np.ndarray]


def replaced(op: str, dtype: str = "f32") -> Iterator[Fed]:
    """Every sample of an op with each choice of operands, at least one, filled with a number or broadcast from one."""
    for number, sample in enumerate(OPS[op].samples):
        case = draw(OPS[op], sample, dtype)
        places = [k for k, t in enumerate(case.types) if t.shape]
        choices = [c for size in range(1, len(places) + 1) for c in itertools.combinations(places, size)]
        for chosen, how in itertools.product(choices, ("fill", "scalar")):
            b, feeds = GraphBuilder("odd"), {}
            operands = []
            for k, (t, array) in enumerate(zip(case.types, case.arrays, strict=True)):
                t = t.with_(lanes=0)
                value = array.reshape(-1)[0]
                if k in chosen and (how == "fill" or t.dtype not in FLOATS):
                    operands.append(filled(b, t, value.item()))
                    continue
                alone = k in chosen
                role = "data" if t.batch and not alone else "param" if t.shape and not alone else "hyper"
                x = b.input(f"x{k}", TensorType(t.dtype, ()) if alone else t, role)
                feeds[f"x{k}"] = value if alone else array
                operands.append(spread(b, x, t) if alone else x)
            results = b.ops(op, *operands, **case.attrs)
            yield Fed(f"{op}-{number}-{''.join(map(str, chosen))}-{how}", b.finish(list(results)), feeds)


def filled(b: GraphBuilder, t: TensorType, value: float) -> Value:
    """A tensor of one number."""
    number = value if t.dtype in FLOATS else int(value)
    return b.op("fill", value=number, dtype=t.dtype, shape=t.shape, batch=t.batch)


def spread(b: GraphBuilder, x: Value, t: TensorType, axes: tuple[int, ...] = ()) -> Value:
    """`x` along `axes`, repeated along the others."""
    return b.op("broadcast", x, shape=t.shape, axes=axes, batch=t.batch)


class OddGraph:
    """One op, drawn by seed: odd operands, extents of 1 among others, an epilogue, and gradients half of the time."""

    OPERANDS = ("input", "fill", "scalar", "axes", "sum", "scaled", "map", "reshape", "slice")
    KINDS = (
        "conv", "conv_dx", "conv_dw", "pooled", "inner_product", "inner_product_dx", "inner_product_dw",
        "max_pool", "mean_pool", "max_pool_dx", "mean_pool_dx", "lrn_sum", "softmax", "softmax_loss", "reduce_sum",
    )  # fmt: skip

    def __init__(self, seed: int, dtype: str = "f32") -> None:
        self.rng, self.dtype = np.random.default_rng(seed), dtype
        self.b = GraphBuilder("odd")
        self.batch = self.pick(1, 2, 3, 5, 16, 17, 33)
        self.feeds: dict[str, np.ndarray] = {}
        self.inputs: list[Value] = []
        kind = self.pick(*self.KINDS)
        y = self.tail(getattr(self, kind)())
        results = [y, *(self.backward(y) if not kind.endswith(("_dx", "_dw")) and self.pick(True, False) else ())]
        self.fed = Fed(f"seed{seed}", self.b.finish(list({v.name: v for v in results}.values())), self.feeds)

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def input(self, shape: tuple[int, ...], batch: bool) -> Value:
        name = f"x{len(self.inputs)}"
        self.feeds[name] = self.rng.standard_normal(shape).astype(DTYPES[self.dtype])
        role = "data" if batch else "param" if shape else "hyper"
        self.inputs.append(self.b.input(name, TensorType(self.dtype, shape, batch=batch), role))
        return self.inputs[-1]

    def operand(self, *shape: int, batch: bool = True, kind: str = "") -> Value:
        t, kind = TensorType(self.dtype, shape, batch=batch), kind or self.pick(*self.OPERANDS)
        if kind == "fill":
            return filled(self.b, t, self.pick(0.0, 1.0, 0.5, -2.0))
        if kind in ("scalar", "axes"):
            axes = tuple(k for k in range(len(shape)) if kind == "axes" and self.pick(True, False))
            return spread(self.b, self.input(tuple(shape[k] for k in axes), batch and 0 in axes), t, axes)
        if kind == "reshape":
            flat = (shape[0], int(np.prod(shape[1:]))) if batch else (int(np.prod(shape)),)
            return self.b.op("reshape", self.input(flat, batch), shape=shape)
        if kind == "slice" and len(shape) > 1:
            x = self.input((*shape[:-1], shape[-1] + 2), batch)
            return self.b.op("slice", x, start=(*[0] * (len(shape) - 1), 1), shape=shape)
        x = self.input(shape, batch)
        if kind == "map":
            return self.b.op(self.pick("tanh", "square"), x)
        other = {"sum": "fill", "scaled": "scalar"}.get(kind)
        return (
            self.b.op("add" if kind == "sum" else "mul", x, self.operand(*shape, batch=batch, kind=other))
            if other
            else x
        )

    def image(self) -> tuple[tuple[int, ...], dict[str, tuple[int, int]], tuple[int, int]]:
        """Shape, stride and padding, kernel."""
        kernel = (self.pick(1, 2, 3), self.pick(1, 2, 3))
        pad = tuple(int(self.rng.integers(0, k)) for k in kernel)
        sides = (
            self.pick(*(n for n in (1, 1, 2, 3, 4, 6, 8) if n + 2 * p >= k)) for k, p in zip(kernel, pad, strict=True)
        )
        stride = (self.pick(1, 1, 2, 3), self.pick(1, 1, 2, 3))
        return (self.batch, self.pick(1, 1, 2, 3), *sides), {"stride": stride, "pad": pad}, kernel

    def convolution(self):
        """Shapes of image, filter and result, and attributes."""
        (n, c, h, w), how, kernel = self.image()
        group = self.pick(1, 1, 1, 2, 3)
        filters = group * self.pick(1, 1, 2, 5, 9)
        out = [(s + 2 * p - k) // t + 1 for s, p, k, t in zip((h, w), how["pad"], kernel, how["stride"], strict=True)]
        return (n, c * group, h, w), (filters, c, *kernel), (n, filters, *out), {**how, "group": group}

    def conv(self) -> Value:
        x, w, _, how = self.convolution()
        bias = [self.operand(w[0], batch=False)] if self.pick(True, False) else []
        return self.b.op("conv", self.operand(*x), self.operand(*w, batch=False), *bias, **how)

    def conv_dx(self) -> Value:
        x, w, y, how = self.convolution()
        return self.b.op("conv_dx", self.operand(*y), self.operand(*w, batch=False), shape=x, **how)

    def conv_dw(self) -> Value:
        x, w, y, how = self.convolution()
        return self.b.op("conv_dw", self.operand(*x), self.operand(*y), kernel=w[2:], **how)

    def pooled(self) -> Value:
        """A convolution, its epilogue and a pool."""
        y = self.tail(self.conv())
        kernel = tuple(min(self.pick(1, 2, 3), n) for n in y.type.shape[2:])
        stride = kernel if self.pick(True, False) else (self.pick(1, 2, 3), self.pick(1, 2, 3))
        pad = tuple(int(self.rng.integers(0, k)) * self.pick(0, 1) for k in kernel)
        return self.pool(y, {"kernel": kernel, "stride": stride, "pad": pad}, self.pick("max_pool", "mean_pool"))[0]

    def pool(self, x: Value, how: dict, kind: str) -> tuple[Value, ...]:
        divisor = {"divisor": self.pick("kernel", "caffe", "valid")} if kind == "mean_pool" else {}
        return self.b.ops(kind, x, **how, **divisor)

    def max_pool(self) -> Value:
        shape, how, kernel = self.image()
        return self.pool(self.operand(*shape), {"kernel": kernel, **how}, "max_pool")[0]

    def mean_pool(self) -> Value:
        shape, how, kernel = self.image()
        return self.pool(self.operand(*shape), {"kernel": kernel, **how}, "mean_pool")[0]

    def max_pool_dx(self) -> Value:
        shape, how, kernel = self.image()
        _, cells = self.pool(self.operand(*shape, kind="input"), {"kernel": kernel, **how}, "max_pool")
        return self.b.op("max_pool_dx", self.operand(*cells.type.shape), cells, shape=shape, kernel=kernel, **how)

    def mean_pool_dx(self) -> Value:
        shape, how, kernel = self.image()
        how = {"kernel": kernel, **how, "divisor": self.pick("kernel", "caffe", "valid")}
        (y,) = OPS["mean_pool"].infer(TensorType(self.dtype, shape, batch=True), **how)
        return self.b.op("mean_pool_dx", self.operand(*y.shape), shape=shape, **how)

    def features(self) -> tuple[int, int, int]:
        return self.batch, self.pick(1, 1, 2, 7, 16, 33), self.pick(1, 1, 2, 5, 16, 50)

    def inner_product(self) -> Value:
        n, f, o = self.features()
        bias = [self.operand(o, batch=False)] if self.pick(True, False) else []
        x = self.operand(n, f, batch=self.pick(True, True, False))
        return self.b.op("inner_product", x, self.operand(o, f, batch=False), *bias)

    def inner_product_dx(self) -> Value:
        n, f, o = self.features()
        return self.b.op("inner_product_dx", self.operand(n, o), self.operand(o, f, batch=False))

    def inner_product_dw(self) -> Value:
        n, f, o = self.features()
        return self.b.op("inner_product_dw", self.operand(n, f), self.operand(n, o))

    def rows(self) -> tuple[int, ...]:
        more = (self.pick(1, 3), self.pick(1, 4, 17)) if self.pick(True, False) else ()
        return self.batch, self.pick(1, 2, 7), *more

    def lrn_sum(self) -> Value:
        shape = self.rows()
        axes = (2, 3) if len(shape) == 4 and self.pick(True, False) else (1,)
        how = {"before": self.pick(0, 1, 2), "after": self.pick(0, 1, 2), "square": self.pick(True, False)}
        return self.b.op("lrn_sum", self.operand(*shape), axes=axes, **how)

    def softmax(self) -> Value:
        return self.b.op("softmax", self.operand(*self.rows()), axis=1)

    def softmax_loss(self) -> Value:
        shape = self.rows()
        label = filled(self.b, TensorType(self.dtype, (shape[0], 1, *shape[2:]), batch=True), 0.0)
        return self.b.ops("softmax_loss", self.operand(*shape), label, axis=1)[0]

    def reduce_sum(self) -> Value:
        shape = self.rows()
        axes = tuple(k for k in range(len(shape)) if self.pick(True, False)) or (0,)
        return self.b.op("reduce_sum", self.operand(*shape, batch=self.pick(True, False)), axes=axes)

    def tail(self, y: Value) -> Value:
        for _ in range(self.rng.integers(0, 3) if y.type.shape else 0):
            kind = self.pick("tanh", "square", "add", "mul")
            other = () if kind in ("tanh", "square") else (self.operand(*y.type.shape, batch=y.type.batch),)
            y = self.b.op(kind, y, *other)
        return y

    def backward(self, y: Value) -> Iterator[Value]:
        """A weighted sum and its gradients to the inputs."""
        if y.type.shape:
            weighted = self.b.op("mul", y, self.operand(*y.type.shape, batch=y.type.batch))
            y = self.b.op("reduce_sum", weighted, axes=tuple(range(len(y.type.shape))))
        yield y
        yield from gradients(self.b, y, [x for x in self.inputs if x.type.shape]).values()
