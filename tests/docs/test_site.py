"""The site of the manual: what is staged, the reference, notebooks of tutorials."""

import json
import re
import subprocess
import sys
from importlib import import_module

import pytest
from docs.pages import ROOT
from patience import HANG_S

import mochac
from mochac.ir.op import OPS


@pytest.fixture(scope="module")
def build():
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    yield import_module("build")
    sys.path.remove(str(ROOT / "docs" / "site"))


@pytest.fixture(scope="module")
def texts(build):
    return dict(build.staged())


def test_every_public_name_and_operation_is_in_the_reference(texts):
    heads = [re.findall(r"^## (.+)$", text, re.MULTILINE) for name, text in texts.items() if "/reference/" in name]
    assert sorted(name for names in heads for name in names) == sorted([*mochac.__all__, *OPS])


def test_public_names_have_words(texts):
    for page in (name for name in texts if "/reference/" in name):
        for entry in re.split(r"^## ", texts[page], flags=re.MULTILINE)[1:]:
            assert "```text\n" in entry, f"{page}: {entry.splitlines()[0]}"


def test_every_page_is_in_one_table_of_contents(build, texts):
    listed = re.findall(r"^/(\S+)$", build.contents(texts), re.MULTILINE)
    pages = {name.removesuffix(".md") for name in texts if name.endswith(".md")} - {"index"}
    assert sorted(listed) == sorted(pages)


def test_the_index_is_the_front_page(build, texts):
    links = {target for _, target in build.LINK.findall(texts["index.md"]) if "://" not in target}
    assert "docs/guide/nets.md" in links and "docs/README.md" not in texts
    assert {build._inside(target, "") for target in links} <= texts.keys() | build.linked(texts)


def test_tutorials_are_notebooks(texts):
    stems = [path.stem for path in (ROOT / "docs" / "tutorials").glob("*.md")]
    for stem in stems:
        book = json.loads(texts[f"docs/tutorials/{stem}.ipynb"])
        page = (ROOT / "docs" / "tutorials" / f"{stem}.md").read_text()
        code = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
        assert len(code) == page.count("```python\n") and "```output" not in json.dumps(book)
        staged = texts[f"docs/tutorials/{stem}.md"]
        assert f"<{stem}.ipynb>`" in staged and staged.count("```{code-cell}\n") == len(code)
        assert "```output" not in staged and staged.startswith("---\nfile_format: mystnb\n")


@pytest.mark.slow
def test_sphinx_has_no_warnings(tmp_path):
    pytest.importorskip("sphinx", reason="the site needs mochac[docs]")
    command = [sys.executable, str(ROOT / "docs" / "site" / "build.py"), str(tmp_path), "--as-they-are"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "html" / "index.html").exists() and not (tmp_path / "html/docs/README.html").exists()


@pytest.mark.slow
def test_the_first_tutorial_runs_as_a_notebook(tmp_path):
    nbconvert = pytest.importorskip("nbconvert", reason="notebooks need mochac[docs]")
    nbformat = pytest.importorskip("nbformat")
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    text = import_module("notebooks").notebook((ROOT / "docs/tutorials/first-net.md").read_text())
    run = nbconvert.preprocessors.ExecutePreprocessor(timeout=HANG_S)
    book, _ = run.preprocess(nbformat.reads(text, 4), {"metadata": {"path": str(tmp_path)}})
    assert all(o["output_type"] != "error" for cell in book.cells for o in cell.get("outputs", ()))
