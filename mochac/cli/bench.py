"""`mochac bench [NAME]`: run a script of benchmarks/, which compare with PyTorch and JAX where those are installed."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.cli.command import CliError, command

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
DEFAULT = "lenet"


def arguments(parser: ArgumentParser) -> None:
    """What --help shows; the script parses its own options."""
    what = f"a script in benchmarks/ (default {DEFAULT}) and its options; `mochac bench NAME --help` lists them"
    parser.add_argument("words", metavar="[NAME] [OPTION ...]", nargs="*", help=what)


@command("bench", "compare with PyTorch and JAX where installed", arguments, raw=True)
def run(args: Namespace) -> int:
    """Run the script; its exit status."""
    named = bool(args.rest) and not args.rest[0].startswith("-")
    name, options = (args.rest[0], args.rest[1:]) if named else (DEFAULT, args.rest)
    script = FOLDER / f"{name}.py"
    if not script.is_file():
        known = sorted(p.stem for p in FOLDER.glob("*.py"))
        if not known:
            raise CliError("benchmarks/ is part of the source checkout, not of an installed mochac")
        raise CliError(f"no benchmark {name!r}; there are: {' '.join(known)}")
    return subprocess.run([sys.executable, str(script), *options], check=False).returncode
