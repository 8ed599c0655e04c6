"""Every python block of the manual runs: the blocks of a page share a namespace and an empty folder.

A block marked `output` shows what the python block before it prints ("..." stands for anything). A page with whole
files is tried by test_contributions.py.
"""

import contextlib
import doctest
import io

import pytest
from docs.pages import PAGES, ROOT, blocks

HOW = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CONTRIBUTIONS = [page for page in PAGES if any(b.file for b in blocks(page))]
RUNNABLE = [p for p in PAGES if p not in CONTRIBUTIONS and any(b.language == "python" for b in blocks(p))]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    printed = ""
    for block in blocks(page):
        if block.language == "python":
            printed = run(page, block, namespace)
        elif block.language == "output":
            checker = doctest.OutputChecker()
            assert checker.check_output(block.text, printed, HOW), f"line {block.line} of {page.name} has\n{printed}"


def run(page, block, namespace):
    code = compile("\n" * (block.line - 1) + block.text, page.name, "exec")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, namespace)
    return out.getvalue()


def test_blocks_are_marked():
    """A language nobody knows is a block that nobody tries."""
    known = {"python", "output", "sh", "text", "make"}
    assert [(p.name, b.line, b.language) for p in PAGES for b in blocks(p) if b.language not in known] == []
