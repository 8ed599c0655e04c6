"""Pictures of a step: its graph, and its timeline.

The graph has a box for each kernel with the operations fused in it, and a line for each stored value. The mouse on a
line shows why the two kernels were not fused; the page lists it too.

The timeline has a row for each thread, a box for each kernel it runs, and gaps where it waits; below, a row for each
data layer: how long its reader takes for the next batch meanwhile. If that is longer than the step, the threads wait
for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.base.drawing.layout import Layout, Wire, layout
from mochac.base.drawing.svg import IDLE, INK, PALE, STALL, cut, drawing, label, line, link, of_layers, rect, ticks
from mochac.base.escaping import markup
from mochac.base.support.array_like import duration
from mochac.inspect.report.facts import StepFacts, Timed
from mochac.inspect.report.verdict import percent
from mochac.ir.graph import Node

CHAR, BOLD, LINE, PAD, MARGIN, WIDEST = 6.1, 7.0, 14, 8, 14, 250.0
"""Pixels; BOLD is a character of a title."""
SHOWN = 5
"""Operations listed in a box; more are counted."""
HEAT = ("#f8fafc", "#fef3c7", "#fde68a", "#fcd34d", "#fbbf24")
"""Fills of boxes: less than 1 %, 3 %, 8 %, 15 % of a step, and more."""
STEPS = (0.01, 0.03, 0.08, 0.15)


def graph_picture(facts: StepFacts) -> str:
    """The drawing."""
    edges = facts.edges
    words = [_words(kernel, facts.nodes[kernel.number]) for kernel in facts.kernels]
    sizes = [_size(box) for box in words]
    targets: dict[int, list[int]] = {}
    for source, target in sorted(edges):
        targets.setdefault(source, []).append(target)
    wires = [Wire(source, tuple(found)) for source, found in targets.items()]
    places = layout(sizes, wires, MARGIN)
    parts: list[str] = []
    for k, wire in enumerate(wires):
        parts += [_edge(facts, (wire.source, target), places, k, sizes) for target in wire.targets]
    parts += [_box(kernel, words[kernel.number], places, sizes) for kernel in facts.kernels]
    return drawing(places.width, places.height, parts, "Kernels, and what goes from one to the other")


def _size(words: Sequence[str]) -> tuple[float, float]:
    width = max(len(words[0]) * BOLD, *(len(word) * CHAR for word in words[1:]))
    return min(WIDEST, width + 2 * PAD), len(words) * LINE + PAD


def _words(kernel: Timed, nodes: Sequence[Node]) -> list[str]:
    ops = [f"{node.op} {node.outputs[0].type}" for node in nodes] or list(kernel.record.ops)
    if len(ops) > SHOWN:
        ops = [*ops[: SHOWN - 1], f"and {len(ops) - SHOWN + 1} more"]
    return [f"{kernel.number} {kernel.name}", f"{duration(kernel.time.seconds)}, {percent(kernel.time.share, 1)}", *ops]


def _box(kernel: Timed, words: Sequence[str], places: Layout, sizes: Sequence[tuple[float, float]]) -> str:
    (x, y), (width, height) = places.centres[kernel.number], sizes[kernel.number]
    left, top = x - width / 2, y - height / 2
    heat = HEAT[sum(kernel.time.share >= step for step in STEPS)]
    tip = f"{kernel.name}: layers {', '.join(kernel.record.layers)}; ops {', '.join(kernel.record.ops)}"
    parts = [rect(left, top, width, height, heat, tip, 'rx="4" stroke="#64748b"')]
    for k, word in enumerate(words):
        style = ('font-weight="bold"', f'fill="{INK}"')[min(k, 1)]
        text = cut(word, width - PAD, CHAR if k else BOLD) or word
        parts.append(label(left + PAD, top + LINE * (k + 1), text, "start", f'{style} pointer-events="none"'))
    return link(kernel.anchor, "".join(parts))


def _edge(
    facts: StepFacts,
    ends: tuple[int, int],
    places: Layout,
    wire: int,
    sizes: Sequence[tuple[float, float]],
) -> str:
    """A curve from box to box; dashed if it is not known why they were not fused."""
    source, target = ends
    (x, y), (tx, ty) = places.centres[source], places.centres[target]
    y, end = y + sizes[source][1] / 2, ty - sizes[target][1] / 2
    path = _path([(x, y, y), *places.passes[wire, target], (tx, end, end)])
    why = facts.refusals.get(ends, [])
    types = facts.graph.types()
    tip = ", ".join(f"%{name}: {types[name]}" for name in facts.edges[ends])
    tip += "".join(f"\nnot fused: {reason}" for reason in why)
    dash = "" if why else ' stroke-dasharray="5 3"'
    shape = f'<path class="wire" d="{path}" fill="none" stroke="#8fa1b8"{dash}>'
    return f"{shape}<title>{markup(tip)}</title></path>"


def _path(points: Sequence[tuple[float, float, float]]) -> str:
    """A line down through (x, upper y, lower y): a curve where x changes, else straight on, in one piece.

    >>> _path([(5, 0, 0), (5, 10, 20), (5, 30, 40), (9, 50, 50)])
    'M5 0V40C5 45 9 45 9 50'
    """
    (x, _, y), *rest = [(round(x), round(top), round(bottom)) for x, top, bottom in points]
    path, straight = f"M{x} {y}", False
    for px, top, bottom in rest:
        if px == x:
            path = f"{path[: path.rindex('V')]}V{bottom}" if straight else f"{path}V{bottom}"
        else:
            middle = (y + top) // 2
            path += f"C{x} {middle} {px} {middle} {px} {top}" + (f"V{bottom}" if bottom != top else "")
        straight = px == x or bottom != top
        x, y = px, bottom
    return path


WIDTH, LEFT, RIGHT, ROW, GAP, TOP, FOOT = 1120, 70, 14, 34, 6, 10, 30
TICK = 130
"""Minimum pixels between two marks of the time axis."""
WHITE, READING = 'fill="#fff"', "#64748b"
MIN_WIDTH = 0.4
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
            x, across = LEFT + start * per_s, max(MIN_WIDTH, (end - start) * per_s)
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
    """The row of a thread that has work in the plan, but did not run."""
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
    width = max(MIN_WIDTH, min(seconds, whole) * per_s)
    inside = cut(words, width - 6) == words
    beside = label(LEFT + (4 if inside else width + 4), y + ROW / 2 + 4, words, "start", WHITE if inside else "")
    box = rect(LEFT, y, width, ROW, READING, words)
    return [rect(LEFT, y, whole * per_s, ROW, IDLE), label(LEFT - 8, y + ROW / 2 + 4, "data", "end"), box, beside]
