"""`mochac bench [NAME]`: run a script of benchmarks/, which compare with PyTorch and JAX where those are installed."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.cli.command import CliError, command

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
DEFAULT = "everything"
NETS = "training"
"""The script that takes the names of nets; these may be given in its place."""


def arguments(parser: ArgumentParser) -> None:
    """What --help shows; the script parses its own options."""
    what = (
        "a net, or a script in benchmarks/, and its options (default: all of them, about twenty minutes; "
        "--quick: some minutes); `mochac bench list` names them, `mochac bench NAME --help` lists options"
    )
    parser.add_argument("words", metavar="[NAME] [OPTION ...]", nargs="*", help=what)


@command("bench", "compare with PyTorch and JAX where installed", arguments, raw=True)
def run(args: Namespace) -> int:
    """Run the script; its exit status."""
    named = bool(args.rest) and not args.rest[0].startswith("-")
    name, options = (args.rest[0], args.rest[1:]) if named else (DEFAULT, args.rest)
    if not FOLDER.is_dir():
        raise CliError("benchmarks/ is part of the source checkout, not of an installed mochac")
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
    """The first line of each one's docstring, by name."""
    files = sorted(FOLDER.glob("*.py"))
    return {file.stem: file.read_text(encoding="utf-8").partition("\n")[0].strip('"') for file in files}


def _nets() -> list[str]:
    return sorted(file.stem for file in (FOLDER / "contest" / "tasks").glob("[!_]*.py"))
