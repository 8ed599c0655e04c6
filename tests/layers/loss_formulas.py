"""The losses of MOCHA's table written out in float64 NumPy: (value, gradient to bottom 0, gradient to bottom 1).

Sums are plain loops over positions where an axis is involved. None: no gradient flows there.
"""

import numpy as np


def square(p, y, weight=1.0):
    n = len(p)
    y = y.reshape(p.shape)
    return weight / n * 0.5 * np.sum((p - y) ** 2), weight / n * (p - y), weight / n * (y - p)


def of_labels(shape, weights):
    """Weights of labels for every element of pred: one number, one per channel, or one per feature."""
    weights = np.asarray(weights, np.float64)
    if weights.shape == shape[1:2]:
        return np.broadcast_to(weights.reshape(-1, *(1 for _ in shape[2:])), shape)
    return np.broadcast_to(weights, shape)


def hinge(p, y, weight=1.0, weights=1.0, positive=1.0):
    n, y = len(p), y.reshape(p.shape)
    each = weight / n * of_labels(p.shape, weights) * np.where(y > 0, of_labels(p.shape, positive), 1)
    inside = p * y < 1
    return np.sum(each * np.maximum(0, 1 - p * y)), -each * y * inside, -each * p * inside


def binary_cross_entropy(p, y, weight=1.0, margin=1e-12, weights=1.0, positive=1.0):
    n, y = len(p), y.reshape(p.shape)
    each, there = weight / n * of_labels(p.shape, weights), of_labels(p.shape, positive)
    yes, no = np.clip(p, margin, 1), np.clip(1 - p, margin, 1)
    probable = (p >= 0) & (p <= 1)
    value = -np.sum(each * (there * y * np.log(yes) + (1 - y) * np.log(no)))
    slope = -each * (there * y / yes - (1 - y) / no) * probable
    return value, slope, -each * (there * np.log(yes) - np.log(no))


def logits_cross_entropy(x, y, weight=1.0, weights=1.0, positive=1.0):
    n, y, x = len(x), y.reshape(x.shape), x.astype(np.longdouble)
    each, there = weight / n * of_labels(x.shape, weights), of_labels(x.shape, positive)
    value = np.sum(each * (there * y * np.logaddexp(0, -x) + (1 - y) * np.logaddexp(0, x)))
    slope = each * ((1 - y) / (1 + np.exp(-x)) - there * y / (1 + np.exp(x)))
    to_label = each * (there * np.logaddexp(0, -x) - np.logaddexp(0, x))
    return float(value), slope.astype(float), to_label.astype(float)


def gaussian_kl(mu, sigma, weight=1.0):
    n, sigma = len(mu), sigma.reshape(mu.shape)
    value = weight / n * 0.5 * np.sum(mu**2 + sigma**2 - 2 * np.log(sigma) - 1)
    return value, weight / n * mu, weight / n * (sigma - 1 / sigma)


def l1(p, y, weight=1.0):
    y = y.reshape(p.shape)
    slope = weight / p.size * np.sign(p - y)
    return weight * np.mean(np.abs(p - y)), slope, -slope


def huber(p, y, delta, weight=1.0):
    d = p - y.reshape(p.shape)
    each = np.where(np.abs(d) <= delta, d * d / 2, delta * (np.abs(d) - delta / 2))
    slope = weight / p.size * np.clip(d, -delta, delta)
    return weight * np.mean(each), slope, -slope


def quantile(p, y, share, weight=1.0):
    d = y.reshape(p.shape) - p
    slope = weight / p.size * np.where(d > 0, -share, 1 - share)
    return weight * np.mean(np.where(d > 0, share, share - 1) * d), slope, -slope


def poisson(p, y, weight=1.0):
    y = y.reshape(p.shape)
    return weight * np.mean(np.exp(p) - y * p), weight / p.size * (np.exp(p) - y), -weight / p.size * p


def poisson_means(p, y, weight=1.0):
    y, logs = y.reshape(p.shape), np.log(p + 1e-8)
    return weight * np.mean(p - y * logs), weight / p.size * (1 - y / (p + 1e-8)), -weight / p.size * logs


def cosine(a, b, weight=1.0):
    n, x, y = len(a), a.reshape(len(a), -1), b.reshape(len(b), -1)
    xx, yy = (np.sum(v * v, axis=1, keepdims=True) + 1e-12 for v in (x, y))
    inner = np.sum(x * y, axis=1, keepdims=True) / np.sqrt(xx * yy)
    dx = weight / n * (inner * x / xx - y / np.sqrt(xx * yy))
    dy = weight / n * (inner * y / yy - x / np.sqrt(xx * yy))
    return weight / n * np.sum(1 - inner), dx.reshape(a.shape), dy.reshape(b.shape)


