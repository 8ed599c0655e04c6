"""Builds the site of the manual: the repository's pages and a reference of every public name, by Sphinx with Furo.

    python docs/site/build.py [FOLDER] [--as-they-are]      # FOLDER/html, build/site by default; warnings are errors

The pages are staged with the files that they link to, in the folders they have here, but the index becomes the front
page, and gets Sphinx's tables of contents from its own lists of links. Tutorials are run as notebooks, so that their
pages show what their code prints and draws; --as-they-are leaves that out. They can also be had as notebooks.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from notebooks import as_cells, notebook
from reference import pages

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INDEX, FRONT = "docs/README.md", "index.md"
"""The page of the repository that is the front page of the site, and where it stands there."""
AS_THEY_ARE = "--as-they-are"
SOURCES = ("docs/**/*.md", "examples/**/README.md", "benchmarks/*.md", "benchmarks/results/*.md")
TOP = ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
LINK = re.compile(r"(!?\[[^\]\n]*\])\(([^)\s]+)\)")


def main(folder: Path, run: bool = True) -> int:
    """Stage the pages, run the tutorials unless told not to, and run Sphinx; its exit status."""
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    texts = dict(staged())
    texts[FRONT] += contents(texts)
    for name, text in texts.items():
        _write(source / name, text)
    for name in sorted(linked(texts) - texts.keys()):
        _write(source / name, (ROOT / name).read_bytes())
    mode = "force" if run else "off"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", str(HERE), "-b", "html"]
    command += ["-D", f"nb_execution_mode={mode}"]
    return subprocess.run([*command, str(source), str(folder / "html")], check=False).returncode


def staged() -> Iterator[tuple[str, str]]:
    """(path, text) of every page of the site."""
    found = sorted({*(ROOT / name for name in TOP), *(path for p in SOURCES for path in ROOT.glob(p))})
    for path in found:
        name = str(path.relative_to(ROOT))
        text = _with_files(path.read_text(), path.parent)
        if name.startswith("docs/tutorials/"):
            yield f"{name.removesuffix('.md')}.ipynb", notebook(text)
            text = _with_notebook(as_cells(text), path.stem)
        yield (FRONT, _from_the_root(text)) if name == INDEX else (name, text)
    for name, text in pages():
        yield f"docs/reference/{name}.md", text


def contents(texts: dict[str, str]) -> str:
    """Hidden tables of contents: the links of the index by its headings, then the reference, then all other pages."""
    listed: set[str] = {FRONT}
    parts: list[str] = []
    for section in re.split(r"^#{2,3} ", texts[FRONT], flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        names = [_inside(target, "") for _, target in LINK.findall(body) if "://" not in target]
        parts.append(_toctree(title, [name for name in names if name in texts and name not in listed]))
        listed.update(names)
    reference = [name for name in texts if name.startswith("docs/reference/")]
    rest = [name for name in texts if name.endswith(".md") and name not in {*listed, *reference}]
    return "".join([*parts, _toctree("Reference", reference), _toctree("Examples and figures", rest)])


def linked(texts: dict[str, str]) -> set[str]:
    """Files of the repository that pages link to or show."""
    found: set[str] = set()
    for page, text in texts.items():
        for _, target in LINK.findall(text) if page.endswith(".md") else ():
            name = _inside(target, str(Path(page).parent))
            if "://" not in target and name and (ROOT / name).is_file():
                found.add(name)
    return found


def _toctree(title: str, names: list[str]) -> str:
    entries = "\n".join(f"/{name.removesuffix('.md')}" for name in dict.fromkeys(names) if name.endswith(".md"))
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n" if entries else ""


def _inside(target: str, folder: str) -> str:
    """The path in the repository that a link from a folder leads to; "" if it leaves it or stays on its page."""
    path = (ROOT / folder / target.partition("#")[0]).resolve()
    return str(path.relative_to(ROOT)) if target[:1] != "#" and path.is_relative_to(ROOT) else ""


def _with_files(text: str, folder: Path) -> str:
    """Links to folders lead to their README."""

    def changed(match: re.Match[str]) -> str:
        words, target = match.groups()
        path = folder / target
        return f"{words}({target.rstrip('/')}/README.md)" if "://" not in target and path.is_dir() else match[0]

    return LINK.sub(changed, text)


def _from_the_root(text: str) -> str:
    """The index with its links as they lead from the front page."""

    def changed(match: re.Match[str]) -> str:
        words, target = match.groups()
        inside = _inside(target, str(Path(INDEX).parent))
        return f"{words}({inside}{''.join(target.partition('#')[1:])})" if inside and "://" not in target else match[0]

    return LINK.sub(changed, text)


def _with_notebook(text: str, stem: str) -> str:
    """A page with a link to its notebook below its title."""
    head, title, rest = text.partition("\n# ")
    words, _, rest = rest.partition("\n")
    return f"{head}{title}{words}\n\n{{download}}`This page as a notebook <{stem}.ipynb>`\n{rest}"


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != AS_THEY_ARE]
    sys.exit(main(Path(given[0] if given else ROOT / "build" / "site").resolve(), AS_THEY_ARE not in sys.argv))
