"""Mocha's function names lead to mochac's: each says a call that exists."""

import re
from pathlib import Path

import numpy as np
import pytest

import mochac
from mochac.mocha_hints import HERE
from mochac.runtime.training.lounge import CoffeeLounge


@pytest.fixture(scope="module")
def owners():
    net = mochac.Net("one", [mochac.MemoryDataLayer(data=[np.ones((2, 1))], tops=["x"], batch_size=1)])
    with mochac.compile(net) as program:  # which compiles nothing before it is asked to run
        solver = mochac.Solver(mochac.SGD(), max_iter=1)
        yield {"program": program, "solver": solver, "net": net, "lounge": CoffeeLounge(), "mochac": mochac}


def test_an_unknown_name_of_mocha_is_answered():
    with pytest.raises(AttributeError, match=r"no attribute 'net2dot'; Mocha's net2dot is net\.to_dot\(\)$"):
        mochac.net2dot  # noqa: B018


@pytest.mark.parametrize("name", HERE)
def test_what_it_says_exists(name, owners):
    assert name not in mochac.__all__
    for owner, member in re.findall(r"\b(program|solver|net|lounge|mochac)\.(\w+)", HERE[name]):
        assert hasattr(owners[owner], member), f"{owner}.{member}"


def test_the_manual_lists_them():
    page = (Path(__file__).parents[1] / "docs/guide/mocha.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    found = {name for name in HERE for row in rows if f"`{name}`" in row and row.endswith(f"| {HERE[name]} |")}
    assert sorted(set(HERE) - found) == []
