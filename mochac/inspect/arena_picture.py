"""The arena over a step, as SVG: which bytes hold which value, from the kernel that writes it to the last reader.

Reports show it, and dumps hold it beside plan.txt.
"""

from __future__ import annotations

from mochac.base.drawing.colours import INK, PALE, of_layers
from mochac.base.drawing.svg import cut, drawing, label, line, rect
from mochac.base.records import record
from mochac.base.support.columns import unit
from mochac.ir.plan import Placement, Plan

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 1120, 420, 70, 14, 10, 44
NUMBER = 50
"""Approximate pixels between the numbers of kernels."""


@record
class Stay:
    """A value in the arena, and the positions of the first launch and of the last one that use it."""

    placement: Placement
    first: int
    last: int


def stays(plan: Plan) -> list[Stay]:
    """All values in the arena that launches use. Values that may be read after the step stay to its end."""
    used: dict[str, list[int]] = {}
    for k, launch in enumerate(plan.launches):
        for name in launch.buffers:
            used.setdefault(name, []).append(k)
    kept = {name for _, name in (*plan.named, *plan.scalars)}
    last = len(plan.launches) - 1
    placed = [p for p in plan.placements if p.place == "arena" and p.name in used]
    return [Stay(p, min(used[p.name]), last if p.name in kept else max(used[p.name])) for p in placed]


def arena(plan: Plan, wide: float = WIDTH) -> str:
    """The drawing, with this width in pixels; "" if the plan keeps nothing in an arena."""
    found = stays(plan)
    if not found or not plan.arena_bytes:
        return ""
    across = (wide - LEFT - RIGHT) / len(plan.launches)
    up = (HEIGHT - TOP - BOTTOM) / plan.arena_bytes
    colours = of_layers([_layer(stay.placement.name) for stay in found])
    parts = [rect(LEFT, TOP, wide - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, "#f8fafc", "", f'stroke="{PALE}"')]
    for stay in found:
        n = stay.placement.type.storage_bytes
        x, y = LEFT + stay.first * across, HEIGHT - BOTTOM - (stay.placement.offset + n) * up
        width, height = (stay.last - stay.first + 1) * across, n * up
        names = [plan.launches[k].kernel for k in (stay.first, stay.last)]
        tip = f"%{stay.placement.name}: {stay.placement.type}, {unit(n, 'B')} at {stay.placement.offset:,}, "
        tip += f"from {names[0]} to {names[1]}"
        edge = 'stroke="#fff" stroke-width="0.5" fill-opacity="0.85"'
        parts.append(rect(x, y, width, max(0.5, height), colours[_layer(stay.placement.name)], tip, edge))
        if height > 12 and (words := cut(stay.placement.name, width - 6)):
            parts.append(label(x + 4, y + height / 2 + 4, words, "start", 'fill="#fff" pointer-events="none"'))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = HEIGHT - BOTTOM - share * plan.arena_bytes * up
        parts += [line(LEFT - 4, y, LEFT, y, INK), label(LEFT - 8, y + 4, unit(share * plan.arena_bytes, "B"), "end")]
    middle = (LEFT + wide - RIGHT) / 2
    parts.append(
        label(middle, HEIGHT - 10, f"kernels in order, 0 to {len(plan.launches) - 1}", "middle", f'fill="{INK}"')
    )
    for k in range(0, len(plan.launches), max(1, round(NUMBER / across))):
        parts.append(label(LEFT + (k + 0.5) * across, HEIGHT - BOTTOM + 14, str(k), "middle"))
    return drawing(wide, HEIGHT, parts, "Memory of a step")


def _layer(name: str) -> str:
    """The layer that a value belongs to: a gradient has the colour of its blob."""
    return name.removeprefix("d.").partition(".")[0]
