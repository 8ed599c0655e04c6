"""OnnxNode: a node of an ONNX graph with its inputs resolved, and BlobTensor and Given, what inputs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.errors import UnsupportedError
from mochac.onnx.files.package import onnx_package

Shape = tuple[int, ...]


@dataclass(frozen=True)
class BlobTensor:
    """A tensor that depends on the samples: the name of its blob, and its extents for the batch of the import."""

    name: str
    shape: Shape


@dataclass(frozen=True, eq=False)
class Given:
    """A tensor that does not: its numbers.

    Attributes:
        name: its initializer; "" if it was computed.
    """

    array: np.ndarray
    name: str = ""


Tensor = BlobTensor | Given


@dataclass(frozen=True, eq=False)
class OnnxNode:
    """A node.

    Attributes:
        proto: its NodeProto.
        path: the file.
        inputs: None for those left out.
        shapes: extents of its outputs, as far as onnx knows them.
        opset: version of its operators.
        uses: how often each output is read.
    """

    proto: Any
    path: str
    inputs: tuple[Tensor | None, ...]
    shapes: tuple[Shape | None, ...]
    opset: int
    uses: tuple[int, ...]

    @property
    def type(self) -> str:
        """Its operator."""
        return self.proto.op_type

    @property
    def name(self) -> str:
        """Its name, or that of its first output."""
        return self.proto.name or self.proto.output[0]

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute, as a number, a string or a list of these."""
        for attribute in self.proto.attribute:
            if attribute.name == name:
                value = onnx_package("helper").get_attribute_value(attribute)
                return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return default

    def integers(self, name: str, default: Sequence[int] | None = None, *, at: int = -1) -> tuple[int, ...] | None:
        """A list of integers that is an attribute, or, in later versions, the constant input `at`."""
        if 0 <= at < len(self.inputs) and self.inputs[at] is not None:
            return tuple(int(n) for n in self.given(at, name).reshape(-1))
        found = self.attribute(name, default)
        return None if found is None else tuple(int(n) for n in found)

    def blob(self, k: int = 0) -> BlobTensor:
        """Input k, which must depend on samples.

        Raises:
            UnsupportedError: it is a constant, or left out.
        """
        found = self.inputs[k] if k < len(self.inputs) else None
        if not isinstance(found, BlobTensor):
            raise self.refused(f"input {k} is not computed from the model's inputs")
        return found

    def given(self, k: int, what: str) -> np.ndarray:
        """Input k, which must be a constant.

        Raises:
            UnsupportedError: it depends on samples, or is left out.
        """
        found = self.inputs[k] if k < len(self.inputs) else None
        if not isinstance(found, Given):
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
        for name, count in list(zip(self.proto.output, self.uses, strict=True))[1:]:
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
            what, layer=self.name, type=self.type, expected=expected, got=str(got), hint=hint, at=self.path
        )
