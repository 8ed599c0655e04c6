"""PythonDataLayer: batches of what Python code makes: data sets, iterators, PyTorch's DataLoader."""

from __future__ import annotations

from typing import Any, ClassVar

from mochac.base.support.users_data import NoUsersData, UsersData
from mochac.nets.layers.base import DeclaringLayer, layer
from mochac.nets.layers.fields import Refusal, Rule, boolean, integer, option, text


def users_data() -> Rule:
    """Field rule: a function that returns an iterable, an iterable, or a data set with numbered samples."""

    def convert(value: Any) -> UsersData:
        if isinstance(value, UsersData):
            return value
        try:
            return UsersData(value)
        except NoUsersData as error:
            raise Refusal(str(error)) from None

    bad = (None, 3, "train.txt", {"data": 1}, iter([1, 2]), lambda a, b: a)
    words = "a data set with __len__ and __getitem__, a function that returns an iterable, an iterable, or a DataLoader"
    return Rule(words, convert, [([0.0], 0)], bad)


@layer
class PythonDataLayer(DeclaringLayer):
    """Batches of samples that Python code makes.

    Args:
        make: one of

            - a data set with `__len__` and `__getitem__`: sample k is `make[k]`;
            - a function, such as a generator function, that returns a fresh iterable for each epoch. If it needs an
              argument, that is the number of the epoch, from 0 on;
            - an iterable that can be iterated over again and again;
            - a PyTorch DataLoader, whose batches may have any size.
        batch_size: samples per step, >= 1. Training batches wrap around at the end of an epoch.
        shapes: shape of a sample by top, such as {"data": (3, 32, 32), "label": (1,)}; else those of the first sample.
        batched: items are batches of samples; found out for a DataLoader.
        shuffle: permute the samples in every epoch, depending on the seed of the program; for data sets.
        workers: processes that load samples at the same time, for data sets; 0: one thread of this process, which
            works beside the training step.

    A sample is a tuple with a part for each top, a dict with the tops as keys, or, for one top, an array. Parts are
    numbers or anything that NumPy can read as an array; they are converted to the dtype of the program.

    A data set is resumed from a snapshot at the very sample. Iterables are made anew for the interrupted epoch, and the
    samples that were used are dropped. Each worker seeds `random`, `np.random` and PyTorch for every sample, so that
    their random numbers do not depend on the number of workers.

    Raises:
        DataError: no samples, or an error in the user's code, with its traceback and the sample; samples of different
            shapes; no numbers; a worker that was killed.

    >>> def squares():
    ...     for k in range(10):
    ...         yield [k, k * k], k % 2
    >>> PythonDataLayer(make=squares, batch_size=4).tops
    ('data', 'label')
    """

    reader: ClassVar[str] = "python"

    name: str = option(text(), default="python-data")
    make: Any = option(users_data())
    batched: bool = option(boolean(), default=False)
    workers: int = option(integer(0), default=0)

    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.make.indexed and not self.batched:
            return
        if self.shuffle:
            hint = "shuffle in `make`, which may take the number of the epoch; or in the DataLoader: shuffle=True"
            raise self.error("cannot shuffle samples that have no numbers", hint=hint)
        if self.workers:
            hint = "a DataLoader has workers of its own: num_workers=...; an iterator is read in a thread"
            raise self.error("workers share the samples of a data set with __len__ and __getitem__", hint=hint)

    def __eq__(self, other: object) -> bool:
        return self is other
