"""How the values of blobs are called in a graph."""

from __future__ import annotations

from mochac.ir.types import TensorType

RESERVED = (
    *("lr", "momentum", "next_momentum", "step_size", "mean_step_size", "root_scale", "share"),
    *("step", "n_valid", "first_batch", "total_loss"),
)
"""Names of graph inputs and outputs, which no blob's value may have."""


OF = "\t"
"""Separator in names under which plans report values. A user's name cannot contain it, so none is equal to these."""


def diff_of(blob: str) -> str:
    """The name under which a plan reports the gradient of a blob."""
    return f"diff{OF}{blob}"


def gradient_of(parameter: str) -> str:
    """The name under which a plan reports the gradient of a parameter."""
    return f"grad{OF}{parameter}"


def value_name(blob: str) -> str:
    """Name of a blob's graph value: the blob's name, changed if needed to differ from reserved names and from those of
    parameters and other values (which contain dots)."""
    name = blob.replace(".", "_")
    return f"{name}_" if name in RESERVED else name


def plain(t: TensorType) -> str:
    """A type as users write it, without the batch mark."""
    return str(TensorType(t.dtype, t.shape))
