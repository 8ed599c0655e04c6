"""`mochac bench [NAME]`: run a script of benchmarks/, which compare with PyTorch and JAX where those are installed."""

from __future__ import annotations

import subprocess
import sys
from argparse import REMAINDER, ArgumentParser, Namespace
from pathlib import Path

from mochac.cli.command import CliError, command

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", default="lenet", help="a script in benchmarks/ (default lenet)"
    )
    parser.add_argument("rest", nargs=REMAINDER, metavar="...", help="arguments of the script")


@command("bench", "compare with PyTorch and JAX where installed", arguments)
def run(args: Namespace) -> int:
    """Run the script; its exit status."""
    script = FOLDER / f"{args.name}.py"
    if not script.is_file():
        known = sorted(p.stem for p in FOLDER.glob("*.py"))
        if not known:
            raise CliError("benchmarks/ is part of the source checkout, not of an installed mochac")
        raise CliError(f"no benchmark {args.name!r}; there are: {' '.join(known)}")
    return subprocess.run([sys.executable, str(script), *args.rest], check=False).returncode
