"""Applying a schedule: whose mistake it was; every step has a file of tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from step_kit import DOT, parse

from mochac.ir.applying import apply
from mochac.ir.schedule import STEPS, Schedule, ScheduleError, parse_step


def test_apply_names_schedule_step_and_rule() -> None:
    schedule = Schedule("mine", (parse_step("unroll(loop=k)"), parse_step("unroll(loop=kw)")))
    with pytest.raises(ScheduleError) as caught:
        apply(schedule, parse(DOT))
    message, loops = str(caught.value).split("\nthe loops before this step:\n")
    assert message == (
        "schedule 'mine', step 2 unroll(loop=kw): unroll: kernel 'k' has no loop 'kw' (loops: n c k); did you mean 'k'?"
    )
    assert loops.splitlines()[2:4] == ["    (1 statement)", "    sum k in 0..5 unroll {"]


def test_every_step_has_its_tests():
    """A file of tests for each step, or for all steps of its module."""
    modules = {name: cls.__module__.rpartition(".")[2] for name, cls in STEPS.items()}
    tested = {path.stem.removeprefix("test_step_") for path in Path(__file__).parent.glob("test_step_*.py")}
    assert [name for name, module in modules.items() if not {name, module} & tested] == []
    assert tested <= {*modules, *modules.values()}
