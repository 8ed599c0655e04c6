"""Nodes of a graph that is imported, and how many of them are read.

Budget: limits on the work and memory that a model may need until it is a net.

Even a small file may compute huge constants from other constants. Ordinary models need a small fraction of the limits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from mochac.base.errors import UnsupportedError
from mochac.base.records import record
from mochac.formats.importing.place import FIRST, BatchPlace, Shape

FLOAT, BOOL = 1, 9
REALS, SIGNED, UNSIGNED = (1, 10, 11, 16), (6, 7), (2, 4, 12, 13)
"""Element types as in TensorProto.DataType: floating-point; int32 and int64; unsigned integers."""
SHORT = (3, 5, *UNSIGNED)
"""Integers that wrap around at small numbers, or at 0."""
ELEMENTS = (*REALS, *SIGNED, *SHORT, BOOL)
"""What blobs may hold: as numbers, true as 1."""
UNBATCHED = "batch_axis=None if the model computes one sample, 1 if the batch is axis 1"


@record
class BlobTensor:
    """A tensor that depends on the samples or on parameters.

    Attributes:
        name: of its blob.
        shape: of the blob, for the batch of the import.
        element: its element type in the graph, as in ONNX's TensorProto.DataType; a blob holds numbers in any case.
        place: where the graph's tensor has the batch, which is axis 0 of the blob.
        samples: whether it has a batch at all; False: it depends on parameters only, and has the axes of the graph's
            tensor.
    """

    name: str
    shape: Shape
    element: int = FLOAT
    place: BatchPlace = FIRST
    samples: bool = True

    @property
    def extents(self) -> Shape:
        """Extents of the graph's tensor."""
        return self.place.extents(self.shape)

    def resized(self, axis: int, *extents: int) -> Shape:
        """The shape with these extents in the place of that of an axis."""
        return (*self.shape[:axis], *extents, *self.shape[axis + 1 :])


@record(eq=False)
class Constant:
    """A tensor that does not: its numbers.

    Attributes:
        name: its initializer; "" if it was computed.
        roots: the initializers of real numbers that it was computed from, or is.
    """

    array: np.ndarray
    name: str = ""
    roots: frozenset[str] = frozenset()

    @property
    def extents(self) -> Shape:
        """Extents of the tensor."""
        return self.array.shape


Tensor = BlobTensor | Constant


