"""Caffe's forward formulas in float64 NumPy, loop by loop from its sources; nothing of mochac's is used.

pooling_layer.cpp, lrn_layer.cpp, base_conv_layer.cpp, inner_product_layer.cpp, eltwise_layer.cpp, softmax_layer.cpp,
softmax_loss_layer.cpp, hinge_loss_layer.cpp, accuracy_layer.cpp.
"""

from __future__ import annotations

import math

import numpy as np


def convolution(x, filters, bias, stride=(1, 1), pad=(0, 0), group=1, dilation=(1, 1)):
    """base_conv_layer.cpp, for images with any number of axes."""
    outputs, channels, *kernel = filters.shape
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    padded = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in pad)))
    size = [(n - k) // s + 1 for n, k, s in zip(padded.shape[2:], spans, stride, strict=True)]
    y = np.zeros((len(x), outputs, *size))
    for f in range(outputs):
        first = f // (outputs // group) * channels
        for place in np.ndindex(*size):
            starts = [o * s for o, s in zip(place, stride, strict=True)]
            cells = tuple(slice(a, a + n, d) for a, n, d in zip(starts, spans, dilation, strict=True))
            window = padded[(slice(None), slice(first, first + channels), *cells)]
            y[(slice(None), f, *place)] = (window * filters[f]).reshape(len(x), -1).sum(axis=1) + bias[f]
    return y


def deconvolution(x, filters, bias, stride=(1, 1), pad=(0, 0), group=1, dilation=(1, 1)):
    """deconv_layer.cpp: each element adds the filter to a window of the result."""
    channels, outputs, *kernel = filters.shape
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    whole = [(n - 1) * s + k for n, s, k in zip(x.shape[2:], stride, spans, strict=True)]
    y = np.zeros((len(x), outputs * group, *whole))
    for c in range(channels):
        first = c // (channels // group) * outputs
        for place in np.ndindex(*x.shape[2:]):
            starts = [o * s for o, s in zip(place, stride, strict=True)]
            cells = tuple(slice(a, a + n, d) for a, n, d in zip(starts, spans, dilation, strict=True))
            value = x[(slice(None), c, *place)].reshape(-1, *(1 for _ in filters.shape[1:]))
            y[(slice(None), slice(first, first + outputs), *cells)] += value * filters[c]
    inner = tuple(slice(p, n - p) for p, n in zip(pad, whole, strict=True))
    return y[(slice(None), slice(None), *inner)] + bias.reshape(-1, *(1 for _ in kernel))


def pooled(size, kernel, stride, pad):
    """pooling_layer.cpp, Reshape: round up, and clip the last window if padding lets it start outside."""
    out = math.ceil((size + 2 * pad - kernel) / stride) + 1
    return out - 1 if pad and (out - 1) * stride >= size + pad else out


def pooling(x, kind, kernel, stride=(1, 1), pad=(0, 0)):
    """pooling_layer.cpp, Forward_cpu: AVE divides by the window clipped to the padded image."""
    n, c, h, w = x.shape
    oh, ow = (pooled(s, k, t, p) for s, k, t, p in zip((h, w), kernel, stride, pad, strict=True))
    y = np.zeros((n, c, oh, ow))
    for i in range(oh):
        for j in range(ow):
            top, left = i * stride[0] - pad[0], j * stride[1] - pad[1]
            bottom, right = min(top + kernel[0], h + pad[0]), min(left + kernel[1], w + pad[1])
            count = (bottom - top) * (right - left)
            window = x[:, :, max(top, 0) : min(bottom, h), max(left, 0) : min(right, w)]
            y[:, :, i, j] = window.max(axis=(2, 3)) if kind == "MAX" else window.sum(axis=(2, 3)) / count
    return y


def lrn_across(x, size, alpha, beta, k=1.0):
    half = (size - 1) // 2
    scale = np.full(x.shape, k)
    for c in range(x.shape[1]):
        near = x[:, max(0, c - half) : c + half + 1]
        scale[:, c] += alpha / size * (near**2).sum(axis=1)
    return x * scale**-beta


def lrn_within(x, size, alpha, beta):
    """lrn_layer.cpp: squares pooled by AVE with padding, then power(shift 1, scale alpha, power -beta), product."""
    half = (size - 1) // 2
    mean = pooling(x**2, "AVE", (size, size), (1, 1), (half, half))
    return x * (1 + alpha * mean) ** -beta


def inner_product(x, weight, bias):
    return x.reshape(len(x), -1) @ weight.T + bias


def relu(x, slope=0.0):
    return np.maximum(x, 0) + slope * np.minimum(x, 0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_with_loss(x, label, ignored, normalization):
    """softmax_loss_layer.cpp, Forward_cpu, Backward_cpu and get_normalizer for classes along axis 1; label (n, ...).

    `normalization`: of loss_param, or the value of its older field normalize.
    """
    p, loss, grad, valid = softmax(x), 0.0, softmax(x), 0
    for at in np.ndindex(label.shape):
        n, *inner = at
        if label[at] == ignored:
            grad[(n, slice(None), *inner)] = 0
            continue
        loss -= math.log(p[(n, label[at], *inner)])
        grad[(n, label[at], *inner)] -= 1
        valid += 1
    divisors = {"VALID": valid, "FULL": label.size, "BATCH_SIZE": len(x), "NONE": 1, "true": valid, "false": len(x)}
    divisor = max(1.0, divisors[normalization])
    return loss / divisor, grad / divisor


def hinge_loss(x, label, norm):
    """hinge_loss_layer.cpp: every feature of a sample is a class."""
    flat, signs = x.reshape(len(x), -1), np.ones((len(x), x[0].size))
    signs[np.arange(len(x)), label] = -1
    margins = np.maximum(0, 1 + signs * flat)
    if norm == "L1":
        return margins.sum() / len(x), (signs * (margins > 0) / len(x)).reshape(x.shape)
    return (margins**2).sum() / len(x), (2 * signs * margins / len(x)).reshape(x.shape)


def accuracy(x, label, top_k, ignored=None):
    """accuracy_layer.cpp, Forward_cpu; label (n, ...)."""
    right = count = 0
    for at in np.ndindex(label.shape):
        n, *inner = at
        if label[at] == ignored:
            continue
        better = sum(int(v >= x[(n, label[at], *inner)]) for v in x[(n, slice(None), *inner)]) - 1
        right, count = right + (better < top_k), count + 1
    return right / count
