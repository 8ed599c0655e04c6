"""`mochac profile FILE`: the time of each kernel of a step."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from mochac.api.compiler import compile_net
from mochac.base.options import CompileOptions
from mochac.runtime.ranks.ranks import Ranks
from mochac.tools.cli.command import command, compile_arguments, compile_options, positive
from mochac.tools.cli.ranks import on_ranks, ranks_argument
from mochac.tools.cli.userfile import look


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument(
        "--n-iter", type=positive, metavar="N", help="steps to run (default 50; fewer if they are slow)"
    )
    parser.add_argument("--top", type=positive, metavar="N", help="show only the N slowest kernels")
    ranks_argument(parser, "profile")


@command("profile", "measure the time of each kernel of the net in FILE", arguments)
def run(args: Namespace) -> int:
    """Print the table."""
    options = compile_options(args)
    return on_ranks(args, lambda comm, ranks: _profile(args, options, comm, ranks))


def _profile(args: Namespace, options: CompileOptions, comm: Any, ranks: Ranks) -> int:
    with compile_net(look(args.file), options) as program:
        ranks.gather(None)
        ranks.close()
        table = program.profile(args.n_iter, comm=comm)
        if ranks.leads:
            print(table.top(args.top) if args.top else table, end="")
    return 0
