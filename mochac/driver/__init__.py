"""compile(): from a Net to a Program, and the same views without one. The only room that sees all others.

Program's own methods are in program.py; the pipeline is in pipeline.py.
"""

from __future__ import annotations

from typing import Any

from mochac.driver.compile import compile, explain
from mochac.driver.program import Program


def check_gradients(net: Any, **how: Any) -> Any:
    """Compare a net's gradients with central differences; see driver/gradients.py."""
    from mochac.driver.gradients import check_gradients as check

    return check(net, **how)


__all__ = ["Program", "check_gradients", "compile", "explain"]
