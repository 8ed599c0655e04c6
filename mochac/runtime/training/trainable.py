"""What the training loop needs of a program: Trainable, and Validated for the test program of a validation.

session.Session implements `Trainable`, Program `Validated`; the tests train a session written in NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from mochac.runtime.support.finite import NotFinite
from mochac.runtime.training.last_training import LastTraining
from mochac.runtime.training.statistics import Statistics
from mochac.solvers.clipping import Clipping
from mochac.solvers.method import Method


class TrainableProgram(Protocol):
    """A compiled program, which the loop hands to coffee breaks; it trains the program's session."""

    @property
    def session(self) -> Trainable: ...


class Trainable(Protocol):
    """A program's session as the training loop sees it. All methods run on the thread that called train()."""

    name: str
    """The net's name, for messages."""

    batch_size: int
    """Samples per step, for samples/s."""

    seed: int
    """Of shuffling and dropout; a resume compares it."""

    rng_step: int
    """The counter behind %step: advance(n) adds n. Read for a snapshot, written by a resume."""

    last_training: LastTraining | None
    """How the last training ended whose slots the program still has; written by the loop."""

    def claim(self, training: object) -> None:
        """One training at a time: raises OptionError while another one that lives has claimed the program."""
        ...

    def release(self, training: object) -> None:
        """This training has ended."""
        ...

    def prepare(self, method: Method, *, regu_coef: float, clipping: Clipping, resume: bool = False) -> None:
        """Build or select the step plan, set its slots to zero unless `resume`; cursors, parameters and rng_step stay
        as they are."""
        ...

    def parameters(self) -> Mapping[str, np.ndarray]:
        """Live arrays (Parameter.storage) of this program's parameters as "key___param"; a resume writes them."""
        ...

    def load(self, path: str) -> None:
        """Read a model file into the parameters (model_file.load_model)."""
        ...

    def slots(self) -> Mapping[str, np.ndarray]:
        """Live arrays of the solver's slots, "key.param.slot"; a resume writes them. Empty before prepare()."""
        ...

    def overflowed(self) -> NotFinite | None:
        """The first parameter or slot with a NaN or an infinity, as "parameter ip.weight" or "solver slot ..."; None
        where training can go on. Newer values on a device stay there."""
        ...

    def cursor(self) -> dict[str, Any]:
        """Where every data layer stands, JSON-able: what steps consumed, not what was read ahead (Feed.cursor())."""
        ...

    def set_cursor(self, cursor: Mapping[str, Any]) -> None:
        """Go on from there (Feed.set_cursor())."""
        ...

    def epoch(self) -> int:
        """Completed passes of the first data layer (Feed.epoch)."""
        ...

    def steps_to_epoch(self) -> int:
        """Steps until epoch() grows, >= 1 (Feed.steps_to_epoch())."""
        ...

    def renew(self) -> None:
        """Arrays of the user's may have changed since they were read ahead (Feed.renew())."""
        ...

    def ready(self, limit: int) -> int:
        """Wait for a filled batch; how many steps may run now, 1..limit (Feed.wait()). Raises a reader's DataError."""
        ...

    def waited(self) -> Mapping[str, float]:
        """Seconds that ready() has waited for each data layer, so far (Feed.waited())."""
        ...

    def advance(self, n: int, hypers: Mapping[str, np.ndarray], first: int) -> Mapping[str, np.ndarray]:
        """Run n <= ready(...) steps after `first` completed iterations; `hypers` holds float64 arrays (n,).

        Returns float arrays (n,): "obj_val" and one per loss layer under the layer's name, each that batch's loss
        before its update.
        """
        ...


class Validated(Protocol):
    """A test program as ValidationPerformance sees it."""

    def parameters(self) -> Mapping[str, np.ndarray]:
        """As Trainable.parameters."""
        ...

    def evaluation(self) -> Statistics:
        """Means over one exact pass (Feed.evaluation()), moving no cursor; evaluate() is its means()."""
        ...

    def statistic_names(self) -> list[str]:
        """The names in evaluate()."""
        ...
