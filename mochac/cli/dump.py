"""`mochac dump FILE DIR`: every stage of the compiler as files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from mochac.cli.command import TARGET, command, compile_arguments, compile_options, library_options
from mochac.cli.userfile import look
from mochac.compiler import check_tunes, compile, dump
from mochac.lowering.choice import named_backend


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument("directory", metavar="DIR", help="where to write; made if absent")
    parser.add_argument("--target", metavar="NAME", help=TARGET)


@command("dump", "write every stage of FILE's compilation to DIR", arguments)
def run(args: Namespace) -> int:
    """Write, and say where; only a search for schedules needs a program that could run."""
    check_tunes(args.tune, named_backend(args.backend, args.target), args.target)
    net = look(args.file)
    if args.tune is None:
        dump(net, args.directory, args.backend, args.target, dtype=args.dtype, **library_options(args))
    else:
        with compile(net, **compile_options(args)) as program:
            program.dump(args.directory)
    print(
        f"wrote {sum(p.is_file() for p in Path(args.directory).rglob('*'))} files; start at {args.directory}/README.txt"
    )
    return 0
