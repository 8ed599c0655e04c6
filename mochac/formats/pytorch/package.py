"""torch_package: PyTorch, which is imported when it is first needed."""

from __future__ import annotations

import importlib
from typing import Any

from mochac.base.errors import OptionError

ELEMENTS = {
    "float32": 1, "uint8": 2, "int8": 3, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
    "bfloat16": 16,
}  # fmt: skip
"""PyTorch's dtypes as element types of TensorProto."""


def torch_package(part: str = "") -> Any:
    """The package torch, or a part of it.

    Raises:
        OptionError: it is not installed.
    """
    try:
        return importlib.import_module(f"torch.{part}" if part else "torch")
    except ImportError:
        raise OptionError("PyTorch is not installed", hint="pip install torch") from None


def element_of(tensor: Any) -> int:
    """The element type of a tensor; 0 if blobs cannot hold it."""
    return ELEMENTS.get(str(tensor.dtype).removeprefix("torch."), 0)
