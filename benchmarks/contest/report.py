"""The machine in words, and the file of recorded tables: one section a machine, newest figures only.

The scripts' `--record` writes it; git keeps older figures. It knows no contender.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

from contest.load import average
from mochac.runtime.cpu.cpuinfo import cpu_model, host_cpu

FOLDER = Path(__file__).resolve().parents[1]
RESULTS = FOLDER / "results"
INDEX = FOLDER / "RESULTS.md"
INDEX_HEAD = """# Recorded results

Every table has one section per machine, with the newest figures; git keeps older ones. [README.md](README.md) explains
how they are measured. results/figures.json holds the numbers of the comparisons, and results/benchmarks.svg plots them.
Every script's `--record` rewrites this list.
"""


def machine() -> str:
    """Heading of this machine's section."""
    info = host_cpu()
    model = cpu_model() or platform.processor() or platform.machine()
    return f"{model} ({info.name}), {os.cpu_count()} CPUs, {info.vector_bytes}-byte vectors"


def circumstances() -> str:
    """Date, commit and versions, as one line."""
    versions = [f"{name} {_version(name)}" for name in ("torch", "jax", "numpy", "llvmlite")]
    now = datetime.datetime.now(datetime.UTC)
    return ", ".join(
        [f"{now:%Y-%m-%d %H:%M} UTC", f"commit {commit()}", f"Python {platform.python_version()}", *versions]
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def record(name: str, intro: str, body: str) -> Path:
    """Write this machine's section of results/NAME.md, replacing its last one; other machines' stay."""
    path = RESULTS / f"{name}.md"
    RESULTS.mkdir(exist_ok=True)
    old = path.read_text() if path.exists() else ""
    sections = [s for s in old.split("\n## ")[1:] if not s.startswith(machine() + "\n")]
    sections.append(f"{machine()}\n\n{body.strip()}\n")
    path.write_text("\n## ".join([intro.strip() + "\n", *(s.rstrip() + "\n" for s in sections)]))
    INDEX.write_text(index())
    return path


def record_measured(name: str, intro: str, text: str) -> None:
    """Record what has just been measured, below the circumstances and the load, and print where."""
    path = record(name, intro, f"{circumstances()}. Load average {average():.1f}.\n\n{text}")
    print(f"written: {path}")


def index() -> str:
    """The recorded files with the titles they begin with."""
    rows = []
    for file in sorted(RESULTS.glob("*.md")):
        title = file.read_text().partition("\n")[0].removeprefix("# ")
        rows.append([f"[results/{file.name}](results/{file.name})", title])
    return f"{INDEX_HEAD}\n{table(['table', 'content'], rows)}\n"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def commit() -> str:
    """Short hash; "+" where mochac/ differs from it."""

    def git(*args: str) -> str:
        return subprocess.run(["git", *args], cwd=FOLDER, capture_output=True, text=True, check=False).stdout.strip()

    try:
        return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if git("status", "-s", "../mochac") else "")
    except OSError:
        return "unknown"
