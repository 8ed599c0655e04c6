"""What the pooling ops and their gradients share: geometry, loops over cells of a window and windows of a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.types import TensorType
from mochac.ops._typing import pair, require_extents, require_float, require_rank, require_shape
from mochac.ops._window import Pair, inside, pool_size, require_fit, span


@dataclass(frozen=True)
class TileAxis:
    """One axis of a loop over tiles: the tile's index, the cell's index in the tile, and the number of tiles."""

    number: Index
    offset: Index
    count: int


@dataclass(frozen=True)
class Pool:
    """Geometry of a pooling as (height, width) pairs; `pad` is before the image, `pad_end` after it."""

    image: Pair
    kernel: Pair
    stride: Pair
    pad: Pair
    pad_end: Pair

    @classmethod
    def of(cls, image: tuple[int, ...], attrs: Mapping[str, object]) -> Pool:
        """The pooling of an image (..., H, W) with a node's attributes, after checking them.

        Raises:
            OpTypeError: the kernel does not fit, or padding is as long as the kernel (windows would be empty).
        """
        kernel, stride = pair("kernel", attrs["kernel"], 1), pair("stride", attrs["stride"], 1)
        pad = pair("pad", attrs["pad"], 0)
        end = pair("pad_end", attrs["pad_end"], 0) if "pad_end" in attrs else pad
        pool = cls((image[-2], image[-1]), kernel, stride, pad, end)
        require_fit("kernel", pool.image, kernel, pad, end)
        if any(p >= k for p, k in zip((*pad, *end), (*kernel, *kernel), strict=True)):
            given = str(pad) if pad == end else f"{pad} and {end} at the end"
            raise OpTypeError("padding must be smaller than the pooling kernel", f"pad < {kernel}", given)
        return pool

    @property
    def out(self) -> Pair:
        """(OH, OW), rounded up."""
        axes = zip(self.image, self.kernel, self.stride, self.pad, self.pad_end, strict=True)
        oh, ow = (pool_size(n, k, s, p, end) for n, k, s, p, end in axes)
        return oh, ow

    @property
    def full(self) -> bool:
        """Whether every window lies entirely inside the image."""
        return self.pad == (0, 0) and all(
            (o - 1) * s + k <= n for o, s, k, n in zip(self.out, self.stride, self.kernel, self.image, strict=True)
        )

    def start(self, window: Index, axis: int) -> Index:
        """First cell of a window along one axis (0 height, 1 width); negative in the padding."""
        return window * self.stride[axis] - self.pad[axis]

    def guards(self, cell: Index, axis: int) -> tuple[Index, ...]:
        """Conditions under which a window's cell lies inside the image."""
        return span(cell, self.image[axis], self.out[axis], self.kernel[axis], self.stride[axis], self.pad[axis])


def infer_pool(x: TensorType, kernel: object, stride: object, pad: object, pad_end: object) -> Pool:
    """Check the operand of a pooling; a `pad_end` of None is `pad`."""
    require_float("the input", x)
    require_rank("the input", x, 4, "batch, channels, height, width")
    require_extents("image", x, "an empty image cannot be pooled")
    end = pad if pad_end is None else pad_end
    return Pool.of(x.shape, {"kernel": kernel, "stride": stride, "pad": pad, "pad_end": end})


def infer_pool_dx(dy: TensorType, shape: tuple[int, ...], attrs: Mapping[str, object]) -> Pool:
    """Check the cotangent of a pooling of images of `shape`."""
    require_float("the gradient", dy)
    pool = Pool.of(shape, attrs)
    require_shape("gradient", dy, (*shape[:2], *pool.out), "the gradient does not match the output")
    return pool


@contextmanager
def window_cells(k: KernelBuilder, pool: Pool, ph: Index, pw: Index) -> Iterator[tuple[Index, Index, Index, Index]]:
    """Loop over the cells of a window, row by row, clipped to the image; yields (i, j, ih, iw)."""
    with k.loop("i", pool.kernel[0]) as i, k.loop("j", pool.kernel[1]) as j:
        ih, iw = pool.start(ph, 0) + i, pool.start(pw, 1) + j
        with k.where(*pool.guards(ih, 0), *pool.guards(iw, 1)):
            yield i, j, ih, iw


@contextmanager
def image_tiles(k: KernelBuilder, pool: Pool) -> Iterator[tuple[Index, Index, TileAxis, TileAxis]]:
    """Loop over the image in tiles of one stride, row by row; yields (ih, iw) and their positions in the tiles."""
    sizes = [-(-(n + p) // s) for n, p, s in zip(pool.image, pool.pad, pool.stride, strict=True)]
    with (
        k.each("th", sizes[0]) as th,
        k.each("rh", pool.stride[0]) as rh,
        k.each("tw", sizes[1]) as tw,
        k.each("rw", pool.stride[1]) as rw,
    ):
        cells = [t * s + r - p for t, s, r, p in zip((th, tw), pool.stride, (rh, rw), pool.pad, strict=True)]
        overhangs = [
            n * s - p > extent for n, s, p, extent in zip(sizes, pool.stride, pool.pad, pool.image, strict=True)
        ]
        guards = [g for a in (0, 1) for g in inside(cells[a], pool.image[a], pool.pad[a] > 0, overhangs[a])]
        with k.where(*guards):
            yield cells[0], cells[1], TileAxis(th, rh, sizes[0]), TileAxis(tw, rw, sizes[1])


@contextmanager
def cell_windows(k: KernelBuilder, pool: Pool, *tiles: TileAxis) -> Iterator[tuple[Index, Index, Index, Index]]:
    """Sum over the windows that contain a cell; yields (ph, pw, i, j), where (i, j) is the cell's place in the window.

    Cell r of tile t lies in window t - d at place r + d*stride, for all d for which this place exists.
    """
    reach = [-(-n // s) for n, s in zip(pool.kernel, pool.stride, strict=True)]
    with k.sum("dh", reach[0]) as dh, k.sum("dw", reach[1]) as dw:
        guards: list[Index] = []
        places: list[Index] = []
        for axis, (tile, d) in enumerate(zip(tiles, (dh, dw), strict=True)):
            window, place = tile.number - d, tile.offset + d * pool.stride[axis]
            guards += inside(window, pool.out[axis], reach[axis] > 1, tile.count > pool.out[axis])
            guards += inside(place, pool.kernel[axis], False, pool.kernel[axis] % pool.stride[axis] > 0)
            places += [window, place]
        with k.where(*guards):
            yield places[0], places[2], places[1], places[3]
