"""`mochac draw FILE`: draw the net as dot text for Graphviz, or as SVG."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.base.files.atomic import write_bytes
from mochac.tools.cli.command import CliError, command, file_argument
from mochac.tools.cli.userfile import look

FORMS = ("dot", "svg")


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    file_argument(parser)
    parser.add_argument("--out", metavar="PATH", help="file to write, .dot or .svg (default: dot to standard output)")
    parser.add_argument("--format", choices=FORMS, help="format of the file (default: by the ending of PATH)")


@command("draw", "draw the net in FILE as dot or SVG", arguments)
def run(args: Namespace) -> int:
    """Write or print."""
    ending = Path(args.out).suffix.removeprefix(".") if args.out else "dot"
    form = args.format or ("dot" if ending == "gv" else ending)
    if form not in FORMS:
        raise CliError(f"draw writes .dot and .svg, not {args.out!r} (or give --format)")
    net = look(args.file)
    text = net.to_svg() if form == "svg" else net.to_dot()
    if args.out:
        write_bytes(Path(args.out), text.encode())
        print(f"wrote {args.out}")
    else:
        print(text, end="")
    return 0
