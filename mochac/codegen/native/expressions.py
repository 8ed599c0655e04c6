"""LLVM text of the expressions of native functions: numbers, elements of pointers, calls, atomic accesses."""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from mochac.codegen.native import values
from mochac.codegen.native.values import Pointer

Kind = str | type[Pointer[Any]]
"""LLVM's name of a type, or the class of a pointer; LITERAL of an int that has no type yet."""
LITERAL = "int"
VOID = "void"

_SCALARS = {"i32": "i32", "i64": "i64", "f64": "double", "bool": "i1", "None": VOID}
_NUMBERS = {"float32": "float", "float64": "double", "int8": "i8", "int32": "i32", "int64": "i64"}
_BYTES = {"i8": 1, "i32": 4, "float": 4, "i64": 8, "double": 8}
_BINARY: dict[type[ast.operator], tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("add", operator.add), ast.Sub: ("sub", operator.sub), ast.Mult: ("mul", operator.mul),
    ast.FloorDiv: ("udiv", operator.floordiv), ast.Mod: ("urem", operator.mod), ast.BitAnd: ("and", operator.and_),
    ast.BitOr: ("or", operator.or_), ast.BitXor: ("xor", operator.xor), ast.LShift: ("shl", operator.lshift),
    ast.RShift: ("ashr", operator.rshift),
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip

_CASTS = {("i64", "i32"): "trunc", ("i32", "i64"): "sext", ("i32", "double"): "sitofp", ("i64", "double"): "sitofp"}


class NativeValue(NamedTuple):
    """A value and its kind."""

    text: str
    kind: Kind


NOTHING = NativeValue("", VOID)


@cache
def signature(function: Callable[..., Any]) -> tuple[tuple[tuple[str, Kind], ...], Kind]:
    """Names and kinds of the parameters, and the kind of the result, from annotations that are names."""
    known: dict[str, Any] = {**function.__globals__, **_SCALARS}
    *parameters, (_, result) = ((name, known[text]) for name, text in function.__annotations__.items())
    return tuple(parameters), result


def type_of(kind: Kind) -> str:
    """LLVM's name of the type."""
    return kind if isinstance(kind, str) else "ptr"


@cache
def _definitions(file: str) -> dict[int, ast.FunctionDef]:
    """The functions of a file, by line."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"), file)
    return {node.lineno: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _element(pointer: type[Pointer[Any]]) -> str:
    number = _NUMBERS[pointer.dtype]
    return number if pointer.lanes == 1 else f"<{pointer.lanes} x {number}>"


def _align(kind: str) -> int:
    return _BYTES[kind.split()[-1].rstrip(">")]


class Expressions:
    """Translates expressions of one function into lines.

    Attributes:
        names: what local variables are now.
        lines: the instructions so far.
        called: the native functions that they call, in order.
        declares: declarations of the intrinsics that they call.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.globals: dict[str, Any] = function.__globals__
        self.definition = _definitions(function.__code__.co_filename)[function.__code__.co_firstlineno]
        self.names: dict[str, NativeValue] = {}
        self.lines: list[str] = []
        self.called: dict[Callable[..., Any], None] = {}
        self.declares: set[str] = set()
        self._count = 0

    def new(self, hint: str) -> str:
        """A name that is not used yet."""
        self._count += 1
        return f"{hint}.{self._count}"

    def line(self, text: str) -> NativeValue:
        """An instruction without a result."""
        self.lines.append(f"  {text}")
        return NOTHING

    def set(self, text: str, kind: Kind) -> NativeValue:
        """The result of an instruction."""
        name = self.new("%v")
        self.line(f"{name} = {text}")
        return NativeValue(name, kind)

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Raise the SyntaxError."""
        place = (self.function.__code__.co_filename, getattr(node, "lineno", None), None, ast.unparse(node))
        raise SyntaxError(f"{self.function.__name__}: {why}", place)

    def value(self, node: ast.expr) -> NativeValue:
        """The value of an expression."""
        match node:
            case ast.Constant(value=bool(value)):
                return NativeValue(str(value).lower(), "i1")
            case ast.Constant(value=int(value)):
                return NativeValue(str(value), LITERAL)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name() | ast.Attribute() if (constant := self._constant(node)) is not None:
                return NativeValue(str(constant), LITERAL)
            case ast.Name(id=name):
                self.refuse(node, f"{name} is not set on every way here")
            case ast.Attribute(value=pointer, attr="address"):
                return self.set(f"ptrtoint ptr {self._pointer(pointer)[0]} to i64", "i64")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._operation(ast.Constant(0), ast.Sub(), operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(left, op, right)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                a, b = self._pair(left, right)
                return self.set(f"icmp {_COMPARED[type(op)]} {type_of(a.kind)} {a.text}, {b.text}", "i1")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                chosen, (a, b) = self.value(test), self._pair(body, orelse)
                kind = type_of(a.kind)
                return self.set(f"select i1 {chosen.text}, {kind} {a.text}, {kind} {b.text}", a.kind)
            case ast.Subscript(value=pointer, slice=index):
                place, kind = self.place(pointer, index)
                found = self.set(f"load {kind}, ptr {place.text}, align {_align(kind)}", kind)
                return self.set(f"fpext float {found.text} to double", "double") if kind == "float" else found
            case ast.Call(func=ast.Attribute(value=pointer, attr="at"), args=[index]):
                return self.place(pointer, index)[0]
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(node, name, arguments)
            case _:
                self.refuse(node, "native functions have no such expression")

    def store(self, pointer: ast.expr, index: ast.expr, value: NativeValue) -> None:
        """Write an element."""
        place, kind = self.place(pointer, index)
        number = self.as_kind(value, "double" if kind == "float" else kind, pointer).text
        if kind == "float":
            number = self.set(f"fptrunc double {number} to float", kind).text
        self.line(f"store {kind} {number}, ptr {place.text}, align {_align(kind)}")

    def place(self, pointer: ast.expr, index: ast.expr) -> tuple[NativeValue, str]:
        """A pointer to an element, and the element's type."""
        base, kind, type = self._pointer(pointer)
        k = self.number(index, "i64")
        if k == "0":
            return NativeValue(base, type), kind
        return self.set(f"getelementptr {kind}, ptr {base}, i64 {k}", type), kind

    def as_kind(self, value: NativeValue, kind: Kind, node: ast.AST) -> NativeValue:
        """The value, if it is of the kind or a literal that can be."""
        if value.kind == kind or (value.kind == LITERAL and kind in ("i32", "i64")):
            return NativeValue(value.text, kind)
        names = [k if isinstance(k, str) else k.__name__ for k in (kind, value.kind)]
        self.refuse(node, f"expected {names[0]}, got {names[1]}")

    def number(self, node: ast.expr, kind: Kind) -> str:
        """Text of the value of an expression that must be of the kind."""
        return self.as_kind(self.value(node), kind, node).text

    def _constant(self, node: ast.expr) -> int | None:
        """The int that a name of the module stands for."""
        match node:
            case ast.Name(id=name):
                found = self.globals.get(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name not in self.names:
                found = getattr(self.globals.get(name), attribute, None)
            case _:
                found = None
        return int(found) if isinstance(found, int) else None

    def _operation(self, left: ast.expr, op: ast.operator, right: ast.expr) -> NativeValue:
        name, folded = _BINARY[type(op)]
        a, b = self.value(left), self.value(right)
        if a.kind == b.kind == LITERAL:
            return NativeValue(str(folded(int(a.text), int(b.text))), LITERAL)
        a, b = self._same_kind(a, b, right)
        kind = type_of(a.kind)
        floating = "f" if _NUMBERS["float32"] in kind or _NUMBERS["float64"] in kind else ""
        return self.set(f"{floating}{name} {kind} {a.text}, {b.text}", a.kind)

    def _pair(self, left: ast.expr, right: ast.expr) -> tuple[NativeValue, NativeValue]:
        """Two operands of one kind."""
        return self._same_kind(self.value(left), self.value(right), right)

    def _same_kind(self, a: NativeValue, b: NativeValue, node: ast.expr) -> tuple[NativeValue, NativeValue]:
        kind = next((value.kind for value in (a, b) if value.kind != LITERAL), "i64")
        return self.as_kind(a, kind, node), self.as_kind(b, kind, node)

    def _pointer(self, node: ast.expr) -> tuple[str, str, type[Pointer[Any]]]:
        """Text of a pointer, the type of its elements, and its class."""
        found = self.value(node)
        if isinstance(found.kind, str):
            self.refuse(node, f"expected a pointer, got {found.kind}")
        return found.text, _element(found.kind), found.kind

    # Calls

    def _call(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> NativeValue:
        found = self.globals.get(name)
        if name in ("min", "max"):
            a, b = self._pair(*arguments)
            return self._intrinsic("i64", f"llvm.s{name}.i64", f"i64 {a.text}", f"i64 {b.text}")
        if name in ("i32", "i64", "f64"):
            return self._cast(_SCALARS[name], arguments[0])
        if isinstance(found, type) and issubclass(found, Pointer):
            return self._pointer_of(found, arguments[0])
        if found is not None and found is getattr(values, name, None):
            return getattr(self, f"_{name}")(*arguments)
        if not inspect.isfunction(found):
            self.refuse(node, f"there is no native function {name}")
        self.called[found] = None
        parameters, result = signature(found)
        texts = [self.number(a, kind) for (_, kind), a in zip(parameters, arguments, strict=True)]
        typed = [f"{type_of(kind)} {text}" for (_, kind), text in zip(parameters, texts, strict=True)]
        return self._called(result, f"@{name}", typed)

    def _called(self, result: Kind, function: str, arguments: Sequence[str]) -> NativeValue:
        text = f"call {type_of(result)} {function}({', '.join(arguments)})"
        return self.line(text) if result == VOID else self.set(text, result)

    def _intrinsic(self, result: str, name: str, *arguments: str) -> NativeValue:
        types = ", ".join(argument.split()[0] for argument in arguments)
        self.declares.add(f"declare {result} @{name}({types})")
        return self._called(result, f"@{name}", arguments)

    def _cast(self, kind: str, node: ast.expr) -> NativeValue:
        found = self.value(node)
        if (found.kind, kind) not in _CASTS:
            return self.as_kind(found, kind, node)
        return self.set(f"{_CASTS[str(found.kind), kind]} {found.kind} {found.text} to {kind}", kind)

    def _pointer_of(self, kind: type[Pointer[Any]], node: ast.expr) -> NativeValue:
        found = self.value(node)
        if not isinstance(found.kind, str):
            return NativeValue(found.text, kind)
        return self.set(f"inttoptr i64 {self.as_kind(found, 'i64', node).text} to ptr", kind)

    # Functions of values.py, by their names

    def _load(self, word: ast.expr, order: ast.expr) -> NativeValue:
        place, kind, _ = self._pointer(word)
        return self.set(f"load atomic {kind}, ptr {place} {_order(order)}, align {_align(kind)}", kind)

    def _store(self, word: ast.expr, value: ast.expr, order: ast.expr) -> NativeValue:
        place, kind, _ = self._pointer(word)
        new = self.number(value, kind)
        return self.line(f"store atomic {kind} {new}, ptr {place} {_order(order)}, align {_align(kind)}")

    def _fetch_add(self, word: ast.expr, value: ast.expr, order: ast.expr) -> NativeValue:
        place, kind, _ = self._pointer(word)
        return self.set(f"atomicrmw add ptr {place}, {kind} {self.number(value, kind)} {_order(order)}", kind)

    def _exchange_if(self, word: ast.expr, old: ast.expr, new: ast.expr, order: ast.expr) -> NativeValue:
        place, kind, _ = self._pointer(word)
        a, b = self.number(old, kind), self.number(new, kind)
        pair = self.set(f"cmpxchg ptr {place}, {kind} {a}, {kind} {b} {_order(order)} monotonic", kind)
        return self.set(f"extractvalue {{ {kind}, i1 }} {pair.text}, 1", "i1")

    def _prefetch(self, place: ast.expr) -> NativeValue:
        return self._intrinsic(VOID, "llvm.prefetch.p0", f"ptr {self._pointer(place)[0]}", "i32 0", "i32 2", "i32 1")

    def _copy(self, to: ast.expr, source: ast.expr, n_bytes: ast.expr) -> NativeValue:
        a, b, n = self._pointer(to)[0], self._pointer(source)[0], self.number(n_bytes, "i64")
        return self._intrinsic(VOID, "llvm.memcpy.p0.p0.i64", f"ptr {a}", f"ptr {b}", f"i64 {n}", "i1 false")

    def _call_at(self, function: ast.expr, *arguments: ast.expr) -> NativeValue:
        return self._indirect(VOID, function, arguments)

    def _call_i32_at(self, function: ast.expr, *arguments: ast.expr) -> NativeValue:
        return self._indirect("i32", function, arguments)

    def _indirect(self, result: str, function: ast.expr, arguments: Sequence[ast.expr]) -> NativeValue:
        at = self.set(f"inttoptr i64 {self.number(function, 'i64')} to ptr", values.Bytes).text
        found = [self.value(node) for node in arguments]
        kinds = ["i64" if v.kind == LITERAL else type_of(v.kind) for v in found]
        return self._called(result, at, [f"{kind} {v.text}" for kind, v in zip(kinds, found, strict=True)])

    def _stack(self, kind: ast.expr, n: ast.expr) -> NativeValue:
        assert isinstance(kind, ast.Name)
        pointer: type[Pointer[Any]] = self.globals[kind.id]
        return self.set(f"alloca {_element(pointer)}, i64 {self.number(n, 'i64')}, align 8", pointer)


def _order(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant)
    return str(node.value)
