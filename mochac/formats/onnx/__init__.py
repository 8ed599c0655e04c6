"""mochac.onnx: nets and weights as ONNX files, and back. It needs the package onnx (pip install 'mochac[onnx]').

See docs/guide/onnx.md. Names are loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mochac.formats.onnx.export.save import save
    from mochac.formats.onnx.loading import load

_HOMES = {"load": "mochac.formats.onnx.loading", "save": "mochac.formats.onnx.export.save"}
"""Public names by the module that defines them."""

__all__ = ["load", "save"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        globals()[name] = value = getattr(importlib.import_module(_HOMES[name]), name)
        return value
    raise AttributeError(f"module 'mochac.onnx' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
