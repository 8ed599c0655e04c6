"""`mochac dump FILE DIR`: write the results of all stages of the compiler."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.api.compiler import dump_net
from mochac.tools.cli.command import TARGET, command, compile_arguments, compile_options
from mochac.tools.cli.userfile import look


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument("directory", metavar="DIR", help="folder to write to; created if missing")
    parser.add_argument("--target", metavar="NAME", help=TARGET)


@command("dump", "write the results of all compiler stages to DIR", arguments)
def run(args: Namespace) -> int:
    """Write the files, and print where they are."""
    directory, options = Path(args.directory), compile_options(args)
    dump_net(look(args.file), directory, options)
    n_files = sum(path.is_file() for path in directory.rglob("*"))
    print(f"wrote {n_files} files; start at {directory}/README.txt")
    return 0
