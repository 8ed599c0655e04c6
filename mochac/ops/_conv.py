"""What conv and its gradients share: attributes, output size, flops and the loop over channel groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.types import TensorType
from mochac.ops._typing import pair
from mochac.ops._window import Pair, conv_size, require_fit


def conv_attrs(stride: object, pad: object, filter_shape: tuple[int, ...]) -> tuple[Pair, Pair, Pair]:
    """(stride, pad, kernel) as (height, width) pairs."""
    return pair("stride", stride, 1), pair("pad", pad, 0), (filter_shape[2], filter_shape[3])


def conv_geometry(x: tuple[int, ...], w: tuple[int, ...], stride: object, pad: object, group: int) -> Pair:
    """(OH, OW) of x (N,C,H,W) under filters w (F,C/G,KH,KW).

    Raises:
        OpTypeError: channels or filters are not divisible into groups, or the kernel does not fit.
    """
    steps, pads, kernel = conv_attrs(stride, pad, w)
    for what, count in (("channels", x[1]), ("filters", w[0])):
        if group < 1 or count % group:
            raise OpTypeError(f"{what} must divide into groups", f"a multiple of {group} {what}", str(count))
    require_fit("kernel", (x[2], x[3]), kernel, pads)
    oh, ow = (conv_size(x[2 + a], kernel[a], steps[a], pads[a]) for a in (0, 1))
    return oh, ow


def conv_flops(y: TensorType, w: TensorType) -> int:
    """2 per multiply-add, padding counted."""
    return 2 * y.elems * w.shape[1] * w.shape[2] * w.shape[3]


@contextmanager
def group_loop(k: KernelBuilder, attrs: Mapping[str, object], filter_index: Index, filters: int) -> Iterator[Index]:
    """The group that a filter belongs to, as an index: 0 if there is one group, else the index of a sum loop guarded so
    that only the group whose filters [g*F/G, (g+1)*F/G) include it runs (a division written with affine guards)."""
    group = attrs.get("group", 1)
    assert isinstance(group, int)
    if group == 1:
        yield Index.of(0)
        return
    each = filters // group
    with k.sum("g", group) as g:
        with k.where(filter_index - g * each, g * each + (each - 1) - filter_index):
            yield g
