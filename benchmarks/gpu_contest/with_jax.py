"""JAX's contenders on a device: a jitted step, and many steps in one lax.scan. Batches lie on the device."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gpu_contest.tasks import LR, MOMENTUM, Task

if jax.default_backend() != "gpu":
    raise ImportError(f"JAX {jax.__version__} sees no GPU here")
jax.config.update("jax_default_matmul_precision", "highest")
LAYERS = {
    "lenet": {"conv1": (20, 1, 5, 5), "conv2": (50, 20, 5, 5), "ip1": (800, 500), "ip2": (500, 10)},
    "cifar": {"conv1": (32, 3, 5, 5), "conv2": (32, 32, 5, 5), "conv3": (64, 32, 5, 5), "ip1": (1024, 10)},
}


def parameters(task: Task) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    widths = (*task.shape, *task.hidden, task.classes)
    dense = {f"ip{k}": (a, b) for k, (a, b) in enumerate(pairwise(widths))}
    found = {}
    for name, shape in LAYERS.get(task.kind, dense).items():
        out = shape[0] if len(shape) == 4 else shape[1]
        fan = np.prod(shape[1:]) if len(shape) == 4 else shape[0]
        found[name] = (rng.standard_normal(shape, np.float32) / np.float32(np.sqrt(fan)), np.zeros(out, np.float32))
    return jax.tree.map(jnp.asarray, found)


def conv(x: Any, p: Any, pad: int) -> Any:
    same = ((pad, pad), (pad, pad))
    return lax.conv_general_dilated(x, p[0], (1, 1), same) + p[1][:, None, None]


def pool(x: Any, size: int, fn: Any, start: float, end: int) -> Any:
    return lax.reduce_window(x, start, fn, (1, 1, size, size), (1, 1, 2, 2), ((0, 0), (0, 0), (0, end), (0, end)))


def lrn(x: Any) -> Any:
    mean = lax.reduce_window(x * x, 0.0, lax.add, (1, 1, 3, 3), (1, 1, 1, 1), "SAME") / 9
    return x / (1 + 5e-5 * mean) ** 0.75


def scores(p: Any, x: Any, kind: str) -> Any:
    relu, low = jax.nn.relu, -jnp.inf
    if kind == "lenet":
        x = pool(conv(pool(conv(x, p["conv1"], 0), 2, lax.max, low, 0), p["conv2"], 0), 2, lax.max, low, 0)
        x = relu(x.reshape(len(x), -1) @ p["ip1"][0] + p["ip1"][1])
        return x @ p["ip2"][0] + p["ip2"][1]
    if kind == "cifar":
        x = lrn(relu(pool(conv(x, p["conv1"], 2), 3, lax.max, low, 1)))
        x = lrn(pool(relu(conv(x, p["conv2"], 2)), 3, lax.add, 0.0, 1) / 9)
        x = pool(relu(conv(x, p["conv3"], 2)), 3, lax.add, 0.0, 1) / 9
        return x.reshape(len(x), -1) @ p["ip1"][0] + p["ip1"][1]
    for k in range(len(p)):
        x = x @ p[f"ip{k}"][0] + p[f"ip{k}"][1]
        x = relu(x) if k + 1 < len(p) else x
    return x


def step(state: Any, batch: Any, kind: str) -> Any:
    p, v = state
    x, y = batch

    def loss(q: Any) -> Any:
        return -jnp.take_along_axis(jax.nn.log_softmax(scores(q, x, kind)), y[:, None], 1).mean()

    value, g = jax.value_and_grad(loss)(p)
    v = jax.tree.map(lambda m, d: MOMENTUM * m - LR * d, v, g)
    return (jax.tree.map(jnp.add, p, v), v), value


class Step:
    """One jitted call a step, state donated."""

    name = "JAX jit"

    def __init__(self, task: Task) -> None:
        p = parameters(task)
        self.state = (p, jax.tree.map(jnp.zeros_like, p))
        x, y = task.data()
        n = len(x) // task.batch
        self.x, self.y = jnp.asarray(x.reshape(n, task.batch, *task.shape)), jnp.asarray(y.reshape(n, -1))
        self.batches = [(self.x[k], self.y[k]) for k in range(n)]
        self.one = jax.jit(partial(step, kind=task.kind), donate_argnums=0)
        self.all = jax.jit(
            lambda state, xs, ys: lax.scan(partial(step, kind=task.kind), state, (xs, ys)), donate_argnums=0
        )
        self.steps(3)

    def steps(self, n: int) -> None:
        for k in range(n):
            self.state, _ = self.one(self.state, self.batches[k % len(self.batches)])
        jax.block_until_ready(self.state)

    def close(self) -> None:
        pass


class Scan(Step):
    """All batches in one call."""

    name = "JAX scan"

    def steps(self, n: int) -> None:
        for _ in range(-(-n // len(self.batches))):
            self.state, _ = self.all(self.state, self.x, self.y)
        jax.block_until_ready(self.state)


CONTENDERS = (Step, Scan)