@record(eq=False)
class ImportedNode:
    """A node.

    Attributes:
        path: what is imported, for messages.
        inputs: None for those left out.
        outputs: extents and element types of its outputs in the graph, as far as they are known.
        uses: how often each output is read.
        lead: axes of blobs in front of those of the graph's tensors: 1 if a sample is all that the model takes at once,
            so that its tensors have no batch; 0 if their axis 0 is the batch.
    """

    path: str
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[tuple[Shape | None, int], ...]
    uses: tuple[int, ...]
    lead: int = 0

    @property
    def type(self) -> str:
        """Its operator."""
        raise NotImplementedError

    @property
    def tops(self) -> Sequence[str]:
        """Names of its outputs in the graph."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """What messages call it."""
        raise NotImplementedError

    @property
    def origin(self) -> tuple[str, int]:
        """File and line that layers made for it come from."""
        return self.path, 0

    @property
    def at(self) -> str:
        """Where it is, for messages."""
        return self.path

    def work(self, elements: int) -> int:
        """Elementary operations to compute `elements` elements of a constant."""
        return max([elements, *(x.array.size for x in self.inputs if isinstance(x, Constant))])

    @property
    def weights(self) -> list[str]:
        """Names of the initializers that it reads."""
        return [x.name for x in self.inputs if isinstance(x, Constant) and x.name]

    @property
    def roots(self) -> frozenset[str]:
        """Initializers of real numbers that its constants were computed from."""
        return frozenset[str]().union(*(x.roots for x in self.inputs if isinstance(x, Constant)))

    @property
    def element(self) -> int:
        """The element type of its first output."""
        return self.outputs[0][1]

    def axis(self, axis: int, x: BlobTensor) -> int:
        """The axis of a blob that an axis of the graph's tensor is.

        Raises:
            UnsupportedError: there is no such axis, or it is the batch.
        """
        axes = x.place.axes(len(x.shape))
        rank = len(axes)
        if not -rank <= axis < rank:
            raise self.refused("its tensor has no such axis", f"{-rank} .. {rank - 1}", axis)
        found = axes[axis % rank]
        if 0 in found and x.samples:
            batch = axis % rank
            other = "axis >= 1" if not batch else f"not axis {batch}"
            raise self.refused(f"samples must not mix: axis {batch} is the batch", other, axis, UNBATCHED)
        return found[0]

    def trailing(self, axis: int, x: BlobTensor) -> int:
        """The axis of a blob that an axis of the graph's tensor is, none behind which is the batch.

        Raises:
            UnsupportedError: the batch is among the axes from this one on.
        """
        found = self.axis(axis, x)
        if x.samples and found <= (x.place.at or 0):
            raise self.refused("samples must not mix: the batch is behind its axis", got=axis, hint=UNBATCHED)
        return found

    def needs_batch(self) -> None:
        """Check that axis 0 is the batch, as operators on images take it.

        Raises:
            UnsupportedError: the model has no batch.
        """
        if self.lead:
            hint = "import it with batch_axis=0"
            raise self.refused("its axis 0 holds samples, and the model was loaded as one without", hint=hint)

    def needs_batch_first(self) -> None:
        """Check that the batch is axis 0 of its tensors, or not among their axes.

        Raises:
            UnsupportedError: it is elsewhere.
        """
        for x in self.inputs:
            if isinstance(x, BlobTensor) and x.place.moved:
                axis = next(k for k, group in enumerate(x.place.axes(len(x.shape))) if 0 in group)
                where = f"axis {axis}" + (", one with others" if x.place.merged else "")
                raise self.refused("samples are expected along axis 0 of its inputs", got=where)

    def of_reals(self) -> None:
        """Check that it computes with real numbers.

        Raises:
            UnsupportedError: its results are integers or truth values.
        """
        if self.element not in REALS:
            raise self.refused("only real numbers are supported", got=f"element type {self.element}")

    def may_not_wrap(self) -> None:
        """Check that its result has no type of integers that wrap around; the real numbers in blobs do not.

        Raises:
            UnsupportedError: the result has such a type.
        """
        if self.element in SHORT:
            raise self.refused("unsigned and short integers wrap around", "int32, int64 or real numbers")

    def blob(self, k: int = 0) -> BlobTensor:
        """Input k, which must depend on samples.

        Raises:
            UnsupportedError: it is a constant, or left out.
        """
        found = self.inputs[k] if k < len(self.inputs) else None
        if not isinstance(found, BlobTensor):
            raise self.refused(f"input {k} is not computed from the model's inputs")
        return found

    def constant(self, k: int, what: str) -> np.ndarray:
        """Input k, which must be a constant.

        Raises:
            UnsupportedError: it depends on samples, or is left out.
        """
        found = self.inputs[k] if k < len(self.inputs) else None
        if not isinstance(found, Constant):
            raise self.refused(f"{what} is not a constant")
        return found.array

    def has(self, k: int) -> bool:
        """Whether input k is there."""
        return k < len(self.inputs) and self.inputs[k] is not None

    def only_first_output(self) -> None:
        """Check that other outputs are not read.

        Raises:
            UnsupportedError: they are.
        """
        for name, count in list(zip(self.tops, self.uses, strict=True))[1:]:
            if count:
                raise self.refused("only its first output is supported", got=f"{name!r} is read")

    def require(self, what: str, value: object, *wanted: object) -> None:
        """Check a setting of which only some values are supported.

        Raises:
            UnsupportedError: it has another value.
        """
        if value not in wanted:
            raise self.refused(f"{what} is not supported", expected=" or ".join(map(str, wanted)), got=value)

    def refused(self, what: str, expected: str = "", got: object = "", hint: str = "") -> UnsupportedError:
        """An UnsupportedError about the node, ready to raise."""
        return UnsupportedError(
            what, layer=self.name, type=self.type, expected=expected, got=str(got), hint=hint, at=self.at
        )

    @contextmanager
    def fitting_operands(self) -> Iterator[None]:
        """A context in which the node is converted: errors about numbers, in a model that makes no sense, become an
        UnsupportedError."""
        try:
            yield
        except (ValueError, IndexError, ZeroDivisionError, OverflowError) as error:
            raise self.refused("its operands do not fit", got=" ".join(str(error).split())[:200]) from None


def no_layers(path: str, noun: str, unknown: Sequence[str], hint: str) -> UnsupportedError:
    """The error about operators, "noun: places" each, that have no converter, ready to raise."""
    count = f"{len(unknown)} {noun}s" if len(unknown) > 1 else f"an {noun}"
    return UnsupportedError(f"{path}: no layers for {count}", details=unknown, hint=hint)


MAX_BYTES = 1 << 30
"""Maximum memory of computed constants, in addition to what the file stores."""
MAX_WORK = 1 << 32
"""Maximum elementary operations to compute constants: about ten seconds."""
MAX_ELEMENTS = 1 << 28
"""Maximum elements of a sample of a blob."""


@dataclass
class Budget:
    """What is left for the constants of one model.

    Attributes:
        bytes: of memory.
        work: elementary operations.
    """

    bytes: int = MAX_BYTES
    work: int = MAX_WORK

    @property
    def exceeded(self) -> bool:
        """Whether a node asked for more than was left."""
        return self.bytes < 0 or self.work < 0

    def take(self, node: ImportedNode, elements: int, itemsize: int) -> None:
        """Subtract the cost of a node that computes `elements` elements of a constant.

        Raises:
            UnsupportedError: too little is left.
        """
        self.bytes -= elements * itemsize
        self.work -= node.work(elements)
        if self.exceeded:
            what = f"{MAX_BYTES >> 20:,} MiB" if self.bytes < 0 else f"{MAX_WORK:,} operations"
            hint = "store its value in the file: tools such as onnxsim fold constants"
            raise node.refused("the constants of the model take too much to compute", f"at most {what}", hint=hint)


def too_large(extents: tuple[int, ...]) -> bool:
    """Whether a sample of a blob with these extents behind the batch has too many elements."""
    return math.prod(extents) > MAX_ELEMENTS
