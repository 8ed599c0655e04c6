"""The benchmark scripts: what they make of rounds, and that they run with whatever peers are installed. No timings."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def benchmarks_on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))


def rounds(n_quiet: int, n_busy: int) -> list:
    Round = importlib.import_module("contest.rounds").Round
    quiet = Round({"mochac plan": 0.002, "mochac train()": 0.0025, "slow": 0.02, "fast": 0.01}, peak=500)
    busy = Round({name: 2 * s for name, s in quiet.step_s.items()}, peak=250, other=0.3)
    return [quiet] * n_quiet + [busy] * n_busy


def test_busy_rounds_are_left_out_where_there_are_enough_quiet_ones():
    text = importlib.import_module("contest.summary").section(2, rounds(5, 9))
    assert "### 2 threads\n" in text
    assert "| mochac train() | 2.50 | 2.50 | 1.00 | 67 % (67-67) |" in text
    assert "| fast | 10.00 | 10.00 | 4.00 | 17 % (17-17) |" in text
    assert "Fastest peer: fast. Against it train() is 4.00 times as fast, the plan 5.00 times." in text
    assert "5 of 14 rounds used, 5 were quiet" in text


def test_a_busy_run_is_marked():
    text = importlib.import_module("contest.summary").section(1, rounds(2, 4))
    assert "### 1 thread (busy)\n" in text
    assert "| fast (busy) | 20.00 | 10.00 |" in text


def test_a_record_replaces_only_this_machines_section(tmp_path, monkeypatch):
    report = importlib.import_module("contest.report")
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    for name, body in (("A", "first"), ("B", "other"), ("A", "second")):
        monkeypatch.setattr(report, "machine", lambda name=name: name)
        path = report.record("x", "# Title\n", f"{body}\n\n### part")
    text = path.read_text()
    assert text == "# Title\n\n## B\n\nother\n\n### part\n\n## A\n\nsecond\n\n### part\n"


@pytest.mark.slow
@pytest.mark.parametrize("script", [["lenet.py", "--threads", "1", "--seconds", "0"], ["startup.py", "--runs", "1"]])
def test_scripts_run(script):
    command = [sys.executable, str(FOLDER / script[0]), *script[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| mochac" in done.stdout
