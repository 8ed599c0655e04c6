"""Random small training steps, built from ops. Layers are drawn with odd shapes, pads, strides and groups; blobs are
read several times."""

import numpy as np

from mochac.ir import GraphBuilder, TensorType
from mochac.ir.pullback import gradients
from mochac.nets.solvers import SGD, append_update

BATCHES = (1, 3, 16, 17, 64)
TOLERANCE = {"f32": 2e-4, "f64": 1e-11}


class Net:
    """Draws one net, layer by layer."""

    def __init__(self, seed, dtype):
        self.rng = np.random.default_rng(seed)
        self.dtype = dtype
        self.b = GraphBuilder("random")
        self.params = {}

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def param(self, shape):
        name = f"p{len(self.params)}"
        self.params[name] = self.b.input(name, TensorType(self.dtype, shape), "param")
        return self.params[name]

    def neuron(self, x):
        kind = self.pick("none", "relu", "tanh", "sigmoid", "lrelu", "square")
        if kind == "lrelu":
            return self.b.op(kind, x, self.b.const(self.pick(0.01, 0.2), x.type))
        return x if kind == "none" else self.b.op(kind, x)

    def image_layer(self, x):
        _, c, h, w = x.type.shape
        kernel = (int(self.rng.integers(1, min(h, 4) + 1)), int(self.rng.integers(1, min(w, 4) + 1)))
        stride = (self.pick(1, 1, 2, 3), self.pick(1, 1, 2))
        pad = tuple(int(self.rng.integers(0, k)) for k in kernel)
        kind = self.pick("conv", "conv", "max", "mean", "add", "concat", "lrn", "slice")
        if kind == "conv":
            group = 2 if c % 2 == 0 and self.pick(True, False) else 1
            filters = group * int(self.rng.integers(1, 5))
            bias = (self.param((filters,)),) if self.pick(True, False) else ()
            weight = self.param((filters, c // group, *kernel))
            return self.neuron(self.b.op("conv", x, weight, *bias, stride=stride, pad=pad, group=group))
        if kind == "max":
            stride = kernel if self.pick(True, False) else stride
            return self.neuron(self.b.ops("max_pool", x, kernel=kernel, stride=stride, pad=pad)[0])
        if kind == "mean":
            divisor = self.pick("kernel", "caffe", "valid")
            return self.neuron(self.b.op("mean_pool", x, kernel=kernel, stride=stride, pad=pad, divisor=divisor))
        if kind == "concat":
            return self.b.op("concat", x, self.neuron(x), axis=self.pick(1, 2, 3))
        if kind == "lrn":
            return self.normalised(x)
        if kind == "slice":
            start = (0, 0, int(self.rng.integers(0, h)), int(self.rng.integers(0, w)))
            return self.b.op("slice", x, start=start, shape=(x.type.shape[0], c, h - start[2], w - start[3]))
        return self.b.op("add", self.neuron(x), self.b.op("mul", x, self.neuron(x)))

    def normalised(self, x):
        """x over a power of the squares around it."""
        window = {"axes": self.pick((1,), (2, 3)), "before": self.pick(0, 1), "after": self.pick(1, 2)}
        squares = self.b.scaled(self.b.op("lrn_sum", x, square=True, **window), 0.3)
        base = self.b.op("add", squares, self.b.const(1.0, x.type))
        return self.b.op("power_times", x, base, exponent=self.pick(-0.75, -0.5, -1.0))

    def dense_layer(self, x):
        out = self.pick(1, 2, 5, 17, 33)
        y = self.neuron(self.b.op("inner_product", x, self.param((out, x.type.shape[1])), self.param((out,))))
        if self.pick(True, False):
            step = self.b.input("step", TensorType("i64", ()), "hyper")
            mask = self.b.op("dropout_mask", step, key=9, ratio=0.3, shape=y.type.shape, batch=True)
            y = self.b.op("select", mask, self.b.scaled(y, 1 / 0.7), self.b.const(0.0, y.type))
        return y

    def step(self):
        """A whole training step: forward, backward, update."""
        n, classes = self.pick(*BATCHES), self.pick(1, 3, 10)
        shape = (n, self.pick(1, 2, 3), self.pick(1, 5, 8), self.pick(4, 7))
        x = self.b.input("data", TensorType(self.dtype, shape, batch=True))
        label = self.b.input("label", TensorType(self.dtype, (n, 1), batch=True))
        for _ in range(self.rng.integers(0, 4)):
            x = self.image_layer(x)
        x = self.b.op("reshape", x, shape=(n, x.type.elems // n))
        for _ in range(self.rng.integers(0, 3)):
            x = self.dense_layer(x)
        x = self.b.op("inner_product", x, self.param((classes, x.type.shape[1])))
        losses, _ = self.b.ops("softmax_loss", x, label, axis=1)
        loss = self.b.scaled(self.b.op("reduce_sum", losses, axes=(0,)), 1 / n)
        found = gradients(self.b, loss, list(self.params.values()))
        for name, w in self.params.items():
            append_update(self.b, SGD(), w, self.b.op("add", found[name], self.b.scaled(w, 0.01)), self.pick(1.0, 2.0))
        return self.b.finish([loss]), classes


def feeds_of(graph, classes, rng):
    feeds = {}
    for i in graph.inputs:
        array = rng.standard_normal(i.type.shape) * (0.4 if i.role == "param" else 1.0)
        feeds[i.name] = np.zeros(i.type.shape) if i.role == "slot" else array
    n = feeds["label"].shape
    feeds |= {"label": rng.integers(0, classes, n), "lr": 0.05, "momentum": 0.9}
    return feeds | ({"step": 3} if "step" in feeds else {})
