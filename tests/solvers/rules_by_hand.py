"""The solvers' rules and a two-layer net in NumPy float64, sharing no line with mochac.

tests/solvers train it beside the compiled net. Rules are written from the papers' formulas (docs/guide/solvers.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Arrays = dict[str, np.ndarray]
State = dict[str, np.ndarray]
Rule = Callable[[np.ndarray, np.ndarray, State, int, float], np.ndarray]
"""(w, g, state, t, lr_mult) -> the change of w; t = completed updates; the state is changed in place."""


def lr(t: int) -> float:
    """LRPolicy.Inv(0.05, 0.1, 0.75)."""
    return 0.05 * (1 + 0.1 * t) ** -0.75


def momentum(t: int) -> float:
    """MomPolicy.Linear(0.5, 0.02, 3, 0.9)."""
    return min(0.5 + (t // 3) * 0.02, 0.9)


def sgd(w, g, s, t, a):
    step = momentum(t) * s.get("h", 0) - a * lr(t) * g
    s["h"] = step if momentum(t) else 0
    return step


def nesterov(w, g, s, t, a):
    """Bengio et al. 2012: undo the look ahead, step, look ahead again."""
    back = -momentum(t) * s.get("h", 0)
    s["h"] = momentum(t) * s.get("h", 0) - a * lr(t) * g
    return back + (1 + momentum(t + 1)) * s["h"]


def adam(w, g, s, t, a, b1=0.8, b2=0.99, eps=1e-8):
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    k = t + 1
    return -a * lr(t) * math.sqrt(1 - b2**k) / (1 - b1**k) * s["m"] / (np.sqrt(s["v"]) + eps)


def adam_following(w, g, s, t, a):
    """Adam whose beta1 follows a policy."""
    return adam(w, g, s, t, a, b1=momentum(t))


def adamw(w, g, s, t, a, b1=0.8, b2=0.99, eps=1e-6, decay=0.3):
    """Loshchilov and Hutter 2019; the shrunk weight and then Adam's step. Biases do not shrink."""
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    k = t + 1
    step = a * lr(t) * (s["m"] / (1 - b1**k)) / (np.sqrt(s["v"] / (1 - b2**k)) + eps)
    return -(a * lr(t) * decay * w if w.ndim > 1 else 0) - step


def radam(w, g, s, t, a, b1=0.8, b2=0.9, eps=1e-6):
    """Liu et al. 2020."""
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    k, most = t + 1, 2 / (1 - b2) - 1
    rho = most - 2 * k * b2**k / (1 - b2**k)
    mean = s["m"] / (1 - b1**k)
    if rho <= 5:
        return -a * lr(t) * mean
    r = math.sqrt((rho - 4) * (rho - 2) * most / (most - 4) / (most - 2) / rho)
    return -a * lr(t) * r * mean * math.sqrt(1 - b2**k) / (np.sqrt(s["v"]) + eps)


def nadam(w, g, s, t, a, b1=0.8, b2=0.9, eps=1e-6, psi=0.1):
    """Dozat 2016."""
    mu = [b1 * (1 - 0.5 * 0.96 ** (psi * k)) for k in range(1, t + 3)]
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    before, after = math.prod(mu[:-1]), math.prod(mu)
    step = (1 - mu[-2]) / (1 - before) * g + mu[-1] / (1 - after) * s["m"]
    return -a * lr(t) * step / (np.sqrt(s["v"] / (1 - b2 ** (t + 1))) + eps)


def adamax(w, g, s, t, a, b1=0.8, b2=0.9, eps=1e-6):
    """Kingma and Ba 2015, algorithm 2."""
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["u"] = np.maximum(b2 * s.get("u", 0), np.abs(g) + eps)
    return -a * lr(t) / (1 - b1 ** (t + 1)) * s["m"] / s["u"]


