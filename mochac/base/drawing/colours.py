"""Colours of pictures of plans: they mean the same in every picture, and can be told apart without seeing red and
green."""

from __future__ import annotations

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
