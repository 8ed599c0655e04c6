"""Canonical kernels: kernels that differ only in names share one canonical kernel.

The pipeline schedules and prints canonical kernels, so twenty equal layers compile as fast as one. Searches store their
results by canonical kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from mochac.ir.kernel import Kernel
from mochac.ir.names import rename_buffers
from mochac.ir.schedule import Schedule, Step


def canonical(kernel: Kernel) -> tuple[Kernel, dict[str, str]]:
    """The kernel with its buffers named buffer0, buffer1, ..., without name and origin; and the old names by new."""
    names = {b.name: f"buffer{k}" for k, b in enumerate((*kernel.inputs, *kernel.outputs))}
    return renamed(kernel, names).with_(name="", loc=()), {new: old for old, new in names.items()}


def renamed(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """The kernel with its global buffers renamed, and the locals whose names contain a buffer's name."""
    every = {b.name: _new(b.name, names) for b in kernel.buffers().values()}

    def buffers(which: str) -> tuple[object, ...]:
        return tuple(replace(b, name=every[b.name], begins=every.get(b.begins, "")) for b in getattr(kernel, which))

    return kernel.with_(
        body=rename_buffers(kernel.body, every), **{w: buffers(w) for w in ("inputs", "outputs", "locals")}
    )


def named(schedule: Schedule, names: Mapping[str, str]) -> Schedule:
    """The schedule with the original names of buffers, and of locals made from them, in its steps."""

    def name(v: object) -> object:
        if isinstance(v, tuple):
            return tuple(map(name, v))
        if isinstance(v, Step):
            return step(v)
        return _new(v, names) if isinstance(v, str) else v

    def step(s: Step) -> Step:
        changed = {f.name: new for f in fields(s) if (new := name(v := getattr(s, f.name))) != v}
        return replace(s, **changed) if changed else s

    reasons = tuple((step(s), why) for s, why in schedule.reasons)
    return replace(schedule, steps=tuple(map(step, schedule.steps)), reasons=reasons)


def _new(name: str, names: Mapping[str, str]) -> str:
    """The new name of a buffer or local; locals made from a buffer are named <buffer>.tile and the like."""
    stem, dot, rest = name.partition(".")
    return names.get(name) or (names[stem] + dot + rest if stem in names else name)
