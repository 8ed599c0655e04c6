"""Tables for people: aligned columns, and numbers with units."""

from __future__ import annotations

from collections.abc import Container, Sequence
from textwrap import fill


def columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Container[int] = (), indent: str = "  "
) -> str:
    """Lines of a table, cells padded to their column.

    Args:
        header: titles; empty for none.
        right: columns aligned to the right.

    >>> print(columns(["layer", "bytes"], [["conv1", "80"], ["ip", "2000"]], right=[1]))
      layer  bytes
      conv1     80
      ip      2000
    """
    lines = [list(header), *map(list, rows)] if header else [list(row) for row in rows]
    widths = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))] if lines else []

    def padded(line: list[str]) -> str:
        cells = [t.rjust(w) if c in right else t.ljust(w) for c, (t, w) in enumerate(zip(line, widths, strict=True))]
        return (indent + "  ".join(cells)).rstrip()

    return "\n".join(map(padded, lines))


def fitting(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None,
    spare: Sequence[str],
    right: Container[int] = (),
    indent: str = "  ",
) -> str:
    """A table of at most `width` characters: as `columns`, but if necessary without the `spare` columns, dropped first
    to last, which a line below names, and then with a shorter first column. None: the whole table.

    >>> print(fitting(["kernel", "time", "layers"], [["conv1.filter", "3 us", "conv1"]], 15, ["layers"], indent=""))
    kernel     time
    conv1....  3 us
    (not shown: layers)
    """
    kept = list(range(len(header)))

    def table(lines: Sequence[Sequence[str]]) -> str:
        aligned = {new for new, old in enumerate(kept) if old in right}
        return columns([header[c] for c in kept], [[line[c] for c in kept] for line in lines], aligned, indent)

    def over() -> int:
        return 0 if width is None else max(map(len, table(rows).split("\n"))) - width

    for name in spare:
        if over() > 0:
            kept.remove(header.index(name))
    room = max(8, max((len(row[0]) for row in rows), default=0) - over())
    cut = [row[0] if len(row[0]) <= room else f"{row[0][: room - 3]}..." for row in rows]
    dropped = [name for name in header if header.index(name) not in kept]
    whole = table([[first, *row[1:]] for first, row in zip(cut, rows, strict=True)])
    if not dropped or width is None:
        return whole
    note = f"(not shown: {', '.join(dropped)})"
    return f"{whole}\n{fill(note, max(width, 20), initial_indent=indent, subsequent_indent=indent)}"


def unit(value: float, name: str) -> str:
    """A number with a decimal prefix.

    >>> unit(5_629_888, "B"), unit(640, "B"), unit(0, "flop"), unit(1_049_600_000, "flop")
    ('5.63 MB', '640 B', '0 flop', '1.05 Gflop')
    """
    for power, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= power:
            return f"{value / power:.3g} {prefix}{name}"
    return f"{value:.3g} {name}"


def duration(seconds: float) -> str:
    """Seconds in a readable unit.

    >>> duration(0.0031), duration(2.5), duration(12e-6), duration(-0.002)
    ('3.1 ms', '2.5 s', '12 us', '-2 ms')
    """
    for power, name in ((1.0, "s"), (1e-3, "ms")):
        if abs(seconds) >= power:
            return f"{seconds / power:.3g} {name}"
    return f"{seconds * 1e6:.3g} us"


def durations(low: float, high: float) -> str:
    """A range of seconds, with its unit once where both ends have the same.

    >>> durations(0.0021, 0.0031), durations(12e-6, 0.0031)
    ('2.1-3.1 ms', '12 us - 3.1 ms')
    """
    (first, least), (second, most) = duration(low).split(), duration(high).split()
    return f"{first}-{second} {most}" if least == most else f"{first} {least} - {second} {most}"
