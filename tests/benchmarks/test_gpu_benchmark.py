"""benchmarks/gpu.py: its tables, its limits, and that it runs where a device is emulated. No timings."""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fake_driver import environment
from patience import HANG_S, until
from skips import needs_gxx
from test_stand_in_driver import installed

import mochac

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("gpu")


def run(gpu, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["gpu.py", *map(str, arguments)])
    return gpu.main()


def test_ratios_are_taken_within_rounds(gpu):
    rounds = [{"mochac": 1e-4, "peer": 2e-4}, {"mochac": 3e-4, "peer": 3e-4}, {"mochac": 1e-4, "peer": 3e-4}]
    found = {"rounds": rounds, "first_s": {"mochac": 0.5, "peer": 2}, "alone": {}, "absent": {"jax": "no module"}}
    table, count, absent = importlib.import_module("gpu_contest.report").contest_table(found)
    assert table.splitlines()[2:] == [
        "| mochac | 100.0 | 100.0 | 1.00 | 0.50 s |",
        "| peer | 300.0 | 200.0 | 2.00 | 2.00 s |",
    ]
    assert (count, absent) == ("3 rounds", "- jax left out: no module")


def test_a_contest_cut_short_tells_what_each_took_alone(gpu):
    table_of = importlib.import_module("gpu_contest.report").contest_table
    found = {"rounds": [], "first_s": {"mochac": 0.5}, "alone": {"mochac": 1e-4}, "absent": {}}
    table, count = table_of(found)
    assert table.splitlines()[2:] == ["| mochac | 100.0 | 100.0 | 1.00 | 0.50 s |"]
    assert count == "no rounds: one after the other"
    assert len(table_of({**found, "alone": {}})[0].splitlines()) == 2


def test_generated_kernels_beside_calls(gpu):
    nodes = [{"conv1 conv": {"us": us, "kernel": name}} for us, name in ((30.0, "mochac_conv1"), (20.0, "cudnn.x"))]
    plans = [{"name": "n", "profile": "table", "resources": [], "nodes": n} for n in nodes]
    stages = {"profile-a": {"seconds": 1, "ending": "done", "said": "", "result": {"plans": plans}}}
    text = importlib.import_module("gpu_contest.report").report("today", stages)
    assert "| conv1 conv | 30.0 | mochac_conv1 | 20.0 | cudnn.x | 1.50 |" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "launches", "deep"),
    [("tiny-mlp-16", 10, 6), ("mlp-64", 14, 8), ("lenet-64", 20, 13), ("cifar-100", 30, 21)],
)
def test_a_step_takes_no_more_launches_and_is_no_deeper(gpu, task, launches, deep):
    """A launch takes microseconds whatever it computes, and small nets take little else. Fewer are better."""
    net = importlib.import_module("gpu_contest.with_mochac").net(gpu.TASKS[task])
    text = mochac.explain(net, backend="cuda", target="sm_90", libraries=False)
    found = re.search(r"Graph of a step: (\d+) launches, (\d+) one after the other", text)
    assert found is not None
    assert int(found[1]) <= launches
    assert int(found[2]) <= deep


@pytest.mark.slow
def test_a_stage_that_fails_or_hangs_leaves_the_others(gpu, monkeypatch, tmp_path):
    code = {
        "fails": "print('so far'); raise SystemExit(3)",
        "hangs": f"import time; time.sleep({HANG_S})",
        "goes": "print(1)",
    }
    limits = {"hangs": 0.2}
    stages = {
        name: lambda s, n=name, c=text: s.run(n, [sys.executable, "-c", c], limits.get(n, HANG_S))
        for name, text in code.items()
    }
    stages["absent"] = lambda s: s.run("absent", ["compute-sanitizer-of-nobody"], 9)
    monkeypatch.setattr(gpu, "STAGES", stages)
    monkeypatch.setattr(gpu, "LEAST_S", 0)
    monkeypatch.setattr(gpu, "GRACE_S", 0.1)
    run(gpu, monkeypatch, tmp_path / "out")
    found = json.loads((tmp_path / "out/report.json").read_text())["stages"]
    assert {name: stage["ending"] for name, stage in found.items()} == {
        "fails": "exit status 3",
        "hangs": "stopped after 0 s",
        "goes": "done",
        "absent": "compute-sanitizer-of-nobody is not installed",
    }
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["log.txt", "report.json", "report.md"]
    assert "so far" in (tmp_path / "out/log.txt").read_text()


