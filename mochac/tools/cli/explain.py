"""`mochac explain FILE`: layers, memory, kernels and fusion, as text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mochac.api.compiler import explain_net
from mochac.base.support.terminal import columns_of, folded
from mochac.tools.cli.command import TARGET, command, compile_arguments, compile_options, positive
from mochac.tools.cli.userfile import look


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    parser.add_argument("--target", metavar="NAME", help=TARGET)
    text = "the step of one of N processes that train together, with what they exchange"
    parser.add_argument("--ranks", type=positive, metavar="N", default=1, help=text)


@command("explain", "show how the net in FILE is compiled, and why", arguments)
def run(args: Namespace) -> int:
    """Print the report."""
    options = compile_options(args)
    print(folded(explain_net(look(args.file), options, args.ranks), columns_of()), end="")
    return 0
