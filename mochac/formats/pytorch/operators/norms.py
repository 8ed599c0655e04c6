"""PyTorch's normalizations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mochac.formats.importing.formulas import ROOT, formula, inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.picked import reduced
from mochac.formats.pytorch.builder import LayerWeights, TorchBuilder, module_of
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.exported import CUMULATIVE
from mochac.formats.pytorch.node import AtenNode


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
    axes = {} if count == 1 else {"axes": tuple(range(len(x.shape) - count, len(x.shape)))}
    epsilon = eps if eps is not None else (2.220446049250313e-16 if node.element == 11 else 1.1920928955078125e-07)
    b.add(kind, w.node, [x], x.shape, w.arrays, x.place, epsilon=epsilon, **axes, **w.fields)


@aten("group_norm", weights=True)
def group_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, num_groups: int, weight: Tensor | None = None,
    bias: Tensor | None = None, eps: float = 1e-5, cudnn_enabled: bool = True,
) -> None:  # fmt: skip
    """GroupNormLayer."""
    node.needs_batch_first()
    w = affine(b, node, "GroupNorm", weight, bias)
    b.add("GroupNorm", w.node, [x], x.shape, w.arrays, x.place, groups=num_groups, epsilon=eps, **w.fields)


@aten("_native_batch_norm_legit_functional", "_native_batch_norm_legit_no_training", "_native_batch_norm_legit",
      "batch_norm", weights=True)  # fmt: skip
def batch_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, weight: Tensor | None = None, bias: Tensor | None = None,
    running_mean: Tensor | None = None, running_var: Tensor | None = None, training: bool = False,
    momentum: float = 0.1, eps: float = 1e-5, cudnn_enabled: bool = True,
) -> Any:  # fmt: skip
    """BatchNormLayer, with the running statistics of the module."""
    if not x.samples:
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
    owner = module_of(running_mean.name, "running_mean") or ""
    if not owner or module_of(running_var.name, "running_var") != owner:
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
    fields: dict[str, Any] = {} if training else {"frozen_statistics": True}
    fields |= {"epsilon": eps, "momentum": float(momentum), **w.fields}
    if momentum == CUMULATIVE:
        fields["momentum"] = None
        counter = b.leaves.get(f"{owner}.num_batches_tracked")
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
    made = b.values[node.tops[0]]
    if len(node.outputs) == 1:
        return made
    return [made, None, None, running_mean, running_var][: len(node.outputs)]  # a second call goes on from these


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
    node.needs_batch_first()
    if running_mean is not None or not use_input_stats:
        raise node.refused("running statistics of an instance normalization are not supported")
    w = affine(b, node, "InstanceNorm", weight, bias)
    b.add("InstanceNorm", w.node, [x], x.shape, w.arrays, x.place, epsilon=eps, **w.fields)


@aten("linalg_vector_norm", "norm")
def vector_norm(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, ord: float = 2, dim: Any = None, keepdim: bool = False, p: Any = 2
) -> None:
    """The root of the sum of squares, or the sum of absolute values, over axes."""
    kind = ord if node.type == "linalg_vector_norm" else p
    if kind not in (1, 2):
        raise node.refused("only norms 1 and 2 are supported", got=kind)
    dims = [dim] if isinstance(dim, int) else list(dim or range(len(x.extents)))
    axes = sorted({node.axis(d, x) for d in dims})
    rows = reduced(b, node, x, axes, "sumsq" if kind == 2 else "asum", keep=keepdim, last=False)
    formula(b, node, ROOT if kind == 2 else "mul({0}, 1)", rows)
