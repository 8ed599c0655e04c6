"""Pieces of HTML for notebooks: static, without scripts, with their style on them; words of users are escaped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from mochac.base.escaping import markup

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
