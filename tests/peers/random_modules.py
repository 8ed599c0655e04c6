"""Random modules of PyTorch: chains and joints of functions, layers and rearrangements with drawn settings.

`drawn(seed)` makes (module, inputs) in float64. A move takes a tensor whose axis 0 is the batch, and returns a module
to apply to it. Moves that PyTorch refuses, or whose results are constant or huge, are drawn again. They use only what
from_torch takes.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional

SAMPLES = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)
LARGEST = 4000
"""Maximum elements of a sample."""
MOVES: list[Callable[[random.Random, Any], Any]] = []
CONV, TRANSPOSED = (nn.Conv1d, nn.Conv2d, nn.Conv3d), (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)
MAX, MEAN = (F.max_pool1d, F.max_pool2d, F.max_pool3d), (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)
ADAPTIVE = (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d)


class Pure(nn.Module):
    """A function without parameters."""

    def __init__(self, function: Callable[..., Any], text: str = "") -> None:
        super().__init__()
        self.function, self.text = function, text

    def forward(self, *xs: Any) -> Any:
        return self.function(*xs)

    def extra_repr(self) -> str:
        return self.text


class WithParameter(Pure):
    """A function of a tensor and of a parameter."""

    def __init__(self, function: Callable[..., Any], *shape: int) -> None:
        super().__init__(function, str(shape))
        self.parameter = nn.Parameter(0.5 * torch.randn(shape))

    def forward(self, *xs: Any) -> Any:
        return self.function(*xs, self.parameter)


class Program(nn.Module):
    """Steps, each a module with the numbers of the tensors that it reads: inputs first, then results."""

    def __init__(self, steps: list[tuple[Any, tuple[int, ...]]], outputs: list[int]) -> None:
        super().__init__()
        self.steps = nn.ModuleList(step for step, _ in steps)
        self.reads, self.outputs = [reads for _, reads in steps], outputs

    def forward(self, *inputs: Any) -> Any:
        values = list(inputs)
        for step, reads in zip(self.steps, self.reads, strict=True):
            values.append(step(*(values[k] for k in reads)))
        found = tuple(values[k] for k in self.outputs)
        return found if len(found) > 1 else found[0]


def drawn(seed: int) -> tuple[Any, tuple[Any, ...]]:
    """A module in training mode, and its inputs."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    samples = draw.choice(SAMPLES)
    values = [torch.randn(samples, *_extents(draw), dtype=torch.float64) for _ in range(draw.choice((1, 1, 2)))]
    count, steps = len(values), list[tuple[Any, tuple[int, ...]]]()
    while len(steps) < count + draw.randint(1, 8):
        at = len(values) - 1 if draw.random() < 0.7 else draw.randrange(len(values))
        joint = draw.random() < 0.2
        reads = (at, draw.randrange(len(values))) if joint else (at,)
        made = _joint(draw) if joint else draw.choice(MOVES)(draw, values[at])
        found = made and _tried(made.double(), [values[k] for k in reads])
        if found is not None:
            steps.append((made, reads))
            values.append(found)
    read = {k for _, reads in steps for k in reads}
    return Program(steps, [k for k in range(count, len(values)) if k not in read]), tuple(values[:count])


def _extents(draw: random.Random) -> tuple[int, ...]:
    """Of an image, rows, a vector or a volume."""
    size = draw.randint
    return draw.choice(
        [
            (size(1, 6), size(3, 12), size(3, 12)),
            (size(2, 7), size(2, 9)),
            (size(2, 40),),
            (size(1, 3), size(3, 5), size(3, 6), size(3, 5)),
        ]
    )


def _tried(step: Any, xs: list[Any]) -> Any:
    """Its result, or None if it is not fit to be read on."""
    try:
        with torch.no_grad(), warnings.catch_warnings(action="ignore"):
            y = step(*xs)
    except (RuntimeError, ValueError, IndexError):
        return None
    fits = len(y) == len(xs[0]) and 0 < y[0].numel() <= LARGEST and y.ndim > 1
    return y if fits and torch.isfinite(y).all() and 1e-6 < y.std() and y.abs().max() < 30 else None


def move(make: Callable[[random.Random, Any], Any]) -> Callable[[random.Random, Any], Any]:
    MOVES.append(make)
    return make


def axis_of(draw: random.Random, x: Any) -> int:
    """An axis behind the batch, also counted from the end."""
    return draw.choice((1, -1)) * draw.randint(1, x.ndim - 1)


# --- functions -------------------------------------------------------------------------------------------------------

