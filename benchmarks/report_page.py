"""How long a browser takes to open reports, beside an empty page: of LeNet, and of a net of more than 200 kernels.

Run `python benchmarks/report_page.py [--rounds 9] [--record]`. Needs Chromium on PATH. A page is open when it has been
read, its scripts have run and it has been laid out, counted from the begin of its navigation; pages take turns.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from contest import report, with_mochac
from contest.task import Task, task
from contest.tasks.resnet import residual

import mochac

INTRO = """# Opening a report in a browser

Milliseconds from the begin of a navigation in headless Chromium until the page has been read, its scripts have run and
it has been laid out. Every opening is a process of its own; pages take turns, an empty page among them, whose time is
the browser's own. Written by `python benchmarks/report_page.py --record`.
"""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DEEP = 6
"""Blocks of a stage of the deep net: 38 layers with weights."""
CLOCK = """<script>addEventListener("load", () => {
  document.body.offsetHeight;
  document.title = "opened in " + performance.now();
});</script></body>"""
EMPTY = "<!DOCTYPE html><html><head><title></title></head><body></body></html>"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the table; 1 without a browser."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--record", action="store_true", help="write results/report_page.md")
    args = parser.parse_args(argv)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"there is none of {', '.join(BROWSERS)} on PATH", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="mochac-report-") as folder:
        found = pages(Path(folder))
        body = section(found, measure(browser, found, args.rounds, Path(folder)), args.rounds)
    print(body)
    if args.record:
        print(f"written: {report.record('report_page', INTRO, f'{report.circumstances()}.{chr(10) * 2}{body}')}")
    return 0


def nets() -> list[Task]:
    """LeNet, and a residual net whose batch is small, since its time does not matter here."""
    deep = replace(task("resnet"), title=f"residual net of {6 * DEEP + 2} layers", batch=16, layers=residual(DEEP))
    return [task("lenet"), deep]


def pages(folder: Path) -> dict[str, Path]:
    """The pages by their titles, each with a clock."""
    texts = {"empty page": EMPTY}
    for k, net in enumerate(nets()):
        with mochac.compile(with_mochac.net(net, net.data())) as program:
            path = folder / f"{k}.html"
            program.report(path, n_iter=2)
            texts[f"{net.title}, {len(program.kernels)} kernels"] = path.read_text()
    found = {}
    for k, (title, text) in enumerate(texts.items()):
        found[title] = folder / f"page-{k}.html"
        found[title].write_text(text.replace("</body>", CLOCK))
    return found


def measure(browser: str, found: dict[str, Path], rounds: int, folder: Path) -> dict[str, list[float]]:
    """Milliseconds of each opening, by page; the first round only starts the browser's caches."""
    times: dict[str, list[float]] = {title: [] for title in found}
    for k in range(rounds + 1):
        for title, path in found.items():
            ms = opened(browser, path, folder / "profile")
            times[title] += [ms] if k else []
    return times


def opened(browser: str, page: Path, profile: Path) -> float:
    """Milliseconds that one opening takes."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom"]
    done = subprocess.run([browser, *options, page.as_uri()], capture_output=True, text=True, check=True, timeout=60)
    return float(re.findall(r"<title>opened in ([\d.]+)</title>", done.stdout)[0])


def section(found: dict[str, Path], times: dict[str, list[float]], rounds: int) -> str:
    """Markdown."""
    rows = [
        [title, f"{found[title].stat().st_size / 1e6:.2f}", f"{statistics.median(ms):.0f}", f"{min(ms):.0f}",
         f"{max(ms):.0f}"]
        for title, ms in times.items()
    ]  # fmt: skip
    head = ("page", "MB", "median ms", "min", "max")
    return f"{report.table(head, rows)}\n\n{rounds} rounds."


if __name__ == "__main__":
    raise SystemExit(main())
