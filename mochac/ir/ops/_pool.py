"""What the pooling ops and their gradients share: geometry, loops over cells of a window and windows of a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.onnx_writer import Attribute
from mochac.ir.op import OpTypeError
from mochac.ir.ops._typing import require_extents, require_float, require_shape
from mochac.ir.ops._window import Sizes, inside, loop_names, per_axis, pool_size, require_fit, require_images, span
from mochac.ir.types import TensorType

ROUNDING = ("up", "down")


@record
class TileAxis:
    """One axis of a loop over tiles: the tile's index, the cell's index in the tile, and the number of tiles."""

    number: Index
    offset: Index
    count: int


@record
class Pool:
    """Geometry of a pooling, with one number per spatial axis.

    `pad` is before the image, `pad_end` after it. With `down`, windows that overhang the padded image are dropped.
    """

    image: Sizes
    kernel: Sizes
    stride: Sizes
    pad: Sizes
    pad_end: Sizes
    down: bool = False

    @classmethod
    def of(cls, x: tuple[int, ...], attrs: Mapping[str, object]) -> Pool:
        """The pooling of images x (N, C, ...) with a node's attributes, after checking them.

        Raises:
            OpTypeError: the kernel does not fit, or padding is as long as the kernel (windows would be empty).
        """
        image, rounding = tuple(x[2:]), attrs.get("rounding", "up")
        if rounding not in ROUNDING:
            raise OpTypeError("unknown rounding of sizes", " ".join(ROUNDING), str(rounding))
        kernel, stride = (per_axis(name, attrs[name], len(image), 1) for name in ("kernel", "stride"))
        pad = per_axis("pad", attrs["pad"], len(image), 0)
        pad_end = attrs.get("pad_end")
        end = pad if pad_end is None else per_axis("pad_end", pad_end, len(image), 0)
        require_fit(image, kernel, pad, end)
        if any(p >= k for p, k in zip((*pad, *end), (*kernel, *kernel), strict=True)):
            text = str(pad) if pad == end else f"{pad} and {end} at the end"
            raise OpTypeError("padding must be smaller than the pooling kernel", f"pad < {kernel}", text)
        return cls(image, kernel, stride, pad, end, rounding == "down")

    @property
    def out(self) -> Sizes:
        """Sizes of the result's images."""
        axes = zip(self.image, self.kernel, self.stride, self.pad, self.pad_end, strict=True)
        return tuple(pool_size(*axis, down=self.down) for axis in axes)

    @property
    def onnx(self) -> dict[str, Attribute]:
        """The attributes of ONNX's MaxPool and AveragePool. Sizes rounded up become padding behind the image."""
        axes = zip(self.out, self.image, self.kernel, self.stride, self.pad, strict=True)
        end = tuple(max(0, (out - 1) * s + k - n - p) for out, n, k, s, p in axes)
        return {"kernel_shape": self.kernel, "strides": self.stride, "pads": (*self.pad, *end)}

    def cells(self, windows: Sequence[Index], places: Sequence[Index]) -> tuple[Index, ...]:
        """The cells at these places of windows; negative in the padding."""
        axes = zip(windows, self.stride, places, self.pad, strict=True)
        return tuple(w * s - p + place for w, s, place, p in axes)

    def guards(self, cells: Sequence[Index]) -> tuple[Index, ...]:
        """Conditions under which a window's cells lie inside the image."""
        axes = zip(cells, self.image, self.out, self.kernel, self.stride, self.pad, strict=True)
        return tuple(guard for axis in axes for guard in span(*axis))


def infer_pool(x: TensorType, attrs: Mapping[str, object]) -> Pool:
    """Check the operand of a pooling."""
    require_float("the input", x)
    require_images("the input", x)
    require_extents("image", x, "an empty image cannot be pooled")
    return Pool.of(x.shape, attrs)


def infer_pool_dx(dy: TensorType, shape: tuple[int, ...], attrs: Mapping[str, object]) -> Pool:
    """Check the cotangent of a pooling of images of `shape`."""
    require_float("the gradient", dy)
    pool = Pool.of(shape, attrs)
    require_shape("gradient", dy, (*shape[:2], *pool.out), "the gradient does not match the output")
    return pool


def place_names(axes: int) -> tuple[str, ...]:
    """Names of the loops over the places in a window.

    >>> place_names(2)
    ('i', 'j')
    """
    return ("h", "i", "j")[-axes:]


@contextmanager
def window_cells(
    k: KernelBuilder, pool: Pool, window: Sequence[Index], kind: str = "for"
) -> Iterator[tuple[tuple[Index, ...], tuple[Index, ...]]]:
    """Loop over the cells of a window in row-major order, clipped to the image; yields places in the window and cells.

    Args:
        kind: "sum" if the cells are only added up.
    """
    loop = k.sum if kind == "sum" else k.loop
    with ExitStack() as stack:
        loops = zip(place_names(len(pool.kernel)), pool.kernel, strict=True)
        places = tuple(stack.enter_context(loop(name, size)) for name, size in loops)
        cells = pool.cells(window, places)
        stack.enter_context(k.where(*pool.guards(cells)))
        yield places, cells


@contextmanager
def image_tiles(k: KernelBuilder, pool: Pool) -> Iterator[tuple[tuple[Index, ...], tuple[TileAxis, ...]]]:
    """Loop over the image in tiles of one stride, row by row; yields cells and their positions in the tiles."""
    guards: list[Index] = []
    cells: list[Index] = []
    tiles: list[TileAxis] = []
    axes = zip(loop_names("t", pool.image), loop_names("r", pool.image), pool.image, pool.pad, pool.stride, strict=True)
    with ExitStack() as stack:
        for tile_name, cell_name, extent, pad, stride in axes:
            count = -(-(extent + pad) // stride)
            t = stack.enter_context(k.each(tile_name, count))
            r = stack.enter_context(k.each(cell_name, stride))
            cell = t * stride + r - pad
            guards += inside(cell, extent, pad > 0, count * stride - pad > extent)
            cells.append(cell)
            tiles.append(TileAxis(t, r, count))
        stack.enter_context(k.where(*guards))
        yield tuple(cells), tuple(tiles)


@contextmanager
def cell_windows(
    k: KernelBuilder, pool: Pool, tiles: Sequence[TileAxis]
) -> Iterator[tuple[tuple[Index, ...], tuple[Index, ...]]]:
    """Sum over the windows that contain a cell; yields the windows, and the cell's place in them.

    Cell r of tile t lies in window t - d at place r + d*stride, for all d for which this place exists.
    """
    reach = [-(-n // s) for n, s in zip(pool.kernel, pool.stride, strict=True)]
    with ExitStack() as stack:
        back = [stack.enter_context(k.sum(*loop)) for loop in zip(loop_names("d", reach), reach, strict=True)]
        guards: list[Index] = []
        windows: list[Index] = []
        places: list[Index] = []
        for axis, (tile, d) in enumerate(zip(tiles, back, strict=True)):
            window, place = tile.number - d, tile.offset + d * pool.stride[axis]
            guards += inside(window, pool.out[axis], reach[axis] > 1, tile.count > pool.out[axis])
            guards += inside(place, pool.kernel[axis], False, pool.kernel[axis] % pool.stride[axis] > 0)
            windows.append(window)
            places.append(place)
        stack.enter_context(k.where(*guards))
        yield tuple(windows), tuple(places)
