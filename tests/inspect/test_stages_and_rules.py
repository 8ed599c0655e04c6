"""What explain and a dump say of every stage, and of rules whose steps did not fit a kernel."""

from dataclasses import replace

import numpy as np
import pytest

import mochac
from mochac import ConvolutionLayer, InnerProductLayer, LayerNormLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.codegen.cpu import schedules
from mochac.ir.schedule import Schedule, parse_schedule, parse_step


@pytest.fixture
def net():
    x = np.random.default_rng(0).normal(size=(8, 2, 6, 6))
    return Net("stages", [
        MemoryDataLayer(data=[x, np.zeros(8)], tops=["x", "y"], batch_size=8),
        ConvolutionLayer(name="conv", n_filter=4, kernel=3, bottoms=["x"]),
        LayerNormLayer(name="norm", bottoms=["conv"]),
        InnerProductLayer(name="ip", output_dim=2, bottoms=["norm"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "y"]),
    ])  # fmt: skip


@pytest.mark.slow
def test_every_stage_is_named_by_its_pass(net, tmp_path):
    with mochac.compile(net) as program:
        program.dump(tmp_path / "dump")
    lines = [line for line in (tmp_path / "dump" / "README.txt").read_text().splitlines() if ".graph" in line]
    assert lines[0].split(maxsplit=1)[1] == "the net, its gradients and the solver's update, as written"
    assert len(lines) > 5
    for line in lines[1:]:
        name = line.partition(".graph")[0].partition("-")[2]
        assert f"  after {name}: " in line


@pytest.mark.slow
def test_why_a_rule_was_refused(net, tmp_path, monkeypatch):
    """By a step that does not fit, when the rule writes its schedule or when that is applied."""

    def early(kernel, target):
        raise schedules.ScheduleError("early: no such loop\nthe loops:")

    def late(kernel, target):
        return Schedule("late", (parse_step("vector(loop=nowhere)"),))

    monkeypatch.setattr(schedules, "RULES", (early, late, *schedules.RULES))
    with mochac.compile(net, dtype="float64") as program:
        program.dump(tmp_path / "dump")
    texts = [path.read_text() for path in (tmp_path / "dump" / "kernels").glob("*.schedule")]
    said = [text for text in texts if "  # not by early: early: no such loop\n  # not by late: " in text]
    assert said
    assert all("nowhere" in text for text in said)
    explained = (tmp_path / "dump" / "explain.txt").read_text()
    assert "        not by early: early: no such loop\n" in explained
    for text in said:
        assert parse_schedule(text).steps
        assert replace(parse_schedule(text), refused=("x: y",)) == parse_schedule(text)
