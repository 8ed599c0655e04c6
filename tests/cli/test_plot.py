"""`mochac plot`: lists, selections, the low-pass filter, charts in the terminal, SVG and matplotlib's pictures."""

import math
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mochac.base.drawing.svg import Curve, ticks, to_svg
from mochac.tools.cli.plot import low_pass
from mochac.training.loop.lounge import save_statistics

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def statistics(folder):
    save_statistics(Path("a.h5"), {"loss": {k: 4.0 / (1 + k) ** 2 for k in range(0, 21)}, "rate": {1: 0.5}})
    save_statistics(Path("b.h5"), {"loss": {5: 1.0, 20: 2.0}})
    return folder


def test_prints_every_statistic(mochac, statistics):
    status, out, _ = mochac("plot", "a.h5", "b.h5")
    assert status == 0
    assert "loss    * a.h5   o b.h5\n" in out and "\nrate\n" in out


def test_lists_with_numbers(mochac, statistics):
    for flag in ("-l", "--list"):
        assert mochac("plot", flag, "a.h5", "b.h5") == (
            0,
            "  1 : a.h5/loss    21 values, iterations 0 to 20\n"
            "  2 : a.h5/rate    1 value, iterations 1 to 1\n"
            "  3 : b.h5/loss    2 values, iterations 5 to 20\n",
            "",
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "titles"),
    [
        (["--names", "rate"], ["rate"]),
        (["--names", "rate,loss"], ["rate", "loss    * a.h5   o b.h5"]),
        (["--names", "l*"], ["loss    * a.h5   o b.h5"]),
        (["-i", "3"], ["loss"]),
        (["-i", "2-3"], ["rate", "loss"]),
        (["-i", "1", "--names", "rate"], ["loss", "rate"]),
        (["--together", "-i", "1,2"], ["statistics    * a.h5/loss   o a.h5/rate"]),
    ],
)
def test_selects(mochac, statistics, flags, titles):
    status, out, _ = mochac("plot", "a.h5", "b.h5", *flags)
    assert status == 0
    heads = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert heads == titles


@pytest.mark.parametrize("text", ["0", "4", "2-1", "x", "1-", "-1"])
def test_refuses_numbers_that_are_not_in_the_list(mochac, statistics, text):
    status, _, err = mochac("plot", "a.h5", "b.h5", f"-i={text}")
    assert (status, err) == (
        1,
        "OptionError: -i is out of range\n  expected  numbers from 1 to 3, as 1,3-5,  got  "
        f"{text}\n  hint: mochac plot -l FILE lists them\n",
    )


def test_a_damaged_file(mochac, statistics):
    Path("a.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(20))
    status, _, err = mochac("plot", "a.h5")
    assert status == 1
    assert "statistics file a.h5 is damaged" in err and "hint" not in err


def test_refuses_unknown_names(mochac, statistics):
    status, _, err = mochac("plot", "a.h5", "--names", "lost")
    assert (status, err) == (
        1,
        "OptionError: no statistic 'lost'\n  statistics: loss rate\n  hint: did you mean 'loss'?\n",
    )


def test_an_absent_or_foreign_file(mochac, folder):
    assert mochac("plot", "absent.h5") == (1, "", "SnapshotError: no statistics file absent.h5\n")
    assert mochac("plot", "net.py")[2].startswith("SnapshotError: statistics file net.py is damaged")
    save_statistics(Path("empty.h5"), {})
    assert mochac("plot", "empty.h5")[2] == "SnapshotError: no statistics in empty.h5\n"


def test_svg_needs_no_matplotlib(mochac, statistics, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert mochac("plot", "a.h5", "b.h5", "--smooth", "4", "--out", "a.svg") == (0, "wrote a.svg\n", "")
    root = ET.parse("a.svg").getroot()
    lines = list(root.iter(f"{SVG}polyline"))
    assert len(lines) == 4, "loss of a and b, each raw and smoothed; rate is one point"
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    texts = [t.text for t in root.iter(f"{SVG}text")]
    assert {"loss", "rate", "a.h5", "b.h5", "iteration"} <= set(texts)
    status, _, err = mochac("plot", "a.h5", "--out", "a.png")
    assert (status, err) == (
        1,
        "OptionError: .png pictures need matplotlib, which is not installed\n"
        "  hint: pip install 'mochac[plot]', or write a.svg, which needs nothing\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_pictures_with_matplotlib(mochac, statistics, name, start):
    pytest.importorskip("matplotlib")
    assert mochac("plot", "a.h5", "b.h5", "--smooth", "3", "--out", name)[0] == 0
    assert (statistics / name).read_bytes().startswith(start)


def test_refuses_other_endings(mochac, statistics):
    status, _, err = mochac("plot", "a.h5", "--out", "a.txt")
    assert (status, err) == (1, "OptionError: cannot write a.txt\n  expected  .svg or .png or .pdf,  got  .txt\n")


def test_low_pass_is_a_mean_of_what_came_before():
    series = {30: 6.0, 0: 1.0, 10: 3.0, 20: 2.0}
    assert low_pass(series, 1) == dict(sorted(series.items()))
    assert low_pass(series, 3) == {0: 1.0, 10: 2.0, 20: 2.0, 30: pytest.approx(11 / 3)}
    assert low_pass(series, 99)[30] == 3.0
    assert low_pass({0: 1.0, 1: math.nan, 2: 3.0}, 2) == {0: 1.0, 2: 2.0}
    assert low_pass({}, 5) == {}


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-3e-7, 2e-7), (1e6, 1e6 + 3), (0.95, 0.991), (-1.0, 1e30)])
def test_ticks_are_round_and_inside(ends):
    found = ticks(*ends)
    assert 2 <= len(found) <= 8
    span = ends[1] - ends[0]
    assert all(ends[0] - 1e-6 * span <= t <= ends[1] + 1e-6 * span for t in found)


@pytest.mark.parametrize(
    "values", [{}, {3: math.nan}, {3: 1.0}, {0: 2.0, 9: 2.0}, {0: 0.0, 1: 0.0}, {0: -1e30, 5: 1e30, 7: math.inf}]
)
def test_svg_of_any_series_is_finite(values):
    text = to_svg({"a < b": [Curve("x & y", values), Curve("z", {1: 0.5})], "c": [Curve("x", values)]})
    assert "nan" not in text and "inf" not in text.replace("no finite", "")
    root = ET.fromstring(text)
    assert "a < b" in [t.text for t in root.iter(f"{SVG}text")]


def test_legends_lie_below_the_name_of_the_axis_and_curves_differ():
    drawn = ET.fromstring(to_svg({"norm": [Curve(f"ip{k}.weight", {0: k, 9: 2 * k}) for k in range(12)]}))
    texts = {text.text: float(text.get("y")) for text in drawn.iter(f"{SVG}text")}
    legend = sorted({y for text, y in texts.items() if text.startswith("ip")})
    assert legend[0] - texts["iteration"] >= 11, "the height of its letters"
    assert legend[-1] < float(drawn.get("height"))
    looks = [(e.get("stroke"), e.get("stroke-dasharray")) for e in drawn.iter(f"{SVG}polyline")]
    assert len(looks) == len(set(looks)) == 12
