"""The package onnx, an extra, and one clear error where it is absent."""

from __future__ import annotations

import importlib
from typing import Any

from mochac.base.errors import OptionError


def onnx_package(module: str = "") -> Any:
    """The package onnx, or a module of it such as "helper".

    Raises:
        OptionError: it is not installed.
    """
    try:
        return importlib.import_module(f"onnx.{module}" if module else "onnx")
    except ImportError:
        raise OptionError("ONNX files need the package onnx", hint="pip install 'mochac[onnx]'") from None
