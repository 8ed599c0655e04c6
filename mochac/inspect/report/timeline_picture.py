"""The timeline of one step: a row for each thread, a box for each kernel it runs, gaps where it waits.

Below, a row for each data layer: how long its reader takes for the next batch meanwhile. Where that is longer than the
step, the threads wait for it.
"""

from __future__ import annotations

from mochac.base.drawing.colours import IDLE, INK, PALE, STALL, of_layers
from mochac.base.drawing.curves import ticks
from mochac.base.drawing.svg import cut, drawing, label, line, link, rect
from mochac.base.support.columns import duration
from mochac.inspect.report.facts import StepFacts

WIDTH, LEFT, RIGHT, ROW, GAP, TOP, FOOT = 1120, 70, 14, 34, 6, 10, 30
TICK = 130
"""Pixels from one mark of the time to the next, at least."""
WHITE, READING = 'fill="#fff"', "#64748b"
LEAST = 0.4
"""Width of the smallest box, pixels."""


def timeline(facts: StepFacts, width: float = WIDTH) -> str:
    """The drawing, with this width in pixels; "" if times of single launches are not known."""
    spans, p = facts.profile.spans, facts.profile
    if not spans.size:
        return ""
    step = max(float(spans.max()), p.clocked_s)
    whole = step + p.stall_s
    per_s = (width - LEFT - RIGHT) / whole
    colours = of_layers([layer for k in facts.kernels for layer in k.record.layers[:1]])
    idle = range(len(spans), p.shared_by)
    bottom = TOP + (len(spans) + len(idle) + len(p.reads)) * (ROW + GAP)
    parts: list[str] = []
    for thread, own in enumerate(spans):
        y = TOP + thread * (ROW + GAP)
        parts += [rect(LEFT, y, whole * per_s, ROW, IDLE), label(LEFT - 8, y + ROW / 2 + 4, f"thread {thread}", "end")]
        for kernel, (start, end) in zip(facts.kernels, own.tolist(), strict=True):
            if end <= start:
                continue
            tip = f"{kernel.name}: {duration(end - start)} from {duration(start)}, phase {kernel.record.phase}"
            colour = colours[kernel.record.layers[0]] if kernel.record.layers else PALE
            x, across = LEFT + start * per_s, max(LEAST, (end - start) * per_s)
            edge = 'stroke="#fff" stroke-width="0.6"' if across > 2 else ""
            box = rect(x, y, across, ROW, colour, tip, edge)
            words = cut(kernel.name, across - 6)
            box += label(x + 4, y + ROW / 2 + 4, words, "start", WHITE) if words else ""
            parts.append(link(kernel.anchor, box))
        parts += _stall(facts, LEFT + step * per_s, y, p.stall_s * per_s)
    parts += [shape for thread in idle for shape in _idle(thread, whole * per_s)]
    for k, (layer, seconds) in enumerate(p.reads.items(), len(spans) + len(idle)):
        parts += _reading(layer, seconds, TOP + k * (ROW + GAP), whole, per_s)
    for s in ticks(0.0, whole * 1e6, int(width // TICK)):
        x = LEFT + s * 1e-6 * per_s
        if x <= width - RIGHT:
            parts += [line(x, bottom - GAP, x, bottom, INK), label(x, bottom + 14, duration(s * 1e-6), "middle")]
    return drawing(width, bottom + FOOT, parts, "When each thread runs which kernel")


def _idle(thread: int, width: float) -> list[str]:
    """A row of a thread that the plan has work for, but that did not run."""
    y = TOP + thread * (ROW + GAP)
    words = label(LEFT + 4, y + ROW / 2 + 4, "did not run in this step", "start", f'fill="{INK}"')
    return [rect(LEFT, y, width, ROW, IDLE), label(LEFT - 8, y + ROW / 2 + 4, f"thread {thread}", "end"), words]


def _stall(facts: StepFacts, x: float, y: float, width: float) -> list[str]:
    """The time in which a thread waits for the next batch."""
    if not width:
        return []
    tip = f"waits {duration(facts.profile.stall_s)} for data"
    return [rect(x, y, width, ROW, STALL, tip), label(x + 4, y + ROW / 2 + 4, cut(tip, width - 6), "start", WHITE)]


def _reading(layer: str, seconds: float, y: float, whole: float, per_s: float) -> list[str]:
    """A row of a data layer."""
    words = f"{layer}: next batch in {duration(seconds)}"
    width = max(LEAST, min(seconds, whole) * per_s)
    inside = cut(words, width - 6) == words
    beside = label(LEFT + (4 if inside else width + 4), y + ROW / 2 + 4, words, "start", WHITE if inside else "")
    box = rect(LEFT, y, width, ROW, READING, words)
    return [rect(LEFT, y, whole * per_s, ROW, IDLE), label(LEFT - 8, y + ROW / 2 + 4, "data", "end"), box, beside]
