"""`mochac dump FILE DIR`: every stage of the compiler as files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.cli.command import TARGET, command, compile_arguments, compile_options
from mochac.cli.userfile import look
from mochac.compiler import dump_net


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument("directory", metavar="DIR", help="where to write; made if absent")
    parser.add_argument("--target", metavar="NAME", help=TARGET)


@command("dump", "write every stage of FILE's compilation to DIR", arguments)
def run(args: Namespace) -> int:
    """Write the files and say where they are."""
    directory, options = Path(args.directory), compile_options(args)
    dump_net(look(args.file), directory, options)
    n_files = sum(path.is_file() for path in directory.rglob("*"))
    print(f"wrote {n_files} files; start at {directory}/README.txt")
    return 0
