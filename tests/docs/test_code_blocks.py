"""Every python block of the manual runs: the blocks of a page share a namespace and an empty folder.

A block marked `output` shows what the python block before it prints ("..." stands for anything, but not for all).
Of the pages in SHELL the sh blocks that call mochac run too, at their place. A page with whole files is tried by
test_contributions.py.
"""

import contextlib
import doctest
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from docs.pages import PAGES, ROOT, blocks
from examples.running import copied, write_digits


def mnist_example(folder):
    """examples/mnist with small files in place of the real ones."""
    (folder / "examples").mkdir()
    write_digits(copied("mnist", folder / "examples") / "data")


SHELL = {
    "docs/guide/command-line.md": mnist_example,
    "docs/tutorials/autoencoders.md": None,
    "docs/tutorials/mnist.md": None,
}
"""Pages, and what their commands find in the folder besides what the page makes."""

HOW = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CONTRIBUTIONS = [page for page in PAGES if any(b.file for b in blocks(page))]
RUNNABLE = [
    p for p in PAGES
    if p not in CONTRIBUTIONS
    and (str(p.relative_to(ROOT)) in SHELL or any(b.language == "python" for b in blocks(p)))
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    printed: str | None = ""
    name = str(page.relative_to(ROOT))
    if prepare := SHELL.get(name):
        prepare(tmp_path)
    for block in blocks(page):
        if block.language == "python":
            printed = run(page, block, namespace)
        elif block.language == "py":
            printed = None
        elif block.language == "sh" and name in SHELL and "\nmochac " in f"\n{block.text}":
            shell(block, tmp_path)
        elif block.language == "output" and printed is not None:
            checker = doctest.OutputChecker()
            assert checker.check_output(block.text, printed, HOW), f"line {block.line} of {page.name} has\n{printed}"


def run(page, block, namespace):
    code = compile("\n" * (block.line - 1) + block.text, page.name, "exec")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, namespace)
    return out.getvalue()


def shell(block, folder):
    """Run a block as one script; a pager prints."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    for name, text in {"less": 'cat "$@"', "mochac": f'exec {sys.executable} -m mochac "$@"'}.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-e", "-c", block.text], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, f"{block.text}\n{done.stdout}{done.stderr}"
    for word in block.text.split():
        if word.endswith((".svg", "lenet.h5")):
            assert list(Path(folder).rglob(word)), f"no {word}"


def test_outputs_show_something():
    assert [
        (p.name, b.line) for p in PAGES for b in blocks(p) if b.language == "output" and not b.text.strip(". \n")
    ] == []


def test_every_page_of_commands_is_there():
    assert [name for name in SHELL if ROOT / name not in PAGES] == []


def test_blocks_are_marked():
    """A language nobody knows is a block that nobody tries; "py" is Python that several ranks run, or, with PyTorch,
    tests/peers/test_pages.py; "js" calls what tests/clib/test_wasm.py does."""
    known = {"python", "output", "sh", "text", "make", "c", "py", "yaml", "js"}
    assert [(p.name, b.line, b.language) for p in PAGES for b in blocks(p) if b.language not in known] == []
