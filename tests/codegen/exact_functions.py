"""Scalar functions in arbitrary precision, by mpmath, with their slopes by central differences.

A limit is what a function does from PROBES[0] to PROBES[1]; mpf's exponents have no bounds.
"""

from collections.abc import Callable, Sequence

import mpmath
from mpmath import mpf

PROBES = (mpf(10) ** 700, mpf(10) ** 1400)
CAP = mpf(10) ** 5
"""Powers of e beyond +-CAP are larger and smaller than all numbers of a format; those of 1e300 take long."""


def exp(x: mpf) -> mpf:
    return mpmath.exp(min(x, CAP)) * max(x / CAP, 1) if x > -CAP else mpf(0)


def phi(x: mpf) -> mpf:
    """The share of the normal distribution below x; mpmath's erfc overflows at 1e308."""
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2 if abs(x) < CAP else mpf(x > 0)


def sigmoid(x: mpf) -> mpf:
    return 1 / (1 + exp(-x))


def softplus(x: mpf) -> mpf:
    return max(x, mpf(0)) + mpmath.log1p(exp(-abs(x)))


def gelu_tanh(x: mpf) -> mpf:
    return x * sigmoid(2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpf("0.044715") * x**3))


def power(x: mpf, y: mpf) -> mpf | None:
    return None if (x == 0 and y < 0) or (x < 0 and y != mpmath.floor(y)) else mpmath.power(x, y)


def huber(d: mpf, delta: mpf) -> mpf:
    near = min(abs(d), delta)
    return near * (abs(d) - near / 2)


def hard_sigmoid(x: mpf) -> mpf:
    return min(max(x / 6 + mpf(0.5), mpf(0)), mpf(1))


def cross_entropy(x: mpf, t: mpf) -> mpf:
    return abs(x) * (1 - t if x > 0 else t) + mpmath.log1p(exp(-abs(x)))


def leaky(x: mpf, slope: mpf) -> mpf:
    return x if x > 0 else x * slope


EXACT: dict[str, Callable[..., mpf | None]] = {
    "abs": abs,
    "add": lambda x, y: x + y,
    "atan": mpmath.atan,
    "ceil": mpmath.ceil,
    "clip": lambda x, low, high: max(min(x, high), low),
    "cospi": lambda x: mpmath.cospi(x) if abs(x) < PROBES[0] else None,
    "div": lambda x, y: x / y if y else None,
    "elu": lambda x, alpha, scale: scale * (x if x > 0 else alpha * mpmath.expm1(max(x, -CAP))),
    "erf": lambda x: 2 * phi(x * mpmath.sqrt(2)) - 1,
    "exp": exp,
    "floor": mpmath.floor,
    "fma": lambda x, y, z: x * y + z,
    "gated": lambda x, g: x * sigmoid(g),
    "gelu": lambda x: x * phi(x),
    "gelu_slope": lambda x: phi(x) + x * exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi),
    "gelu_tanh": gelu_tanh,
    "hard_sigmoid": hard_sigmoid,
    "hard_swish": lambda x: x * hard_sigmoid(x),
    "huber": huber,
    "log": lambda x: mpmath.log(x) if x > 0 else None,
    "log_above": lambda x, least: mpmath.log(max(x, least)),
    "lrelu": leaky,
    "max": max,
    "min": min,
    "mish": lambda x: x * mpmath.tanh(softplus(x)),
    "mul": lambda x, y: x * y,
    "neg": lambda x: -x,
    "pow": power,
    "prelu": leaky,
    "relu": lambda x: max(x, mpf(0)),
    "relu_eps": max,
    "round": mpmath.nint,
    "sigmoid": sigmoid,
    "sigmoid_cross_entropy": cross_entropy,
    "sign": mpmath.sign,
    "silu": lambda x: x * sigmoid(x),
    "softplus": softplus,
    "softsign": lambda x: x / (1 + abs(x)),
    "sqrt": lambda x: mpmath.sqrt(x) if x >= 0 else None,
    "square": lambda x: x * x,
    "sub": lambda x, y: x - y,
    "tanh": mpmath.tanh,
    "trunc": lambda x: mpmath.sign(x) * mpmath.floor(abs(x)),
}

Side = mpf | None


def around(f: Callable[..., Side], args: Sequence[mpf], digits: int) -> list[tuple[Side, Side]]:
    """The value of f, twice, then its slopes to both sides along each argument; None where there is none."""
    digits += 60 + sum(abs(int(mpmath.log10(abs(x)))) for x in args if x)
    with mpmath.workdps(digits):
        y = f(*args)
        if y is None:
            return [(None, None)] * (1 + len(args))
        found: list[tuple[Side, Side]] = [(y, y)]
        for k, x in enumerate(args):
            h = mpf(10) ** -25 * min(abs(x), 1) if x else mpf(10) ** -60
            below, above = (f(*(a + s * h if j == k else a for j, a in enumerate(args))) for s in (-1, 1))
            found.append((None if below is None else (y - below) / h, None if above is None else (above - y) / h))
        return found


def limit(near: Side, far: Side) -> Side:
    """What values tend to that were `near` and are `far`."""
    if near is None or far is None or abs(far - near) <= abs(far) * mpf(10) ** -9:
        return far
    return mpf(0) if abs(far) < abs(near) else mpmath.inf * mpmath.sign(far)


def exact(name: str, args: Sequence[float], digits: int) -> list[tuple[Side, Side]]:
    """`around` of a function at numbers of which one may be infinite."""
    infinite = [k for k, x in enumerate(args) if mpmath.isinf(x)]
    if not infinite:
        return around(EXACT[name], tuple(map(mpf, args)), digits)
    (k,) = infinite
    probes = ([p * mpmath.sign(x) if j == k else mpf(x) for j, x in enumerate(args)] for p in PROBES)
    near, far = (around(EXACT[name], probe, digits) for probe in probes)
    return [(limit(n[0], f[0]), limit(n[1], f[1])) for n, f in zip(near, far, strict=True)]
