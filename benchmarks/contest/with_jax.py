"""JAX's contenders: one jitted step with donated state, in the two ways to write max pooling.

contender.py finds them. XLA has no setting for its number of threads: it makes as many as the CPUs it may run on when
it starts, so that is where they are limited.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from contest.task import BIAS_RATE, LR, MOMENTUM, WEIGHT_DECAY, Task, Weights

State = dict[str, Any]


def _start(threads: int) -> None:
    """Start XLA's client and its thread pool while this thread may use `threads` CPUs only, then lift the limit."""
    import jax

    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(allowed)[:threads]))
    jax.devices("cpu")
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), allowed)


def _pool_window(x: Any) -> Any:
    import jax

    return jax.lax.reduce_window(x, -float("inf"), jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def _pool_reshape(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))


def _loss(params: State, x: Any, y: Any, pool: Any) -> Any:
    import jax

    conv = partial(jax.lax.conv_general_dilated, window_strides=(1, 1), padding="VALID")
    for name in ("conv1", "conv2"):
        x = pool(conv(x, params[f"{name}.weight"]) + params[f"{name}.bias"][:, None, None])
    x = jax.nn.relu(x.reshape(len(x), -1) @ params["ip1.weight"].T + params["ip1.bias"])
    x = jax.nn.log_softmax(x @ params["ip2.weight"].T + params["ip2.bias"])
    return -jax.numpy.take_along_axis(x, y[:, None], 1).mean()


def _step(state: tuple[State, State], x: Any, y: Any, pool: Any) -> tuple[tuple[State, State], Any]:
    import jax

    params, history = state
    loss, grads = jax.value_and_grad(_loss)(params, x, y, pool)
    new, moved = {}, {}
    for name, w in params.items():
        bias = name.endswith("bias")
        g = grads[name] if bias else grads[name] + WEIGHT_DECAY * w
        moved[name] = MOMENTUM * history[name] - LR * (BIAS_RATE if bias else 1.0) * g
        new[name] = w + moved[name]
    return (new, moved), loss


class Window:
    """Pooling by reduce_window."""

    name = "JAX jit"
    pool = staticmethod(_pool_window)

    def __init__(self, task: Task, threads: int, warm_up: int = 2) -> None:
        _start(threads)
        import jax

        self.task, self.jax = task, jax
        batches = [task.batch(k) for k in range(task.n_batches)]
        self.batches = [(jax.device_put(x), jax.device_put(y)) for x, y in batches]
        self.step = jax.jit(partial(_step, pool=self.pool), donate_argnums=0)
        self.reset()
        self.steps(warm_up)

    def reset(self) -> None:
        self.done = 0
        params = {name: self.jax.numpy.array(w) for name, w in self.task.weights.items()}
        self.state = (params, {name: self.jax.numpy.zeros_like(w) for name, w in params.items()})

    def steps(self, n: int) -> None:
        for k in range(self.done, self.done + n):
            self.state, _ = self.step(self.state, *self.batches[k % len(self.batches)])
        self.jax.block_until_ready(self.state)
        self.done += n

    def weights(self) -> Weights:
        import numpy as np

        return {name: np.array(w) for name, w in self.state[0].items()}


class Reshape(Window):
    """Pooling by a maximum over reshaped axes."""

    name = "JAX jit, pooling by reshape"
    pool = staticmethod(_pool_reshape)


CONTENDERS = (Window, Reshape)
