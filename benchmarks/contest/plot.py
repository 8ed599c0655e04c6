"""results/benchmarks.svg: the recorded percentages of the multiply-add peak as bars, without a plotting library.

command.py has it drawn after recording. It reads figures only.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from contest import figures, report
from contest.contender import OURS, PLAN
from contest.figures import Figure

FILE = report.RESULTS / "benchmarks.svg"
FRAMEWORKS = {"mochac": (PLAN,), "PyTorch, its fastest": ("PyTorch", "torch."), "JAX, its fastest": ("JAX",)}
"""Names in the legend, and how their contenders' names begin."""
COLOURS = ("#1f6fb4", "#d9662b", "#7a6a4f")
LEFT, WIDTH, BAR, GAP, HEAD, FOOT = 330, 400, 9, 8, 64, 40
Bar = tuple[str, float]
"""A framework, and percent of the peak."""


def write() -> None:
    """Draw this machine's newest figures."""
    found = [f for f in figures.read() if f["machine"] == report.machine() and PLAN in f["contenders"]]
    FILE.write_text(svg([(label(f), bars(f)) for f in sorted(found, key=_order)], report.machine()))


def _order(f: Figure) -> tuple[object, ...]:
    return f["kind"] != "training", -f["threads"], f["name"].partition("-")[0], f["flops"]


def label(f: Figure) -> str:
    """What stands beside a group of bars."""
    busy = ", busy" if f["busy"] else ""
    title = f["title"].partition(", ")[0] if f["kind"] == "training" else f["title"]
    return f"{title}, {f['threads']} thread{'s' if f['threads'] > 1 else ''}{busy}"


def bars(f: Figure) -> list[Bar]:
    """Each framework's fastest contender; mochac's is its plan."""
    found = []
    for title, starts in FRAMEWORKS.items():
        own = [c for name, c in f["contenders"].items() if name.startswith(starts) and (name not in OURS[1:])]
        if own:
            found.append((title, min(own, key=lambda c: c["median_s"])["of_peak"]))
    return found


def svg(groups: Sequence[tuple[str, Sequence[Bar]]], machine: str) -> str:
    """Groups of bars below one another, 0 to 100 percent (more where padding is skipped)."""
    most = max([100.0, *(value for _, group in groups for _, value in group)])
    parts, y = [], float(HEAD)
    for title, group in groups:
        middle = y + BAR * len(group) / 2 + 3
        parts.append(f'<text x="{LEFT - 8}" y="{middle:.0f}" text-anchor="end">{escape(title)}</text>')
        for name, value in group:
            colour, long = COLOURS[list(FRAMEWORKS).index(name)], value / most * WIDTH
            parts.append(f'<rect x="{LEFT}" y="{y:.0f}" width="{long:.1f}" height="{BAR - 1}" fill="{colour}"/>')
            text = f"{value:.0f}" if value >= 10 else f"{value:.1f}"
            parts.append(f'<text x="{LEFT + long + 4:.1f}" y="{y + BAR - 1:.0f}" font-size="9">{text}</text>')
            y += BAR
        y += GAP
    wide, high = LEFT + WIDTH + 60, y + FOOT
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high:.0f}" viewBox="0 0 {wide} {high:.0f}" '
        'font-family="sans-serif" font-size="11">'
    )
    ground = f'<rect width="{wide}" height="{high:.0f}" fill="white"/>'
    return "\n".join([head, ground, *_legend(machine), *_grid(most, y), *parts, "</svg>"]) + "\n"


def _legend(machine: str) -> list[str]:
    title = f"Percent of the multiply-add peak, nominal operations; {machine}"
    parts = [f'<text x="10" y="20" font-size="13" font-weight="bold">{escape(title)}</text>']
    for k, name in enumerate(FRAMEWORKS):
        x = LEFT + 140 * k
        parts.append(f'<rect x="{x}" y="34" width="10" height="10" fill="{COLOURS[k]}"/>')
        parts.append(f'<text x="{x + 15}" y="43">{name}</text>')
    return parts


def _grid(most: float, bottom: float) -> list[str]:
    parts = []
    for percent in range(0, int(most) + 1, 25):
        x = LEFT + percent / most * WIDTH
        parts.append(f'<path d="M{x:.1f} {HEAD - 6} V{bottom:.0f}" stroke="#999" opacity="0.4"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 14:.0f}" text-anchor="middle">{percent} %</text>')
    return parts
