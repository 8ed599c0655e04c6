"""`mochac evaluate FILE`: statistics of test_net (or else net) over one exact pass of its data."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from mochac.api.compiler import compile_net
from mochac.base.errors import SnapshotError
from mochac.base.options import CompileOptions
from mochac.nets.solvers.solver import Solver
from mochac.runtime.ranks.ranks import Ranks
from mochac.tools.cli.command import command, compile_arguments, compile_options
from mochac.tools.cli.ranks import on_ranks, ranks_argument
from mochac.tools.cli.train import print_statistics
from mochac.tools.cli.userfile import UserFile, load
from mochac.training.loop.snapshot import newest_snapshot


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    compile_arguments(parser)
    what = "model file, snapshot or folder of snapshots to load (default: load_from of the solver)"
    parser.add_argument("--model", metavar="PATH", help=what)
    ranks_argument(parser, "evaluate")


@command("evaluate", "evaluate the net in FILE", arguments)
def run(args: Namespace) -> int:
    """Load parameters, evaluate, print."""
    options = compile_options(args)
    return on_ranks(args, lambda comm, ranks: _evaluate(args, options, comm, ranks), ordered=False)


def _evaluate(args: Namespace, options: CompileOptions, comm: Any, ranks: Ranks) -> int:
    user = load(args.file)
    path = model_of(user, args.model)
    with compile_net(user.test_net or user.net, options) as program:
        if path is not None:
            program.load(path)
        ranks.gather(None)
        means = program.evaluate(comm=comm)
        ranks.close()
        if ranks.leads:
            print(f"parameters: {path or 'initial values (no --model, no snapshot)'}")
            print_statistics(means)
    return 0


def model_of(user: UserFile, given: str | None) -> Path | None:
    """The file of the parameters; None if load_from of the solver has no snapshot yet.

    Raises:
        SnapshotError: a folder named by --model has no snapshot.
    """
    named = given or (user.solver.load_from if isinstance(user.solver, Solver) else "")
    path = Path(named)
    if not named or (not given and not os.path.exists(path)):
        return None
    if not os.path.isdir(path):
        return path
    newest = newest_snapshot(path)
    if newest is None and given:
        raise SnapshotError(f"no snapshot in {path}")
    return newest.path if newest else None
