"""`mochac dump FILE DIR`: every stage of the compiler as files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.cli.command import TARGET, command, file_argument, libraries_argument
from mochac.cli.userfile import load
from mochac.driver.compile import dump


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    file_argument(parser)
    parser.add_argument("directory", metavar="DIR", help="where to write; made if absent")
    parser.add_argument("--backend", default="auto", help="auto, cpu or cuda (default auto)")
    parser.add_argument("--target", metavar="NAME", help=TARGET)
    parser.add_argument("--dtype", default="float32", help="float32 or float64")
    libraries_argument(parser)


@command("dump", "write every stage of FILE's compilation to DIR", arguments)
def run(args: Namespace) -> int:
    """Write, and say where."""
    how = {"dtype": args.dtype, "libraries": args.libraries}
    dump(load(args.file).net, args.directory, args.backend, args.target, **how)
    print(
        f"wrote {sum(p.is_file() for p in Path(args.directory).rglob('*'))} files; start at {args.directory}/README.txt"
    )
    return 0
