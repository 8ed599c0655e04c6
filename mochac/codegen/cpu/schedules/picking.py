"""pick: lets a rule choose its best option and a search try the others.

A rule writes `tile = pick(best, *others)` and gets `best`; a search (mochac/tuning) runs the rule again for each of the
others. So a search needs no second version of a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

T = TypeVar("T")
Picks = tuple[int, ...]
"""Positions of the chosen options, one per call of `pick`; missing ones are 0."""


CLOSE = 1.01
"""Options that take at most this many times the cycles of the quickest count as equally quick: models are no more exact
than that."""
SAVED = 0.1
"""What moving less data is worth among equally quick options: a tenth less is worth one percent of the cycles."""
MOST_PICKS, MOST_OPTIONS = 20, 24
"""Maximum calls of `pick` in a rule, and maximum options of each, that random picks cover."""


@dataclass
class _TrialRun:
    """One run of a rule in a search: which options to choose, and how many options each call of `pick` had."""

    wanted: Picks
    counts: list[int] = field(default_factory=list)
    weighed: list[int] = field(default_factory=list)


_TRIAL: ContextVar[_TrialRun | None] = ContextVar("mochac-picking", default=None)


def pick(first: T, *others: T) -> T:
    """Return the first option, unless a search asks for another one.

    >>> pick(4, 2, 8)
    4
    """
    run = _TRIAL.get()
    if run is None:
        return first
    place = len(run.counts)
    run.counts.append(1 + len(others))
    position = run.wanted[place] if place < len(run.wanted) else 0
    return (first, *others)[min(position, len(others))]


def weigh(first: T, *others: T) -> T:
    """Like `pick`, for options among which the model of the machine decides if the first is predicted to do badly."""
    run = _TRIAL.get()
    if run is not None:
        run.weighed.append(len(run.counts))
    return pick(first, *others)


def rank_by_cycles(options: Iterable[tuple[float, float, T]]) -> list[T]:
    """Options, the quickest first; of several that are about equally quick, those that move the least data first.

    Bandwidth is shared with other threads and processes, and data that is not moved cannot be late.

    Args:
        options: each with its cycles and with what it moves, in any unit.

    >>> rank_by_cycles([(100, 7, "quickest"), (101, 6.7, "hardly less"), (101, 5, "as quick"), (103, 1, "slower")])
    ['as quick', 'quickest', 'hardly less', 'slower']
    """
    ranked = sorted(options, key=lambda option: option[0])
    close = [option for option in ranked if option[0] <= CLOSE * ranked[0][0]]
    close.sort(key=lambda option: option[0] * option[1] ** SAVED)
    return [option[2] for option in (*close, *ranked[len(close) :])]


def replay(rule: Callable[[], T], wanted: Picks = ()) -> tuple[T, tuple[int, ...]]:
    """Run a rule with the picks `wanted`; return its result and the number of options of each of its picks.

    >>> replay(lambda: pick(1, 2) + pick(10, 20, 30), (1, 2))
    (32, (2, 3))
    """
    run = _TrialRun(wanted)
    token = _TRIAL.set(run)
    try:
        return rule(), tuple(run.counts)
    finally:
        _TRIAL.reset(token)


def weighed(rule: Callable[[], T]) -> tuple[T, list[Picks]]:
    """The result of a rule, and the picks that choose another of the options that it weighs; none in a search, which
    picks itself.

    >>> weighed(lambda: pick(1, 2) + weigh(10, 20, 30))
    (11, [(0, 1), (0, 2)])
    """
    if _TRIAL.get() is not None:
        return rule(), []
    run = _TrialRun(())
    token = _TRIAL.set(run)
    try:
        return rule(), [(*[0] * place, n) for place in run.weighed for n in range(1, run.counts[place])]
    finally:
        _TRIAL.reset(token)


def first_options(rule: Callable[[], T]) -> T:
    """The result of a rule by itself: a search chooses none of its options.

    >>> replay(lambda: first_options(lambda: pick(1, 2)) + pick(10, 20, 30), (1, 2))
    (21, (3,))
    """
    return rule() if _TRIAL.get() is None else replay(rule)[0]


def neighbours(rule: Callable[[], T], start: Picks = ()) -> Iterator[tuple[Picks, T]]:
    """Results of a rule with one pick changed; the second options of all picks come first.

    >>> [result for _, result in neighbours(lambda: pick(1, 2) + pick(10, 20, 30))]
    [12, 21, 31]
    """
    _, counts = replay(rule, start)
    base = (*start, *[0] * len(counts))[: len(counts)]
    for turn in range(1, max(counts, default=1)):
        for place, count in enumerate(counts):
            option = turn - 1 if turn <= base[place] else turn  # every option but the current one
            if turn < count:
                picks = (*base[:place], option, *base[place + 1 :])
                yield picks, replay(rule, picks)[0]


def drawn(number: int, seed: int = 0) -> Iterator[Picks]:
    """Random picks, the same in every run; most of them are first options.

    >>> len(set(drawn(20)))
    20
    """
    rng = Random(seed)
    for _ in range(number):
        yield tuple(rng.choice((0, 0, rng.randrange(MOST_OPTIONS))) for _ in range(MOST_PICKS))