@pytest.mark.slow
def test_tests_that_take_too_long_are_counted_up_to_there(gpu, monkeypatch, tmp_path):
    begun = tmp_path / "begun"
    text = f"""
import pathlib, time

def test_quick(): pass

def test_endless():
    pathlib.Path({str(begun)!r}).touch()
    time.sleep({HANG_S})
"""
    (tmp_path / "test_two.py").write_text(text)

    class Late(subprocess.Popen):
        """Its time is over once the second test has begun."""

        def communicate(self, input=None, timeout=None):
            if timeout == 4:
                until(lambda: begun.exists() or self.poll() is not None)
                raise subprocess.TimeoutExpired(self.args, timeout)
            return super().communicate(input, HANG_S)

    monkeypatch.setattr(subprocess, "Popen", Late)
    monkeypatch.setattr(gpu, "GRACE_S", 20)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null", str(tmp_path)]
    words, ending = gpu.called(command, 24, dict(gpu.os.environ))
    assert "= 1 passed in " in words and ending == "stopped after 24 s"


def test_nothing_begins_when_the_time_is_over(gpu, monkeypatch, tmp_path):
    run(gpu, monkeypatch, tmp_path, "--minutes", 0, "--only", "device", "start")
    stages = json.loads((tmp_path / "report.json").read_text())["stages"]
    assert {stage["ending"] for stage in stages.values()} == {"no time left"}


def ends(status):
    return lambda s, name: s.run(name, [sys.executable, "-c", f"raise SystemExit({status})"], HANG_S)


@pytest.mark.slow
@pytest.mark.parametrize(("status", "second"), [(0, "done"), (1, "left out")])
def test_without_a_usable_device_the_rest_is_left_out(gpu, monkeypatch, tmp_path, capsys, status, second):
    stages = {"device": lambda s: ends(status)(s, "device"), "start": lambda s: ends(0)(s, "start")}
    monkeypatch.setattr(gpu, "STAGES", stages)
    assert run(gpu, monkeypatch, tmp_path) == status
    found = json.loads((tmp_path / "report.json").read_text())["stages"]
    assert found["start"]["ending"] == second
    said = "start: left out: no usable device; log.txt says why\n"
    assert (said in capsys.readouterr().out) == (said in (tmp_path / "log.txt").read_text()) == bool(status)


@pytest.mark.slow
def test_a_stage_that_fails_is_told_by_the_exit_status(gpu, monkeypatch, tmp_path):
    monkeypatch.setattr(gpu, "STAGES", {"tests": lambda s: ends(3)(s, "tests"), "start": lambda s: ends(0)(s, "start")})
    assert run(gpu, monkeypatch, tmp_path) == 1
    assert run(gpu, monkeypatch, tmp_path, "--only", "start") == 0


def test_a_contest_without_contenders_fails_at_once(gpu, monkeypatch, tmp_path):
    rounds = importlib.import_module("gpu_contest.rounds")
    monkeypatch.setattr(rounds, "FRAMEWORKS", ("nobody",))
    monkeypatch.setattr(sys, "argv", ["rounds", "tiny-mlp-16", "60", str(tmp_path / "found.json")])
    with pytest.raises(SystemExit) as ended:
        rounds.main()
    assert ended.value.code == "no contender runs here\nnobody: No module named 'gpu_contest.with_nobody'"
    assert json.loads((tmp_path / "found.json").read_text())["rounds"] == []


