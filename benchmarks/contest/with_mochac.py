"""mochac's contenders: train() and predict() as users call them, and the native plans alone.

contender.py finds them. train() has the reader thread that fills batches, the loop and the checks of the loss; the plan
is handed finished batches, as the peers are. predict() takes an array and gives one.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

import mochac
from contest.contender import PLAN, PREDICT, ROUNDED, TRAIN
from contest.layers import (
    IMAGE,
    LRN,
    Add,
    Attend,
    Conv,
    Dense,
    Embed,
    Layer,
    Norm,
    Pool,
    Recurrent,
    RowNorm,
    Rows,
    Shape,
)
from contest.task import SGD, Arrays, Data, Task
from mochac.ir.graph import Value
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.solvers.update import Update
from mochac.runtime.data.params import Parameter
from mochac.runtime.tables import Located

BIAS_LR = 2.0
"""mochac's default for the layers that Mocha has, which SGD.bias_rate of a task is."""
NAMES = {"weight": ("weight", "filter", "scale", "value"), "bias": ("bias", "shift")}
"""What mochac's layers call parameters."""
NEURONS = {"": "Identity", "relu": "ReLU", "sigmoid": "Sigmoid", "tanh": "Tanh", "gelu": "GELU"}


def net(task: Task, data: Data) -> mochac.Net:
    """The task's net on the data, in batches."""
    labels = [] if data.labels is None else [data.labels]
    tops = ["data", "label"][: 1 + len(labels)]
    arrays = [data.inputs, *labels]
    layers = [mochac.MemoryDataLayer(name="in", data=arrays, batch_size=data.batch_size, tops=tops)]
    below, shapes = "data", {}
    for part, shape in zip(task.layers, task.shapes[1:], strict=True):
        if isinstance(part, Add):
            layers += _sum(part, below, shapes[part.other], shape)
        elif isinstance(part, Embed):
            layers += _embed(part, below)
        else:
            layers.append(_layer(part, below, shape))
        below, shapes[part.name] = part.name, shape
    return mochac.Net(task.name, [*layers, _loss(task, below)])


@layer
class ChannelsLayer(mochac.Layer):
    """`zeros` channels of zeros before those of an image, and as many behind."""

    zeros: int = 0

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        n, c, h, w = x.type.shape
        return [ctx.op("pad", x, start=(0, self.zeros, 0, 0), shape=(n, c + 2 * self.zeros, h, w))]


