"""The losses of MOCHA's table written out in float64 NumPy: (value, gradient to bottom 0, gradient to bottom 1).

Sums are plain loops over positions where an axis is involved. None: no gradient flows there.
"""

import numpy as np


def square(p, y, weight=1.0):
    n = len(p)
    y = y.reshape(p.shape)
    return weight / n * 0.5 * np.sum((p - y) ** 2), weight / n * (p - y), weight / n * (y - p)


def hinge(p, y, weight=1.0):
    n, y = len(p), y.reshape(p.shape)
    inside = p * y < 1
    return weight / n * np.sum(np.maximum(0, 1 - p * y)), -weight / n * y * inside, -weight / n * p * inside


def binary_cross_entropy(p, y, weight=1.0, margin=1e-12):
    n, y = len(p), y.reshape(p.shape)
    yes, no = np.clip(p, margin, 1), np.clip(1 - p, margin, 1)
    probable = (p >= 0) & (p <= 1)
    value = -weight / n * np.sum(y * np.log(yes) + (1 - y) * np.log(no))
    return value, -weight / n * (y / yes - (1 - y) / no) * probable, -weight / n * np.log(yes / no)


def logits_cross_entropy(x, y, weight=1.0):
    n, y, x = len(x), y.reshape(x.shape), x.astype(np.longdouble)
    value = weight / n * np.sum(y * np.logaddexp(0, -x) + (1 - y) * np.logaddexp(0, x))
    return float(value), (weight / n * (1 / (1 + np.exp(-x)) - y)).astype(float), (-weight / n * x).astype(float)


def gaussian_kl(mu, sigma, weight=1.0):
    n, sigma = len(mu), sigma.reshape(mu.shape)
    value = weight / n * 0.5 * np.sum(mu**2 + sigma**2 - 2 * np.log(sigma) - 1)
    return value, weight / n * mu, weight / n * (sigma - 1 / sigma)


def class_weights(shape, axis, weights, normalize):
    """Weights of every element of pred: full, by Mocha's three shapes and three rules."""
    weights = np.asarray(weights, np.float64)
    if weights.ndim == 1 and weights.shape == (shape[axis],):
        full = np.empty(shape)
        np.moveaxis(full, axis, -1)[...] = weights
    else:
        full = np.broadcast_to(weights, shape).copy()
    if normalize == "local":
        full = full * shape[axis] / full.sum(axis=axis, keepdims=True)
    if normalize == "global":
        for sample in full:
            sample *= sample.size / sample.sum()
    return full


def positions(shape, axis):
    """Indices of all rows along `axis`, with a slice there."""
    for index in np.ndindex(*shape[:axis], *shape[axis + 1 :]):
        yield (*index[:axis], slice(None), *index[axis:])


def divisor(label, ignored, normalization):
    """Caffe's GetNormalizer (softmax_loss_layer.cpp) where axis is 1."""
    valid = max(1, int(np.sum(label != ignored)))
    return {"valid": valid, "full": label.size, "batch_size": len(label)}[normalization]


def multinomial(p, label, axis=1, weights=(), normalize="local", weight=1.0, ignored=None, normalization="valid"):
    full = class_weights(p.shape, axis, weights, normalize) if len(weights) else np.ones(p.shape)
    value, grad, count = 0.0, np.zeros(p.shape), divisor(label, ignored, normalization)
    for at in positions(p.shape, axis):
        g = int(label[at][0])
        if g == ignored:
            continue
        value -= np.log(max(p[at][g], 1e-20)) * full[at][g] * weight / count
        grad[at][g] = -weight / count * full[at][g] / max(p[at][g], 1e-20)
    return value, grad, None


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def softmax_loss(x, label, axis=1, weights=(), normalize="local", weight=1.0, ignored=None, normalization="valid"):
    full = class_weights(x.shape, axis, weights, normalize) if len(weights) else np.ones(x.shape)
    value, grad, count = 0.0, np.zeros(x.shape), divisor(label, ignored, normalization)
    for at in positions(x.shape, axis):
        g, s = int(label[at][0]), softmax(x[at])
        if g == ignored:
            continue
        value -= np.log(s[g]) * full[at][g] * weight / count
        grad[at] = weight / count * full[at][g] * (s - np.eye(len(s))[g])
    return value, grad, None


def multiclass_hinge(x, label, norm, axis=1, weight=1.0, ignored=None):
    """hinge_loss_layer.cpp, for every position: 1 + x for the classes that are not the label, 1 - x for the label."""
    value, grad, count = 0.0, np.zeros(x.shape), divisor(label, ignored, "valid")
    for at in positions(x.shape, axis):
        g = int(label[at][0])
        if g == ignored:
            continue
        signs = np.where(np.arange(x.shape[axis]) == g, -1.0, 1.0)
        margins = np.maximum(0, 1 + signs * x[at])
        value += weight / count * (np.sum(margins) if norm == "L1" else np.sum(margins**2))
        grad[at] = weight / count * signs * (margins > 0 if norm == "L1" else 2 * margins)
    return value, grad, None


def softlabel_softmax(x, q, axis=1, weight=1.0):
    value, grad, count, q = 0.0, np.zeros(x.shape), x.size // x.shape[axis], q.reshape(x.shape)
    for at in positions(x.shape, axis):
        s = softmax(x[at])
        value -= np.sum(q[at] * np.log(s)) * weight / count
        grad[at] = weight / count * (s * q[at].sum() - q[at])
    return value, grad, None


def wasserstein(a, b, cost, lam, iterations, weight=1.0):
    """Mocha's iteration on u and v themselves; the objective from the plan T, and the transport cost beside it."""
    n, kernel = len(a), np.exp(-lam * np.asarray(cost))
    value = moved = 0.0
    grad = np.zeros((n, len(kernel)))
    for k, (x, y) in enumerate(zip(a.reshape(n, -1), b.reshape(n, -1), strict=True)):
        u = np.full(len(x), 1 / len(x))
        for _ in range(iterations):
            u = x / (kernel @ (y / (kernel.T @ u)))
        v = y / (kernel.T @ u)
        plan = u[:, None] * kernel * v
        moved += np.sum(plan * cost) / n
        value += (np.sum(plan * cost) + np.sum(plan * np.log(plan)) / lam) * weight / n
        grad[k] = np.log(u) / lam * weight / n
    return value, grad.reshape(a.shape), None, moved
