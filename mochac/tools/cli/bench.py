"""`mochac bench [NAME]`: run a script of benchmarks/, which compares mochac with PyTorch and JAX if they are
installed."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.tools.cli.command import CliError, command

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"
DEFAULT = "everything"
NETS = "training"
"""The script for nets; the name of a net stands for it."""


def _arguments(parser: ArgumentParser) -> None:
    """For --help only; the script parses its options."""
    what = (
        "a net, or a script in benchmarks/, with its options (default: all of them, which takes about half an hour, "
        "or a few with --quick); `mochac bench list` lists them, `mochac bench NAME --help` their options"
    )
    parser.add_argument("words", metavar="[NAME] [OPTION ...]", nargs="*", help=what)


@command("bench", "compare speed with PyTorch and JAX, if installed", _arguments, raw=True)
def run(args: Namespace) -> int:
    """Run the script and return its exit status."""
    named = bool(args.rest) and not args.rest[0].startswith("-")
    name, options = (args.rest[0], args.rest[1:]) if named else (DEFAULT, args.rest)
    if not FOLDER.is_dir():
        raise CliError("benchmarks/ is only in the source repository, not in an installed mochac")
    scripts, nets = _scripts(), _nets()
    if name == "list":
        print("\n".join([*(f"{script}: {about}" for script, about in scripts.items()), f"nets: {' '.join(nets)}"]))
        return 0
    if name in nets:
        name, options = NETS, [args.rest[0], *options]
    if name not in scripts:
        raise CliError(f"no benchmark {name!r}; there are: {' '.join([*nets, *scripts])}")
    return subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *options], check=False).returncode


def _scripts() -> dict[str, str]:
    """The first line of the docstring of each script, by name."""
    files = sorted(FOLDER.glob("*.py"))
    return {file.stem: file.read_text(encoding="utf-8").partition("\n")[0].strip('"') for file in files}


def _nets() -> list[str]:
    return sorted(file.stem for file in (FOLDER / "contest" / "tasks").glob("[!_]*.py"))
