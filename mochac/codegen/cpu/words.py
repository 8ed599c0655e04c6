"""LLVM text that reads and writes the words of blocks that Python and native code share (job_layout.py,
exchange_layout.py)."""

from __future__ import annotations


def load_word(name: str, block: str, word: int, kind: str = "i64") -> str:
    """Two lines that load one word as `%name`; `%name.at` is its address."""
    return (
        f"  %{name}.at = getelementptr i64, ptr %{block}, i64 {int(word)}\n"
        f"  %{name} = load {kind}, ptr %{name}.at, align 8"
    )


def add_to_word(name: str, block: str, word: int, more: str) -> str:
    """Lines that add to a word which only this thread writes."""
    return (
        f"{load_word(name, block, word)}\n  %{name}.more = add i64 %{name}, {more}\n"
        f"  store i64 %{name}.more, ptr %{name}.at"
    )
