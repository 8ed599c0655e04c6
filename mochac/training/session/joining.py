"""Membership: a session as one of several ranks that train its net together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import fields
from types import TracebackType
from typing import Any

from mochac import __version__
from mochac.base.errors import OptionError, RankError, UnsupportedError
from mochac.base.files.cache import generator
from mochac.base.support.log import LOG, ensure_handler, one_line, quiet_process
from mochac.lowering.parts import checked_parts, parts_of
from mochac.lowering.plan_cache import canonical_text
from mochac.nets.net import Net
from mochac.runtime.data.ring import WHOLE, RankPart
from mochac.runtime.data.source import place_of
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.session.session import Session


class Membership:
    """A session's training steps on one of several ranks, from the construction of this object until leave(); as a
    context, until its end. Meanwhile only rank 0 logs.

    Args:
        earlier: into how many parts the training that is continued cut its batches. It is used unless another number is
            asked for, if the ranks can share this many parts.

    Raises:
        OptionError, UnsupportedError: the net cannot be trained in this way; the other ranks get the error, too.
    """

    def __init__(self, session: Session, ranks: Ranks, earlier: int | None = None) -> None:
        self._session, self._ranks = session, ranks
        self._quiet = ExitStack()
        if not ranks.together:
            return
        ensure_handler()
        self._quiet.enter_context(quiet_process(not ranks.leads))
        try:
            ranks.watch()
            _join(session, ranks, ranks.broadcast(earlier))
        except BaseException as error:
            self.leave(error)
            raise

    def leave(self, error: BaseException | None = None) -> None:
        """Train alone again. The other ranks get the error; without one, no rank leaves before all have finished."""
        ranks = self._ranks
        if not ranks.together:
            return
        with self._quiet:
            try:
                ranks.stop_watching()
                if error is None:
                    ranks.gather(None)
            except BaseException as late:
                error = late
                raise
            finally:
                if error is not None:
                    self._tell(error)
                leave(self._session)
        if error is None:
            ranks.close()

    def _tell(self, error: BaseException) -> None:
        if isinstance(error, RankError) and error.lost:
            LOG.error("%s; all ranks end", one_line(error))
        self._ranks.fail(error)

    def __enter__(self) -> None:
        """Nothing: it has joined."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.leave(error)


def _join(session: Session, ranks: Ranks, earlier: int | None) -> None:
    plans, n = session.plans, ranks.share.ranks
    batch = plans.net.batch
    if ranks.several:
        _require_fit(session, n)
        ranks.compare({"backends": plans.backend.name})
    default = parts_of(batch, n) if ranks.ordered else n
    if ranks.ordered and earlier and earlier % n == 0 and batch % earlier == 0:
        default = earlier
    parts = checked_parts(batch, plans.options.parts or default, n)
    exchange = plans.backend.exchange(ranks) if ranks.several else None
    threads = ranks.threads() if plans.backend.in_host_memory else None
    plans.join(ranks.share, parts, threads, exchange)
    session.batches.read(RankPart(rows=ranks.share))


def leave(session: Session) -> None:
    """Train a session in this process alone again."""
    plans, exchange = session.plans, session.plans.exchange
    if exchange is not None:
        exchange.stop()
    plans.leave()
    if exchange is not None:
        exchange.close()
    session.batches.read(WHOLE)


def _require_fit(session: Session, ranks: int) -> None:
    net, plans = session.plans.net, session.plans
    if net.batch % ranks:
        got, hint = f"batch_size {net.batch} on {ranks} ranks", f"batch_size={-(-net.batch // ranks) * ranks}"
        raise OptionError("ranks cannot share its batches equally", got=got, hint=hint, **place_of(net.sources[0]))
    kinds = {
        "output layers": bool(net.collectors),
        "keep=": bool(session.keep),
        "MOCHAC_CHECK": bool(plans.backend.env.check),
        "tune=, since searches may find other schedules on other ranks": plans.options.tune is not None,
    }
    for what, used in kinds.items():
        if used:
            rule = f"a training on several ranks does not support {what}"
            raise UnsupportedError(rule, hint="train in one process, or leave it out")


def facts(session: Session) -> dict[str, Any]:
    """What must be equal on all ranks, by name."""
    plans, backend = session.plans, session.plans.backend
    return {
        "versions": f"mochac {__version__}\n" + "\n".join(generator()),
        f"{backend.kind}s": "\n".join(backend.versions),
        "options": f"seed {plans.seed}, dtype {plans.dtype}, parts {plans.parts}, tune {plans.options.tune}, "
        f"convolutions {plans.convolutions}, precision {plans.options.precision}",
        "schedules": plans.edited.schedules if plans.edited is not None else "",
        "nets": "\n".join(_described(plans.net)),
        "programs": canonical_text(session.main_plan().source.graph),
        "data": "\n".join(f"{s.layer.name}: {s.contents()}" for s in session.batches.feed.sources),
    }


def _described(net: Net) -> Iterator[str]:
    """A line for each field of each layer, and for each blob."""
    for layer in net.layers:
        kind = type(layer).__name__.removesuffix("Layer")
        yield f"layer {layer.name!r} ({kind})"
        for field in fields(layer):  # pyright: ignore[reportArgumentType]
            if field.repr:
                yield f"layer {layer.name!r} ({kind}): {field.name}={getattr(layer, field.name)!r}"
    for name, blob in net.blobs.items():
        yield f"blob {name!r}: {blob}"
