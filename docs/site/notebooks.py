"""A page of the manual as a Jupyter notebook: its Python blocks become cells, all else is text.

python docs/site/notebooks.py docs/tutorials/first-net.md first-net.ipynb
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

CODE = re.compile(r"^```python\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
HEAD = """---
file_format: mystnb
kernelspec:
  name: python3
  language: python
---

"""
OUTPUT = re.compile(r"^```output\n.*?^```$\n?", re.MULTILINE | re.DOTALL)


def notebook(page: str) -> str:
    """The notebook's JSON, without outputs: those that the page shows are left out."""
    parts = CODE.split(OUTPUT.sub("", page))
    cells = [_cell(k, text.strip("\n")) for k, text in enumerate(parts) if text.strip()]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps(
        {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def as_cells(page: str) -> str:
    """The page for MyST-NB, which runs its Python blocks; what they print takes the place of the outputs it shows."""
    return HEAD + CODE.sub(r"```{code-cell}\n\1```\n", OUTPUT.sub("", page))


def _cell(k: int, text: str) -> dict[str, object]:
    cell: dict[str, object] = {"id": f"cell-{k}", "metadata": {}, "source": text.splitlines(keepends=True)}
    if k % 2:
        return {"cell_type": "code", "execution_count": None, "outputs": [], **cell}
    return {"cell_type": "markdown", **cell}


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(notebook(Path(sys.argv[1]).read_text()))
