"""verify: checks that a graph is well formed by named rules; messages show the offending line.

It runs after every pass in tests and under MOCHAC_VERIFY=1, and in `mochac opt`.

Rules: unique-names, known-role, defined-before-use, known-op, attrs-canonical, attrs-typed, types-match-infer,
batch-blocked, results-exist, update-target, update-type, update-once, bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.base.registry import did_you_mean
from mochac.ir.graph import ROLES, Graph, Node, make_attrs
from mochac.ir.op import OPS, OpTypeError
from mochac.ir.op_call import declared
from mochac.ir.types import DTYPES, TensorType


class VerifyError(MochacError):
    """A graph breaks a rule.

    Attributes:
        rule: the rule's name, e.g. "defined-before-use".
        text: what is wrong, in one line.
        node: the offending node, or None.
    """

    def __init__(self, graph: Graph, problem: Problem) -> None:
        node = problem.node
        lines = [f"graph @{graph.name} breaks rule {problem.rule}: {problem.text}"]
        if node is not None:
            where = f", from {'; '.join(map(str, node.loc))}" if node.loc else ""
            lines.append(f"  in node {graph.nodes.index(node)}{where}")
            lines.append(f"  -> {node}")
            column = str(node).find(problem.mark) if problem.mark else -1
            if column >= 0:
                lines.append(" " * (5 + column) + "^" * len(problem.mark))
        super().__init__("\n".join(lines))
        self.rule, self.text, self.node = problem.rule, problem.text, node


@record
class Problem:
    """One broken rule; `mark` is the part of the printed node to underline."""

    rule: str
    text: str
    node: Node | None = None
    mark: str = ""


def verify(graph: Graph) -> None:
    """Check every rule.

    Raises:
        VerifyError: the first problem in the order of RULES.
    """
    for problem in problems(graph):
        raise VerifyError(graph, problem)


def problems(graph: Graph) -> Iterator[Problem]:
    """Every broken rule. Later rules assume that the earlier ones hold, so only the first problem is reliable."""
    for rule in RULES:
        broken = list(rule(graph))
        yield from broken
        if broken:
            return


def unique_names(graph: Graph) -> Iterator[Problem]:
    """Every name is defined once, as an input or as an output of a node."""
    seen: set[str] = set()
    for i in graph.inputs:
        if i.name in seen:
            yield Problem("unique-names", f"two inputs are called %{i.name}")
        seen.add(i.name)
    for node in graph.nodes:
        for out in node.outputs:
            if out.name in seen:
                yield Problem("unique-names", f"%{out.name} is defined twice", node, f"%{out.name}:")
            seen.add(out.name)


def known_role(graph: Graph) -> Iterator[Problem]:
    """An input's role is one of ROLES. Parameters, states and slots are batch-marked in a graph of many nets
    (passes/map_nets.py), where all of them are."""
    for i in graph.inputs:
        if i.role not in ROLES:
            yield Problem("known-role", f"input %{i.name} has role {i.role!r}, expected one of {', '.join(ROLES)}")
    kept = [i for i in graph.inputs if i.role in ("param", "state", "slot")]
    one = next((i for i in kept if not i.type.batch), None)
    for i in kept:
        if i.type.batch and one is not None:
            text = f"input %{i.name} is batch-marked, as in a graph of many nets, but input %{one.name} is not"
            yield Problem("known-role", text)


def defined_before_use(graph: Graph) -> Iterator[Problem]:
    """Every operand is an input or the output of an earlier node."""
    known = {i.name for i in graph.inputs}
    later = {out.name for node in graph.nodes for out in node.outputs}
    for node in graph.nodes:
        for name in node.inputs:
            if name not in known:
                fault = "is used before it is defined" if name in later else "is not defined"
                hint = "" if name in later else did_you_mean(name, known)
                yield Problem("defined-before-use", f"%{name} {fault}{hint}", node, f"%{name}")
        known.update(out.name for out in node.outputs)


def known_op(graph: Graph) -> Iterator[Problem]:
    """Every op is in the table."""
    for node in graph.nodes:
        if node.op not in OPS:
            yield Problem("known-op", f"no op {node.op!r}{did_you_mean(node.op, OPS)}", node, f"{node.op}(")


def attrs_canonical(graph: Graph) -> Iterator[Problem]:
    """Attributes are sorted by key without repetition, and consist of int, float, str, bool and tuples."""
    for node in graph.nodes:
        if repr(make_attrs(dict(node.attrs))) != repr(node.attrs):
            yield Problem("attrs-canonical", f"attributes of {node.op} are not in canonical form", node, "{")


def attrs_typed(graph: Graph) -> Iterator[Problem]:
    """An attribute has the type that its op's `infer` declares: 1.0 is not an axis, and true is not an extent."""
    for node in graph.nodes:
        kinds = declared(OPS[node.op].infer).kinds
        for name, value in node.attrs:
            if name in kinds and not kinds[name].accepts(value):
                text = f"{name} of {node.op} is {value!r}, not {kinds[name].annotation}"
                yield Problem("attrs-typed", text, node, f"{name} = ")