def test_accuracy_says_that_it_has_no_data(gpu, monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("MOCHAC_DATA", raising=False)
    assert run(gpu, monkeypatch, tmp_path, "--only", "accuracy") == 0
    why = "MOCHAC_DATA is not set; it names a folder with mnist/"
    assert capsys.readouterr().out == f"mnist: left out: {why}\n"
    assert f"| mnist | 0 | left out; {why} |" in (tmp_path / "report.md").read_text()


def test_a_file_is_no_folder_for_results(gpu, monkeypatch, tmp_path, capsys):
    file = tmp_path / "out"
    file.touch()
    with pytest.raises(SystemExit) as ended:
        run(gpu, monkeypatch, file)
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"gpu.py: error: OUT {file} cannot be a folder: File exists\n")


@needs_gxx
@pytest.mark.slow
def test_on_the_stand_in_driver(gpu, tmp_path, monkeypatch):
    """Every stage but the device's tests, which run on the stand-in driver by themselves, and those on data."""
    pytest.importorskip("cuda.bindings")
    found = {name: text for name, text in environment().items() if name != "MOCHAC_DATA"}
    monkeypatch.setattr(gpu.os, "environ", found)
    stages = [name for name in gpu.STAGES if name != "tests"]
    patient = ("--minutes", 1000, "--patience", 100)
    run(gpu, monkeypatch, tmp_path, "--tasks", "tiny-mlp-16", "--seconds", "0.2", *patient, "--only", *stages)
    found = json.loads((tmp_path / "report.json").read_text())["stages"]
    endings = {name: s["ending"] for name, s in found.items() if not name.startswith(("mem", "race"))}
    assert endings.pop("mnist") == "left out"
    assert endings == dict.fromkeys(endings, "done"), found
    assert sum(name.startswith("way-tiny-mlp-16-") for name in endings) == len(gpu.WAYS)
    assert set(found["streams-tiny-mlp-16"]["result"]["step_s"]) == {"1", "2", "4", "8"}
    assert [found[f"start-tiny-mlp-16-{how}"]["result"]["lowered"] for how in ("cold", "warm")] == [True, False]
    text = (tmp_path / "report.md").read_text()
    assert "| mochac train() |" in text and "CPU emulation" in text and "ip0.inner_product" in text
    driven = "PyCUDA" if installed("pycuda") else "cuda-bindings"
    assert found["device"]["result"]["package"].startswith(driven)
    estimates = importlib.import_module("gpu_estimates")
    table = estimates.table("tiny-mlp-16", json.loads((tmp_path / "report.json").read_text()))
    empty = [line for line in table.splitlines() if line.startswith("| ip0") and line.endswith(" |  |")]
    assert "| ip0.inner_product | 8 x 64 |" in table and not empty


@pytest.mark.slow
def test_estimates_stand_beside_what_was_measured(gpu):
    estimates = importlib.import_module("gpu_estimates")
    profile = {"result": {"plans": [{"rows": [{"kernel": "ip0.inner_product", "seconds": 2.5e-6}]}]}}
    contest = {"result": {"rounds": [{"mochac": s, "peer": 9.0} for s in (3e-5, 1e-5, 2e-5)]}}
    stages = {"profile-tiny-mlp-16": profile, "contest-tiny-mlp-16": contest, "device": {"result": None}}
    table = estimates.table("tiny-mlp-16", {"stages": stages})
    assert "| ip0.inner_product | 8 x 64 | 0.6 | 2.5 |" in table
    assert "| a step in a graph |  |  | 20.0 |" in table and "10 launches, 6 one after the other." in table
    unmeasured = estimates.table("tiny-mlp-16", {})
    assert unmeasured == table.replace("| 2.5 |", "|  |").replace("| 20.0 |", "|  |")


@pytest.mark.slow
def test_recorded_estimates_are_those_of_today(gpu):
    """`python benchmarks/gpu_estimates.py --record` after a change of schedules; measured figures are kept apart."""
    estimates = importlib.import_module("gpu_estimates")
    recorded = estimates.RESULTS.read_text()
    for task in estimates.SHOWN:
        for line in estimates.table(task, {}).splitlines():
            assert line.removesuffix(" |  |") in recorded, f"{task}: {line}"
    for name in ("mlp", "gru", "gpt"):
        assert estimates.step_row(name).removesuffix(" |  |") in recorded, name
