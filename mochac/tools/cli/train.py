"""Commands that train and evaluate nets, with several ranks if asked."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mochac.api.compiler import compile_net
from mochac.base.errors import NumericError, OptionError, RankError, SnapshotError
from mochac.base.files.atomic import check_output
from mochac.base.options import CompileOptions, Options
from mochac.base.support.interrupts import listening
from mochac.nets.solvers.sgd import DEFAULT
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.model_file import check_ending
from mochac.runtime.ranks.messages import is_reported
from mochac.runtime.ranks.processes import is_rank, start
from mochac.runtime.ranks.ranks import ALONE, Ranks, mpi, require_order
from mochac.tools.cli.command import command, compile_arguments, compile_options, positive
from mochac.tools.cli.userfile import UserFile, load
from mochac.training.loop.coffee import Snapshot, TrainingSummary
from mochac.training.loop.snapshot import newest_snapshot

Work = Callable[[Any, Ranks], int]
"""The work of a command: (communicator or None, ranks) -> exit status. Ranks wait for each other before any work that
reports failures of ranks in its own way."""


def ranks_argument(parser: ArgumentParser, what: str) -> None:
    """Add --ranks; `what`: what these processes do together."""
    text = f"{what} on N processes of this machine (MPI)"
    parser.add_argument("--ranks", type=positive, metavar="N", help=text)


def on_ranks(args: Namespace, work: Work, *, ordered: bool = True) -> int:
    """Run a command: on the ranks that --ranks asks for, as one of several, or alone. Returns the exit status."""
    if args.ranks and not is_rank():
        if ordered:
            require_order(args.ranks, "--unordered" if hasattr(args, "unordered") else "")
        return start(args.ranks, sys.argv[1:])
    if args.ranks or is_rank():
        return _as_rank(args, work, ordered)
    return work(None, ALONE)


def _as_rank(args: Namespace, work: Work, ordered: bool) -> int:
    """Run as one of several ranks; ranks other than 0 show only their own errors."""
    comm = mpi().COMM_WORLD
    if args.ranks and comm.size != args.ranks:
        rule = f"{args.ranks} processes were started, but this one sees {comm.size}"
        hint = f"mpiexec belongs to another MPI than mpi4py's: mpiexec -n N mochac {args.command} FILE"
        raise OptionError(rule, hint=hint)
    ranks = Ranks(comm, ordered=ordered, timeout_s=Options.from_env().rank_timeout)
    try:
        ranks.compare({"files": Path(args.file).read_text(errors="replace")})
        return work(comm, ranks)
    except BaseException as error:  # sys.exit() in FILE, too
        ranks.fail(error)
        of_all = isinstance(error, (RankError, NumericError))  # another rank failed, or all have the same numbers
        if (of_all and comm.rank) or is_reported(comm, error, ranks.timeout_s):
            return 1
        raise


INTERRUPTED = 130


def _arguments(parser: ArgumentParser) -> None:
    compile_arguments(parser)
    parser.add_argument(
        "--max-iter", type=positive, metavar="N", help="stop at this iteration (default: max_iter of the solver)"
    )
    parser.add_argument("--model", metavar="FILE", help="model file or snapshot to start from")
    ranks_argument(parser, "train")
    parser.add_argument(
        "--unordered", action="store_true", help="with several ranks: add sums as MPI does, for any number of ranks"
    )
    parser.add_argument(
        "--save", metavar="FILE", help="save the trained parameters in a model file (.h5, .npz, .safetensors)"
    )


@command("train", "train the net in FILE", _arguments)
def run(args: Namespace) -> int:
    """Train, save, evaluate."""
    options = compile_options(args)
    return on_ranks(args, lambda comm, ranks: _train(args, options, comm, ranks), ordered=not args.unordered)


def _train(args: Namespace, options: CompileOptions, comm: Any, ranks: Ranks) -> int:
    """Load FILE and train."""
    leads = comm is None or comm.rank == 0
    user = load(args.file)
    solver = solver_of(user, args.max_iter)
    if args.save:
        check_ending(args.save)
        if leads:
            check_output(args.save)
    if leads and not args.save and not any(isinstance(entry.coffee, Snapshot) for entry in solver.breaks):
        print("note: the result will not be saved; use --save MODEL.h5, or a Snapshot break", file=sys.stderr)
    with compile_net(user.net, options) as program:
        if args.model:
            program.load(args.model)
        ranks.gather(None)
        ranks.close()
        with listening():  # so that the parameters are saved even after a signal
            lounge = program.train(solver, comm=comm, ordered=not args.unordered)
            if args.save and leads:
                program.save(args.save)
        if lounge.interrupted:
            return INTERRUPTED
        if user.test_net is not None:
            with compile_net(user.test_net, options, program.params) as test:
                means = test.evaluate(comm=comm)
                if leads:
                    print_statistics(means)
    return 0


def solver_of(user: UserFile, max_iter: int | None) -> Solver:
    """The solver in FILE; with only a method, or nothing, --max-iter is needed."""
    if isinstance(user.solver, Solver):
        user.solver.max_iter = max_iter or user.solver.max_iter
        return user.solver
    if max_iter is None:
        hint = "--max-iter 1000, or `solver = Solver(SGD(...), max_iter=1000)` in the file"
        raise OptionError(f"{user.path} does not say how long to train", hint=hint)
    solver = Solver(user.solver or DEFAULT, max_iter=max_iter)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=100)
    return solver


def print_statistics(means: dict[str, float]) -> None:
    """Print a line for each statistic."""
    width = max(map(len, means), default=0)
    for name, value in means.items():
        print(f"{name:{width}}  {value:.6g}")


def _arguments_evaluate(parser: ArgumentParser) -> None:
    compile_arguments(parser)
    what = "model file, snapshot or folder of snapshots to load (default: load_from of the solver)"
    parser.add_argument("--model", metavar="PATH", help=what)
    ranks_argument(parser, "evaluate")


@command("evaluate", "evaluate the net in FILE", _arguments_evaluate)
def run_evaluate(args: Namespace) -> int:
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


def model_of(user: UserFile, model: str | None) -> Path | None:
    """The file of the parameters; None if load_from of the solver has no snapshot yet.

    Raises:
        SnapshotError: a folder named by --model has no snapshot.
    """
    named = model or (user.solver.load_from if isinstance(user.solver, Solver) else "")
    path = Path(named)
    if not named or (not model and not os.path.exists(path)):
        return None
    if not os.path.isdir(path):
        return path
    newest = newest_snapshot(path)
    if newest is None and model:
        raise SnapshotError(f"no snapshot in {path}")
    return newest.path if newest else None
