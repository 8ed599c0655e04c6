"""All exceptions that a user can meet, and the builder of their messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from mochac.base.escaping import visible


def message(
    kind: str = "",
    *,
    rule: str,
    layer: str = "",
    type: str = "",
    expected: str = "",
    got: str = "",
    details: Iterable[str] = (),
    hint: str = "",
    at: str = "",
) -> str:
    """The text of one problem: what is wrong, expected against actual, where it comes from, a hint, the user's line.
    Characters that are not printable are escaped.

    Args:
        kind: name of the exception class, or "" to leave the prefix out.
        rule: the broken rule in a few words.
        layer, type: name and type of the layer (without "Layer"), or "" where no layer is concerned.
        expected, got: short texts; `got` alone is allowed.
        details: further lines, each one fact (provenance, known names).
        hint: what to do about it.
        at: "file:line" of the user's code.

    >>> print(message("ShapeError", layer="conv2", type="Convolution", rule="kernel does not fit its input",
    ...               expected="height + 2*pad >= kernel", got="4 + 2*0 < 5", hint="pad=(1, 1)", at="lenet.py:18"))
    ShapeError: layer 'conv2' (Convolution): kernel does not fit its input
      expected  height + 2*pad >= kernel,  got  4 + 2*0 < 5
      hint: pad=(1, 1)
      at lenet.py:18
    """
    head = (f"{kind}: " if kind else "") + (f"layer {layer!r}" if layer else "")
    if layer:
        head += (f" ({type})" if type else "") + ": "
    lines = [head + rule]
    if expected:
        lines.append(f"  expected  {expected}" + (f",  got  {got}" if got else ""))
    elif got:
        lines.append(f"  got  {got}")
    lines += [f"  {line}" for detail in details for line in detail.splitlines()]
    if hint:
        lines.append(f"  hint: {hint}")
    if at:
        lines.append(f"  at {at}")
    return visible("\n".join(lines), keep="\n\t")


def shown(value: object) -> str:
    """A short repr for messages, on one line.

    >>> shown("a name"), shown(10**5000)
    ("'a name'", 'an int of more than 4300 digits')
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python does not convert larger integers, even inside of lists
        large = "an int of more than 4300 digits"
        text = large if isinstance(value, int) else f"a {type(value).__name__} with {large}"
    return f"{text[:60]}..." if len(text) > 63 else text


E = TypeVar("E", bound="MochacError")


class MochacError(Exception):
    """Base of all of mochac's errors; `str(e)` is the message, `e.report` the same with the kind in front.

    Causes and fixes are in the subclasses. `e.problems` lists the single problems where one exception
    reports several (a Net reports all of its own at once), else it is `(e,)`.

    >>> MochacError("rule", layer="ip1", type="InnerProduct", got="3").report
    "MochacError: layer 'ip1' (InnerProduct): rule\\n  got  3"
    """

    def __init__(
        self,
        rule: str,
        *,
        layer: str = "",
        type: str = "",
        expected: str = "",
        got: str = "",
        details: Sequence[str] = (),
        hint: str = "",
        at: str = "",
    ) -> None:
        text = message(rule=rule, layer=layer, type=type, expected=expected, got=got, details=details, hint=hint, at=at)
        super().__init__(text)
        self.rule, self.layer, self.hint, self.at = rule, layer, hint, at
        self.problems: tuple[MochacError, ...] = (self,)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), str(self)), self.__dict__

    def noted(self, fact: str) -> Self:
        """This error with one more line, from a caller that knows more.

        >>> print(DataError("data holds NaN", layer="data").noted("net 3 of train_many()"))
        layer 'data': data holds NaN
          net 3 of train_many()
        """
        error = _rebuilt(type(self), f"{self}\n  {fact}")
        error.__dict__.update(self.__dict__)
        error.problems = (error,) if self.problems == (self,) else self.problems
        return error

    @property
    def report(self) -> str:
        """The message as the command line prints it, starting with the kind."""
        return f"{type(self).__name__}: {self}"


def _rebuilt(cls: type[E], text: str) -> E:
    """An unpickled error: its text is finished and must not be composed again."""
    return cls.__new__(cls, text)


class NetError(MochacError):
    """The wiring of a net is wrong.

    Causes: a bottom that no layer produces, two layers producing one blob or bearing one name, a cycle, two layers
    that share a param_key and disagree. Fix: the names in `bottoms` and `tops`; the message lists the known blobs.
    Also raised when a net has problems of several kinds at once.

    >>> print(NetError("no layer produces bottom 'pool_2'", layer="ip1", type="InnerProduct",
    ...                hint="did you mean 'pool2'?").report)
    NetError: layer 'ip1' (InnerProduct): no layer produces bottom 'pool_2'
      hint: did you mean 'pool2'?
    """


class ShapeError(MochacError):
    """Shapes do not fit: a kernel larger than its input, operands of different extents, an array of the wrong shape.

    Fix: the layer's fields (kernel, pad, n_group, shape) or its bottoms; the message shows every bottom's shape.

    >>> str(ShapeError("bottoms differ in shape", layer="sum", type="ElementWise"))
    "layer 'sum' (ElementWise): bottoms differ in shape"
    """


