"""Python files that the code and its documentation name exist: a reader who follows one finds it."""

import re
from functools import cache

import pytest
from docs.pages import ROOT, blocks

NAMED = re.compile(r"(?<![\w.*{<-])((?:[\w.-]+/)*[\w-]+\.py)(?![\w*(])")
OF_USERS = {"FILE.py", "example.py", "file.py", "my_net.py", "net.py", "lenet.py", "optimizers.py", "utils.py"}
"""In examples of commands and messages, of other projects, and what no file may be called."""
TO_ADD = {page.file for page in blocks(ROOT / "docs/developers/contributions.md")}
"""What a contributor writes."""


@cache
def known() -> set[str]:
    """Every path of the repository, and every end of one that begins with the name of a folder or a file."""
    ends = {path.name for path in ROOT.iterdir()}
    for top in ("mochac", "tests", "docs", "examples", "benchmarks", ".ci"):
        for path in (ROOT / top).rglob("*.py"):
            parts = path.relative_to(ROOT).parts
            ends.update("/".join(parts[k:]) for k in range(len(parts)))
    return ends


@pytest.mark.slow
def test_named_files_exist():
    pages = [
        *ROOT.glob("mochac/**/*.py"),
        *ROOT.glob("docs/developers/*.md"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
    ]
    missing = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in sorted(pages)
        for name in sorted(set(NAMED.findall(page.read_text())))
        if name.removeprefix("../").removeprefix("../") not in known() | OF_USERS | TO_ADD
    ]
    assert missing == []
