"""Commands on a user's FILE: what they print, and what a faulty file gets."""

import re
from dataclasses import replace

import h5py
import pytest

from mochac.lowering.tuning.schedules import LEVELS
from mochac.tools.cli.train import solver_of
from mochac.tools.cli.userfile import load


@pytest.mark.slow
def test_train_then_evaluate_then_plot(mochac, folder):
    status, out, err = mochac("train", "solved.py", "--save", "model.h5", "--threads", "1")
    assert (status, err) == (0, "") and out.startswith("accuracy-accuracy  ")
    trained = float(out.split()[-1])
    assert {p.name for p in folder.glob("snapshots/*")} == {f"snapshot-00000{k}.h5" for k in (0, 3, 6)}
    with h5py.File("model.h5") as model:
        assert "conv___filter" in model
    for model in ([], ["--model", "model.h5"], ["--model", "snapshots"], ["--model", "snapshots/snapshot-000006.h5"]):
        status, out, err = mochac("evaluate", "solved.py", *model)
        assert (status, err) == (0, "") and float(out.split()[-1]) == pytest.approx(trained), model
    status, out, _ = mochac("plot", "statistics.h5")
    assert status == 0 and out.startswith("obj_val\n")


@pytest.mark.slow
def test_training_goes_on_from_the_snapshot(mochac, folder):
    mochac("train", "solved.py")
    assert mochac("train", "solved.py", "--max-iter", "9")[0] == 0
    assert (folder / "snapshots" / "snapshot-000009.h5").exists()


@pytest.mark.slow
def test_a_file_without_solver_needs_max_iter(mochac, folder):
    status, out, err = mochac("train", "net.py")
    assert (status, out) == (1, "")
    assert err.startswith("OptionError: net.py does not say how long to train\n  hint: --max-iter 1000")
    assert mochac("train", "net.py", "--max-iter", "2", "--save", "m.h5") == (0, "", "")
    status, _, err = mochac("train", "net.py", "--max-iter", "2")
    assert status == 0 and err.startswith("note: the result will not be saved")


@pytest.mark.slow
def test_a_model_file_of_another_kind_is_refused_before_training(mochac, folder):
    status, out, err = mochac("train", "solved.py", "--save", "model.onnx")
    assert (status, out) == (1, "") and err.startswith("OptionError: save: cannot write '.onnx' files")
    assert not (folder / "snapshots").exists()
    assert mochac("train", "net.py", "--max-iter", "2", "--save", "m.npz") == (0, "", "")
    assert mochac("evaluate", "solved.py", "--model", "m.npz")[0] == 0


def test_max_iter_overrides_the_solvers(folder):
    user = load("solved.py")
    assert solver_of(user, 9).max_iter == 9
    assert solver_of(load("solved.py"), None).max_iter == 6


def test_evaluate_without_a_model_says_so(mochac, folder):
    status, out, _ = mochac("evaluate", "net.py")
    assert status == 0 and out.startswith("parameters: initial values") and "\nloss  " in out


def test_evaluate_an_absent_model(mochac, folder):
    status, _, err = mochac("evaluate", "net.py", "--model", "absent.h5")
    assert (status, err) == (1, "SnapshotError: no model file absent.h5\n")
    (folder / "empty").mkdir()
    assert mochac("evaluate", "net.py", "--model", "empty")[2] == "SnapshotError: no snapshot in empty\n"


@pytest.mark.slow
def test_explain(mochac, folder):
    status, out, err = mochac("explain", "net.py")
    assert (status, err) == (0, "") and out.startswith("net 'train', batch 8, plan 'step'")


@pytest.mark.slow
def test_dump_and_replay(mochac, folder):
    status, out, _ = mochac("dump", "net.py", "d")
    assert status == 0 and "start at d/README.txt" in out
    status, out, err = mochac("replay", "d")
    assert (status, err) == (0, "") and "native" in out and "DIFFERS" not in out
    graph = next((folder / "d").glob("*-fuse.graph"))
    graph.write_text(graph.read_text().replace("= relu(", "= tanh("))
    status, out, _ = mochac("replay", "d", "fuse")
    assert status == 1 and "DIFFERS" in out
    status, out, err = mochac("replay", "net.py")
    assert (status, out) == (1, "") and err.startswith("OptionError: net.py is not a dump")


@pytest.mark.slow
def test_profile(mochac, folder):
    status, out, _ = mochac("profile", "net.py", "--n-iter", "2", "--top", "3")
    _, *rows = out.partition("\n\n")[0].splitlines()
    assert status == 0 and len([row for row in rows if not row.startswith("(")]) == 3


def _choosers(text: str) -> list[str]:
    """Who chose each kernel's schedule."""
    return re.findall(r", (by (?:rule|search)): ", text)


@pytest.mark.slow
def test_a_search_for_schedules(mochac, folder, monkeypatch):
    monkeypatch.setitem(LEVELS, "quick", replace(LEVELS["quick"], candidates=1, least_share=0.05, confirming=1))
    status, out, err = mochac("explain", "net.py", "--tune", "quick")
    assert (status, err) == (0, "")
    assert ", by rule: " in out or ", by search: " in out
    assert ", by rule: " not in mochac("explain", "net.py")[1]
    assert mochac("dump", "net.py", "d", "--tune", "quick")[0] == 0
    dumped = (folder / "d" / "explain.txt").read_text()
    assert _choosers(dumped) == _choosers(out)
    status, out, err = mochac("profile", "net.py", "--tune", "quik")
    assert (status, out) == (1, "")
    assert err.startswith("OptionError: tune is out of range\n  expected  'quick' or 'full', or None,  got  'quik'\n")


