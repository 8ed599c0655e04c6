"""`mochac report FILE -o report.html`: one page about a step, from the user's line to the assembly."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mochac.api.compiler import compile_net
from mochac.tools.cli.command import command, compile_arguments, compile_options, positive
from mochac.tools.cli.userfile import look
from mochac.training.loop.lounge import load_statistics


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument(
        "-o", "--out", default="report.html", metavar="PATH", help="page to write (default report.html)"
    )
    parser.add_argument(
        "--n-iter", type=positive, metavar="N", help="steps to time (default 50; fewer if they are slow)"
    )
    parser.add_argument("--model", metavar="FILE", help="model file or snapshot whose weights are used")
    parser.add_argument("--statistics", metavar="FILE", help="statistics file of a training, whose curves are drawn")
    parser.add_argument("--perfetto", metavar="PATH", help="also write a trace of one step for ui.perfetto.dev")


@command("report", "write a page about the net in FILE: what its step costs, and why, down to the assembly", arguments)
def run(args: Namespace) -> int:
    """Measure, and write the page."""
    options = compile_options(args)
    statistics = load_statistics(args.statistics) if args.statistics else None
    with compile_net(look(args.file), options) as program:
        if args.model:
            program.load(args.model)
        program.report(args.out, n_iter=args.n_iter, statistics=statistics, perfetto=args.perfetto)
    print(f"wrote {args.out}" + (f" and {args.perfetto}" if args.perfetto else ""))
    return 0
