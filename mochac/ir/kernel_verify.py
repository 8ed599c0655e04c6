"""verify_kernel: checks that a kernel is well formed by named rules; messages show the offending statement.

Tests run it on naive and scheduled kernels, and the compiler does under MOCHAC_VERIFY=1.

Rules for every kernel: unique-buffers, begun-buffers, known-buffers, index-arity, loop-words, known-variables,
names-in-scope, known-functions, types-match, written-first, each-independent, sum-accumulates, in-range, grids-apart.
With `printable=True`, also the rules that printers rely on: vector-innermost, unroll-constant, parallel-outermost,
register-index, blocked-vector, and for GPUs, for every grid, blocks-outermost, threads-nest, threads-private,
threads-shared.
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.base.errors import MochacError
from mochac.ir.grid_rules import GRID, grids_apart
from mochac.ir.grids import grids
from mochac.ir.index import Index
from mochac.ir.kernel import (
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Stmt,
)
from mochac.ir.kernel_rules import RULES, STRUCTURE, KernelProblem, Rule, Site, Subject
from mochac.ir.kernel_types import operand_dtype
from mochac.ir.printable_rules import PRINTABLE
from mochac.ir.scalar import FUNCTIONS


class KernelVerifyError(MochacError):
    """A kernel breaks a rule.

    Attributes:
        rule: the rule's name, e.g. "names-in-scope".
        text: what is wrong, in one line.
        stmt: the offending statement, or None.
    """

    def __init__(self, kernel: Kernel, problem: KernelProblem) -> None:
        lines = [f"kernel @{kernel.name} breaks rule {problem.rule}: {problem.text}"]
        if problem.stmt is not None:
            lines.append(f"  -> {problem.stmt}")
        if kernel.loc:
            lines.append(f"  from {'; '.join(map(str, kernel.loc))}")
        super().__init__("\n".join(lines))
        self.rule, self.text, self.stmt = problem.rule, problem.text, problem.stmt


def verify_kernel(kernel: Kernel, *, printable: bool = False) -> None:
    """Check every rule; with `printable`, also those that hold only for scheduled kernels.

    Raises:
        KernelVerifyError: the first problem in the order of the rules.
    """
    for problem in kernel_problems(kernel, printable=printable):
        raise KernelVerifyError(kernel, problem)


def kernel_problems(kernel: Kernel, *, printable: bool = False) -> Iterator[KernelProblem]:
    """Every problem of the first broken rule; later rules assume that the earlier ones hold."""
    for rule, subject in _checks(kernel, printable):
        problems = list(rule(subject))
        yield from problems
        if problems:
            return


def _checks(kernel: Kernel, printable: bool) -> Iterator[tuple[Rule, Subject]]:
    """The rules in order, each with its subject, which is prepared once the rules before it hold."""
    yield from ((rule, Subject(kernel, kernel.buffers(), [])) for rule in STRUCTURE)
    whole = _subject(kernel)
    yield from ((rule, whole) for rule in (*RULES, grids_apart))
    for grid in grids(kernel) if printable else ():
        subject = whole if grid is kernel else _subject(grid)
        yield from ((rule, subject) for rule in (*PRINTABLE, *GRID))


def _subject(kernel: Kernel) -> Subject:
    return Subject(kernel, kernel.buffers(), list(_sites(kernel)))


def _sites(kernel: Kernel) -> Iterator[Site]:
    buffers = kernel.buffers()

    def visit(
        body: tuple[Stmt, ...], loops: tuple[Loop, ...], conds: tuple[Index, ...], names: dict[str, str]
    ) -> Iterator[Site]:
        for stmt in body:
            yield Site(stmt, loops, conds, names)
            if isinstance(stmt, Loop):
                yield from visit(stmt.body, (*loops, stmt), conds, names)
            elif isinstance(stmt, If):
                yield from visit(stmt.body, loops, (*conds, *stmt.conds), names)
            elif isinstance(stmt, Load):
                names = {**names, stmt.name: buffers[stmt.buffer].type.dtype}
            elif isinstance(stmt, Let):
                names = {**names, stmt.name: _result(stmt, names)}

    return visit(kernel.body, (), (), {})


def _result(stmt: Let, names: dict[str, str]) -> str:
    try:
        return FUNCTIONS[stmt.fn].result(tuple(operand_dtype(a, names) for a in stmt.args))
    except (KeyError, ValueError):
        return "?"
