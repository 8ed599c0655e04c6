"""A registry finds a contribution in one file: that of its name, or the one whose text defines it."""

import sys

import pytest

from mochac.base.registry import Registry
from mochac.ir.op import OPS
from mochac.ir.passes import PASSES
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.schedule import STEPS
from mochac.nets.layers.base import LAYERS
from mochac.nets.solvers.method import METHODS
from mochac.tools.cli.command import COMMANDS

REGISTRIES = [COMMANDS, LAYERS, METHODS, OPS, PASSES, STEPS]


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_at_most_one_file_defines_a_contribution(registry):
    """None does what a module of `common` makes of rows of another table."""
    files = {name: [*registry._defining(name)] for name in registry}
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
    assert {name for name, found in files.items() if not found} <= (set(FUNCTIONS) if registry is OPS else set())


def test_a_name_is_looked_up_in_the_file_that_defines_it(tmp_path, monkeypatch):
    package = tmp_path / "colours_of_a_test"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from mochac.base.registry import Registry\nCOLOURS = Registry('colour', 'colours_of_a_test', 'colour({})')\n"
    )
    text = "from colours_of_a_test import COLOURS\n"
    (package / "red.py").write_text(f"{text}COLOURS.add('red', 1)\n")
    (package / "warm.py").write_text(
        f"{text}for name in ('amber', 'rust'):  # colour(amber) colour(rust)\n    COLOURS.add(name, 2)\n"
    )
    (package / "hidden.py").write_text(f"{text}COLOURS.add('grey', 3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    colours: Registry[int] = __import__("colours_of_a_test").COLOURS

    def imported():
        return {name.partition(".")[2] for name in sys.modules if name.startswith("colours_of_a_test.")}

    assert colours["red"] == 1
    assert imported() == {"red"}
    assert colours["rust"] == 2
    assert imported() == {"red", "warm"}
    assert colours["grey"] == 3
    assert imported() == {"red", "warm", "hidden"}
    assert "blue" not in colours
