"""`mochac replay DIR [STAGE]`: run the stages of a dump on its inputs; exit status 1 if their results differ."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.inspect.replay import replay
from mochac.tools.cli.command import command
from mochac.tools.cli.userfile import execute


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("directory", metavar="DIR", help="folder of a dump")
    parser.add_argument(
        "stage",
        metavar="STAGE",
        nargs="?",
        help="name of a pass, or staged, naive, scheduled, native (default: all stages)",
    )
    parser.add_argument("--import", dest="own", metavar="FILE", help="Python file that defines ops of your own")


@command("replay", "run the stages of a dump and compare their results", arguments)
def run(args: Namespace) -> int:
    """Print the comparison."""
    if args.own:
        execute(args.own)
    report = replay(Path(args.directory), args.stage)
    print(report, end="")
    if "no op '" in report.reference.fault:
        print("hint: if this is an op of your own, import the file that defines it: mochac replay DIR --import FILE")
    return 0 if report.agreed else 1
