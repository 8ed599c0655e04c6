"""What shift, shift_dx and mirror share: a window whose position along one axis is chosen at run time, per sample.

Kernels can read only at affine indices, not at computed positions. So they read all possible positions and select.
"""

from __future__ import annotations

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.types import TensorType


def require_offset(offset: TensorType) -> None:
    """Check that there is one integer per sample, or one for all samples."""
    if offset.dtype != "i32" or len(offset.shape) > 1 or (bool(offset.shape) != offset.batch):
        raise OpTypeError("an offset must be one integer per sample, or one for all", "i32[bN] or i32[]", str(offset))


def require_steps(stride: int, most: int) -> None:
    """Check the stride and the largest number of steps."""
    if stride < 1 or most < 1:
        raise OpTypeError(
            "stride and most must be positive", "stride >= 1 and most >= 1", f"stride {stride}, most {most}"
        )


def require_axis(x: TensorType, offset: TensorType, axis: int) -> None:
    """Check that the axis exists and is not the batch, and that the offsets are of the same batch."""
    require_offset(offset)
    if not 1 <= axis < len(x.shape) or not x.batch:
        raise OpTypeError(
            "a shift needs a batch and an axis other than the batch", f"1 <= axis < {len(x.shape)}", str(axis)
        )
    if offset.shape and offset.shape[0] != x.shape[0]:
        raise OpTypeError("there must be one offset per sample", f"i32[b{x.shape[0]}]", str(offset))


def digit(k: KernelBuilder, bound: BoundNode, sample: Index) -> Operand:
    """The offset (operand 1) of a sample."""
    return k.read(bound, 1, (sample,) if bound.inputs[1].type.shape else ())


def moved(index: tuple[Index, ...], axis: int, to: Index) -> tuple[Index, ...]:
    """`index` with another position along `axis`."""
    return (*index[:axis], to, *index[axis + 1 :])
