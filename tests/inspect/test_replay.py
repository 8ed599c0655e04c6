"""Dumps run again: every stage agrees, and a changed one is found."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac.base.support.memory import difference
from mochac.inspect.replay import replay

STAGES = ["simplify", "assign_layout", "fuse", "staged", "naive", "schedule", "scheduled", "native"]


@pytest.fixture(scope="module")
def dumped(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump")
    with mochac.compile(tiny()) as program:
        program.dump(path)
    return path


@pytest.fixture
def folder(dumped, tmp_path):
    return Path(shutil.copytree(dumped, tmp_path / "copy"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def kernel(folder: Path, pattern: str) -> Path:
    (path,) = folder.glob(f"kernels/{pattern}")
    return path


@pytest.mark.slow
def test_all_stages_agree(folder):
    report = replay(folder)
    text = str(report)
    assert report.agreed, text
    assert [r.stage for r in report.others if r.stage in STAGES] == STAGES
    assert "new conv.filter " in text and "new conv.filter.history" in text and "output 0" in text


@pytest.mark.slow
def test_one_stage(folder):
    report = replay(folder, "native")
    assert [r.stage for r in report.others] == ["native"] and report.agreed
    assert "results of native" in str(report)


@pytest.mark.slow
def test_the_first_stage_alone_is_the_reference(folder):
    report = replay(folder, "trace")
    assert report.others == () and report.agreed


@pytest.mark.slow
def test_a_changed_graph_is_found_at_its_node(folder):
    edit(next(folder.glob("*-fuse.graph")), "= relu(", "= tanh(")
    report = replay(folder, "fuse")
    assert not report.agreed
    assert "DIFFERS" in str(report) and "first at %ip" in str(report)


@pytest.mark.slow
def test_a_changed_kernel_is_found_and_the_other_form_is_not_blamed(folder):
    edit(kernel(folder, "*-end.softmax_loss*.scheduled.kernel"), "exp(", "neg(")
    verdicts = {line.split()[0]: line.split()[1] for line in str(replay(folder)).splitlines() if line[:2] == "  "}
    assert (verdicts["naive"], verdicts["scheduled"], verdicts["native"]) == ("agrees", "DIFFERS", "agrees")


@pytest.mark.slow
def test_an_edited_schedule_is_applied_to_the_staged_nests(folder):
    path = kernel(folder, "*-conv.conv+*.schedule")
    name = path.read_text().splitlines()[0]
    path.write_text(f"{name}, edited\n")  # no steps: the staged nest runs as it is
    assert replay(folder, "schedule").agreed
    path.write_text(f"{name}\n  split(loop=nowhere, factor=4, outer=o, inner=i)\n")
    assert "no loop 'nowhere'" in str(replay(folder, "schedule"))
    path.write_text(path.read_text() + "  garbage\n")
    with pytest.raises(mochac.OptionError, match=r"\.schedule is damaged"):
        replay(folder, "schedule")


@pytest.mark.slow
def test_changed_machine_code_is_found(folder):
    edit(folder / "module.ll", "fmul", "fadd")
    report = replay(folder, "native")
    assert not report.agreed


def test_a_stage_that_cannot_run_is_reported(folder):
    edit(folder / "module.ll", "define void", "define broken")
    report = replay(folder, "native")
    assert not report.agreed and "failed" in str(report)


def test_a_damaged_file_is_a_message(folder):
    (folder / "plan.txt").write_text("plan nonsense")
    with pytest.raises(mochac.OptionError, match=r"plan.txt is damaged"):
        replay(folder, "naive")


def test_a_missing_kernel_is_a_message(folder):
    kernel(folder, "*-conv.conv+*.naive.kernel").unlink()
    with pytest.raises(mochac.OptionError, match=r"naive.kernel cannot be read"):
        replay(folder, "naive")


def test_missing_inputs(folder):
    (folder / "inputs.npz").unlink()
    with pytest.raises(mochac.OptionError, match=r"inputs.npz cannot be read"):
        replay(folder)


def test_no_dump(tmp_path):
    with pytest.raises(mochac.OptionError, match="is not a dump"):
        replay(tmp_path)


def test_a_misspelt_stage(folder):
    with pytest.raises(mochac.OptionError, match="did you mean 'scheduled'"):
        replay(folder, "scheduledd")


@pytest.mark.slow
def test_a_test_plan_is_replayed_with_part_of_its_batch(tmp_path):
    mochac.dump(tiny(loss=False), tmp_path)
    assert "n_valid" in (tmp_path / "00-trace.graph").read_text()
    report = replay(tmp_path)
    assert report.agreed, str(report)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [([1, 2], [1, 2], 0), ([np.nan, 2], [np.nan, 2], 0), ([np.nan, 2], [1, 2], np.inf), ([0, 8], [1, 8], 0.125),
     ([np.inf, 1], [np.inf, 1], 0), ([1, 1], [np.inf, 1], np.inf), ([], [], 0)],
)  # fmt: skip
def test_difference(a, b, expected):
    assert difference(np.array(a, float), np.array(b, float)) == expected


def test_a_graph_that_breaks_a_rule_is_not_run(folder):
    first = sorted(folder.glob("*-simplify.graph"))[0]
    first.write_text(first.read_text().replace("return %", "return %no."))
    report = replay(folder, "simplify")
    assert not report.agreed and "breaks rule results-exist" in str(report)


def test_a_plan_outside_its_arena_is_not_run(folder):
    """Machine code would write there."""
    plan = folder / "plan.txt"
    plan.write_text(re.sub(r'"arena_bytes": \d+', '"arena_bytes": 64', plan.read_text()))
    report = replay(folder, "native")
    assert not report.agreed and "ends outside the arena of 64 bytes" in str(report)


def test_inputs_of_another_shape_are_not_run(folder):
    with np.load(folder / "inputs.npz") as file:
        inputs = {name: file[name] for name in file.files}
    name = next(name for name, array in inputs.items() if array.ndim == 2)
    np.savez(folder / "inputs.npz", **{**inputs, name: inputs[name][:1]})
    report = replay(folder, "native")
    assert not report.agreed and f"input {name}: expected " in str(report)


def test_a_file_of_another_kind_is_a_message(folder):
    (folder / "plan.txt").write_text((folder / "00-trace.graph").read_text())
    with pytest.raises(mochac.OptionError, match=r"plan.txt holds no plan\n  got  graph"):
        replay(folder, "naive")
