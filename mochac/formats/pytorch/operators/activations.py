"""PyTorch's functions of one tensor and its normalizations.

Functions become neurons of the preceding layer, or FunctionLayers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from mochac.formats.importing.formulas import CIRCULAR, EXPM1, POSITIVE, ROOT, formula, inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import FIRST
from mochac.formats.importing.rearranged import log_softmax, reduced, taken, with_axis
from mochac.formats.pytorch.builder import AtenNode, LayerWeights, TorchBuilder, module_of
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.operators.arithmetic import EXTREMES, operand
from mochac.formats.pytorch.operators.windows import has_parts
from mochac.formats.pytorch.tracing import CUMULATIVE
from mochac.nets.layers.neurons import Neuron, Neurons

_NEURONS: dict[str, Callable[[], Neuron]] = {
    "relu": Neurons.ReLU, "sigmoid": Neurons.Sigmoid, "tanh": Neurons.Tanh, "silu": Neurons.SiLU,
    "mish": Neurons.Mish, "hardswish": Neurons.HardSwish, "hardsigmoid": Neurons.HardSigmoid, "selu": Neurons.SELU,
    "exp": Neurons.Exponential,
}  # fmt: skip
_FORMULAS = {
    "abs": "abs({0})", "neg": "neg({0})", "sign": "sign({0})", "erf": "erf({0})", "log": "log({0})",
    "sqrt": "sqrt({0})", "square": "square({0})",
    "floor": "floor({0})", "ceil": "ceil({0})", "round": "round({0})", "trunc": "trunc({0})",
    **CIRCULAR, "expm1": EXPM1,
    "log2": f"mul(log({{0}}), {1 / math.log(2)!r})", "log10": f"mul(log({{0}}), {1 / math.log(10)!r})",
    "exp2": f"exp(mul({{0}}, {math.log(2)!r}))", "erfc": "sub(1, erf({0}))",
    "log_sigmoid": "neg(softplus(neg({0})))",
    "isnan": "ne({0}, {0})", "isinf": "and(ne({0}, 0), eq(mul({0}, 0.5), {0}))",
    "logical_not": "eq({0}, 0)", "bitwise_not": "eq({0}, 0)",
}  # fmt: skip


def neuron(b: TorchBuilder, node: AtenNode, x: BlobTensor, kind: Neuron) -> None:
    """An activation of blobs that hold samples, in the layer before it if possible."""
    if x.samples:
        b.neuron(node, kind)
    else:
        b.add("Activation", node, [x], x.shape, neuron=kind)


@aten(*_NEURONS)
def activation(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """The neuron of the layer before it, or an ActivationLayer."""
    neuron(b, node, x, _NEURONS[node.type]())


@aten(*_FORMULAS)
def function(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """FunctionLayers."""
    if node.type == "bitwise_not" and x.element != 9:
        raise node.refused("bits of integers are not supported", "truth values")
    formula(b, node, _FORMULAS[node.type], x)


@aten("rsqrt", "reciprocal")
def reciprocal(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """PowerLayer."""
    b.add("Power", node, [x], x.shape, None, x.place, power=-0.5 if node.type == "rsqrt" else -1.0)


@aten("sinc")
def sinc(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """sin(pi x) / (pi x); near 0 its series, whose gradient has all digits."""
    small = inner(b, node, "lt(abs({0}), 0.05)", x)
    square = inner(b, node, f"square(mul({{0}}, {math.pi!r}))", x)
    series = functools.reduce(lambda text, k: f"fma({{2}}, {text}, {1 / k!r})", (-5040, 120, -6, 1), repr(1 / 362880))
    below = f"mul(select({{1}}, 1, {{0}}), {math.pi!r})"
    formula(b, node, f"select({{1}}, {series}, div(cospi(sub({{0}}, 0.5)), {below}))", x, small, square)


@aten("log1p")
def log1p(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """log(1 + x), plus what 1 + x loses of x near 0, which has no gradient."""
    below = inner(b, node, "min({0}, 1)", x)
    still = b.between("StopGradient", node, [below], below.shape, None, below.place)
    near = inner(b, node, "add({0}, 1)", still)
    formula(b, node, "add(log(add({0}, 1)), div(sub({1}, sub({2}, 1)), max({2}, 1e-38)))", x, still, near)


@aten("gelu")
def gelu(b: TorchBuilder, node: AtenNode, x: BlobTensor, approximate: str = "none") -> None:
    """GELU, exact or by tanh."""
    neuron(b, node, x, Neurons.GELU(approximate=approximate == "tanh"))


@aten("leaky_relu")
def leaky_relu(b: TorchBuilder, node: AtenNode, x: BlobTensor, negative_slope: float = 0.01) -> None:
    """LReLU."""
    neuron(b, node, x, Neurons.LReLU(slope=float(negative_slope)))


@aten("elu")
def elu(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, alpha: float = 1, scale: float = 1, input_scale: float = 1
) -> None:
    """ELU."""
    if scale == input_scale == 1 and alpha > 0:
        neuron(b, node, x, Neurons.ELU(alpha=float(alpha)))
    else:
        below = f"mul(elu(mul({{0}}, {float(input_scale)!r}), 1, 1), {float(alpha * scale)!r})"
        formula(b, node, f"select(gt({{0}}, 0), mul({{0}}, {float(scale)!r}), {below})", x)


@aten("celu")
def celu(b: TorchBuilder, node: AtenNode, x: BlobTensor, alpha: float = 1.0) -> None:
    """x above 0, else alpha (exp(x / alpha) - 1)."""
    formula(b, node, f"select(gt({{0}}, 0), {{0}}, mul(elu(mul({{0}}, {1 / alpha!r}), 1, 1), {float(alpha)!r}))", x)


@aten("softplus")
def softplus(b: TorchBuilder, node: AtenNode, x: BlobTensor, beta: float = 1, threshold: float = 20) -> None:
    """log(1 + exp(beta x)) / beta, and x above the threshold."""
    if beta == 1 and threshold >= 40:
        neuron(b, node, x, Neurons.Softplus())
    else:
        soft = f"mul(softplus(mul({{0}}, {beta!r})), {1 / beta!r})"
        formula(b, node, f"select(gt(mul({{0}}, {beta!r}), {threshold!r}), {{0}}, {soft})", x)


@aten("threshold")
def threshold(b: TorchBuilder, node: AtenNode, x: BlobTensor, threshold: float, value: float) -> None:
    """x above a threshold, else a number."""
    formula(b, node, f"select(gt({{0}}, {float(threshold)!r}), {{0}}, {float(value)!r})", x)


@aten("hardtanh", "clamp", "clip", "clamp_min", "clamp_max", "relu6")
def clamp(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, min: Any = None, max: Any = None, min_val: Any = None,
    max_val: Any = None,
) -> None:  # fmt: skip
    """ReLU, or the nearer limit where x lies outside of them; at a limit there is no gradient."""
    low, high = (min_val, max_val) if node.type == "hardtanh" else (min, max)
    if node.type == "hardtanh":
        low, high = -1.0 if low is None else low, 1.0 if high is None else high
    if (low, high) == (0, None):
        neuron(b, node, x, Neurons.ReLU())
        return
    if node.type == "relu6":
        low, high = 0.0, 6.0
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        _between(b, node, x, low, high)
        return
    if low is not None and high is not None and low > high:
        low = high
    text = "{0}"
    for how, limit in (("ge", high), ("le", low)):
        if limit is not None and math.isfinite(limit):
            text = f"select({how}({{0}}, {float(limit)!r}), {float(limit)!r}, {text})"
    if text == "{0}":
        b.alias(node, x)
    else:
        formula(b, node, text, x)


def _between(b: TorchBuilder, node: AtenNode, x: BlobTensor, low: Any, high: Any) -> None:
    """The greater of x and a tensor or number, then the lesser."""
    limits = [(how, operand(limit)) for how, limit in (("max", low), ("min", high)) if limit is not None]
    for k, (how, limit) in enumerate(limits, 1):
        x = (formula if k == len(limits) else inner)(b, node, EXTREMES[how], x, limit)


@aten("prelu", weights=True)
def prelu(b: TorchBuilder, node: AtenNode, x: BlobTensor, weight: Tensor) -> None:
    """PReLULayer, with a slope for each channel or one for all."""
    count = weight.array.size if isinstance(weight, Constant) else math.prod(weight.shape)
    if x.samples and not x.place.moved and not b.lead and isinstance(weight, Constant) and weight.name in b.owned:
        w = b.weights(node, "PReLU", slope=weight)
        if w.arrays or "param_key" in w.fields:
            b.add("PReLU", w.node, [x], x.shape, w.arrays, shared=count == 1, **w.fields)
            return
    slope = b.fixed(node, weight)
    if count > 1:
        raise node.refused("slopes of channels are a parameter of its own layer only", "one slope")
    formula(b, node, "select(gt({0}, 0), {0}, mul({0}, {1}))", x, slope)


@aten("softmax", "log_softmax", "_softmax", "_log_softmax")
def softmax(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int, half_to_float: bool = False) -> None:
    """SoftmaxLayer, and its logarithm."""
    axis = node.axis(dim, x)
    if node.type.endswith("log_softmax"):
        log_softmax(b, node, x, axis)
    else:
        b.add("Softmax", node, [x], x.shape, None, x.place, axis=axis)


@aten("glu")
def glu(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int = -1) -> None:
    """The first half times the sigmoid of the second."""
    axis = node.axis(dim, x)
    half = x.shape[axis] // 2
    parts = [taken(b, node, x, axis, range(k * half, (k + 1) * half), last=False) for k in range(2)]
    formula(b, node, "mul({0}, sigmoid({1}))", *parts)


def affine(
    b: TorchBuilder, node: AtenNode, kind: str, weight: Tensor | None, bias: Tensor | None = None, *, shift: bool = True
) -> LayerWeights:
    """Scale and shift of a normalization, or the field that leaves them out."""
    operands = {"scale": weight, **({"shift": bias} if shift else {})}
    if all(x is None for x in operands.values()):
        return LayerWeights(node, {}, {"affine": False})
    return b.weights(node, kind, **operands)


@aten("layer_norm", "rms_norm", weights=True)
def layer_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, normalized_shape: Sequence[int], weight: Tensor | None = None,
    bias: Tensor | None = None, eps: float | None = 1e-5, cudnn_enable: bool = True,
) -> None:  # fmt: skip
    """LayerNormLayer or RMSNormLayer over the last axes."""
    kind, count = ("LayerNorm" if node.type == "layer_norm" else "RMSNorm"), len(normalized_shape)
    node.trailing(-count, x)
    w = affine(b, node, kind, weight, bias, shift=kind == "LayerNorm")
    axes = (-1,) if count == 1 else tuple(range(len(x.shape) - count, len(x.shape)))
    epsilon = eps if eps is not None else (2.220446049250313e-16 if node.element == 11 else 1.1920928955078125e-07)
    b.add(kind, w.node, [x], x.shape, w.arrays, x.place, epsilon=epsilon, axes=axes, **w.fields)


@aten("group_norm", weights=True)
def group_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, num_groups: int, weight: Tensor | None = None,
    bias: Tensor | None = None, eps: float = 1e-5, cudnn_enabled: bool = True,
) -> None:  # fmt: skip
    """GroupNormLayer. Several images in each sample, whose number is one axis of the graph with the batch, become one
    image with more channels and groups."""
    if has_parts(x):
        n, parts, c, *image = x.shape
        rows = reshaped(b, node, x, (n, parts * c, *image), FIRST, last=False)
        y = b.between("GroupNorm", node, [rows], rows.shape, groups=parts * num_groups, epsilon=eps, affine=False)
        y = reshaped(b, node, y, x.shape, x.place, last=weight is None)
        _scaled(b, node, y, weight, bias)
        return
    node.needs_batch_first()
    w = affine(b, node, "GroupNorm", weight, bias)
    b.add("GroupNorm", w.node, [x], x.shape, w.arrays, x.place, groups=num_groups, epsilon=eps, **w.fields)


def _scaled(b: TorchBuilder, node: AtenNode, y: BlobTensor, weight: Tensor | None, bias: Tensor | None) -> None:
    """The output of the node is y times a weight plus a bias for each channel, axis 2 of the blob."""
    shape = (y.shape[2], *(1 for _ in y.shape[3:]))
    parts = [reshaped(b, node, b.fixed(node, x), shape, last=False) for x in (weight, bias) if x is not None]
    if parts:
        formula(b, node, "add(mul({0}, {1}), {2})" if len(parts) == 2 else "mul({0}, {1})", y, *parts)


@aten("_native_batch_norm_legit_functional", "_native_batch_norm_legit_no_training", "_native_batch_norm_legit",
      "batch_norm", weights=True)  # fmt: skip
def batch_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, weight: Tensor | None = None, bias: Tensor | None = None,
    running_mean: Tensor | None = None, running_var: Tensor | None = None, training: bool = False,
    momentum: float = 0.1, eps: float = 1e-5, cudnn_enabled: bool = True,
) -> Any:  # fmt: skip
    """BatchNormLayer, with the running statistics of the module."""
    if not x.samples:
        if running_mean is not None:
            raise node.refused("its input does not depend on the samples, and it has running statistics")
        return _of_parameters(b, node, x, weight, bias, eps)
    groups = x.place.axes(len(x.shape))
    if b.lead or len(groups) < 2 or len(groups[1]) != 1 or groups[1][0] == 0:
        raise node.refused("its input is not a batch with channels", "(batch, channels, ...)", x.extents)
    channels = groups[1][0]
    if running_mean is None or running_var is None:
        rule = "it normalizes by the batch in evaluation, too"
        raise node.refused(rule, "running statistics", hint="track_running_stats=True")
    if not (isinstance(running_mean, Constant) and isinstance(running_var, Constant)):
        raise node.refused("its running statistics are computed")
    owner = module_of(running_mean.name, "running_mean", root=True) or ""
    if not owner or module_of(running_var.name, "running_var", root=True) != owner:
        raise node.refused("its running statistics are no buffers of its module", got=running_mean.name)
    w = affine(b, node, "BatchNorm", weight, bias)
    if w.node.owner not in ("", owner) or w.fields.get("param_key", owner) != owner:
        raise node.refused("its parameters are those of another module", owner, w.node.owner)
    arrays = {**w.arrays, "mean": running_mean.array, "variance": running_var.array}
    if "param_key" in w.fields:
        arrays = {}
    elif not w.node.owner:
        w = b.owning(node, owner, arrays, w.fields)
        arrays = dict(w.arrays)
    cumulative = momentum == CUMULATIVE
    fields: dict[str, Any] = {
        "frozen_statistics": not training, "epsilon": eps, "momentum": None if cumulative else float(momentum),
        **w.fields,
    }  # fmt: skip
    if cumulative:
        counter = b.leaves.get(f"{owner}.num_batches_tracked".strip("."))
        if arrays and counter is not None:
            arrays = {**arrays, "batches": counter.tensor.numpy().reshape(1)}
    if channels == 1:
        b.add("BatchNorm", w.node, [x], x.shape, arrays, x.place, **fields)
    else:  # axes that are one with the batch are in front of the channels
        order = (0, channels, *(a for a in range(1, len(x.shape)) if a != channels))
        front = b.between("Permute", node, [x], tuple(x.shape[a] for a in order), order=order)
        inside = b.add("BatchNorm", w.node, [front], front.shape, arrays, x.place, **fields)
        back = tuple(order.index(a) for a in range(len(order)))
        b.add("Permute", node, [inside], x.shape, None, x.place, order=back)
    result = b.values[node.tops[0]]
    if len(node.outputs) == 1:
        return result
    return [result, None, None, running_mean, running_var][: len(node.outputs)]  # a second call goes on from these


def _of_parameters(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> list[BlobTensor | None]:
    """A parameter normalized by its own statistics for each element of axis 1, as standardized weights are."""
    axes = [a for a in range(len(x.shape)) if a != 1]
    kept = tuple(n if a == 1 else 1 for a, n in enumerate(x.shape))
    distance = inner(b, node, "sub({0}, {1})", x, reduced(b, node, x, axes, "mean", keep=True, last=False))
    variance = reduced(b, node, inner(b, node, "square({0})", distance), axes, "mean", keep=True, last=False)
    y = inner(b, node, f"div({{0}}, sqrt(add({{1}}, {eps!r})))", distance, variance)
    for function, part in (("mul", weight), ("add", bias)):
        if part is not None:
            y = inner(b, node, f"{function}({{0}}, {{1}})", y, reshaped(b, node, b.fixed(node, part), kept, last=False))
    b.reads[y.name] = 2
    return [y, *(None for _ in node.outputs[1:])]


@aten("instance_norm", weights=True)
def instance_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, weight: Tensor | None = None, bias: Tensor | None = None,
    running_mean: Tensor | None = None, running_var: Tensor | None = None, use_input_stats: bool = True,
    momentum: float = 0.1, eps: float = 1e-5, cudnn_enabled: bool = True,
) -> None:  # fmt: skip
    """InstanceNormLayer."""
    if has_parts(x) and running_mean is None and use_input_stats:
        group_norm(b, node, x, x.shape[2], weight, bias, eps)
        return
    node.needs_batch_first()
    if running_mean is not None or not use_input_stats:
        raise node.refused("running statistics of an instance normalization are not supported")
    w = affine(b, node, "InstanceNorm", weight, bias)
    b.add("InstanceNorm", w.node, [x], x.shape, w.arrays, x.place, epsilon=eps, **w.fields)


@aten("linalg_vector_norm", "norm", counts=True)
def vector_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, ord: float = 2, dim: Any = None, keepdim: bool = False, p: Any = 2
) -> None:
    """(sum of abs(x)**p)**(1 / p) over axes; of p = inf, the largest absolute value."""
    kind = ord if node.type == "linalg_vector_norm" else p
    if not isinstance(kind, int | float) or kind < 1:
        raise node.refused("norms below 1 are not supported", got=kind)
    dims = [dim] if isinstance(dim, int) else list(dim or range(len(x.extents)))
    _norm(b, node, x, sorted({node.axis(d, x) for d in dims}), kind, keep=keepdim)


def _norm(b: TorchBuilder, node: AtenNode, x: BlobTensor, axes: list[int], kind: float, *, keep: bool) -> None:
    if kind in (1, 2):
        rows = reduced(b, node, x, axes, "sumsq" if kind == 2 else "asum", keep=keep, last=False)
        formula(b, node, ROOT if kind == 2 else "mul({0}, 1)", rows)
        return
    sizes = inner(b, node, "abs({0})" if kind == math.inf else f"pow(abs({{0}}), {float(kind)!r})", x)
    if kind == math.inf:
        reduced(b, node, sizes, axes, "max", keep=keep)
        return
    rows = reduced(b, node, sizes, axes, "sum", keep=keep, last=False)
    formula(b, node, f"select(gt({{0}}, 0), pow({POSITIVE}, {1 / kind!r}), 0)", rows)


@aten("cdist")
def distances(
    b: TorchBuilder, node: AtenNode, x1: Tensor, x2: Tensor, p: float = 2, compute_mode: int | None = None
) -> None:
    """The norm of the difference of every row of one and every row of the other."""
    if p < 1:
        raise node.refused("norms below 1 are not supported", got=p)
    rank = len(x1.extents)
    differences = inner(b, node, "sub({0}, {1})", with_axis(b, node, x1, rank - 1), with_axis(b, node, x2, rank - 2))
    _norm(b, node, differences, [node.axis(-1, differences)], p, keep=False)
