"""Pictures as SVG in a page: colours, text and lines.

Colours of pictures of plans: they mean the same in every picture, and can be told apart without seeing red and
green.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from mochac.base.escaping import markup

INK, PALE, IDLE = "#334155", "#e2e8f0", "#f1f5f9"
STALL = "#c2410c"
"""Waits for data."""
LEVELS = ("#0f766e", "#0369a1", "#6d28d9", "#9d174d")
"""L1, L2, L3, memory."""
SCALE = ("#b45309", "#d97706", "#eab308", "#7fb3d5", "#2f7fb8")
"""Far below its roof ... near it."""
LAYERS = ("#5b8fc7", "#e0994d", "#6bab78", "#a583c4", "#c77b86", "#8f8468", "#4fa8a8", "#c4b04f", "#7d8aa0", "#d583b5")


def by_percent(percent: float) -> str:
    """The colour of a kernel that reaches this much of its roof."""
    return SCALE[min(len(SCALE) - 1, max(0, int(percent / 20)))]


def of_layers(names: list[str]) -> dict[str, str]:
    """A colour for each layer, in order, over and over."""
    return {name: LAYERS[k % len(LAYERS)] for k, name in enumerate(dict.fromkeys(names))}


def drawing(width: float, height: float, parts: Iterable[str], title: str = "") -> str:
    """A whole drawing, in pixels; where it stands in a page, it shrinks to the width there is."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="system-ui,sans-serif" font-size="11" role="img">'
    )
    name = [f"<title>{markup(title)}</title>"] if title else []
    return "\n".join([head, *name, *parts, "</svg>"]) + "\n"


def rect(x: float, y: float, width: float, height: float, fill: str, tip: str = "", more: str = "") -> str:
    """A box; `tip` is shown when the mouse is on it.

    >>> rect(1, 2, 3, 4, "red")
    '<rect x="1.0" y="2.0" width="3.0" height="4.0" fill="red"/>'
    """
    shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{_spaced(more)}'
    return f"{shape}><title>{markup(tip)}</title></rect>" if tip else f"{shape}/>"


def circle(x: float, y: float, radius: float, fill: str, tip: str = "", more: str = "") -> str:
    """A disc."""
    shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"{_spaced(more)}'
    return f"{shape}><title>{markup(tip)}</title></circle>" if tip else f"{shape}/>"


def label(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    """Words, with (x, y) at the start, middle or end of their baseline."""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{side}{_spaced(more)}>{markup(text)}</text>'


def line(x0: float, y0: float, x1: float, y1: float, stroke: str = "#999", more: str = "") -> str:
    """A straight line."""
    return f'<path d="M{x0:.1f} {y0:.1f} L{x1:.1f} {y1:.1f}" stroke="{stroke}" fill="none"{_spaced(more)}/>'


def link(target: str, shape: str) -> str:
    """A shape that leads to another place of the page."""
    return f'<a href="#{markup(target)}">{shape}</a>'


def cut(text: str, width: float, character: float = 6.0) -> str:
    """As much of a text as fits into a width in pixels; "" if that is not worth reading.

    >>> cut("conv1.conv+pool1", 60), cut("conv1", 60), cut("conv1", 10)
    ('conv1.co..', 'conv1', '')
    """
    room = int(width / character)
    if len(text) <= room:
        return text
    return f"{text[: room - 2]}.." if room >= 5 else ""


def _spaced(more: str) -> str:
    return f" {more}" if more else ""


CELL = "padding:.15em .7em;border-bottom:1px solid #ddd;white-space:nowrap;text-align:"
MONO = "font-family:ui-monospace,monospace;font-size:12px"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """A table; columns in `right` are aligned to the right.

    >>> table([], [["a<b", "2"]], right=[1]).count("a&lt;b")
    1
    """

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["right" if k in right else "left" for k in range(len(cells))]
        inner = [f'<{tag} style="{CELL}{side}">{markup(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True)]
        return f"<tr>{''.join(inner)}</tr>"

    head = f"<thead>{line(header, 'th')}</thead>" if header else ""
    body = "".join(line(row, "td") for row in rows)
    return f'<table style="border-collapse:collapse">{head}<tbody>{body}</tbody></table>'


def titled(title: str, *parts: str) -> str:
    """Parts below a title, scrolled where they are too wide."""
    return f'<div style="overflow-x:auto"><p><b>{markup(title)}</b></p>{"".join(parts)}</div>'


def folded(summary: str, part: str, unfolded: bool = False) -> str:
    """A part that a click on its summary shows or hides; no script is needed for it."""
    return f"<details{' open' if unfolded else ''}><summary>{markup(summary)}</summary>{part}</details>"


def fixed(text: str) -> str:
    """Text whose columns are aligned."""
    return f'<pre style="{MONO};line-height:1.35;overflow-x:auto">{markup(text)}</pre>'


def progress(done: float | None, text: str) -> str:
    """A bar of which the share `done` is full, None for no bar, and a text beside it.

    >>> progress(0.5, "half")
    '<div><progress value="0.5000" max="1" style="width:20em"></progress> half</div>'
    """
    bar = (
        "" if done is None else f'<progress value="{min(max(done, 0), 1):.4f}" max="1" style="width:20em"></progress> '
    )
    return f"<div>{bar}{markup(text)}</div>"
