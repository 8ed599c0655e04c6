"""benchmarks/gpu.py: its table, and that it runs where a device is emulated. No timings."""

import importlib
import sys
from pathlib import Path

import pytest
from fake_driver import environment
from skips import needs_gxx

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def test_ratios_are_taken_within_rounds(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    rounds = [
        {"mochac plan": 1e-4, "peer": 2e-4},
        {"mochac plan": 3e-4, "peer": 3e-4},
        {"mochac plan": 1e-4, "peer": 3e-4},
    ]
    found = {"rounds": rounds, "first_s": {"mochac plan": 0.5, "peer": 2}, "absent": {"jax": "no module"}}
    lines = importlib.import_module("gpu").contest_table(found)
    assert lines[2:] == [
        "| mochac plan | 100.0 | 100.0 | 1.00 | 0.50 s |",
        "| peer | 300.0 | 200.0 | 2.00 | 2.00 s |",
        "\njax left out: no module",
    ]


@needs_gxx
@pytest.mark.slow
def test_a_contest_on_an_emulated_device(tmp_path, monkeypatch):
    pytest.importorskip("cuda.bindings")
    monkeypatch.syspath_prepend(str(FOLDER))
    gpu = importlib.import_module("gpu")
    monkeypatch.setattr(gpu.os, "environ", environment())
    monkeypatch.setattr(sys, "argv", ["gpu.py", str(tmp_path), "--tasks", "tiny-mlp-16", "--seconds", "0.5"])
    monkeypatch.setattr(gpu, "STAGES", {name: gpu.STAGES[name] for name in ("device", "contest", "profile")})
    gpu.main()
    text = (tmp_path / "report.md").read_text()
    assert "| mochac train() |" in text and "CPU emulation" in text
    assert "ip0.inner_product" in (tmp_path / "profile.txt").read_text()
