"""`mochac explain FILE`: layers, memory, kernels, fusions and why not, as text."""

from __future__ import annotations

from argparse import Namespace

from mochac.cli.command import command, compile_arguments, compile_options
from mochac.cli.userfile import load
from mochac.driver.compile import compile


@command("explain", "show what FILE's net is compiled to, and why", compile_arguments)
def run(args: Namespace) -> int:
    """Print the report."""
    with compile(load(args.file).net, **compile_options(args)) as program:
        print(program.explain(), end="")
    return 0
