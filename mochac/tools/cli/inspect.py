"""Commands that look at a net: draw, explain, dump, profile, replay, report."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from mochac.api.compiler import compile_net, dump_net, explain_net
from mochac.base.files.atomic import write_bytes
from mochac.base.options import CompileOptions
from mochac.base.support.log import columns_of, folded
from mochac.inspect.replay import replay
from mochac.runtime.ranks.ranks import Ranks
from mochac.tools.cli.command import (
    TARGET,
    CliError,
    command,
    compile_arguments,
    compile_options,
    file_argument,
    positive,
)
from mochac.tools.cli.train import on_ranks, ranks_argument
from mochac.tools.cli.userfile import execute, look
from mochac.training.loop.lounge import load_statistics

FORMS = ("dot", "svg")


def _arguments_draw(parser: ArgumentParser) -> None:
    file_argument(parser)
    parser.add_argument(
        "-o", "--out", metavar="PATH", help="file to write, .dot or .svg (default: dot to standard output)"
    )
    parser.add_argument("--format", choices=FORMS, help="format of the file (default: by the ending of PATH)")


@command("draw", "draw the net in FILE as dot or SVG", _arguments_draw)
def run_draw(args: Namespace) -> int:
    """Write or print."""
    ending = Path(args.out).suffix.removeprefix(".") if args.out else "dot"
    form = args.format or ("dot" if ending == "gv" else ending)
    if form not in FORMS:
        raise CliError(f"draw writes .dot and .svg, not {args.out!r} (or give --format)")
    net = look(args.file)
    text = net.to_svg() if form == "svg" else net.to_dot()
    if args.out:
        write_bytes(Path(args.out), text.encode())
        print(f"wrote {args.out}")
    else:
        print(text, end="")
    return 0


def _arguments_explain(parser: ArgumentParser) -> None:
    compile_arguments(parser)
    parser.add_argument("--target", metavar="NAME", help=TARGET)
    text = "the step of one of N processes that train together, with what they exchange"
    parser.add_argument("--ranks", type=positive, metavar="N", default=1, help=text)


@command("explain", "show how the net in FILE is compiled, and why", _arguments_explain)
def run_explain(args: Namespace) -> int:
    """Print the report."""
    options = compile_options(args)
    print(folded(explain_net(look(args.file), options, args.ranks), columns_of()), end="")
    return 0


def _arguments_dump(parser: ArgumentParser) -> None:
    compile_arguments(parser)
    parser.add_argument("directory", metavar="DIR", help="folder to write to; created if missing")
    parser.add_argument("--target", metavar="NAME", help=TARGET)


@command("dump", "write the results of all compiler stages to DIR", _arguments_dump)
def run_dump(args: Namespace) -> int:
    """Write the files, and print where they are."""
    directory, options = Path(args.directory), compile_options(args)
    dump_net(look(args.file), directory, options)
    n_files = sum(path.is_file() for path in directory.rglob("*"))
    print(f"wrote {n_files} files; start at {directory}/README.txt")
    return 0


def _arguments_profile(parser: ArgumentParser) -> None:
    compile_arguments(parser)
    parser.add_argument(
        "--n-iter", type=positive, metavar="N", help="steps to run (default 50; fewer if they are slow)"
    )
    parser.add_argument("--top", type=positive, metavar="N", help="show only the N slowest kernels")
    ranks_argument(parser, "profile")


@command("profile", "measure the time of each kernel of the net in FILE", _arguments_profile)
def run_profile(args: Namespace) -> int:
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


def _arguments_replay(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="folder of a dump")
    parser.add_argument(
        "stage",
        metavar="STAGE",
        nargs="?",
        help="name of a pass, or staged, naive, scheduled, native (default: all stages)",
    )
    parser.add_argument("--import", dest="own", metavar="FILE", help="Python file that defines ops of your own")


@command("replay", "run the stages of a dump and compare their results", _arguments_replay)
def run_replay(args: Namespace) -> int:
    """Print the comparison."""
    if args.own:
        execute(args.own)
    report = replay(Path(args.directory), args.stage)
    print(report, end="")
    if "no op '" in report.reference.fault:
        print("hint: if this is an op of your own, import the file that defines it: mochac replay DIR --import FILE")
    return 0 if report.agreed else 1


def _arguments_report(parser: ArgumentParser) -> None:
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


@command("report", "write a page about the net in FILE: what its step costs, and why", _arguments_report)
def run_report(args: Namespace) -> int:
    """Measure, and write the page."""
    options = compile_options(args)
    statistics = load_statistics(args.statistics) if args.statistics else None
    with compile_net(look(args.file), options) as program:
        if args.model:
            program.load(args.model)
        program.report(args.out, n_iter=args.n_iter, statistics=statistics, perfetto=args.perfetto)
    print(f"wrote {args.out}" + (f" and {args.perfetto}" if args.perfetto else ""))
    return 0
