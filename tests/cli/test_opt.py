"""`mochac opt` on text."""

import io
import os

import pytest

from mochac.ir.passes import PASSES

TWICE = "graph @g(%x: f32[2]) { %a: f32[2] = neg(%x) %b: f32[2] = neg(%a) %c: f32[2] = exp(%b) return %c }"
ONCE = "graph @g(%x: f32[2]) {\n  %c: f32[2] = exp(%x)\n  return %c\n}\n"


def test_a_file(mochac, tmp_path):
    (tmp_path / "g.ir").write_text(TWICE)
    assert mochac("opt", "--passes=simplify", str(tmp_path / "g.ir")) == (0, ONCE, "")


def test_standard_input(mochac, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(TWICE))
    assert mochac("opt", "--passes=simplify,simplify") == (0, ONCE, "")


def test_passes_run_in_order(mochac, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(TWICE))
    status, out, _ = mochac("opt", "--passes", "simplify, fuse")
    assert status == 0 and "%c: f32[2] = exp(%x) group 0" in out


def test_no_pass_prints_the_graph_in_order(mochac, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(ONCE.replace("\n", "   \n")))
    assert mochac("opt", "-") == (0, ONCE, "")


def test_kernels_are_printed_but_not_passed(mochac, monkeypatch):
    kernel = "kernel @k(%x: f32[2]) -> (%y: f32[2]) {\n  each i in 0..2 {\n    %t = %x[i]\n    %y[i] = %t\n  }\n}\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(kernel))
    assert mochac("opt") == (0, kernel, "")
    monkeypatch.setattr("sys.stdin", io.StringIO(kernel))
    assert mochac("opt", "--passes=fuse") == (1, "", "<stdin>: passes run on graphs, not on a kernel\n")


def test_list(mochac):
    assert mochac("opt", "--list") == (0, "".join(f"{name}\n" for name in PASSES), "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graph @g(%x: f32[2]) { %a = neg(%x) return %a }", "<stdin>: line 1, column 27: expected ':'\n"),
        ("graph @g(%x: f32[2]) { %a: f32[2] = neg(%y) return %a }", "defined-before-use: %y is not defined\n"),
        ("graph @g(%x: f32[2]) { %a: f32[3] = neg(%x) return %a }", "<stdin>: graph @g breaks rule "),
        ("graph @g(%x: f32[2]) { %a: f32[2] = ngh(%x) return %a }", "ngh"),
        ("", "<stdin>: "),
    ],
)
def test_faulty_text(mochac, monkeypatch, text, expected):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    status, out, err = mochac("opt", "--passes=simplify")
    assert (status, out) == (1, "") and expected in err and "bug in mochac" not in err


def test_a_misspelt_pass(mochac):
    status, out, err = mochac("opt", "--passes=simplfy", "absent.ir")
    assert (status, out) == (1, "")
    assert err.startswith("UnknownPassError: no pass 'simplfy'\n  passes: ") and err.endswith(
        "  hint: did you mean 'simplify'?\n"
    )


def test_an_absent_file(mochac):
    assert mochac("opt", "absent.ir") == (1, "", "absent.ir: No such file or directory\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "g.ir: it is not text\n"),
        (
            b"graph @g(%x: f32[2]) {\n  %y: f32[2] = neg(%x) {a = " + b"(" * 9000,
            "g.ir: line 2, column 61: tuples are nested",
        ),
        (b"plan " + b"[" * 100_000, "g.ir: not a plan: "),
        (b'plan {"name": 3, "scalars": [], "named": [], "arena_bytes": 0, "unplanned_bytes": 0}', "name of plan is 3"),
    ],
)
def test_files_that_hold_no_text_of_ours(mochac, tmp_path, content, said):
    (tmp_path / "g.ir").write_bytes(content)
    status, out, err = mochac("opt", "--passes=simplify", str(tmp_path / "g.ir"))
    assert (status, out) == (1, "") and said in err and "bug in mochac" not in err


def test_files_that_are_none(mochac, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert mochac("opt", str(tmp_path / "pipe")) == (1, "", f"{tmp_path}/pipe: not a regular file\n")
    assert mochac("opt", str(tmp_path)) == (1, "", f"{tmp_path}: Is a directory\n")
