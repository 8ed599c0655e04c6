"""`mochac train FILE`: train the net in FILE with its solver, then evaluate test_net."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from mochac.api.compiler import compile_net
from mochac.base.errors import OptionError
from mochac.base.files.atomic import check_output
from mochac.base.options import CompileOptions
from mochac.base.support.interrupts import listening
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.model_file import check_ending
from mochac.runtime.ranks.ranks import Ranks
from mochac.tools.cli.command import command, compile_arguments, compile_options, positive
from mochac.tools.cli.ranks import on_ranks, ranks_argument
from mochac.tools.cli.userfile import UserFile, load
from mochac.training.loop.coffee import Snapshot, TrainingSummary

INTERRUPTED = 130


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
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


@command("train", "train the net in FILE", arguments)
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
    method = user.solver or SGD(lr_policy=LRPolicy.Fixed(0.01), mom_policy=MomPolicy.Fixed(0.9))
    solver = Solver(method, max_iter=max_iter)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=100)
    return solver


def print_statistics(means: dict[str, float]) -> None:
    """Print a line for each statistic."""
    width = max(map(len, means), default=0)
    for name, value in means.items():
        print(f"{name:{width}}  {value:.6g}")
