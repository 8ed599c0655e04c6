"""`mochac draw`, and charts as text."""

import pytest

from mochac.tools.cli.plot import chart
from mochac.tools.cli.userfile import load

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
    assert mochac("draw", "net.py", "--out", name) == (0, f"wrote {name}\n", "")
    net = load("net.py").net
    assert (folder / name).read_text() == (net.to_svg() if name.endswith("svg") else net.to_dot())


def test_draw_refuses_other_endings(mochac, folder):
    status, _, err = mochac("draw", "net.py", "--out", "n.bmp")
    assert (status, err) == (1, "draw writes .dot and .svg, not 'n.bmp' (or give --format)\n")
    assert mochac("draw", "net.py", "--out", "n.bmp", "--format", "svg")[0] == 0


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
