"""`mochac profile FILE`: the time of each kernel of a step."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mochac.cli.command import command, compile_arguments, compile_options, positive
from mochac.cli.userfile import look
from mochac.compiler import compile_net
from mochac.errors import OptionError
from mochac.runtime.ranks.launch import started


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument("--n-iter", type=positive, default=50, metavar="N", help="steps to run (default 50)")
    parser.add_argument("--top", type=positive, metavar="N", help="show only the N slowest kernels")


@command("profile", "measure the time of each kernel of the net in FILE", arguments)
def run(args: Namespace) -> int:
    """Print the table."""
    if started() > 1:
        hint = "run it without mpiexec; a training says at its end what its ranks exchanged, and how much was hidden"
        raise OptionError("profile measures one process", got=f"{started()} ranks", hint=hint)
    options = compile_options(args)
    with compile_net(look(args.file), options) as program:
        table = program.profile(args.n_iter)
        print(table.top(args.top) if args.top else table, end="")
    return 0