def types_match_infer(graph: Graph) -> Iterator[Problem]:
    """Every output has the type that its op infers from the operands."""
    types = graph.types()
    for node in graph.nodes:
        try:
            inferred = OPS[node.op].infer(*(types[n] for n in node.inputs), **node.attr)
        except OpTypeError as error:
            yield Problem("types-match-infer", f"{node.op} does not accept its operands: {error}", node, f"{node.op}(")
            continue
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
            yield Problem(
                "types-match-infer", f"{node.op} has wrong operands or attributes: {error}", node, f"{node.op}("
            )
            continue
        if len(inferred) != len(node.outputs):
            yield Problem(
                "types-match-infer", f"{node.op} gives {len(inferred)} results, not {len(node.outputs)}", node
            )
            continue
        for out, type in zip(node.outputs, inferred, strict=True):
            if out.type != type:
                text = f"%{out.name} declared {out.type}, {node.op} infers {type}"
                yield Problem("types-match-infer", text, node, f"%{out.name}: {out.type}")


def batch_blocked(graph: Graph) -> Iterator[Problem]:
    """Only batch-marked values are blocked, and only values with an axis 0 are batch-marked."""

    def fault(type: TensorType) -> str:
        if type.dtype not in DTYPES or any(d < 0 for d in type.shape):
            return "has no valid type"
        if type.batch and not type.shape:
            return "is a scalar with a batch mark"
        return "is blocked, but its axis 0 is not the batch" if type.lanes and not type.batch else ""

    for i in graph.inputs:
        if fault(i.type):
            yield Problem("batch-blocked", f"input %{i.name}: {i.type} {fault(i.type)}")
    for node in graph.nodes:
        for out in node.outputs:
            if fault(out.type):
                text = f"%{out.name}: {out.type} {fault(out.type)}"
                yield Problem("batch-blocked", text, node, f"%{out.name}: {out.type}")


def results_exist(graph: Graph) -> Iterator[Problem]:
    """Outputs and new state are values of the graph."""
    known = graph.types()
    for name in graph.outputs:
        if name not in known:
            yield Problem("results-exist", f"output %{name} is not defined{did_you_mean(name, known)}")
    for target, new in graph.updates:
        if new not in known:
            yield Problem("results-exist", f"%{target} becomes %{new}, which is not defined{did_you_mean(new, known)}")


def update_target(graph: Graph) -> Iterator[Problem]:
    """Only parameters and solver slots are updated."""
    roles = {i.name: i.role for i in graph.inputs}
    for target, _ in graph.updates:
        if target not in roles:
            yield Problem("update-target", f"%{target} is updated, but is not an input")
        elif roles[target] not in ("param", "state", "slot"):
            yield Problem("update-target", f"%{target} is updated, but its role is {roles[target]!r}")


def update_type(graph: Graph) -> Iterator[Problem]:
    """New state has the type of the old state."""
    types = graph.types()
    for target, new in graph.updates:
        if types[target] != types[new]:
            yield Problem("update-type", f"%{target}: {types[target]} becomes %{new}: {types[new]}")


def update_once(graph: Graph) -> Iterator[Problem]:
    """A state has one new value. (verify_plan checks that it is stored after the last read of the old one.)"""
    targets = [target for target, _ in graph.updates]
    for target in sorted({t for t in targets if targets.count(t) > 1}):
        yield Problem("update-once", f"%{target} is updated {targets.count(target)} times")


def bodies(graph: Graph) -> Iterator[Problem]:
    """Graphs among the attributes of a node obey the rules, have no state, and read nothing but their inputs."""
    for node in graph.nodes:
        for name, body in node.bodies.items():
            for problem in problems(body):
                where = "" if problem.node is None else f", in {problem.node}"
                yield Problem("bodies", f"{name} breaks rule {problem.rule}: {problem.text}{where}", node, f"{name} = ")
            if body.updates or any(i.role != "data" for i in body.inputs):
                yield Problem("bodies", f"{name} has state of its own, which only the whole graph has", node)


RULES: tuple[Callable[[Graph], Iterator[Problem]], ...] = (
    unique_names,
    known_role,
    defined_before_use,
    known_op,
    attrs_canonical,
    attrs_typed,
    types_match_infer,
    batch_blocked,
    results_exist,
    update_target,
    update_type,
    update_once,
    bodies,
)