FUNCTIONS = (
    torch.tanh, torch.sigmoid, torch.sin, torch.cos, torch.erf, torch.abs, torch.neg, F.relu, F.gelu, F.silu, F.mish,
    F.softplus, F.elu, F.selu, F.hardtanh, F.logsigmoid, F.softsign, F.relu6, lambda x: F.gelu(x, approximate="tanh"),
    lambda x: F.leaky_relu(x, 0.2), lambda x: F.celu(x, 0.7), lambda x: F.threshold(x, 0.1, -0.2),
    lambda x: F.softshrink(x, 0.3), lambda x: torch.exp(-x.abs()), lambda x: torch.log(x.abs() + 0.5),
    lambda x: torch.sqrt(x * x + 0.3), lambda x: torch.rsqrt(x * x + 0.5), lambda x: (x.abs() + 0.5) ** 1.5,
    lambda x: 1 / (x * x + 1), torch.atan, lambda x: x.clamp(-0.7, 0.9), lambda x: 2 - x, lambda x: x.detach() * x,
    lambda x: torch.log1p(x.abs()), lambda x: torch.expm1(x.clamp(-3, 1)),
    lambda x: torch.where(x > 0.1, x, 0.3 * x), lambda x: x.masked_fill(x < -0.5, 0.25), lambda x: x + 0.1 * x.round(),
)  # fmt: skip
JOINTS = (
    torch.add, torch.sub, torch.mul, torch.maximum, torch.minimum, torch.logaddexp, lambda a, b: a / (b * b + 1),
    lambda a, b: torch.where(a > b, 0.5 * a, b), lambda a, b: torch.lerp(a, b, 0.3),
    lambda a, b: torch.where((a > 0) ^ (b > 0), a, b), lambda a, b: torch.addcmul(a, a, b, value=0.3),
    lambda a, b: torch.sqrt(a * a + b * b + 0.1), lambda a, b: torch.cat([a, b], 1), lambda a, b: a @ b * 0.3,
    lambda a, b: a @ b.mT * 0.3, lambda a, b: torch.stack([a, b], -1), lambda a, b: torch.rsub(a, b, alpha=0.5),
)  # fmt: skip


def _joint(draw: random.Random) -> Any:
    """A function of two tensors, of which the one with fewer axes gets further ones behind the batch."""
    k = draw.randrange(len(JOINTS))

    def aligned(a: Any, b: Any) -> Any:
        if a.ndim == b.ndim == 2:  # whose product would mix samples
            a, b = a.unsqueeze(1), b.unsqueeze(1)
        a, b = (x.reshape(len(x), *[1] * (y.ndim - x.ndim), *x.shape[1:]) for x, y in ((a, b), (b, a)))
        return JOINTS[k](a, b)

    return Pure(aligned, f"joint {k}")


@move
def function(draw: random.Random, x: Any) -> Any:
    k = draw.randrange(len(FUNCTIONS))
    return Pure(FUNCTIONS[k], f"function {k}")


@move
def softmax(draw: random.Random, x: Any) -> Any:
    axis, how = axis_of(draw, x), draw.choice((F.softmax, F.log_softmax, F.softmin, F.glu))
    return Pure(lambda x: how(x, dim=axis), f"{how.__name__} {axis}")


# --- windows ---------------------------------------------------------------------------------------------------------


@move
def convolution(draw: random.Random, x: Any) -> Any:
    spatial = x.ndim - 2
    if not 1 <= spatial <= 3:
        return None
    sizes = {name: tuple(draw.randint(1, most) for _ in range(spatial)) for name, most in
             (("kernel_size", 5), ("stride", 3), ("dilation", draw.choice((1, 1, 3))))}  # fmt: skip
    groups = draw.choice([n for n in range(1, x.shape[1] + 1) if x.shape[1] % n == 0])
    kind = draw.choice((CONV, CONV, TRANSPOSED))
    reach = [d * (k - 1) for d, k in zip(sizes["dilation"], sizes["kernel_size"], strict=True)]
    more: dict[str, Any] = {"padding": tuple(draw.randint(0, 4 if kind is CONV else n) for n in reach)}
    if kind is TRANSPOSED:
        more["output_padding"] = tuple(draw.randint(0, s - 1) for s in sizes["stride"])
    elif draw.random() < 0.2:
        more["padding_mode"] = draw.choice(("reflect", "replicate", "circular"))
    outputs = groups * draw.randint(1, 4)
    return kind[spatial - 1](x.shape[1], outputs, groups=groups, bias=draw.random() < 0.7, **sizes, **more)


