"""Shapes of an SVG drawing, as text; words that come from users are escaped."""

from __future__ import annotations

from collections.abc import Iterable

from mochac.base.escaping import markup


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