def adadelta(w, g, s, t, a, rho=0.9, eps=1e-4):
    s["g2"] = rho * s.get("g2", 0) + (1 - rho) * g * g
    step = np.sqrt(s.get("d2", 0) + eps) / np.sqrt(s["g2"] + eps) * g
    s["d2"] = rho * s.get("d2", 0) + (1 - rho) * step * step
    return -a * step


def adagrad(w, g, s, t, a, gamma=0.05, eps=1e-8):
    s["h"] = s.get("h", 0) + g * g
    return -a * gamma / (eps + np.sqrt(s["h"])) * g


def rmsprop(w, g, s, t, a, rho=0.9, eps=1e-6):
    s["r"] = rho * s.get("r", 0) + (1 - rho) * g * g
    return -a * lr(t) * g / np.sqrt(s["r"] + eps)


RULES: dict[str, Rule] = {
    "SGD": sgd, "Nesterov": nesterov, "Adam": adam, "Adadelta": adadelta, "Adagrad": adagrad, "RMSProp": rmsprop,
    "AdamW": adamw, "RAdam": radam, "NAdam": nadam, "Adamax": adamax,
}  # fmt: skip


def gradients(p: Arrays, x: np.ndarray, label: np.ndarray) -> tuple[float, Arrays]:
    """Mean cross entropy of tanh(x W1 + b1) W2 + b2, and its gradients."""
    h = np.tanh(x @ p["h___weight"].T + p["h___bias"])
    y = h @ p["y___weight"].T + p["y___bias"]
    soft = np.exp(y - y.max(1, keepdims=True))
    soft /= soft.sum(1, keepdims=True)
    rows = np.arange(len(x))
    loss = -np.log(soft[rows, label]).mean()
    dy = soft
    dy[rows, label] -= 1
    dy /= len(x)
    dh = dy @ p["y___weight"] * (1 - h * h)
    grads = {"y___weight": dy.T @ h, "y___bias": dy.sum(0), "h___weight": dh.T @ x, "h___bias": dh.sum(0)}
    return float(loss), grads


def regularized(p: Arrays, grads: Arrays, coef: float) -> Arrays:
    """weights of h: L2Regu(1), of y: L1Regu(2), biases of h: L2Regu(0.5)."""
    extra = {
        "h___weight": 2 * coef * p["h___weight"],
        "h___bias": coef * p["h___bias"],
        "y___weight": 2 * coef * np.sign(p["y___weight"]),
    }
    return {n: g + extra.get(n, 0) for n, g in grads.items()}


def bounded(grads: Arrays, limit: float | None) -> Arrays:
    """Every element within the limit."""
    return {n: g if limit is None else np.clip(g, -limit, limit) for n, g in grads.items()}


def clipped(grads: Arrays, limit: float | None) -> Arrays:
    """All gradients scaled so that their joint 2-norm is at most the limit."""
    norm = math.sqrt(sum((g * g).sum() for g in grads.values()))
    scale = 1.0 if limit is None or norm <= limit else limit / norm
    return {n: scale * g for n, g in grads.items()}


LR_MULT = {"h___weight": 1.0, "h___bias": 2.0, "y___weight": 0.5, "y___bias": 0.0}


def train(
    rule: Rule,
    p: Arrays,
    batches: list,
    *,
    coef: float = 0.0,
    clip: float | None = None,
    clip_value: float | None = None,
    frozen: tuple[str, ...] = (),
) -> list[float]:
    """Update `p` in place, one step a batch; the losses before the updates."""
    states: dict[str, State] = {n: {} for n in p}
    losses = []
    for t, (x, label) in enumerate(batches):
        loss, grads = gradients(p, x, label)
        losses.append(loss)
        trained = {n: g for n, g in grads.items() if n.split("___")[0] not in frozen and LR_MULT[n]}
        for n, g in clipped(bounded(regularized(p, trained, coef), clip_value), clip).items():
            p[n] = p[n] + rule(p[n], g, states[n], t, LR_MULT[n])
    return losses
