"""mochac.onnx: nets and weights as ONNX files, and back. It needs the package onnx (pip install 'mochac[onnx]').

See docs/guide/onnx.md. Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mochac.base.public_paths import loaded_later

if TYPE_CHECKING:
    from mochac.formats.onnx.export.save import save
    from mochac.formats.onnx.loading import load

_HOMES = {"mochac.formats.onnx.loading": ("load",), "mochac.formats.onnx.export.save": ("save",)}
"""Public names by the module that defines them."""

__all__ = ["load", "save"]


__getattr__ = loaded_later("mochac.onnx", _HOMES, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
