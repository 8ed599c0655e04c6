"""benchmarks/everything.py: what it runs, and that a failure leaves the others. No timings."""

from __future__ import annotations

import pytest
from bench_kit import FOLDER, module


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """Commands in the order they were run; "training" fails."""
    everything, found = module("everything"), []

    def run(command, stage):
        found.append(" ".join([stage.script, *command[1:]]))
        return stage.script != "training"

    monkeypatch.setattr(everything, "_succeeds", run)
    return found


def test_its_scripts_exist():
    assert [s.script for s in module("everything").STAGES if not (FOLDER / f"{s.script}.py").exists()] == []


def test_options_reach_those_that_know_them(ran, capsys):
    assert module("everything").main(["--record", "--strict", "--data", "x"]) == 1
    assert "training --record --strict" in ran and "peak --record" in ran and "mnist --record --data x" in ran
    assert capsys.readouterr().out == "not complete: training\n"


def test_a_quick_pass_leaves_long_ones_out(ran):
    module("everything").main(["--quick"])
    assert "training --quick" in ran and "random_nets --nets 4" in ran
    assert not any(line.startswith(("mnist", "peak")) for line in ran)
