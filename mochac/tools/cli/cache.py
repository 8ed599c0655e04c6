"""`mochac cache --stat|--clear`: the compile cache on disk."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mochac.base.files.cache import Cache
from mochac.base.options import Options
from mochac.base.support.columns import unit
from mochac.tools.cli.command import command


def arguments(parser: ArgumentParser) -> None:
    """Options of the command."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--stat", action="store_true", help="show its size (default)")
    choice.add_argument("--clear", action="store_true", help="empty it")


@command("cache", "show or empty the compile cache", arguments)
def run(args: Namespace) -> int:
    """Print or clear."""
    options = Options.from_env()
    cache = Cache(options.cache_dir)
    if args.clear:
        print(f"{cache.folder}: {unit(cache.clear(), 'B')} freed")
        return 0
    stat = cache.stat()
    off = "" if options.cache else ", disabled by MOCHAC_CACHE"
    held = f"not used: {stat.refused}" if stat.refused else f"{stat.entries} entries, {unit(stat.total_bytes, 'B')}"
    print(f"{stat.folder}: {held}{off}")
    return 0
