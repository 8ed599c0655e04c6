"""The tail of a message that says what to do."""

from __future__ import annotations


def instead(text: str) -> str:
    """The tail of a message that says what to do, ready to be appended.

    >>> instead("program.predict(x)"), instead("not needed: every step does it")
    ('; use program.predict(x)', '; not needed: every step does it')
    """
    return f"; {text}" if text.startswith(("not ", "mochac has ")) else f"; use {text}"
