"""`mochac explain FILE`: layers, memory, kernels, fusions and why not, as text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mochac.cli.command import TARGET, command, compile_arguments, compile_options, library_options
from mochac.cli.userfile import look
from mochac.compiler import check_tunes, compile, explain
from mochac.lowering.choice import named_backend


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument("--target", metavar="NAME", help=TARGET)


@command("explain", "show what FILE's net is compiled to, and why", arguments)
def run(args: Namespace) -> int:
    """Print the report; a device or CPU that is not here is none to compile for, but one to look at."""
    backend = named_backend(args.backend, args.target)
    if args.target is not None or (backend == "cuda" and not args.device):
        check_tunes(args.tune, backend, args.target)
        how = {"dtype": args.dtype, **library_options(args)}
        print(explain(look(args.file), args.backend, args.target, **how), end="")
        return 0
    with compile(look(args.file), **compile_options(args)) as program:
        print(program.explain(), end="")
    return 0
