"""Lines: an image is treated as a line of elements, cut into rows of another length.

    each row in 0..14 { each column in 0..14 {          each row in 0..7 { each column in 0..28 {
      y[n, c, row, column] = f(x[n, d, row, column])  ->  y[n, c, 28*row + column] = f(x[n, d, 28*row + column])
    } }                                                 } }

For images under filters of one tap, rows get a length that whole register tiles fill.
"""

from __future__ import annotations

from mochac.ir.kernel import If, Kernel, access, walk
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, because
from mochac.ir.steps.storage import Flatten

LONGEST = 64
"""Maximum length of a row."""


@because("longer rows make fewer tiles that are not full")
def lines(b: ScheduleBuilder, row: str, column: str) -> tuple[Handle, Handle]:
    """Cut the images over two neighbouring loops into better rows, unless the rows are good, or some image is not read
    in order.

    Returns:
        The loops over rows and columns.
    """
    image = (b.extent(row), b.extent(column))
    length, names = row_length(*image), _walked(b.kernel, row, column, image)
    if length == image[1] or not names:
        return Handle(row), Handle(column)
    b.add(*(Flatten(name, 2) for name in names))
    return b.split(b.merge(row, column), length, "cut")


def row_length(rows: int, columns: int) -> int:
    """The longest row of a few tiles of four columns that leaves at least half as many rows, else `columns`.

    >>> row_length(14, 14), row_length(56, 56), row_length(13, 13)
    (28, 64, 13)
    """
    fits = (n for n in range(4, LONGEST + 1, 4) if rows * columns % n == 0 and 2 * (rows * columns // n) >= rows)
    return max(fits, default=columns)


def _walked(kernel: Kernel, row: str, column: str, image: tuple[int, int]) -> list[str]:
    """The blocked buffers, if each has such images, read or written exactly at row and column without conditions."""
    shapes = {x.name: x.type.shape for x in (*kernel.inputs, *kernel.outputs) if x.type.lanes}
    used = [a for s in walk(kernel.body) if (a := access(s)) and a[0] in shapes]
    for name, index in used:
        steps = [(i.coefficient(row), i.coefficient(column)) for i in index[2:]]
        if shapes[name][2:] != image or steps != [(1, 0), (0, 1)]:
            return []
    guards = {v for s in walk(kernel.body) if isinstance(s, If) for c in s.conds for v in c.vars}
    return [] if guards & {row, column} else list(dict.fromkeys(name for name, _ in used))
