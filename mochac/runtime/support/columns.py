"""Tables for people: aligned columns, and numbers with units."""

from __future__ import annotations

from collections.abc import Container, Sequence


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

    >>> duration(0.0031), duration(2.5), duration(12e-6)
    ('3.1 ms', '2.5 s', '12 us')
    """
    for power, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= power:
            return f"{seconds / power:.3g} {name}"
    return f"{seconds * 1e6:.3g} us"
