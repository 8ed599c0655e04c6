"""The timeline of one step: a row for each thread, a box for each kernel it runs, gaps where it waits."""

from __future__ import annotations

from mochac.drawing.curves import ticks
from mochac.drawing.svg import cut, drawing, label, line, link, rect
from mochac.report.colours import IDLE, INK, PALE, of_layers
from mochac.report.facts import StepFacts
from mochac.runtime.support.columns import duration

WIDTH, LEFT, RIGHT, ROW, GAP, TOP, FOOT = 1120, 70, 14, 34, 6, 10, 30
LEAST = 0.4
"""Width of the smallest box, pixels."""


def timeline(facts: StepFacts) -> str:
    """The drawing; "" if no times of single launches are known."""
    spans, p = facts.profile.spans, facts.profile
    if not spans.size:
        return ""
    whole = max(float(spans.max()), p.clocked_s)
    per_s = (WIDTH - LEFT - RIGHT) / whole
    colours = of_layers([layer for k in facts.kernels for layer in k.record.layers[:1]])
    bottom = TOP + len(spans) * (ROW + GAP)
    parts: list[str] = []
    for thread, own in enumerate(spans):
        y = TOP + thread * (ROW + GAP)
        parts += [rect(LEFT, y, whole * per_s, ROW, IDLE), label(LEFT - 8, y + ROW / 2 + 4, f"thread {thread}", "end")]
        for kernel, (start, end) in zip(facts.kernels, own.tolist(), strict=True):
            if end <= start:
                continue
            tip = f"{kernel.name}: {duration(end - start)} from {duration(start)}, phase {kernel.record.phase}"
            colour = colours[kernel.record.layers[0]] if kernel.record.layers else PALE
            x, width = LEFT + start * per_s, max(LEAST, (end - start) * per_s)
            edge = 'stroke="#fff" stroke-width="0.6"' if width > 2 else ""
            box = rect(x, y, width, ROW, colour, tip, edge)
            words = cut(kernel.name, width - 6)
            box += label(x + 4, y + ROW / 2 + 4, words, "start", 'fill="#fff"') if words else ""
            parts.append(link(kernel.anchor, box))
    for s in ticks(0.0, whole * 1e6, 8):
        x = LEFT + s * 1e-6 * per_s
        if x <= WIDTH - RIGHT:
            parts += [line(x, bottom - GAP, x, bottom, INK), label(x, bottom + 14, duration(s * 1e-6), "middle")]
    return drawing(WIDTH, bottom + FOOT, parts, "When each thread runs which kernel")
