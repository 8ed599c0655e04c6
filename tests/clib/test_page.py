"""The C programs of docs/guide/c-library.md."""

import re
import subprocess
from pathlib import Path

import pytest
from clib_kit import needs_cc

PAGES = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FRAGMENT = (
    '#include "moons_threads.h"\nmoons_pool *use(moons *net);\nmoons_pool *use(moons *net)\n{{\n{}return pool;\n}}\n'
)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text()) if kind == language]


def test_no_other_page_has_c():
    assert [page.name for page in PAGES.rglob("*.md") if blocks(page, "c")] == ["c-library.md"]


@needs_cc
@pytest.mark.slow
def test_the_programs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = PAGES / "guide" / "c-library.md"
    exec(blocks(page, "python")[0], {})
    whole, _, fragment = blocks(page, "c")
    for name, text in (("whole", whole), ("fragment", FRAGMENT.format(fragment))):
        Path(f"{name}.c").write_text(text)
    flags = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Imoons"]
    subprocess.run(["cc", *flags, "whole.c", "moons/libmoons.a", "-o", "whole"], check=True)
    subprocess.run(["cc", *flags, "-c", "fragment.c"], check=True)
    assert subprocess.run(["./whole"], capture_output=True, text=True, check=True).stdout == "1\n"
