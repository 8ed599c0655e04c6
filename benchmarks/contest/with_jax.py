"""JAX's contenders: one jitted step with donated state, images in two layouts; for tiny nets many steps in one call.

contender.py finds them. XLA has no setting for its number of threads: it makes as many as the CPUs it may run on when
it starts, so that is where they are limited.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from contest.layers import LRN, Add, Attend, Conv, Dense, Embed, Layer, Norm, Pool, Recurrent, RowNorm, Rows
from contest.task import Arrays, Data, Task

State = dict[str, Any]
NEURONS = {
    "relu": jax.nn.relu,
    "sigmoid": jax.nn.sigmoid,
    "tanh": jnp.tanh,
    "gelu": partial(jax.nn.gelu, approximate=False),
}
TINY_FLOPS = 10_000_000
"""Below it the call of a step costs more than the step, and a loop of steps inside of JAX is worth writing."""


def _start(threads: int) -> None:
    """Start XLA's client and its thread pool while this thread may use `threads` CPUs only, then lift the limit."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(allowed)[:threads]))
    jax.devices("cpu")
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), allowed)


class Nchw:
    """Images as the task has them, windows by reduce_window."""

    axes = (2, 3)
    channels = 1
    numbers = ("NCHW", "OIHW", "NCHW")

    @classmethod
    def pool(cls, x: Any, part: Pool, end: int) -> Any:
        size, stride = cls.around(part.kernel, 1), cls.around(part.stride, 1)
        pads = [(0, end if k in cls.axes else 0) for k in range(4)]
        if part.how == "max":
            return lax.reduce_window(x, -jnp.inf, lax.max, size, stride, pads)
        return lax.reduce_window(x, 0.0, lax.add, size, stride, pads) / part.kernel**2

    @classmethod
    def along(cls, v: Any) -> Any:
        """One number per channel, to combine with images."""
        return v.reshape([-1 if k == cls.channels else 1 for k in range(4)])

    @classmethod
    def short(cls, x: Any, y: Any) -> Any:
        """x with y's shape: strided, and with channels of zeros around its own."""
        if x.shape == y.shape:
            return x
        stride, more = x.shape[cls.axes[0]] // y.shape[cls.axes[0]], y.shape[cls.channels] - x.shape[cls.channels]
        x = x[tuple(slice(None, None, stride) if k in cls.axes else slice(None) for k in range(4))]
        return jnp.pad(x, [(more // 2, more // 2) if k == cls.channels else (0, 0) for k in range(4)])

    @classmethod
    def around(cls, value: int, other: int) -> tuple[int, ...]:
        return tuple(value if k in cls.axes else other for k in range(4))


class Nhwc(Nchw):
    """Channels innermost, which XLA's convolutions like best; pooling by a maximum or sum of strided slices."""

    axes = (1, 2)
    channels = 3
    numbers = ("NHWC", "OIHW", "NHWC")

    @classmethod
    def pool(cls, x: Any, part: Pool, end: int) -> Any:
        low = -jnp.inf if part.how == "max" else 0.0
        x = lax.pad(x, low, [(0, end if k in cls.axes else 0, 0) for k in range(4)])
        out = [(x.shape[a] - part.kernel) // part.stride + 1 for a in cls.axes]
        taps = [(i, j) for i in range(part.kernel) for j in range(part.kernel)]
        found = None
        for i, j in taps:
            rows = slice(i, i + part.stride * (out[0] - 1) + 1, part.stride)
            columns = slice(j, j + part.stride * (out[1] - 1) + 1, part.stride)
            tap = x[:, rows, columns]
            found = tap if found is None else jnp.maximum(found, tap) if part.how == "max" else found + tap
        return found if part.how == "max" else found / part.kernel**2


def _through(part: Layer, p: State, x: Any, shape: Any, images: Any) -> Any:
    """One layer; `shape` is a sample's in the task, (channels, height, width)."""
    match part:
        case Conv():
            w = p[f"{part.name}.weight"]
            pads = [(part.pad, part.pad)] * 2
            how = {"dimension_numbers": images.numbers, "feature_group_count": part.group}
            y = lax.conv_general_dilated(x, w, (part.stride, part.stride), pads, **how)
            return y + images.along(p[f"{part.name}.bias"]) if part.bias else y
        case Norm():
            others = tuple(k for k in range(4) if k != images.channels)
            mean, variance = x.mean(others, keepdims=True), x.var(others, keepdims=True)
            normed = (x - mean) / jnp.sqrt(variance + 1e-5)
            return normed * images.along(p[f"{part.name}.weight"]) + images.along(p[f"{part.name}.bias"])
        case Dense():
            if x.ndim == 4:
                x = jnp.moveaxis(x, images.channels, 1).reshape(len(x), -1)
            return x @ p[f"{part.name}.weight"].T + p[f"{part.name}.bias"]
        case Rows() if part.tied:
            return x @ p[f"{part.tied}.weight"].T
        case Rows():
            return x @ p[f"{part.name}.weight"].T + p[f"{part.name}.bias"]
        case RowNorm():
            axis, along = (images.channels, images.along) if x.ndim == 4 else (-1, lambda v: v)
            mean, variance = x.mean(axis, keepdims=True), x.var(axis, keepdims=True)
            normed = (x - mean) / jnp.sqrt(variance + 1e-5)
            return normed * along(p[f"{part.name}.weight"]) + along(p[f"{part.name}.bias"])
        case Embed():
            return p[f"{part.name}.weight"][x] + p[f"{part.name}.bias"]
        case Recurrent():
            return _recurrent(part, p, x)
        case Attend():
            q, k, v = (a.reshape(*a.shape[:2], part.heads, -1) for a in jnp.split(x, 3, 2))
            return jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(*x.shape[:2], -1)
        case Pool():
            return images.pool(x, part, part.overhang(shape))
        case LRN():
            window = images.axes if part.within else (images.channels,)
            size = [part.kernel if k in window else 1 for k in range(4)]
            before = [(k - 1) // 2 for k in size]
            pads = [(b, k - 1 - b) for b, k in zip(before, size, strict=True)]
            total = lax.reduce_window(x * x, 0.0, lax.add, size, (1,) * 4, pads)
            return x / (1 + part.scale / np.prod(size) * total) ** part.power
    raise TypeError(part)


def _recurrent(part: Recurrent, p: State, x: Any) -> Any:
    """The last output; the products of all steps' features at once, as one writes it for speed."""
    w_x, w_h, b_x, b_h = (p[f"{part.name}.{name}"] for name in ("weight_x", "weight_h", "bias_x", "bias_h"))
    zeros = jnp.zeros((len(x), part.units), x.dtype)

    def lstm(state: Any, from_x: Any) -> Any:
        h, c = state
        i, f, g, o = jnp.split(from_x + h @ w_h.T + b_h, 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    def gru(state: Any, from_x: Any) -> Any:
        (h,) = state
        (r_x, z_x, n_x), (r_h, z_h, n_h) = jnp.split(from_x, 3, 1), jnp.split(h @ w_h.T + b_h, 3, 1)
        r, z = jax.nn.sigmoid(r_x + r_h), jax.nn.sigmoid(z_x + z_h)
        n = jnp.tanh(n_x + r * n_h)
        return ((1 - z) * n + z * h,), None

    step, start = (lstm, (zeros, zeros)) if part.cell == "lstm" else (gru, (zeros,))
    return lax.scan(step, start, jnp.moveaxis(x @ w_x.T + b_x, 1, 0))[0][0]


def _forward(p: State, x: Any, task: Task, images: Any) -> Any:
    kept: State = {}
    for part, shape in zip(task.layers, task.shapes, strict=False):
        if isinstance(part, Add):
            x = x + images.short(kept[part.other], x)
        else:
            x = _through(part, p, x, shape, images)
        if neuron := getattr(part, "neuron", ""):
            x = NEURONS[neuron](x)
        kept[part.name] = x
    return x


def _loss(p: State, x: Any, y: Any, task: Task, images: Any) -> Any:
    out = _forward(p, x, task, images)
    if task.loss == "square":
        return 0.5 * ((out - x) ** 2).sum() / len(x)
    if task.loss == "logistic":
        return jnp.mean(jax.nn.softplus(out[:, 0]) - y * out[:, 0])
    return -jnp.take_along_axis(jax.nn.log_softmax(out), y[..., None], -1).mean()


def _step(state: tuple[State, State], x: Any, y: Any, task: Task, images: Any) -> tuple[State, State]:
    p, history = state
    how, decay = task.sgd, {part.name: getattr(part, "decay", 0.0) for part in task.layers}
    grads = jax.grad(_loss)(p, x, y, task, images)
    new, moved = {}, {}
    for name, w in p.items():
        layer, kind = name.split(".")
        bias = kind.startswith("bias")
        g = grads[name] if bias else grads[name] + how.decay * decay[layer] * w
        moved[name] = how.momentum * history[name] - how.lr * (how.bias_rate if bias else 1.0) * g
        new[name] = w + moved[name]
    return new, moved


class _Jit:
    """A net on XLA's CPU device."""

    images: Any = Nchw

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        jax.config.update("jax_enable_x64", data.inputs.dtype == np.float64)
        _start(threads)
        self.task, self.data = task, data

    @staticmethod
    def suits(task: Task) -> bool:
        return True

    def _array(self, x: Any) -> Any:
        """A batch as the net takes it."""
        x = x.astype(np.int32) if self.task.vocabulary else x
        return jnp.asarray(np.moveaxis(x, 1, self.images.channels) if x.ndim == 4 else x)

    def _params(self) -> State:
        return {name: jnp.array(w) for name, w in self.data.weights.items()}

    def close(self) -> None:
        pass


class Jit(_Jit):
    """A call a step."""

    name = "JAX jit"

    def __init__(self, task: Task, data: Data, threads: int, warm_up: int = 2) -> None:
        super().__init__(task, data, threads)
        pairs = [data.batch(k) for k in range(data.n_batches)]
        self.batches = [(self._array(x), None if y is None else jnp.asarray(y)) for x, y in pairs]
        self._compile()
        self.reset()
        self.steps(warm_up)

    def _compile(self) -> None:
        self.step = jax.jit(partial(_step, task=self.task, images=self.images), donate_argnums=0)

    def reset(self) -> None:
        self.done = 0
        p = self._params()
        self.state = (p, {name: jnp.zeros_like(w) for name, w in p.items()})

    def steps(self, n: int) -> None:
        for k in range(self.done, self.done + n):
            self.state = self.step(self.state, *self.batches[k % len(self.batches)])
        jax.block_until_ready(self.state)
        self.done += n

    def values(self) -> Arrays:
        return {name: np.array(w) for name, w in self.state[0].items()}


class Predict(_Jit):
    """A call a prediction."""

    name = "JAX jit"

    def __init__(self, task: Task, data: Data, threads: int) -> None:
        super().__init__(task, data, threads)
        self.run = jax.jit(partial(_forward, task=task, images=self.images))
        self.p, self.x = self._params(), self._array(data.batch(0)[0])
        self.steps(3)

    def reset(self) -> None:
        pass

    def steps(self, n: int) -> None:
        for _ in range(n):
            self.y = jax.block_until_ready(self.run(self.p, self.x))

    def values(self) -> Arrays:
        return {"prediction": np.array(self.y)}


class _Nhwc(_Jit):
    """Channels innermost."""

    name = "JAX jit, channels last"
    images = Nhwc

    @staticmethod
    def suits(task: Task) -> bool:
        return task.images


class JitNhwc(_Nhwc, Jit): ...


class PredictNhwc(_Nhwc, Predict): ...


class Loop(Jit):
    """All steps of a burst in one call, lax.fori_loop over batches on the device."""

    name = "JAX fori_loop"

    @staticmethod
    def suits(task: Task) -> bool:
        return task.step_flops < TINY_FLOPS

    def _compile(self) -> None:
        xs, ys = (jnp.stack(part) for part in zip(*self.batches, strict=True))
        n_batches = len(self.batches)

        def run(state: Any, first: Any, n: Any) -> Any:
            def body(k: Any, state: Any) -> Any:
                at = (first + k) % n_batches
                return _step(state, xs[at], ys[at], self.task, self.images)

            return lax.fori_loop(0, n, body, state)

        self.loop = jax.jit(run, donate_argnums=0)

    def steps(self, n: int) -> None:
        self.state = jax.block_until_ready(self.loop(self.state, self.done, n))
        self.done += n


EXACT = (Jit,)
TRAINERS = (Jit, JitNhwc, Loop)
ROUNDED_TRAINERS = ()
PREDICTORS = (Predict, PredictNhwc)
