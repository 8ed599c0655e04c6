"""The manual speaks of everything a user can meet: public names, commands, variables, passes, steps, rooms."""

import re

import pytest
from docs.pages import PAGES, ROOT
from test_ranks import FOLDERS

import mochac
from mochac.codegen.cpu.schedules import RULES
from mochac.ir.passes import PASSES
from mochac.ir.schedule import STEPS
from mochac.nets.layers.base import LAYERS
from mochac.tools.cli.command import COMMANDS

OPTIONS = (ROOT / "mochac/base/options.py").read_text()
ROOMS = sorted(p.name for p in (ROOT / "mochac").iterdir() if p.is_dir() and (p / "__init__.py").exists())

ABOUT_FILES = ("contributions", "decisions", "where")
"""Developers' pages that name files from the root or from the package."""


def words(*paths):
    text = "\n".join((ROOT / path).read_text() for path in paths)
    return set(re.findall(r"[\w.]+", text.replace(".h5", " "))) | set(re.findall(r"\w+", text))


def held(space):
    """The names in a namespace, such as Neurons."""
    return [name for name in vars(space) if not name.startswith("_")]


@pytest.mark.parametrize(
    ("names", "paths"),
    [
        pytest.param(mochac.__all__, [p.relative_to(ROOT) for p in PAGES], id="public names"),
        pytest.param(re.findall(r"MOCHAC_[A-Z_]+", OPTIONS), ["docs/guide/environment.md"], id="variables"),
        pytest.param(list(PASSES), ["docs/developers/graph.md"], id="passes"),
        pytest.param(list(STEPS), ["docs/developers/kernels.md"], id="schedule steps"),
        pytest.param([r.__module__.rpartition(".")[2] for r in RULES], ["docs/developers/kernels.md"], id="rules"),
        pytest.param(ROOMS, ["CONTRIBUTING.md"], id="rooms"),
        pytest.param(held(mochac.Neurons), ["docs/guide/parameters.md"], id="neurons"),
        pytest.param(held(mochac.LRPolicy), ["docs/guide/solvers.md"], id="policies of learning rates"),
        pytest.param(held(mochac.MomPolicy), ["docs/guide/solvers.md"], id="policies of momentum"),
        pytest.param(held(mochac.Pooling), ["docs/guide/layers.md"], id="poolings"),
    ],
)
def test_everything_is_mentioned(names, paths):
    missing = sorted(set(names) - words(*paths) - {"MOCHAC_"})
    assert not missing, f"no page mentions {', '.join(missing)}: expected in {' or '.join(map(str, paths[:3]))}"


def test_commands_are_mentioned():
    page = (ROOT / "docs/guide/command-line.md").read_text()
    assert [name for name in COMMANDS if f"mochac {name}" not in page] == []


def test_rooms_are_listed_by_rank():
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("\n### Rooms\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    listed = [
        [
            {n.removesuffix(".py").strip("/").replace("/", ".") for n in re.findall("`(.*?)`", rank)}
            for rank in row.split("; ")
        ]
        for row in rows
    ]
    assert listed == list(FOLDERS.values())


def test_files_and_folders_that_pages_name_exist():
    pages = [ROOT / "CONTRIBUTING.md", *(ROOT / "docs/developers" / f"{name}.md" for name in ABOUT_FILES)]
    named = {name for page in pages for name in re.findall(r"`((?:[\w-]+/)+(?:\w+\.py)?)`", page.read_text())}
    places = (ROOT, ROOT / "mochac")
    assert sorted(name for name in named if not any((place / name).exists() for place in places)) == []


def test_layers_that_exist_are_not_promised():
    page = (ROOT / "docs/guide/not-there-yet.md").read_text()
    assert [name for name in LAYERS if re.search(rf"\b{name}\b", page)] == []
