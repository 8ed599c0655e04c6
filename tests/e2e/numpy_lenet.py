"""LeNet by hand in NumPy float64: forward, backward and Mocha's SGD, sharing no line with mochac.

test_by_hand.py trains it beside the compiled net.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

Arrays = dict[str, np.ndarray]


def conv(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Valid cross-correlation, stride 1."""
    windows = sliding_window_view(x, w.shape[2:], axis=(2, 3))
    return np.einsum("nchwij,fcij->nfhw", windows, w) + b[:, None, None]


def conv_back(x: np.ndarray, w: np.ndarray, dy: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """dx, dw, db."""
    windows = sliding_window_view(x, w.shape[2:], axis=(2, 3))
    dw = np.einsum("nchwij,nfhw->fcij", windows, dy)
    kh, kw = w.shape[2:]
    padded = np.pad(dy, ((0, 0), (0, 0), (kh - 1, kh - 1), (kw - 1, kw - 1)))
    dx = np.einsum("nfhwij,fcij->nchw", sliding_window_view(padded, (kh, kw), axis=(2, 3)), w[:, :, ::-1, ::-1])
    return dx, dw, dy.sum((0, 2, 3))


def pool(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """2 x 2 maximum with stride 2, and its place in the window; the size rounds up."""
    n, c, h, w = x.shape
    even = np.full((n, c, h + h % 2, w + w % 2), -np.inf)
    even[:, :, :h, :w] = x
    cells = even.reshape(n, c, even.shape[2] // 2, 2, even.shape[3] // 2, 2).transpose(0, 1, 2, 4, 3, 5)
    cells = cells.reshape(*cells.shape[:4], 4)
    return cells.max(-1), cells.argmax(-1)


def pool_back(x: np.ndarray, place: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """The gradient goes to the maximum's place."""
    dx = np.zeros_like(x)
    n, c, i, j = np.indices(place.shape)
    np.add.at(dx, (n, c, 2 * i + place // 2, 2 * j + place % 2), dy)
    return dx


def loss_and_gradients(p: Arrays, x: np.ndarray, label: np.ndarray) -> tuple[float, Arrays]:
    """Mean cross entropy of conv-pool-conv-pool-ip-relu-ip, and the gradients of the eight parameters."""
    c1 = conv(x, p["conv1___filter"], p["conv1___bias"])
    p1, at1 = pool(c1)
    c2 = conv(p1, p["conv2___filter"], p["conv2___bias"])
    p2, at2 = pool(c2)
    flat = p2.reshape(len(x), -1)
    h = np.maximum(flat @ p["ip1___weight"].T + p["ip1___bias"], 0)
    y = h @ p["ip2___weight"].T + p["ip2___bias"]
    exps = np.exp(y - y.max(1, keepdims=True))
    soft = exps / exps.sum(1, keepdims=True)
    rows = np.arange(len(x))
    loss = float(-np.log(soft[rows, label]).mean())

    dy = soft.copy()
    dy[rows, label] -= 1
    dy /= len(x)
    dh = (dy @ p["ip2___weight"]) * (h > 0)
    dc2 = pool_back(c2, at2, (dh @ p["ip1___weight"]).reshape(p2.shape))
    dp1, dw2, db2 = conv_back(p1, p["conv2___filter"], dc2)
    _, dw1, db1 = conv_back(x, p["conv1___filter"], pool_back(c1, at1, dp1))
    return loss, {
        "conv1___filter": dw1, "conv1___bias": db1, "conv2___filter": dw2, "conv2___bias": db2,
        "ip1___weight": dh.T @ flat, "ip1___bias": dh.sum(0), "ip2___weight": dy.T @ h, "ip2___bias": dy.sum(0),
    }  # fmt: skip


def train(p: Arrays, batches: list[tuple[np.ndarray, np.ndarray]]) -> tuple[list[float], Arrays]:
    """Mocha's MNIST settings: momentum 0.9, Inv(0.01, 0.0001, 0.75), regu_coef 0.0005 on weights, bias_lr 2."""
    p = {name: value.astype(np.float64) for name, value in p.items()}
    history = {name: np.zeros_like(value) for name, value in p.items()}
    losses = []
    for t, (x, label) in enumerate(batches):
        loss, gradients = loss_and_gradients(p, x, label)
        losses.append(loss)
        rate = 0.01 * (1 + 0.0001 * t) ** -0.75
        for name, g in gradients.items():
            if name.endswith("bias"):
                step = 2.0 * rate * g
            else:
                step = rate * (g + 2 * 1.0 * 0.0005 * p[name])
            history[name] = 0.9 * history[name] - step
            p[name] = p[name] + history[name]
    return losses, p
