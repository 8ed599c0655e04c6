"""LLVM text of native functions, from the source of Python functions.

Statements are translated in order, in one walk. Local variables are values in SSA form: where ways meet (after `if`, at
the head and at the end of a loop), a phi joins what a variable is on each of them. A variable that is not set on all of
them is unknown afterwards.

What the language lacks is a SyntaxError with file and line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from mochac.codegen.native.expressions import LITERAL, VOID, Expressions, NativeValue, signature, type_of

Edge = tuple[str, dict[str, NativeValue]]
"""A way into a block: the block that it leaves, and what variables are there."""


def llvm_text(exported: Sequence[Callable[..., Any]], elsewhere: Collection[Callable[..., Any]] = ()) -> str:
    """A module of functions that other code calls, and of those that they call.

    Args:
        elsewhere: functions that the module does not define: of these only the annotations are read.
    """
    texts, declares, found = list[str](), set[str](), list(exported)
    for function in found:  # which grows
        translated = _Function(function)
        texts.append(translated.text("" if function in exported else "internal "))
        declares |= translated.declares
        found += [f for f in translated.called if f not in found and f not in elsewhere]
    return "\n".join([*sorted(declares), *texts])


@dataclass
class _Block:
    """A block that is opened once all its edges are known."""

    label: str
    edges: list[Edge] = field(default_factory=list[Edge])


class _Function(Expressions):
    """Translates the statements of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._parameters, self._result = signature(function)
        self.names = {name: NativeValue(f"%{name}", kind) for name, kind in self._parameters}
        self._block = "entry"
        """The label of the block that instructions go to; empty behind a jump."""
        self._loops: list[tuple[_Block, _Block]] = []
        """Where `continue` and `break` go."""

    def text(self, linkage: str) -> str:
        """The definition."""
        node = self.definition
        self._run(node.body)
        if self._block and self._result != VOID:
            self.refuse(node, "a way through the function returns nothing")
        if self._block:
            self._jump("ret void")
        parameters = ", ".join(f"{type_of(kind)} %{name}" for name, kind in self._parameters)
        head = f"define {linkage}{type_of(self._result)} @{node.name}({parameters}) nounwind {{\nentry:"
        return "\n".join([head, *self.lines, "}", ""])

    # Blocks

    def _new_block(self, hint: str) -> _Block:
        return _Block(self.new(hint))

    def _jump(self, text: str) -> None:
        """The last instruction of a block."""
        self.line(text)
        self._block = ""

    def _leave(self, text: str, *targets: _Block) -> None:
        """Jump to blocks that are opened later."""
        for target in targets:
            target.edges.append((self._block, dict(self.names)))
        self._jump(text)

    def _go(self, target: _Block) -> None:
        self._leave(f"br label %{target.label}", target)

    def _open(self, block: _Block) -> None:
        """Go on in a block; if no way leads there, nothing is translated until the next one."""
        if not block.edges:
            return
        self._block = block.label
        self.lines.append(f"{block.label}:")
        if len(block.edges) == 1:
            self.names = dict(block.edges[0][1])
            return
        common = [name for name in block.edges[0][1] if all(name in names for _, names in block.edges)]
        self.names = {name: self._joined([(b, names[name]) for b, names in block.edges]) for name in common}

    def _joined(self, found: list[tuple[str, NativeValue]]) -> NativeValue:
        first = found[0][1]
        return first if all(value == first for _, value in found) else self.set(_phi(found), first.kind)

    # Statements

    def _run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if not self._block:
                self.refuse(statement, "this is never reached")
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()):  # a docstring
                pass
            case ast.Expr(value=value):
                self.value(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=sources)):
                for target, value in zip(targets, [self.value(source) for source in sources], strict=True):
                    self._assign(target, value)
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self.value(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._assign(target, self.value(ast.copy_location(ast.BinOp(_read(target), op, value), node)))
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                self._loop(body, test, None)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=ends), orelse=[]):
                self._for(name, ends, node.body)
            case ast.Continue():
                self._go(self._loops[-1][0])
            case ast.Break():
                self._go(self._loops[-1][1])
            case ast.Return(value=None):
                self._jump("ret void")
            case ast.Return(value=ast.expr() as value):
                self._jump(f"ret {type_of(self._result)} {self.number(value, self._result)}")
            case _:
                self.refuse(node, "native functions have no such statement")

    def _assign(self, target: ast.expr, value: NativeValue) -> None:
        match target:
            case ast.Name(id=name):
                known = self.names[name].kind if name in self.names else value.kind
                self.names[name] = self.as_kind(value, "i64" if known == LITERAL else known, target)
            case ast.Subscript(value=pointer, slice=index):
                self.store(pointer, index, value)
            case _:
                self.refuse(target, "only names and elements are assigned to")

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        yes, no, after = map(self._new_block, ("then", "else", "after"))
        self._test(test, yes, no if orelse else after)
        for block, statements in ((yes, body), (no, orelse)):
            if statements:
                self._open(block)
                self._run(statements)
                if self._block:
                    self._go(after)
        self._open(after)

    def _for(self, name: str, ends: list[ast.expr], body: list[ast.stmt]) -> None:
        """for name in range(end), or range(first, end)."""
        *first, end = [self.as_kind(self.value(node), "i64", node) for node in ends]
        limit = self.new("limit")
        self.names |= {name: first[0] if first else NativeValue("0", "i64"), limit: end}
        load = ast.Load()
        test = ast.Compare(ast.Name(name, load), [ast.Lt()], [ast.Name(limit, load)])
        self._loop(body, test, ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), ast.Constant(1)))

    def _loop(self, body: list[ast.stmt], test: ast.expr, step: ast.stmt | None) -> None:
        """Repeat a body while a test holds; `step` is run after each iteration, also behind `continue`."""
        head, inside, again, after = map(self._new_block, ("loop", "body", "again", "after"))
        self._go(head)
        changed = _assigned([*body, *([step] if step else [])]) & set(head.edges[0][1])
        self._open(head)
        place = len(self.lines)
        phis = {name: NativeValue(self.new(f"%{name}"), self.names[name].kind) for name in sorted(changed)}
        self.names |= phis
        self._test(test, inside, after)
        self._loops.append((again, after))
        self._open(inside)
        self._run(body)
        if self._block:
            self._go(again)
        self._loops.pop()
        self._open(again)
        if self._block:
            if step is not None:
                self._statement(step)
            self._go(head)
        joined = {value: _phi([(b, names[name]) for b, names in head.edges]) for name, value in phis.items()}
        self.lines[place:place] = [f"  {value.text} = {phi}" for value, phi in joined.items()]
        self._open(after)

    def _test(self, node: ast.expr, yes: _Block, no: _Block) -> None:
        """Go to one of two blocks; the right side of `and` and `or` is evaluated only if it decides."""
        match node:
            case ast.Constant(value=True):
                self._go(yes)
            case ast.BoolOp(op=op, values=[*first, last]):
                for test in first:
                    following = self._new_block("next")
                    self._test(test, *((following, no) if isinstance(op, ast.And) else (yes, following)))
                    self._open(following)
                self._test(last, yes, no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._test(operand, no, yes)
            case _:
                found = self.number(node, "i1")
                self._leave(f"br i1 {found}, label %{yes.label}, label %{no.label}", yes, no)


def _phi(found: list[tuple[str, NativeValue]]) -> str:
    ways = ", ".join(f"[ {value.text}, %{block} ]" for block, value in found)
    return f"phi {type_of(found[0][1].kind)} {ways}"


def _read(target: ast.expr) -> ast.expr:
    """The target of an assignment as an expression."""
    return ast.parse(ast.unparse(target), mode="eval").body


def _assigned(body: Sequence[ast.stmt]) -> set[str]:
    """Names that statements set."""
    found = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in found if isinstance(node.ctx, ast.Store)}
