"""What the loop needs of a program, and what the last training left.

LastTraining: the record that train(resume=True) needs to continue the last training.

Parameters, solver slots, the position in the data and the counter of random numbers stay in the program.

Interfaces that the training loop needs: Trainable, and Validated for the test program of a validation.

session.Session implements `Trainable`, Program `Validated`; the tests train a session written in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.support.memory import NotFinite
from mochac.lowering.measures import Statistics
from mochac.nets.solvers.method import PolicyLike
from mochac.nets.solvers.update import Update
from mochac.runtime.ranks.ranks import Exchanged, Ranks
from mochac.training.loop.lounge import Table


@record
class LastTraining:
    """How a training ended.

    Args:
        method: name of the solver method.
        iteration: completed iterations, since iteration 0.
        start_epoch: epoch of the program at iteration 0.
        memory: state of policies and coffee breaks, by their names, as in a snapshot.
        statistics: of its lounge.
        saved_into: real path of the statistics file, "" for none.
    """

    method: str
    iteration: int
    start_epoch: int
    memory: Mapping[str, Mapping[str, Any]]
    statistics: Table
    saved_into: str

    def check(self, method: str) -> None:
        """Raise OptionError unless `method` can continue with the slots of this training."""
        if method != self.method:
            raise OptionError(
                "resume=True continues with the solver of the last training",
                expected=self.method,
                got=method,
                hint=f"without resume=True {method} starts at iteration 0",
            )


class TrainableProgram(Protocol):
    """A compiled program, which coffee breaks receive; the loop trains its session."""

    @property
    def session(self) -> Trainable: ...


class Trainable(Protocol):
    """The session of a program, as the training loop uses it. All methods are called in the thread of train()."""

    @property
    def stepping(self) -> AbstractContextManager[None, None]:
        """A context for one step of the caller's loop, which one thread at a time enters."""
        ...

    @property
    def writing(self) -> AbstractContextManager[None, None]:
        """A context in which no other thread reads the parameters."""
        ...

    name: str
    """Name of the net, for messages."""

    batch_size: int
    """Samples per batch, for samples/s."""

    @property
    def scheduled(self) -> Mapping[str, PolicyLike]:
        """The policies of weights of losses, by the names of their scalars."""
        ...

    def take_hypers(self, scalars: Mapping[str, float]) -> None:
        """Let forward() and backward() use the scalars of the next update, from now on."""
        ...

    seed: int
    """Seed of shuffling and dropout; compared on resuming."""

    @property
    def parts(self) -> int:
        """Into how many parts steps cut a batch; compared on resuming."""
        ...

    @property
    def convolutions(self) -> str:
        """Which algorithms convolutions may use, "auto" or "direct"; compared on resuming."""
        ...

    @property
    def precision(self) -> str:
        """In which factors of products are rounded, such as "float32" or "bfloat16"; compared on resuming."""
        ...

    last_training: LastTraining | None
    """How the last training ended, if the program still has its slots; set by the loop."""

    @property
    def rng_step(self) -> int:
        """The step counter of random numbers: every batch adds 1. Saved in snapshots."""
        ...

    @rng_step.setter
    def rng_step(self, step: int) -> None: ...

    def claim(self, training: object) -> None:
        """Reserve the program for this training; raises OptionError if another training has it."""
        ...

    def release(self, training: object) -> None:
        """Release the program at the end of this training."""
        ...

    def facts(self) -> Mapping[str, Any]:
        """What must be equal on all ranks that train together, by name."""
        ...

    def exchanged(self) -> Exchanged:
        """What has been exchanged with other ranks in this training."""
        ...

    def prepare(self, update: Update, *, resume: bool = False) -> None:
        """Compile or select the plan of a training step, and zero the slots unless `resume`; cursors, parameters and
        rng_step are not changed."""
        ...

    def parameters(self) -> Mapping[str, np.ndarray]:
        """The storage of the parameters by "key___param", for reading and writing."""
        ...

    def load(self, path: str, /) -> object:
        """Load parameters from a model file."""
        ...

    def slots(self) -> Mapping[str, np.ndarray]:
        """The storage of the solver's slots by "key.param.slot", for reading and writing; empty before prepare()."""
        ...

    def take_slots(self, given: Mapping[str, Mapping[str, np.ndarray]]) -> None:
        """Set the slots from arrays by slot and PyTorch's name of the parameter; raises SnapshotError."""
        ...

    def averages(self) -> Mapping[str, np.ndarray]:
        """The storage of the averages of the parameters by "key___param", for reading and writing."""
        ...

    def start_averages(self) -> None:
        """Set the averages to the parameters."""
        ...

    def overflowed(self) -> NotFinite | None:
        """The first parameter or slot with a NaN or an infinity, named "parameter ip.weight" or "solver slot ..."; None
        if there is none. Values on a device stay there."""
        ...

    def cursor(self) -> dict[str, Any]:
        """The position of every data layer, JSON-able: what steps have consumed, not what was read ahead."""
        ...

    def seek(self, n_batches: int) -> None:
        """Continue where the data layers are after this many batches."""
        ...

    def set_cursor(self, cursor: Mapping[str, Any]) -> None:
        """Continue from this position."""
        ...

    def epoch(self) -> int:
        """Completed passes over the first data layer."""
        ...

    def knows_epochs(self) -> bool:
        """Whether it is known beforehand how many samples an epoch has."""
        ...

    def steps_to_epoch(self, epochs: int = 1) -> int:
        """Steps until epoch() has grown by `epochs`, >= 1; a step is an update, of Update.accumulate batches."""
        ...

    def renew(self) -> None:
        """Drop batches that were read ahead from arrays which the user may have changed."""
        ...

    def give(self, arrays: Mapping[str, Any]) -> None:
        """Let the next step run on these arrays, by top, in place of the data layers' batches."""
        ...

    def ready(self, limit: int, wanted: Callable[[], bool] = ...) -> int:
        """Wait for a filled batch. Returns how many steps may run now, 1..limit, or 0 if none are `wanted` any longer;
        raises the DataError of a reader."""
        ...

    def waited(self) -> Mapping[str, float]:
        """Seconds that ready() has waited for each data layer so far."""
        ...

    def advance(self, n: int, hypers: Mapping[str, Any], first: int) -> Mapping[str, np.ndarray]:
        """Run n <= ready(...) steps after `first` completed iterations; `hypers` are float64 arrays (n,).

        Returns:
            Arrays (n,) of the losses of each batch before its update: "obj_val", and one for each loss layer by name;
            of the norms of gradients under norm_of(key.name), if the training has them reported.
        """
        ...

    def advance_one(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Run one step: as advance(), with numbers."""
        ...

    def take_gradients(self, iteration: int) -> dict[str, float] | None:
        """Take the gradients of the last backward(). Returns the losses, as advance(), of the batches of an update if
        it has all of them now; else None. "obj_val" is absent if the loss is outside of the net."""
        ...

    def apply_gradients(self, hypers: Mapping[str, Any], first: int) -> dict[str, float]:
        """Update the parameters by the gradients taken, after `first` completed iterations; `hypers` are numbers.
        Returns norms of gradients, as advance()."""
        ...


class Validated(Protocol):
    """A test program, as validations use it."""

    def parameters(self) -> Mapping[str, np.ndarray]:
        """As Trainable.parameters."""
        ...

    def evaluation(
        self, average: bool = False, *, ranks: Ranks = ..., arrays: Mapping[str, Any] | None = None
    ) -> Statistics:
        """Statistics over one exact pass of the data, or of `arrays` by top, with the averages of the parameters if
        `average`; the cursor does not move. `ranks` share the work."""
        ...

    def warn_of_unset(self, known: Mapping[str, np.ndarray], /) -> None:
        """Warn of layers whose parameters nobody has set, and that are not `known`."""
        ...

    def statistic_names(self) -> list[str]:
        """The names in evaluate()."""
        ...
