"""Extras that pages and messages name are those of pyproject.toml, and each of these is named somewhere."""

import re
import tomllib


def named(root):
    pages = [
        root / "README.md",
        root / "pyproject.toml",
        *(root / "docs").rglob("*.md"),
        *(root / "mochac").rglob("*.py"),
    ]
    found = (match[1] for page in pages for match in re.finditer(r"mochac\[([\w,-]+)\]", page.read_text()))
    return {extra for group in found for extra in group.split(",")}


def test_extras_are_named_and_there(pytestconfig):
    project = tomllib.loads((pytestconfig.rootpath / "pyproject.toml").read_text())["project"]
    made_by_make = {"dev", "bench", "docs"}
    assert named(pytestconfig.rootpath) | made_by_make == set(project["optional-dependencies"])