def _sum(part: Add, below: str, other: Shape, shape: Shape) -> list[mochac.Layer]:
    """The sum and what makes a shortcut from images of the shape `other` to it."""
    m, made, short = mochac, [], part.other
    if other != shape:
        half, short, stride = f"{part.name}-half", f"{part.name}-short", other[1] // shape[1]
        made.append(m.PoolingLayer(name=half, kernel=1, stride=stride, bottoms=[part.other]))
        made.append(ChannelsLayer(name=short, zeros=(shape[0] - other[0]) // 2, bottoms=[half]))
    add, neuron = f"{part.name}-sum", _neuron(part.neuron)
    made.append(m.ElementWiseLayer(name=add, bottoms=[below, short]))
    return [*made, m.ActivationLayer(name=part.name, neuron=neuron, bottoms=[add], tops=[part.name])]


def _embed(part: Embed, below: str) -> list[mochac.Layer]:
    """The table, which other layers may use, the vectors of ids, and those of places."""
    m, table = mochac, _table(part.name)
    sizes = {"vocabulary": part.vocabulary, "output_dim": part.width}
    return [
        m.ParameterLayer(name=table, shape=(part.vocabulary, part.width), init=m.GaussianInitializer()),
        m.EmbeddingLayer(name=f"{part.name}-vectors", weight=table, bottoms=[below], **sizes),
        m.BiasLayer(
            name=part.name, num_axes=2, shift_lr=BIAS_LR, bottoms=[f"{part.name}-vectors"], tops=[part.name]
        ),
    ]  # fmt: skip


def _table(name: str) -> str:
    return f"{name}-table"


def _layer(part: Layer, below: str, shape: Shape) -> mochac.Layer:
    m, wires = mochac, {"name": part.name, "bottoms": [below]}
    match part:
        case Conv():
            if not part.bias:
                wires["bias"] = False
            return m.ConvolutionLayer(
                **wires, n_filter=part.filters, kernel=part.kernel, stride=part.stride, pad=part.pad,
                n_group=part.group, neuron=_neuron(part.neuron), filter_regu=m.L2Regu(part.decay),
            )  # fmt: skip
        case Norm():
            return m.BatchNormLayer(**wires, neuron=_neuron(part.neuron), shift_lr=BIAS_LR)
        case Dense():
            regu = m.L2Regu(part.decay)
            return m.InnerProductLayer(**wires, output_dim=part.units, neuron=_neuron(part.neuron), weight_regu=regu)
        case Rows() if part.tied:
            return m.InnerProductLayer(
                **wires,
                output_dim=part.units,
                axis=-1,
                neuron=_neuron(part.neuron),
                weight=_table(part.tied),
                bias=False,
            )
        case Rows():
            return m.InnerProductLayer(**wires, output_dim=part.units, axis=-1, neuron=_neuron(part.neuron))
        case RowNorm():
            return m.LayerNormLayer(**wires, axes=1 if len(shape) == IMAGE else -1, shift_lr=BIAS_LR)
        case Recurrent():
            made = {"lstm": m.LSTMLayer, "gru": m.GRULayer}[part.cell]
            return made(**wires, output_dim=part.units, last=True, bias_lr=BIAS_LR)
        case Attend():
            return m.AttentionLayer(**wires, heads=part.heads, causal=True)
        case Pool():
            how = m.Pooling.Max() if part.how == "max" else m.Pooling.Mean()
            window = {"kernel": part.kernel, "stride": part.stride, "pooling": how}
            return m.PoolingLayer(**wires, **window, neuron=_neuron(part.neuron))
        case LRN():
            mode = m.LRNMode.WithinChannel() if part.within else m.LRNMode.AcrossChannel()
            return m.LRNLayer(**wires, kernel=part.kernel, scale=part.scale, power=part.power, mode=mode)
    raise TypeError(part)


def _neuron(name: str) -> object:
    return getattr(mochac.Neurons, NEURONS[name])()


def _loss(task: Task, below: str) -> mochac.Layer:
    if task.loss == "square":
        return mochac.SquareLossLayer(name="loss", bottoms=[below, "data"])
    if task.loss == "logistic":
        return mochac.BinaryCrossEntropyLossLayer(name="loss", bottoms=[below, "label"], logits=True)
    return mochac.SoftmaxLossLayer(name="loss", axis=len(task.shapes[-1]), bottoms=[below, "label"])


def sgd(how: SGD) -> mochac.SGD:
    """The task's solver."""
    return mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(how.lr), mom_policy=mochac.MomPolicy.Fixed(how.momentum))


def regu_coef(how: SGD) -> float:
    """Mocha's L2 adds 2 * coefficient * regu_coef * w to the gradient."""
    return how.decay / 2


class _Program:
    """A compiled program and its parameters under the task's names."""

    precision = "float32"

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        logging.getLogger("mochac").setLevel(logging.WARNING)
        self.task, self.data = task, data
        how = {"dtype": str(data.inputs.dtype), "precision": self.precision}
        self.program = mochac.compile(net(task, data), backend="cpu", threads=threads, **how)

    @staticmethod
    def suits(task: Task) -> bool:
        return True

    def _set_weights(self) -> None:
        for name, value in self.data.weights.items():
            self._param(name)[...] = value

    def _param(self, name: str) -> Parameter:
        layer, param = name.split(".")
        table = _table(layer) if param == "weight" else ""
        own = self.program.params[table if table in self.program.params else layer]
        return next(own[name] for name in NAMES.get(param, (param,)) if name in own)

    def close(self) -> None:
        self.program.close()


class Train(_Program):
    """program.train(SGD(...), max_iter=n)."""

    name = TRAIN

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        super().__init__(task, data, threads)
        self.method, self.regu = sgd(task.sgd), regu_coef(task.sgd)
        self.start = self.program.session.batches.position.cursor()
        self.program.train(self.method, max_iter=1, regu_coef=self.regu, verbose=0)  # its step plan exists from now on

    def reset(self) -> None:
        self._set_weights()
        self.program.session.batches.position.set_cursor(self.start)

    def steps(self, n: int) -> None:
        self.program.train(self.method, max_iter=n, regu_coef=self.regu, verbose=0)

    def values(self) -> Arrays:
        return {name: self._param(name)[...] for name in self.data.weights}


class TrainRounded(Train):
    """With precision="bfloat16"."""

    name, precision = ROUNDED, "bfloat16"


class Steps:
    """The step plan of a program on batches in memory: one native call, no reader thread.

    Args:
        arrays: by the data layer's top, N samples, N whole batches.
    """

    def __init__(self, program: mochac.Program, method: mochac.SGD, regu: float, arrays: Arrays) -> None:
        self.bound = program.session.plans.step(Update(method, regu))
        keys = {feed.top: feed.value for feed in self.bound.traced.feeds}
        self.arrays = {keys[top]: np.ascontiguousarray(a, program.dtype) for top, a in arrays.items()}
        self.size = program.batch_size
        self.n_batches = len(next(iter(arrays.values()))) // self.size
        self.scalars = {"lr": method.lr_policy.value(0), "momentum": method.mom_policy.value(0)}

    def run(self, first: int, n: int) -> None:
        """Steps first .. first + n - 1."""
        turns = (first + np.arange(n)) % self.n_batches
        last = slice(int(turns[-1]) * self.size, (int(turns[-1]) + 1) * self.size)
        addresses = {
            key: (a.ctypes.data + turns * (self.size * a.strides[0])).astype(np.uint64)
            for key, a in self.arrays.items()
        }
        scalars = {**self.scalars, "step": first + np.arange(n)}
        hyper = {s.key: scalars[s.key] for s in self.bound.compiled.plan.placements if s.place == "hyper"}
        self.bound.runner.run(n, Located(addresses, {key: a[last] for key, a in self.arrays.items()}), hyper)


class Plan(Train):
    """The step plan by itself."""

    name = PLAN

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        super().__init__(task, data, threads)
        labels = {} if data.labels is None else {"label": data.labels.reshape(len(data.labels), -1)}
        self.plan = Steps(self.program, self.method, self.regu, {"data": data.inputs, **labels})
        self.bound = self.plan.bound
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.program.session.plans.reset_slots()
        self.done = 0

    def steps(self, n: int) -> None:
        self.plan.run(self.done, n)
        self.done += n


class Predict(_Program):
    """program.predict(x)."""

    name = PREDICT

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        super().__init__(task, data, threads)
        self._set_weights()
        self.x, self.blob = data.batch(0)[0], task.layers[-1].name
        self.steps(1)

    def reset(self) -> None:
        pass

    def steps(self, n: int) -> None:
        for _ in range(n):
            self.y = self.program.predict(self.x, self.blob)

    def values(self) -> Arrays:
        return {"prediction": self.y}


class PredictPlan(Predict):
    """The plan for exactly this batch, one native call a prediction."""

    name = PLAN

    def steps(self, n: int) -> None:
        self.bound = bound = self.program.session.plans.predict((self.blob,), len(self.x))
        (key,) = [f.value for f in bound.traced.feeds if f.top == "data"]
        feeds = [{key: self.x}]
        scalars = {"n_valid": len(self.x), "step": 0}
        hyper = {s.key: scalars[s.key] for s in bound.compiled.plan.placements if s.place == "hyper"}
        for _ in range(n):
            bound.runner.run(1, feeds, hyper)
        self.y = bound.runner.read(self.blob)


TRAINERS = (Plan, Train)
EXACT = (Plan,)
ROUNDED_TRAINERS = (Train, TrainRounded)
PREDICTORS = (PredictPlan, Predict)
