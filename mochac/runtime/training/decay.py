"""What LRPolicy.DecayOnValidation does to a training: back to the best parameters when a validation is worse.

Training makes one Decay per such policy, calls `after` behind every coffee break, and keeps its memory in snapshots.
The policy judges the statistic; this file knows validations, parameters and slots, and no rule of a solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from mochac.errors import OptionError
from mochac.registry import suggestion
from mochac.runtime.support.log import LOG
from mochac.runtime.training.best import BestParameters
from mochac.runtime.training.coffee import ValidationPerformance
from mochac.runtime.training.snapshot import recalling

if TYPE_CHECKING:
    from mochac.runtime.training.loop import Training


class Watching(Protocol):
    """A policy whose number depends on validations: solvers' DecayOnValidation, as one training uses it."""

    key: str
    lr: float

    def judge(self, value: float) -> bool | None:
        """Take a validation's statistic: True a new best, False worse, None where the policy acts no more."""
        ...

    def memory(self) -> dict[str, Any]:
        """State, JSON-able."""
        ...

    def recall(self, memory: Mapping[str, Any]) -> bool:
        """Take memory() over; False where it is another policy's."""
        ...


class Decay:
    """One watching policy and the validation that it listens to.

    Args:
        breaks: those of the training; one ValidationPerformance must have the policy's statistic.

    Raises:
        OptionError: none has, or several programs have.
    """

    def __init__(self, policy: Watching, breaks: Sequence[Any]) -> None:
        self.policy, self.best = policy, BestParameters()
        self._program = _validated(policy.key, [b for b in breaks if isinstance(b, ValidationPerformance)])

    def after(self, coffee: Any, training: Training) -> None:
        """Judge what a break has just recorded, if it was the validation."""
        state, program = training.state, training.program
        if not isinstance(coffee, ValidationPerformance) or coffee.program is not self._program:
            return
        if self.policy not in training.watching(state.iter):
            return
        value, before = training.lounge.statistics[self.policy.key][state.iter], self.policy.lr
        better = self.policy.judge(value)
        if better:
            self.best.keep(program.session.parameters(), state.iter)
        elif better is False:
            self.best.put_back(program.session.parameters())
            training.zero_slots()
            words = "%s = %g is worse than the best: parameters of iteration %s, learning rate %g -> %g"
            LOG.info(words, self.policy.key, value, self.best.iteration, before, self.policy.lr)

    def memory(self) -> dict[str, Any]:
        """For snapshots."""
        return {**self.policy.memory(), **self.best.memory()}

    def recall(self, memory: Mapping[str, Any], program: Any) -> None:
        """Go on from a snapshot; that of a policy with another statistic is left alone."""
        with recalling("LRPolicy.DecayOnValidation"):
            if self.policy.recall(memory):
                self.best.recall(memory, program.session.parameters())


def _validated(key: str, breaks: Sequence[ValidationPerformance]) -> Any:
    """The program whose evaluation has the statistic `key`."""
    rule = "LRPolicy.DecayOnValidation"
    if not breaks:
        hint = "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)"
        raise OptionError(f"{rule} needs a ValidationPerformance break", hint=hint)
    names = {id(b.program): b.program.statistic_names() for b in breaks}
    programs = {id(b.program): b.program for b in breaks if key in names[id(b.program)]}
    if len(programs) == 1:
        return next(iter(programs.values()))
    if programs:
        raise OptionError(f"{rule}: several validations have a statistic {key!r}", hint="name their layers differently")
    known = [name for found in names.values() for name in found]
    close = suggestion(key, known)
    raise OptionError(
        f"{rule}: no validation has a statistic {key!r}",
        details=[f"known: {' '.join(known)}"],
        hint=f"did you mean {close!r}?" if close else "",
    )
