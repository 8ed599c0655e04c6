"""`mochac draw` and `mochac plot`: text, SVG, and matplotlib's pictures."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mochac.cli.chart import chart
from mochac.cli.svg import levels, to_svg
from mochac.cli.userfile import load
from mochac.runtime.lounge import save_statistics

GOLDEN = """\
loss    * a.h5   o b.h5
         4 |*
           |
     2.005 |            ooooooo
           | *  oooooooo
   0.00907 |  *****************
           +-------------------
            0                20
"""


def test_draw_prints_dot(mochac, folder):
    status, out, _ = mochac("draw", "net.py")
    assert status == 0 and out == load("net.py").net.to_dot()


@pytest.mark.parametrize("name", ["n.dot", "n.gv", "n.svg"])
def test_draw_writes(mochac, folder, name):
    assert mochac("draw", "net.py", "--out", name) == (0, "", "")
    start = "<svg" if name.endswith("svg") else "digraph"
    assert (folder / name).read_text().startswith(start)


def test_draw_refuses_other_endings(mochac, folder):
    status, _, err = mochac("draw", "net.py", "--out", "n.bmp")
    assert (status, err) == (1, "draw writes .dot and .svg, not 'n.bmp' (or give --format)\n")
    assert mochac("draw", "net.py", "--out", "n.bmp", "--format", "svg")[0] == 0


def test_svg_shows_every_layer_and_blob_once(folder):
    net = load("net.py").net
    root = ET.fromstring(to_svg(net))
    spaces = "{http://www.w3.org/2000/svg}"
    texts = [t.text for t in root.iter(f"{spaces}text")]
    assert all(texts.count(layer.name) >= 1 for layer in net.layers)
    assert len(list(root.iter(f"{spaces}rect"))) == len(net.layers)
    assert len(list(root.iter(f"{spaces}path"))) == sum(len(layer.bottoms) for layer in net.layers)
    assert "Convolution + ReLU" in texts and "conv: 8x2x4x4" in texts


def test_svg_boxes_do_not_overlap(folder):
    net = load("net.py").net
    assert [[layer.name for layer in row] for row in levels(net)] == [["train-data"], ["conv"], ["ip"], ["loss"]]


@pytest.fixture
def statistics(folder):
    save_statistics(Path("a.h5"), {"loss": {k: 4.0 / (1 + k) ** 2 for k in range(0, 21)}, "rate": {1: 0.5}})
    save_statistics(Path("b.h5"), {"loss": {5: 1.0, 20: 2.0}})
    return folder


def test_plot_prints_every_statistic(mochac, statistics):
    status, out, _ = mochac("plot", "a.h5", "b.h5")
    assert status == 0
    assert "loss    * a.h5   o b.h5\n" in out and "\nrate\n" in out


def test_plot_selects(mochac, statistics):
    status, out, _ = mochac("plot", "a.h5", "--names", "rate")
    assert status == 0 and out.startswith("rate\n") and "loss" not in out
    status, _, err = mochac("plot", "a.h5", "--names", "lost")
    assert (
        status == 1
        and err == "OptionError: no statistic 'lost'\n  statistics: loss rate\n  hint: did you mean 'loss'?\n"
    )


def test_plot_an_absent_or_foreign_file(mochac, folder):
    assert mochac("plot", "absent.h5") == (1, "", "SnapshotError: no statistics file absent.h5\n")
    assert mochac("plot", "net.py")[2].startswith("SnapshotError: statistics file net.py is damaged")
    save_statistics(Path("empty.h5"), {})
    assert mochac("plot", "empty.h5")[2] == "SnapshotError: no statistics in empty.h5\n"


def test_plot_needs_matplotlib_for_pictures(mochac, statistics, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    status, _, err = mochac("plot", "a.h5", "--out", "a.png")
    assert status == 1 and err.startswith("OptionError: pictures need matplotlib") and "mochac[plot]" in err


def test_plot_with_matplotlib(mochac, statistics):
    pytest.importorskip("matplotlib")
    assert mochac("plot", "a.h5", "b.h5", "--out", "a.svg")[0] == 0
    assert "<svg" in (statistics / "a.svg").read_text()


def test_plot_refuses_other_endings(mochac, statistics):
    status, _, err = mochac("plot", "a.h5", "--out", "a.txt")
    assert status == 1 and err.startswith("OptionError: cannot write a.txt\n  expected  .png or .svg or .pdf")


def test_a_chart_in_full():
    falling = {k: 4.0 / (1 + k) ** 2 for k in range(0, 21)}
    assert chart("loss", {"a.h5": falling, "b.h5": {5: 1.0, 20: 2.0}}, width=19, height=5) == GOLDEN


@pytest.mark.parametrize("series", [{}, {"a": {}}, {"a": {1: float("nan")}}, {"a": {3: float("inf")}}])
def test_a_chart_of_nothing(series):
    assert chart("x", series) == "x: no finite values\n"


@pytest.mark.parametrize("values", [{5: 2.0}, {1: 0.0, 2: 0.0}, {0: -1e30, 1: 1e30}, {k: float(k) for k in range(999)}])
def test_a_chart_keeps_its_size(values):
    lines = chart("x", {"a": values, "b": values}, width=30, height=6).splitlines()
    assert len(lines) == 9 and all(len(line) <= 42 for line in lines[1:])


def test_gaps_in_a_series_are_left_out():
    text = chart("x", {"a": {0: 1.0, 1: float("nan"), 2: 3.0}}, width=20, height=3)
    assert "nan" not in text and "         3 |" in text