def info_nce(a, b, temperature, symmetric=False, weight=1.0):
    n = len(a)
    (x, dx), (y, dy) = (_directions(v.reshape(n, -1)) for v in (a, b))
    value, slopes = _cross_entropy(x @ y.T / temperature, np.eye(n))
    if symmetric:
        other, others = _cross_entropy(y @ x.T / temperature, np.eye(n))
        value, slopes = (value + other) / 2, (slopes + others.T) / 2
    slopes *= weight / temperature
    return weight * value, dx(slopes @ y).reshape(a.shape), dy(slopes.T @ x).reshape(b.shape)


def supervised(a, label, temperature, weight=1.0):
    """Khosla et al. 2020, equation 2, row by row."""
    n, same = len(a), label.reshape(-1, 1) == label.reshape(1, -1)
    x, dx = _directions(a.reshape(n, -1))
    value, slopes = 0.0, np.zeros((n, n))
    for i in range(n):
        others = [j for j in range(n) if j != i]
        partners = [j for j in others if same[i, j]]
        if partners:
            scores = x[others] @ x[i] / temperature
            shares = np.array([(j in partners) / len(partners) for j in others])
            found, slope = _cross_entropy(scores[None], shares[None])
            value, slopes[i, others] = value + found / n, slope[0] / n
    slopes *= weight / temperature
    return weight * value, dx(slopes @ x + slopes.T @ x).reshape(a.shape), None


def _directions(x):
    """Rows of length 1, and how a gradient of them becomes one of x."""
    length = np.sqrt(np.sum(x * x, axis=1, keepdims=True))
    y = x / length
    return y, lambda d: (d - y * np.sum(y * d, axis=1, keepdims=True)) / length


def _cross_entropy(scores, shares):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return -np.mean(np.sum(shares * np.log(p), axis=1)), (p - shares) / len(scores)


def contrastive(a, b, similar, margin, legacy=False, weight=1.0):
    """contrastive_loss_layer.cpp, pair by pair."""
    n, value, grad = len(a), 0.0, np.zeros(a.shape)
    for k, y in enumerate(similar.ravel()):
        apart = a[k] - b[k].reshape(a[k].shape)
        d = np.sqrt(np.sum(apart**2))
        value += y * d**2
        grad[k] = y * apart
        if legacy:
            value += (1 - y) * max(margin - d**2, 0)
            grad[k] -= (1 - y) * apart * (d**2 < margin)
        else:
            value += (1 - y) * max(margin - d, 0) ** 2
            grad[k] -= (1 - y) * max(margin - d, 0) * apart / d
    return weight * value / 2 / n, weight / n * grad, -weight / n * grad.reshape(b.shape)


def triplet(a, b, far, margin, weight=1.0):
    n, value, da, db = len(a), 0.0, np.zeros(a.shape), np.zeros(b.shape)
    for k in range(n):
        near, away = (a[k] - x[k].reshape(a[k].shape) + 1e-6 for x in (b, far))
        d, e = (np.sqrt(np.sum(v * v)) for v in (near, away))
        if d - e + margin > 0:
            value += d - e + margin
            da[k] = near / d - away / e
            db[k] = -(near / d).reshape(b[k].shape)
    return weight / n * value, weight / n * da, weight / n * db


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


def softmax_loss(
    x, label, axis=1, weights=(), normalize="local", weight=1.0, ignored=None, normalization="valid", smoothing=0.0
):
    full = class_weights(x.shape, axis, weights, normalize) if len(weights) else np.ones(x.shape)
    value, grad, count = 0.0, np.zeros(x.shape), divisor(label, ignored, normalization)
    for at in positions(x.shape, axis):
        g, s = int(label[at][0]), softmax(x[at])
        if g == ignored:
            continue
        target = (1 - smoothing) * np.eye(len(s))[g] + smoothing / len(s)
        value -= np.sum(target * np.log(s)) * full[at][g] * weight / count
        grad[at] = weight / count * full[at][g] * (s - target)
    return value, grad, None


def focal(x, label, gamma, axis=1, weight=1.0, ignored=None):
    value, grad, count = 0.0, np.zeros(x.shape), divisor(label, ignored, "valid")
    for at in positions(x.shape, axis):
        g, s = int(label[at][0]), softmax(x[at])
        if g == ignored:
            continue
        p, rest = s[g], 1 - s[g]
        value -= rest**gamma * np.log(p) * weight / count
        slope = rest**gamma - (gamma * p * rest ** (gamma - 1) * np.log(p) if rest else 0)
        grad[at] = weight / count * slope * (s - np.eye(len(s))[g])
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


def softlabel_softmax(x, q, axis=1, weight=1.0, weights=()):
    value, grad, count, q = 0.0, np.zeros(x.shape), x.size // x.shape[axis], q.reshape(x.shape)
    q = q * class_weights(x.shape, axis, weights, "no") if len(weights) else q
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
