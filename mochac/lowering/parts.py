"""Parts: into how many sums a sum over the batch is cut (passes/cut_batch.py), and how many fit a batch and ranks."""

from __future__ import annotations

from mochac.base.errors import OptionError

MAX_PARTS = 8
MIN_SAMPLES = 32
"""Samples of a part, if the number of parts is chosen here: two of the widest vectors, since lanes of the last one may
be idle (Zen 5, CIFAR-10 net: 4 parts of 25 take 1.11 times as long as a batch of 100, 2 of 50 take 1.03)."""


def parts_of(batch: int, ranks: int = 1) -> int:
    """The number of parts where several ranks train and compile() got none: the largest power of two, MAX_PARTS
    at most, that cuts the batch into parts of MIN_SAMPLES or more; as many as there are ranks if these are more. So
    it depends on the batch alone for few ranks.

    >>> [parts_of(batch) for batch in (16, 32, 64, 100, 128, 1024)], parts_of(64, ranks=4)
    ([1, 1, 2, 2, 4, 8], 4)
    """
    fitting = (n for n in _powers_of_two(MAX_PARTS) if batch % n == 0 and batch // n >= MIN_SAMPLES)
    return max(ranks, *fitting, 1)


def checked_parts(batch: int, parts: int, ranks: int = 1) -> int:
    """The number of parts of a plan.

    Args:
        batch: samples, on all ranks together.
        parts: what compile() got, or parts_of(batch, ranks).

    Raises:
        OptionError: the batch cannot be cut into these parts, or the parts cannot be shared among the ranks.

    >>> checked_parts(64, 8, ranks=4)
    8
    """
    if batch % parts:
        rule = f"a batch of {batch} samples cannot be cut into {parts} equal parts"
        fitting = [n for n in _powers_of_two(batch) if batch % n == 0]
        raise OptionError(rule, expected=f"{_one_of(fitting)} parts", got=f"{parts} parts", hint=_batch_hint(batch))
    if parts % ranks:
        possible = [n for n in _powers_of_two(parts) if n > 1]
        rule = f"{parts} {'part' if parts == 1 else 'parts'} of a batch cannot be shared equally among {ranks} ranks"
        raise OptionError(rule, expected=_ranks(possible), got=f"{ranks} ranks", hint=_parts_hint(batch, ranks))
    return parts


def _ranks(possible: list[int]) -> str:
    return f"{_one_of(possible)} ranks" if possible else "1 rank"


def _powers_of_two(most: int) -> list[int]:
    return [1 << n for n in range(most.bit_length()) if 1 << n <= most]


def _one_of(numbers: list[int]) -> str:
    return " or ".join([", ".join(map(str, numbers[:-1])), str(numbers[-1])] if len(numbers) > 1 else map(str, numbers))


def _batch_hint(batch: int) -> str:
    """The nearest larger batch that more parts divide, if this one does not have as many as are usual."""
    if batch % MAX_PARTS == 0:
        return ""
    return f"batch_size={-(-batch // MAX_PARTS) * MAX_PARTS} can be cut into {MAX_PARTS} parts"


def _parts_hint(batch: int, ranks: int) -> str:
    if ranks & (ranks - 1):
        return "a power of two ranks: parts are added up in pairs"
    return (
        f"compile(net, parts={ranks}), or --parts {ranks}"
        if batch % ranks == 0
        else f"a batch_size that {ranks} divides"
    )
