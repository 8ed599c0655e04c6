"""Whole messages, line numbers included: lines of a test file that end in a comment `# @tag` are named by the tag.

layer = InnerProductLayer(...)  # @ip        ->  "at @ip"
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mochac import MochacError


def refused(action: Callable[[], Any]) -> MochacError:
    """The MochacError that `action` raises."""
    with pytest.raises(MochacError) as caught:
        action()
    return caught.value


def tagged(text: str, file: str) -> str:
    """`text` with "file:line" replaced by the tag at the end of that line."""
    lines = Path(file).read_text().splitlines()

    def tag(match: re.Match[str]) -> str:
        found = re.search(r"# (@\w+)", lines[int(match[1]) - 1])
        return found[1] if found else match[0]

    return re.sub(r"\S*" + re.escape(Path(file).name) + r":(\d+)", tag, text)


def assert_message(action: Callable[[], Any], wanted: str, folder: Path | None = None) -> None:
    """The whole report, dedented; `folder` is shown as FOLDER."""
    file = sys._getframe(1).f_code.co_filename
    text = tagged(refused(action).report, file)
    if folder is not None:
        text = text.replace(str(folder), "FOLDER")
    assert text == textwrap.dedent(wanted).strip("\n")


def assert_mistake(action: Callable[[], Any], kind: str, layer: str, words: list[str]) -> None:
    """The kind of error, its layer, words of its message; the line it names is the caller's that made the layer."""
    file = sys._getframe(1).f_code.co_filename
    error = refused(action)
    assert error.report.startswith(f"{kind}: "), error.report
    assert error.layer == layer, error.report
    for word in words:
        assert word in str(error), error.report
    if layer:
        named, _, number = error.at.rpartition(":")
        assert Path(named).name == Path(file).name, error.report
        line = Path(file).read_text().splitlines()[int(number) - 1]
        assert f'name="{layer}"' in line or f'"name": "{layer}"' in line, error.report
