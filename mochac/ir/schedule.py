"""Schedule: a name and a list of steps that say how a naive kernel is cut, ordered and run; pure data.

A rule in codegen/<backend> chooses one per kernel, and tests construct their own. `ir.apply(schedule, kernel)` returns
the scheduled kernel. Each kind of step is one file in ir/steps/.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, field, fields
from typing import ClassVar, TypeVar

from mochac.base.escaping import unword, word
from mochac.base.records import record
from mochac.base.registry import Registry, did_you_mean
from mochac.ir.kernel import Kernel


class ScheduleError(ValueError):
    """A step does not fit its kernel; the message says which rule it breaks."""


@record
class Step:
    """Base class of steps. Subclasses are frozen dataclasses in ir/steps/ with fields of type str, int, bool, tuple,
    Step: a step may hold steps.

    Attributes:
        purpose: why steps of this kind are used, in words; "" if only the rule that chose the step knows.
    """

    purpose: ClassVar[str] = ""

    def apply(self, kernel: Kernel) -> Kernel:
        raise NotImplementedError

    def __str__(self) -> str:
        args = ", ".join(f"{f.name}={_text(v)}" for f in fields(self) if (v := getattr(self, f.name)) != "")
        return f"{_text_name(type(self))}({args})"


def _text_name(cls: type[Step]) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_text(v) for v in value) + ")"
    return word(value) if isinstance(value, str) else str(value)


STEPS: Registry[type[Step]] = Registry("schedule step", "mochac.ir.steps", "class {}(")


S = TypeVar("S", bound=Step)


def step(cls: type[S]) -> type[S]:
    """Decorator of a step class: registers it under its name in snake_case."""
    STEPS.add(_text_name(cls), cls)
    return cls


@record
class Schedule:
    """The steps in order, and a name that says which rule chose them.

    Attributes:
        reasons: why steps are there, in words, for steps whose rule says it; not part of str().
        refused: earlier rules of which a step did not fit the kernel, each with the reason.
    """

    name: str
    steps: tuple[Step, ...] = ()
    reasons: tuple[tuple[Step, str], ...] = field(default=(), compare=False, repr=False)
    refused: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def reason_of(self, step: Step) -> str:
        """Why a step is there: the reason that its rule gives, else the purpose of its kind; "" if there is neither."""
        return next((reason for known, reason in self.reasons if known == step), step.purpose)

    @property
    def annotated(self) -> str:
        """The text of the schedule, with comments: which rules were refused, and why each step is there."""
        lines = [f"  # not by {why}" for why in self.refused]
        lines += [f"  {s}  # {self.reason_of(s)}".removesuffix("  # ") for s in self.steps]
        return f"schedule {self.name}\n" + "".join(f"{line}\n" for line in lines)

    def __str__(self) -> str:
        return f"schedule {self.name}\n" + "".join(f"  {s}\n" for s in self.steps)


def parse_schedule(text: str) -> Schedule:
    """Inverse of str(Schedule); comments are left out.

    Raises:
        ScheduleError: a line is not a step, or names an unknown one.
    """
    head, *lines = [line.partition("  # ")[0].strip() for line in text.strip().splitlines()]
    if not head.startswith("schedule "):
        raise ScheduleError(f"a schedule's text starts with 'schedule NAME': {head!r}")
    return Schedule(head[len("schedule ") :], tuple(parse_step(line) for line in lines if line))


def parse_step(text: str) -> Step:
    """Inverse of str(Step).

    >>> print(parse_step("split(loop=n, factor=16, outer=q, inner=lane, tail=cut)"))
    split(loop=n, factor=16, outer=q, inner=lane, tail=cut)
    """
    name, bracket, rest = text.partition("(")
    if not bracket or not rest.endswith(")") or name not in STEPS:
        raise ScheduleError(f"not a schedule step: {text!r}{did_you_mean(name, STEPS)}")
    parts = [part.partition("=") for part in _split(rest[:-1])]
    known = {f.name: f for f in fields(STEPS[name])}
    keys, required = {key for key, _, _ in parts}, {f.name for f in known.values() if f.default is MISSING}
    if not required <= keys <= known.keys() or len(keys) < len(parts):
        raise ScheduleError(f"{name} has the fields {', '.join(known)}: {text!r}")
    values = {key: _parse_value(value) for key, _, value in parts}
    for key, value in values.items():
        wanted = known[key].type
        if not _is(value, wanted if isinstance(wanted, str) else wanted.__name__):
            raise ScheduleError(f"{name}: {key} must be of type {wanted}: {text!r}")
    return STEPS[name](**values)


def _is(value: object, wanted: str) -> bool:
    """Whether a value is of the type that a field declares: a class, or a tuple[..., ...] of them.

    >>> _is((("a",), ()), "tuple[tuple[str, ...], ...]"), _is(("a",), "tuple[tuple[str, ...], ...]")
    (True, False)
    """
    outer, _, inner = wanted.partition("[")
    if isinstance(value, Step):
        return wanted == "Step"
    if type(value).__name__ != outer:
        return False
    element = inner.removesuffix("]").removesuffix(", ...")
    return not isinstance(value, tuple) or not element or all(_is(x, element) for x in value)


def _parse_value(text: str) -> object:
    if text.partition("(")[0] in STEPS and text.endswith(")"):
        return parse_step(text)
    if text.startswith("("):
        return tuple(_parse_value(part) for part in _split(text[1:-1]))
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.lstrip("-").isdigit() else unword(text)


def _split(text: str) -> list[str]:
    """Split at commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            parts.append(text[start:k].strip())
            start = k + 1
    tail = text[start:].strip()
    return [*parts, tail] if tail else parts
