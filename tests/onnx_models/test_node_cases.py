"""What docs/guide/onnx.md says of the node cases of the package onnx is true, and no case is wrong."""

from __future__ import annotations

import warnings
from pathlib import Path

import onnx
import pytest
from node_cases import PASS, WRONG, cases, operators, outcome, table

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "onnx.md"
BEGIN, END = "<!-- node cases: written by make golden -->\n\n", "\n<!-- node cases: end -->"
VERSION = "1.23"
"""Of the package whose cases the page is about; other versions have other cases."""


@pytest.mark.slow
def test_the_page_says_what_passes(request):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = cases()
        found = {case.name: outcome(case) for case in known}
    wrong = {name: fault for name, (what, fault) in found.items() if what == WRONG}
    assert wrong == {}
    assert sum(what == PASS for what, _ in found.values()) > 1000
    if not onnx.__version__.startswith(VERSION):
        pytest.skip(f"the page is about onnx {VERSION}")
    written = table(found, operators(known))
    before, _, rest = PAGE.read_text().partition(BEGIN)
    old, _, after = rest.partition(END)
    if request.config.getoption("--update-golden"):
        PAGE.write_text(before + BEGIN + written + END + after)
    else:
        assert old == written, "run make golden"