class OptionError(MochacError):
    """A field, parameter, argument or environment variable has a bad name, type or value.

    Fix: the message names it, its allowed range, and the closest known name when it was misspelt.

    >>> str(OptionError("solver SGD has no parameter 'momemtum'", hint="did you mean 'momentum'?"))
    "solver SGD has no parameter 'momemtum'\\n  hint: did you mean 'momentum'?"
    """


class DataError(MochacError):
    """Data is missing or unusable: no such file or dataset, truncated, empty, unequal sample counts, a label that is
    no class, a NaN or an infinity.

    Fix: the file, dataset and sample named in the message.

    Attributes:
        missing: whether the data does not exist at all; then a net can still be inspected if shapes are declared.

    >>> str(DataError("HDF5 file has no dataset 'label'", layer="train-data", type="HDF5Data"))
    "layer 'train-data' (HDF5Data): HDF5 file has no dataset 'label'"
    """

    missing = False

    def as_missing(self) -> DataError:
        """This error, marked as one about data that does not exist at all."""
        self.missing = True
        return self


class NumericError(MochacError):
    """A value became NaN or infinite during training: a loss, or a parameter or solver slot when a snapshot is due or
    training ends. MOCHAC_CHECK=nan looks after every step and names what was first.

    Causes: too large a learning rate, log or division outside its domain.

    >>> str(NumericError("iteration 812: blob 'relu1' became nan", hint="lower the learning rate"))
    "iteration 812: blob 'relu1' became nan\\n  hint: lower the learning rate"
    """


class UnsupportedError(MochacError):
    """A legal request that this backend, dtype or version cannot serve; the message says what is supported.

    >>> str(UnsupportedError("no float16 on backend 'cpu'", expected="float32 or float64"))
    "no float16 on backend 'cpu'\\n  expected  float32 or float64"
    """


class SnapshotError(MochacError):
    """A snapshot, model or statistics file cannot be read, written or does not belong to this net or solver; or another
    training writes there.

    Fix: name another file or folder, remove the damaged one, or make the folder writable.

    >>> str(SnapshotError("snapshot was written by solver Adam", expected="SGD", got="Adam"))
    'snapshot was written by solver Adam\\n  expected  SGD,  got  Adam'
    """


class BackendError(MochacError):
    """A backend is unknown, or its device or library is missing.

    Fix: install what the message names or choose backend="cpu".

    >>> str(BackendError("no backend 'gpu'", hint="one of: auto, cpu, cuda"))
    "no backend 'gpu'\\n  hint: one of: auto, cpu, cuda"
    """


class RankError(MochacError):
    """Training on several ranks has ended: a rank failed, does not answer, or differs from the others.

    `lost` is whether ranks can no longer be reached.

    Fixes: look at the log of the rank that the message names; start all ranks with the same files and versions.

    >>> str(RankError("the ranks differ in their nets", expected="as rank 0", got="rank 1: 3 layers"))
    'the ranks differ in their nets\\n  expected  as rank 0,  got  rank 1: 3 layers'
    """

    def __init__(self, rule: str, *, lost: bool = False, **parts: Any) -> None:
        super().__init__(rule, **parts)
        self.lost = lost


class InternalError(MochacError):
    """A fault of mochac itself: a pass broke the IR, generated code failed to assemble.

    Nothing in the user's program is wrong; please report it with the command the message gives.

    >>> print(InternalError("pass 'fuse' broke the IR", details=["in node 1, from layer 'relu1'"]))
    pass 'fuse' broke the IR
      in node 1, from layer 'relu1'
      this is a bug in mochac
    """

    def __init__(self, rule: str, *, details: Sequence[str] = (), reproduce: str = "", **parts: str) -> None:
        tail = "this is a bug in mochac" + (f"; reproduce:  {reproduce}" if reproduce else "")
        super().__init__(rule, details=[*details, tail], **parts)


def combined(problems: Sequence[MochacError], subject: str) -> MochacError:
    """One exception for all problems found at once.

    A single problem is returned as it is. Several problems of one class give that class; mixed classes give NetError,
    so `except NetError` catches whatever is wrong with a net that has problems of several kinds.

    >>> e = combined([NetError("a"), ShapeError("b", at="net.py:3")], "net 'LeNet'")
    >>> print(e.report)
    NetError: net 'LeNet' has 2 problems
      1. NetError: a
      2. ShapeError: b
           at net.py:3
    """
    if len(problems) == 1:
        return problems[0]
    classes = {type(p) for p in problems}
    cls = classes.pop() if len(classes) == 1 else NetError
    details = []
    for k, problem in enumerate(problems, 1):
        first, *rest = problem.report.splitlines()
        details += [f"{k}. {first}", *(f"   {line}" for line in rest)]
    error = cls(f"{subject} has {len(problems)} problems", details=details)
    error.problems = tuple(problems)
    return error


@contextmanager
def from_file(path: str) -> Iterator[None]:
    """A context in which objects are made of what a file says: their errors name it.

    >>> with from_file("net.prototxt"):
    ...     raise OptionError("base_mom is out of range")
    Traceback (most recent call last):
    mochac.base.errors.OptionError: base_mom is out of range
      in net.prototxt
    """
    try:
        yield
    except MochacError as error:
        raise (error if path in str(error) else error.noted(f"in {path}")) from None