@move
def pooling(draw: random.Random, x: Any) -> Any:
    spatial = x.ndim - 2
    if not 1 <= spatial <= 3:
        return None
    kernel = [draw.randint(1, min(4, extent)) for extent in x.shape[2:]]
    stride, pad = [draw.randint(1, 4) for _ in range(spatial)], [draw.randint(0, k // 2) for k in kernel]
    ceil, inside = draw.random() < 0.4, draw.random() < 0.5
    text = f"{kernel} {stride} {pad} {ceil} {inside}"
    if draw.random() < 0.2:
        return Pure(lambda x: ADAPTIVE[spatial - 1](x, kernel), f"adaptive {kernel}")
    if draw.random() < 0.5:
        return Pure(lambda x: MAX[spatial - 1](x, kernel, stride, pad, 1, ceil), f"max {text}")
    return Pure(lambda x: MEAN[spatial - 1](x, kernel, stride, pad, ceil, inside), f"mean {text}")


@move
def resized(draw: random.Random, x: Any) -> Any:
    if x.ndim not in (3, 4):
        return None
    mode = draw.choice(("nearest", "linear") if x.ndim == 3 else ("nearest", "bilinear", "bicubic"))
    size = [draw.randint(1, 12) for _ in range(x.ndim - 2)]
    how = {} if mode == "nearest" else {"align_corners": draw.random() < 0.5}
    return Pure(lambda x: F.interpolate(x, size=size, mode=mode, **how), f"{mode} {size} {how}")


@move
def border(draw: random.Random, x: Any) -> Any:
    mode = draw.choice(("constant", "constant", "reflect", "replicate", "circular"))
    axes = draw.randint(1, min(x.ndim - 1, 3)) if mode == "constant" else x.ndim - 2
    pads = [draw.randint(-1 if mode == "constant" else 0, 2) for _ in range(2 * axes)]
    return Pure(lambda x: F.pad(x, pads, mode=mode), f"{mode} {pads}") if axes else None


# --- norms, products, recurrences ------------------------------------------------------------------------------------


@move
def norm(draw: random.Random, x: Any) -> Any:
    channels, affine = x.shape[1], draw.random() < 0.7
    groups = draw.choice([n for n in range(1, channels + 1) if channels % n == 0])
    batch = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
    kinds = [nn.LayerNorm(x.shape[-draw.randint(1, x.ndim - 1) :], elementwise_affine=affine), nn.RMSNorm(x.shape[-1])]
    if x.ndim in batch and x.numel() > channels:
        kinds += [nn.GroupNorm(groups, channels, affine=affine), batch[x.ndim](channels, affine=affine)]
    return draw.choice(kinds)


@move
def product(draw: random.Random, x: Any) -> Any:
    width = x.shape[-1]
    return draw.choice(
        [
            nn.Linear(width, draw.randint(1, 12), bias=draw.random() < 0.7),
            WithParameter(lambda x, w: x @ w, width, draw.randint(1, 4)),
            WithParameter(torch.add, *x.shape[1:]),
            WithParameter(lambda x, w: x * (1 + w), width),
            nn.PReLU(draw.choice((1, x.shape[1]))),
            Pure(lambda x: x @ x.mT * 0.3 if x.ndim > 2 else x, "x @ x.T"),
        ]
    )


@move
def sequence(draw: random.Random, x: Any) -> Any:
    if x.ndim != 3 or not 2 <= x.shape[1] <= 9:  # a single row may be taken for the batch
        return None
    kind = draw.choice((nn.LSTM, nn.GRU, nn.RNN, nn.MultiheadAttention, None))
    if kind is None:
        causal = draw.random() < 0.5
        return Pure(lambda x: F.scaled_dot_product_attention(x, x.flip(1), 0.5 * x, is_causal=causal), f"{causal}")
    if kind is nn.MultiheadAttention:
        return OfRows(kind(x.shape[2], 1, batch_first=True))
    how = {"num_layers": draw.choice((1, 1, 2)), "bidirectional": draw.random() < 0.3}
    return OfRows(kind(x.shape[2], draw.randint(1, 6), batch_first=True, **how))


class OfRows(nn.Module):
    """The first result of a recurrent layer, or of an attention of rows to themselves."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: Any) -> Any:
        return self.body(x, x, x)[0] if isinstance(self.body, nn.MultiheadAttention) else self.body(x)[0]


# --- reductions and rearrangements -----------------------------------------------------------------------------------

REDUCTIONS = {
    "sum": torch.sum, "mean": torch.mean, "amax": torch.amax, "amin": torch.amin, "logsumexp": torch.logsumexp,
    "norm": lambda x, axes, keepdim: torch.linalg.vector_norm(x + 0.01, 2, axes, keepdim),
    "norm 1": lambda x, axes, keepdim: torch.linalg.vector_norm(x, 1, axes, keepdim),
    "norm 3": lambda x, axes, keepdim: torch.linalg.vector_norm(x, 3, axes, keepdim),
    "var": lambda x, axes, keepdim: x.var(axes, correction=0, keepdim=keepdim),
    "count": lambda x, axes, keepdim: 0.1 * x * (x > 0).sum(axes, keepdim=True),
    "prod": lambda x, axes, keepdim: x.prod(axes[0], keepdim),
    "max": lambda x, axes, keepdim: x.max(axes[0], keepdim)[0],
    "median": lambda x, axes, keepdim: x.median(axes[0], keepdim)[0],
    "sort": lambda x, axes, keepdim: x.sort(axes[0], descending=keepdim)[0],
    "topk": lambda x, axes, keepdim: x.topk((x.shape[axes[0]] + 1) // 2, axes[0], keepdim)[0],
    "cumsum": lambda x, axes, keepdim: x.cumsum(axes[0]),
    "cumprod": lambda x, axes, keepdim: (1 + 0.1 * x).cumprod(axes[0]),
    "gather": lambda x, axes, keepdim: x.gather(axes[0], x.argsort(axes[0])),
    "normalize": lambda x, axes, keepdim: F.normalize(x, dim=axes[0]),
}  # fmt: skip
PICKS = {"max", "median", "sort", "topk", "gather"}
"""Those that choose one of equal elements, which has the gradient."""


@move
def reduction(draw: random.Random, x: Any) -> Any:
    axes = sorted(draw.sample(range(1, x.ndim), draw.randint(1, x.ndim - 1)))
    name, keep = draw.choice([*REDUCTIONS]), draw.random() < 0.5
    if name in PICKS and len(x.unique()) < x.numel():
        return None
    return Pure(lambda x: REDUCTIONS[name](x, tuple(axes), keepdim=keep), f"{name} {axes} {keep}")


@move
def rearranged(draw: random.Random, x: Any) -> Any:
    axis, other, last = axis_of(draw, x), axis_of(draw, x), x.ndim - 1
    extent, order = x.shape[axis], [0, *draw.sample(range(1, x.ndim), last)]
    size = draw.choice([n for n in range(1, extent + 1) if extent % n == 0])
    least, times = sorted((axis % x.ndim, other % x.ndim)), [1, *(draw.randint(1, 2) for _ in order[1:])]
    name, how = draw.choice(
        [
            (f"permute {order}", lambda x: x.permute(order)),
            (f"flatten {least}", lambda x: x.flatten(*least)),
            ("flat", lambda x: x.flatten(1)),
            (f"unflatten {axis} {size}", lambda x: x.unflatten(axis, (size, -1))),
            (f"squeeze {axis}", lambda x: x.squeeze(axis)),
            (f"unsqueeze {axis}", lambda x: x.unsqueeze(axis)),
            (f"movedim {axis} {other}", lambda x: x.movedim(axis, other)),
            (f"repeat {times}", lambda x: x.repeat(*times)),
            (f"repeat_interleave {axis}", lambda x: x.repeat_interleave(2, axis)),
            (f"stack {axis}", lambda x: torch.stack([x, 0.5 * x, -x], axis)),
            (f"reverse parts {axis} {size}", lambda x: torch.cat(x.split(size, axis)[::-1], axis)),
            (f"unfold {axis} {size}", lambda x: x.unfold(axis, size, 2)),
            (f"diagonal {axis} {other}", lambda x: x.diagonal(0, axis, other)),
            ("triangle", lambda x: x.tril(1) if x.ndim > 2 else x.flip(1)),
            (f"shuffle {size}", lambda x: F.channel_shuffle(x, size) if axis == 1 else x.flip(axis)),
        ]
    )
    return Pure(how, name)


@move
def part(draw: random.Random, x: Any) -> Any:
    axis = axis_of(draw, x)
    extent = x.shape[axis]
    begin, end = draw.randint(-extent, extent - 1), draw.randint(-extent, extent + 2)
    picks = torch.tensor([draw.randrange(extent) for _ in range(draw.randint(1, 20))])
    name, how = draw.choice(
        [
            (f"[{begin}:{end}]", lambda x: x.movedim(axis, 1)[:, begin:end]),
            (f"[{begin}::3]", lambda x: x.movedim(axis, 1)[:, begin::3]),
            (f"select {begin}", lambda x: x.select(axis, begin)),
            (f"roll {end}", lambda x: x.roll(end, axis)),
            (f"index_select {picks.tolist()}", lambda x: x.index_select(axis, picks)),
            (f"index_add {picks.tolist()}", lambda x: x.index_add(axis, picks, x.index_select(axis, picks), alpha=0.5)),
            (f"chunk {extent}", lambda x: x.chunk(2, axis)[-1]),
        ]
    )
    return Pure(how, f"{name} {axis}")
