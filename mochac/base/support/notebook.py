"""What Jupyter shows while a cell runs: an output that can be replaced."""

from __future__ import annotations

import sys
from typing import Any


class NotebookOutput:
    """An output of the running cell, replaced by every `show`.

    Args:
        display: IPython's function of that name.
    """

    def __init__(self, display: Any) -> None:
        self._display = display
        self._handle: Any = None

    def show(self, html: str) -> None:
        """Show HTML in place of what was shown before."""
        data = {"text/html": html, "text/plain": ""}
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def notebook_output() -> NotebookOutput | None:
    """An output of the running cell; None outside of a notebook."""
    ipython = sys.modules.get("IPython")  # a notebook has imported it
    shell = ipython and ipython.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # pyright: ignore[reportUnknownVariableType]

    return NotebookOutput(display)
