"""Which layers of a prototxt belong to a net: Caffe's NetState, include and exclude rules.

Source: Net::FilterNet and Net::StateMeetsRule of Caffe's src/caffe/net.cpp.
"""

from __future__ import annotations

from typing import Any

from mochac.base.records import record

_PHASES = {"train": 0, "test": 1}


@record
class State:
    """A NetState: phase "train" or "test", a level, and stages."""

    phase: str
    level: int = 0
    stages: tuple[str, ...] = ()


def included(layer: Any, state: State, file_state: Any) -> bool:
    """Whether a layer belongs to the net; stages and level in the file are taken into account."""
    stages = {*state.stages, *file_state.stage}
    level = state.level or file_state.level
    if layer.include:
        return any(_meets(rule, _PHASES[state.phase], level, stages) for rule in layer.include)
    return not any(_meets(rule, _PHASES[state.phase], level, stages) for rule in layer.exclude)


def _meets(rule: Any, phase: int, level: int, stages: set[str]) -> bool:
    return (
        (not rule.HasField("phase") or rule.phase == phase)
        and (not rule.HasField("min_level") or level >= rule.min_level)
        and (not rule.HasField("max_level") or level <= rule.max_level)
        and stages.issuperset(rule.stage)
        and stages.isdisjoint(rule.not_stage)
    )
