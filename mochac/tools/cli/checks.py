"""Commands for developers: passes run by name, the compile cache."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from mochac.base.files.cache import Cache
from mochac.base.files.reading import TEXT_BYTES, read_text, reason_of
from mochac.base.options import Options
from mochac.base.support.array_like import unit
from mochac.ir import Graph, VerifyError, parse, verify
from mochac.ir.passes import PASSES, known_pass
from mochac.ir.passes import run as run_pass
from mochac.tools.cli.command import CliError, command

STDIN = "<stdin>"


def _arguments_opt(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="textual IR (default: standard input)")
    parser.add_argument("--passes", default="", metavar="A,B", help="passes to run, in this order")
    parser.add_argument("--list", action="store_true", help="list the passes")


@command("opt", "run compiler passes on textual IR", _arguments_opt)
def run_opt(args: Namespace) -> int:
    """Parse, verify, run, verify, print."""
    if args.list:
        print("\n".join(PASSES))
        return 0
    passes = [name.strip() for name in args.passes.split(",") if name.strip()]
    for name in passes:
        known_pass(name)
    source = STDIN if args.file == "-" else args.file
    parsed = _parsed(source, _text(source))
    if isinstance(parsed, Graph):
        parsed = _run_all(source, parsed, passes)
    elif passes:
        raise CliError(f"{source}: passes run on graphs, not on a {type(parsed).__name__.lower()}")
    print(parsed, end="")
    return 0


def _run_all(source: str, graph: Graph, passes: list[str]) -> Graph:
    _verified(source, graph)
    for name in passes:
        try:
            graph = run_pass(name, graph)
        except ValueError as error:
            raise CliError(f"{source}: pass {name!r}: {error}") from error
        _verified(f"{source}, after pass {name!r}", graph)
    return graph


def _text(source: str) -> str:
    """The text of FILE or standard input."""
    try:
        if source != STDIN:
            return read_text(source)
        text = sys.stdin.read(TEXT_BYTES + 1)
        if len(text) > TEXT_BYTES:
            raise ValueError(f"more than {TEXT_BYTES:,} characters")
        return text
    except (OSError, ValueError) as error:
        raise CliError(f"{source}: {reason_of(error)}") from None


def _parsed(source: str, text: str) -> object:
    try:
        return parse(text)
    except ValueError as error:
        raise CliError(f"{source}: {error}") from error


def _verified(source: str, graph: Graph) -> None:
    try:
        verify(graph)
    except VerifyError as error:
        raise CliError(f"{source}: {error}") from error


def _arguments_cache(parser: ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--stat", action="store_true", help="show its size (default)")
    choice.add_argument("--clear", action="store_true", help="empty it")


@command("cache", "show or empty the compile cache", _arguments_cache)
def run_cache(args: Namespace) -> int:
    """Print or clear."""
    options = Options.from_env()
    cache = Cache(options.cache_dir)
    if args.clear:
        print(f"{cache.folder}: {unit(cache.clear(), 'B')} freed")
        return 0
    stat = cache.stat()
    off = "" if options.cache else ", disabled by MOCHAC_CACHE"
    state = f"not used: {stat.refused}" if stat.refused else f"{stat.entries} entries, {unit(stat.total_bytes, 'B')}"
    print(f"{stat.folder}: {state}{off}")
    return 0
