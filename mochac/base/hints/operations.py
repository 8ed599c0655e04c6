"""Operations in the `emit` of a layer, by other libraries' names."""

from __future__ import annotations

OPERATIONS: dict[str, str] = {
    **dict.fromkeys(("matmul", "dot", "linear", "gemm", "mm"), "x @ w, or 'inner_product': x, weight (out, in), bias"),
    **dict.fromkeys(("sum", "reduce"), "x.sum(axis=...)"),
    "mean": "x.mean(axis=...)",
    **dict.fromkeys(("bmm", "tensordot", "batched_product", "contract"), "'einsum' with spec='bik,bkj->bij'"),
    **dict.fromkeys(("embedding", "take", "index_select", "lookup"), "'gather': table, ids"),
    **dict.fromkeys(("arange", "iota", "range"), "'position' with axis=, dtype= and shape="),
    "plus": "x + y",
    **dict.fromkeys(("multiply", "times", "prod"), "x * y"),
    **dict.fromkeys(("subtract", "minus"), "x - y"),
    **dict.fromkeys(("divide", "truediv"), "x / y"),
    **dict.fromkeys(("maximum", "minimum"), "np.maximum(x, y) or np.minimum(x, y)"),
    "clamp": "np.clip(x, low, high)",
    **dict.fromkeys(("amax", "amin"), "x.max(axis=...) or x.min(axis=...)"),
    "log1p": "np.log(1 + x)",
    "expm1": "np.exp(x) - 1",
    "reciprocal": "1 / x",
    **dict.fromkeys(("var", "std"), "np.square(x - x.mean(axis, keepdims=True)).mean(axis)"),
    "norm": "np.sqrt(np.square(x).sum(axis=...))",
    "where": "np.where(condition, x, y)",
    **dict.fromkeys(("concatenate", "cat", "stack"), "np.concatenate([x, y], axis=1)"),
    **dict.fromkeys(("view", "flatten", "squeeze", "unsqueeze", "expand_dims"), "x.reshape(...), x[:, None]"),
    **dict.fromkeys(("transpose", "swapaxes", "moveaxis"), "x.transpose(...)"),
    **dict.fromkeys(("expand", "broadcast_to", "repeat", "tile"), "'broadcast' with shape=, axes= and batch="),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d", "convolution"), "'conv' with stride= and pad="),
    "sqr": "'square'",
    "negative": "'neg'",
    "rsqrt": "'power' with exponent=-0.5",
    "detach": "'stop_gradient'",
    "dropout": "ctx.dropout_mask(like, ratio)",
    "randn": "'random_normal' with ctx.stream()",
    "one_hot": "'onehot' with axis= and classes=",
    "cross_entropy": "'softmax_loss' with axis=",
}
"""Operations by other libraries' names."""

ARGUMENTS: dict[str, str] = {"dim": "axis", "keepdim": "keepdims", "axes": "axis"}
"""Arguments of the methods of values, by PyTorch's names."""
