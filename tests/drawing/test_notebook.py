"""What a notebook shows: static HTML, escaped, of everything that ends a cell; a bar while a training runs."""

import re
import sys
from types import ModuleType

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import SGD, InnerProductLayer
from mochac.base.drawing.svg import folded, progress, table
from mochac.base.support.log import NotebookOutput, notebook_output
from mochac.training.loop.progress import Goal, Progress


def _static(html):
    """Whether HTML has neither scripts nor anything that is loaded, and closes what it opens."""
    assert not re.search(r"<script|<iframe|src=|href=|\bon\w+=", html)
    for tag in ("table", "details", "div", "pre", "svg"):
        assert html.count(f"<{tag}") == html.count(f"</{tag}>"), tag
    return html


@pytest.fixture(scope="module")
def trained():
    with mochac.compile(tiny(), threads=1) as program:
        yield program, program.train(SGD(0.05), max_iter=4)


def test_programs_and_lounges(trained):
    program, lounge = trained
    assert "<svg" in _static(program._repr_html_()) and "batch" in program._repr_html_()
    assert "polyline" in _static(lounge._repr_html_()) and "obj_val" in lounge._repr_html_()


@pytest.mark.slow
def test_explain_and_profile(trained):
    text = trained[0].explain()
    assert isinstance(text, str) and "Not fused, and why" in _static(text._repr_html_())
    assert text._repr_html_().count("<details") == text.rstrip().count("\n\n")
    times = trained[0].profile(1)
    html = _static(times._repr_html_())
    assert all(row.kernel in html for row in times.rows) and "GFLOP/s" in html


def test_layers():
    html = _static(InnerProductLayer(name="a<b>", output_dim=3, bottoms=["x"])._repr_html_())
    assert "a&lt;b&gt;" in html and "<b>InnerProductLayer</b>" in html and "output_dim" in html


def test_estimators():
    estimator = mochac.NetClassifier([InnerProductLayer(name="ip", output_dim=2)], max_epoch=1, validation_split=0.0)
    assert "<svg" not in _static(estimator._repr_html_())
    estimator.fit(np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2)
    assert "<svg" in _static(estimator._repr_html_()) and "max_epoch" in estimator._repr_html_()


def test_pieces():
    assert table(["h"], [["<x>"]]).count("&lt;x&gt;") == 1
    assert folded("s", "p", unfolded=True) == "<details open><summary>s</summary>p</details>"
    assert 'value="1.0000"' in progress(2.0, "") and "<progress" not in progress(None, "x")


class _Display:
    """IPython's display: what was shown, and what replaced it."""

    def __init__(self):
        self.shown = []

    def __call__(self, data, raw, display_id):
        assert raw and display_id
        self.update(data, raw)
        return self

    def update(self, data, raw):
        self.shown.append(data["text/html"])


def test_a_bar_while_a_training_runs():
    display, now = _Display(), [0.0]
    bar = Progress(Goal(0, 100, 10), clock=lambda: now[0], notebook=NotebookOutput(display))
    for k in (25, 50):
        now[0] += 1.0
        bar.update(k, 0.5)
    bar.close()
    assert len(display.shown) == 3 and display.shown[2] == ""
    assert 'value="0.2500"' in display.shown[0] and "iter 50/100" in display.shown[1]


def test_a_notebook_is_known_by_its_kernel(monkeypatch):
    module, inner = ModuleType("IPython"), ModuleType("IPython.display")
    inner.display = _Display()
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", inner)
    module.get_ipython = lambda: None
    assert notebook_output() is None
    module.get_ipython = lambda: object()
    assert notebook_output() is None, "a shell in a terminal"
    module.get_ipython = lambda: type("Shell", (), {"kernel": 1})()
    output = notebook_output()
    assert output is not None
    output.show("<b>x</b>")
    assert inner.display.shown == ["<b>x</b>"]
