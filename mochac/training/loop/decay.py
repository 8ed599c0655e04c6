"""Decay: what LRPolicy.DecayOnValidation does to a training when a validation is worse than the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.registry import misspelt
from mochac.base.support.log import LOG
from mochac.nets.solvers.policy import Decaying
from mochac.training.loop.coffee import TrainingState, ValidationPerformance
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.retention import BestParameters
from mochac.training.loop.snapshot import recalling
from mochac.training.session.session import Session


class Decay:
    """One such policy in a training, and the validation that it watches.

    Args:
        breaks: those of the training; one ValidationPerformance must have the policy's statistic.

    Raises:
        OptionError: none has, or several programs have.
    """

    def __init__(self, policy: Decaying, breaks: Sequence[Any]) -> None:
        self.policy, self.best = policy, BestParameters()
        self._validation = _validated(policy.key, [b for b in breaks if isinstance(b, ValidationPerformance)])

    def after(self, coffee: Any, lounge: CoffeeLounge, session: Session, state: TrainingState) -> bool:
        """Judge what a break has just recorded, if it is the validation that the policy watches.

        Returns:
            Whether it was worse: the best parameters are back, and the solver's slots are to be zeroed.
        """
        if not isinstance(coffee, ValidationPerformance) or coffee.of != self._validation.of:
            return False
        value, before = lounge.statistics[self.policy.key][state.iter], self.policy.lr
        better = self.policy.judge(value)
        if better:
            self.best.keep(session.parameters(), state.iter)
        if better is not False:
            return False
        self.best.put_back(session)
        words = "%s = %g is worse than the best: parameters of iteration %s, learning rate %g -> %g"
        LOG.info(words, self.policy.key, value, self.best.iteration, before, self.policy.lr)
        return True

    def memory(self) -> dict[str, Any]:
        """Its state, for snapshots."""
        return {**self.policy.memory(), **self.best.memory()}

    def recall(self, memory: Mapping[str, Any], session: Session) -> None:
        """Restore the state from memory(), unless that is of another statistic."""
        with recalling("LRPolicy.DecayOnValidation"):
            if self.policy.recall(memory):
                self.best.recall(memory, session.parameters())


def _validated(key: str, breaks: Sequence[ValidationPerformance]) -> ValidationPerformance:
    """The validation that has the statistic `key`; one that is due at other iterations too counts once."""
    rule = "LRPolicy.DecayOnValidation"
    if not breaks:
        hint = "solver.add_coffee_break(ValidationPerformance(test), every_n_iter=...)"
        raise OptionError(f"{rule} needs a ValidationPerformance break", hint=hint)
    names = {b.of: b.statistic_names() for b in breaks}
    having = {b.of: b for b in breaks if key in names[b.of]}
    if len(having) == 1:
        return next(iter(having.values()))
    if having:
        raise OptionError(f"{rule}: several validations have a statistic {key!r}", hint="name their layers differently")
    known = [name for of_break in names.values() for name in of_break]
    raise OptionError(
        f"{rule}: no validation has a statistic {key!r}",
        details=[f"known: {' '.join(known) or 'none'}"],
        hint=misspelt(key, known),
    )