@pytest.mark.slow
def test_direct_convolutions(mochac, folder, monkeypatch):
    def heads():
        """The first line of explain, and of explain.txt in a dump and in a C library."""
        yield mochac("explain", "net.py", *option)[1]
        assert mochac("dump", "net.py", "d", *option)[0] == 0
        yield (folder / "d" / "explain.txt").read_text()
        assert mochac("build", "net.py", "-o", "c", *option)[0] == 0
        yield (folder / "c" / "explain.txt").read_text()

    def direct():
        return {text.partition("\n")[0].endswith(", direct convolutions") for text in heads()}

    option = ()
    monkeypatch.setenv("MOCHAC_CONVOLUTIONS", "direct")
    assert direct() == {True}
    option = ("--convolutions", "auto")
    assert direct() == {False}
    option = ("--convolutions", "fast")
    text = "OptionError: convolutions is out of range\n  expected  'auto' or 'direct', or None,  got  'fast'\n  hint: "
    for command in (("explain", "net.py"), ("build", "net.py", "-o", "e")):
        status, out, err = mochac(*command, *option)
        assert (status, out) == (1, "") and err.startswith(text)


@pytest.mark.parametrize("command", [("explain", "net.py"), ("dump", "net.py", "d")])
def test_a_search_is_for_this_machine(mochac, folder, command):
    status, out, err = mochac(*command, "--tune", "quick", "--target", "haswell")
    assert (status, out) == (1, "")
    assert err.startswith(
        "OptionError: tune= times schedules on this machine\n  expected  no target,  got  target 'haswell'\n"
    )


def test_an_unknown_backend_and_cpu(mochac, folder):
    assert mochac("explain", "net.py", "--backend", "gpu")[2].startswith("BackendError: unknown backend 'gpu'")
    assert mochac("dump", "net.py", "d", "--target", "i9000")[2].startswith("BackendError: LLVM has no CPU 'i9000'")


NET = "from mochac import *\nnet = Net('n', [MemoryDataLayer(data=[[1.0]], batch_size=1, tops=['x'])])\n"
LOST = "InnerProductLayer(name='a', output_dim=3, bottoms=['x'], tops=['a'])"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\ny = x / 0\n", "f.py:2: ZeroDivisionError: division by zero\n"),
        ("def f():\n    return {}['k']\n\nf()\n", "f.py:2: KeyError: 'k'\n"),
        ("import json\njson.loads('x')\n",
         "f.py:2: json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n"),
        ("net = [\n", "f.py:1: SyntaxError: '[' was never closed\n"),
        ("  x = 1\n", "f.py:1: IndentationError: unexpected indent\n"),
        ("x\0 = 1\n", "source code string cannot contain null bytes"),
        ("import sys\nsys.exit(0)\n", "f.py:2: the file calls exit()\n"),
        ("raise SystemExit('no data yet')\n", "f.py:1: no data yet\n"),
        ("x = 1\n", "f.py defines no `net`\n"),
        ("net = 3\n", "f.py: `net` is of type int, expected a Net\n"),
        (NET.replace("net =", "lenet ="),
         "f.py defines no `net` (rename 'lenet'?)\n"),
        (NET + "solver = 3\n",
         "f.py: `solver` is of type int, expected Solver(...) or a method such as SGD(...)\n"),
        (NET + "test_net = 3\n",
         "f.py: `test_net` is of type int, expected a Net\n"),
        ("from mochac import *\n\nSGD(lr=3)\n", "OptionError: solver SGD has no parameter 'lr'\n  "
         "hint: write SGD(0.01) or lr_policy=0.01\n  at f.py:3\n"),
        (f"from mochac import *\nnet = Net('n', [{LOST}])\n",
         "NetError: layer 'a' (InnerProduct): no layer produces bottom 'x'\n  blobs: none\n  at f.py:2\n"),
        ("from mochac import *\nip = InnerProductLayer(name='a', output_dim='x')\n",
         "OptionError: layer 'a' (InnerProduct): output_dim is out of range\n"),
    ],
)  # fmt: skip
def test_faulty_files(mochac, folder, text, expected):
    (folder / "f.py").write_text(text)
    status, out, err = mochac("explain", "f.py")
    assert (status, out) == (1, "")
    assert expected in err and "Traceback" not in err
    if expected.endswith("\n") and "\n" not in expected[:-1] and not expected.startswith("OptionError"):
        assert err == expected


def test_debug_shows_the_users_traceback(folder, capsys):
    from mochac.__main__ import main

    (folder / "f.py").write_text("x = 1 / 0\n")
    with pytest.raises(Exception, match=r"f.py:1: ZeroDivisionError") as caught:
        main(["explain", "f.py", "--debug"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_file_may_import_its_neighbours_and_is_no_main_program(mochac, folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "neighbour.py").write_text("from mochac import *\nlayers = []\n")
    text = "import neighbour\nif __name__ == '__main__':\n    raise SystemExit(3)\n"
    (folder / "sub" / "f.py").write_text(text + (folder / "net.py").read_text())
    assert mochac("draw", "sub/f.py")[0] == 0
