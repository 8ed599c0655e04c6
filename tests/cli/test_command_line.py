"""Usage, exit statuses, and what failures print."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from patience import HANG_S

import mochac.formats.clib.build  # noqa: F401  its module, which is hidden by the function of its name
from mochac import __version__
from mochac.__main__ import main
from mochac.base.errors import OptionError
from mochac.base.registry import suggestion
from mochac.inspect.report import page as report
from mochac.tools.cli.command import COMMANDS, CliError, Command
from mochac.training.loop.loop import TrainingRun

clib = sys.modules["mochac.formats.clib.build"]

EXPECTED = "bench cache convert demo draw dump evaluate explain opt plot profile replay train".split()


def test_all_commands_are_there():
    assert set(COMMANDS) >= set(EXPECTED)


def test_version(mochac):
    assert mochac("--version") == (0, f"mochac {__version__}\n", "")


def test_help_names_every_command(mochac):
    status, out, _ = mochac("--help")
    assert status == 0 and all(name in out and COMMANDS[name].help in " ".join(out.split()) for name in COMMANDS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help(mochac, name):
    status, out, _ = mochac(name, "--help")
    assert status == 0 and f"mochac {name}" in out


@pytest.mark.parametrize(
    "argv",
    [[], ["explian"], ["train"], ["train", "a.py", "--max-iter", "0"], ["train", "a.py", "--max-iter", "x"],
     ["train", "a.py", "--seed=-1"], ["dump", "a.py"], ["draw", "a.py", "--format", "png"],
     ["cache", "--stat", "--clear"],
     ["demo", "extra"], ["opt", "--pases=simplify"]],
)  # fmt: skip
def test_wrong_usage_is_status_2(mochac, argv):
    status, out, err = mochac(*argv)
    assert status == 2 and out == "" and "usage: mochac" in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (["trian", "a.py"], "mochac: error: no command 'trian'; did you mean 'train'?\n"),
        (["fly"], f"mochac: error: no command 'fly'; commands: {', '.join(COMMANDS)}\n"),
        (["train", "a.py", "--max_iter", "5"], "unrecognized arguments: --max_iter 5; did you mean '--max-iter'?\n"),
        (["train", "--max_iter=5", "a.py"], "unrecognized arguments: --max_iter=5; did you mean '--max-iter'?\n"),
        (
            ["train", "a.py", "--epochs", "5"],
            "--epochs 5; use --max-iter N; an epoch is (samples / batch size) iterations\n",
        ),
        (["explain", "a.py", "--epochs=5"], "unrecognized arguments: --epochs=5\n"),
        (["explain", "a.py", "--thread=2", "--zebra"], "unrecognized arguments: --zebra\n"),
        (["opt", "--pases=simplify"], "did you mean '--passes'?\n"),
        (["draw", "a.py", "b.py"], "unrecognized arguments: b.py\n"),
    ],
)
def test_wrong_usage_says_what_was_meant(mochac, argv, text):
    status, _, err = mochac(*argv)
    assert status == 2
    assert err.endswith(text)


def test_wrong_usage_shows_the_usage_of_the_command(mochac):
    _, _, err = mochac("draw", "a.py", "--svg")
    assert err.startswith("usage: mochac draw ") and "-o PATH" in err


def test_a_number_of_ranks_that_cannot_add_in_order_is_refused_once(mochac):
    status, out, err = mochac("train", "a.py", "--ranks", "3")
    assert (status, out) == (1, "")
    assert err.count("a power of two") == 1 and "hint: 2 or 4 ranks, or --unordered" in err


def failing(error):
    def run(args):
        raise error

    return Command("cache", "", lambda parser: None, run)


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (OptionError("x is out of range", hint="be less"), 1, "OptionError: x is out of range\n  hint: be less\n"),
        (CliError("a.py:3: NameError: name 'x' is not defined"), 1, "a.py:3: NameError: name 'x' is not defined\n"),
        (FileNotFoundError(2, "No such file or directory", "a.h5"), 1, "a.h5: No such file or directory\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
)  # fmt: skip
def test_errors_are_messages(mochac, monkeypatch, error, status, text):
    monkeypatch.setitem(COMMANDS._items, "cache", failing(error))
    assert mochac("cache") == (status, "", text)


def test_a_fault_of_mochac_is_called_one(mochac, monkeypatch):
    broken = Command("cache", "", lambda parser: None, lambda args: suggestion("name", None))
    monkeypatch.setitem(COMMANDS._items, "cache", broken)
    status, out, err = mochac("cache")
    assert (status, out) == (1, "")
    assert err.startswith("TypeError: ")
    assert err.endswith("\n  this may be a bug in mochac; --debug shows a traceback\n")


@pytest.mark.slow
def test_a_users_break_that_raises_is_named_by_its_line(mochac, folder):
    (folder / "breaking.py").write_text(
        (folder / "net.py").read_text()
        + "class Mine:\n    def enjoy(self, lounge, program, state):\n        raise KeyError('user\\nkey')\n\n"
        + "solver = Solver(SGD(), max_iter=3)\nsolver.add_coffee_break(Mine(), every_n_iter=1)\n"
    )
    line = (folder / "breaking.py").read_text().splitlines().index("        raise KeyError('user\\nkey')") + 1
    status, _, err = mochac("train", "breaking.py")
    assert status == 1
    assert err.endswith(f"KeyError: 'user\\nkey'\n  at breaking.py:{line}\n")


@pytest.mark.parametrize("argv", [["--debug", "cache"], ["cache", "--debug"]])
def test_debug_shows_the_traceback(monkeypatch, argv):
    monkeypatch.setitem(COMMANDS._items, "cache", failing(OptionError("no")))
    with pytest.raises(OptionError):
        main(argv)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("absent.py", (1, "", "cannot read absent.py: No such file or directory\n")),
        ("net.py", (0, 'digraph "train" ', "")),
    ],
)
def test_as_a_process(folder, file, expected):
    command = [sys.executable, "-m", "mochac", "draw", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:16], done.stderr) == expected


@pytest.mark.slow
def test_a_reader_that_leaves_early(folder):
    command = f"{sys.executable} -m mochac explain net.py | head -n 1; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert found.stdout.startswith("net 'train'") and found.stderr == ""


@pytest.mark.slow
def test_ctrl_c_ends_training_with_a_snapshot(folder):
    argv = [sys.executable, "-m", "mochac", "train", "solved.py", "--max-iter", "100000000"]
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731 - background jobs inherit SIG_IGN
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=heard)
    assert child.stdout is not None
    lines = [child.stdout.readline() for _ in range(3)]
    time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=HANG_S)
    assert child.returncode == 130, (lines, rest)
    assert "interrupted after iteration" in rest and "Traceback" not in rest
    assert list(folder.glob("snapshots/snapshot-*.h5"))


@pytest.mark.parametrize("place", ["taken", "net.py/below"])
@pytest.mark.parametrize(
    "argv",
    [
        ("train", "solved.py", "--save", "{}.h5"),
        ("report", "net.py", "-o", "{}.h5"),
        ("report", "net.py", "-o", "page.html", "--perfetto", "{}.h5"),
        ("draw", "net.py", "--out", "{}.h5", "--format", "dot"),
        ("convert", "model.npz", "{}.h5"),
    ],
    ids=" ".join,
)
def test_an_output_that_cannot_be_written_is_told_before_the_work(mochac, folder, monkeypatch, argv, place):
    (folder / "taken.h5").mkdir()
    np.savez(folder / "model.npz", ip___bias=np.zeros(3))
    monkeypatch.setattr(TrainingRun, "run", lambda *_: pytest.fail("trained"))
    monkeypatch.setattr(report, "gather", lambda *_: pytest.fail("measured"))
    status, out, err = mochac(*(word.format(place) for word in argv))
    assert status == 1 and out == ""
    assert err.startswith(f"SnapshotError: cannot write {place}.h5\n  got  ") and err.count("\n") == 2
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize("place", ["net.py", "net.py/below"])
def test_a_library_that_cannot_be_written_is_told_before_the_work(mochac, folder, monkeypatch, place):
    monkeypatch.setattr(clib, "library_text", lambda *_: pytest.fail("compiled"))
    status, _, err = mochac("build", "net.py", "-o", place)
    assert status == 1
    assert err.startswith(f"SnapshotError: cannot write into folder {place}\n  got  ")
