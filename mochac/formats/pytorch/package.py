"""The package torch, which is imported when a module is first used."""

from __future__ import annotations

import importlib
from typing import Any

from mochac.base.errors import OptionError


def torch_package(part: str = "") -> Any:
    """The package torch, or a part of it.

    Raises:
        OptionError: it is not installed.
    """
    try:
        return importlib.import_module(f"torch.{part}" if part else "torch")
    except ImportError:
        raise OptionError("PyTorch is not installed", hint="pip install torch") from None
