"""The glossary holds names to one word per thing, and classes to one name each."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from docs.pages import ROOT
from package_source import modules, statements, tree

OF_OTHERS = {
    "ir.shared_copies.bank_accesses": "banks of shared memory",
    "nets.layers.element_wise.Divide": "the functor of Mocha's ElementWiseLayer",
    "ir.ops.shift": "mirrors images, as Caffe's transformer does",
    "ir.passes.fuse_maps.sink": "a compiler's usual word for moving a node towards its user",
}
"""Names that have a word of the third column in another, usual sense."""
SHARED_CLASS_NAMES = {
    "Environment": "the printers of both backends have one",
    "KernelCode": "the printers of both backends have one",
    "Printer": "the printers of both backends have one",
    "Sigmoid": "a neuron, and the learning-rate policy of Caffe's name",
}
"""Class names that more than one file defines."""
PARTICIPLES = frozenset("alike apart asked given gone held lent meant met said told".split())
"""Words that say what happened to a thing and not what it is; names say `buffers`, `arguments`, `same_shape`."""


@pytest.mark.slow
def test_words_that_were_replaced_do_not_return():
    replaced = replaced_words()
    assert {"bank", "trainee", "ragged", "Divide"} <= replaced
    found = [name for name in names() if is_replaced(name.rpartition(".")[2], replaced) and not is_excused(name)]
    assert found == []


@pytest.mark.slow
def test_no_two_classes_have_one_name():
    homes = defaultdict(list)
    for module in modules():
        for node in tree(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    several = {name: where for name, where in homes.items() if len(where) > 1}
    assert set(several) - set(SHARED_CLASS_NAMES) == set(), several
    assert set(SHARED_CLASS_NAMES) <= set(several)


@pytest.mark.slow
def test_no_name_is_a_participle_that_stands_for_a_noun():
    found = {f"{home}: {name}" for home in modules() for name in bound(tree(home)) if PARTICIPLES & set(words(name))}
    assert found == set()


def bound(module: ast.Module) -> Iterator[str]:
    """Names of variables, attributes, parameters, functions and classes that a file defines, and of its imports.

    >>> list(bound(ast.parse("from io import open as given\\ndef f(x): self.y, z = 1")))
    ['f', 'given', 'x', 'y', 'z']
    """
    for node in ast.walk(module):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.alias(asname=str(name)):
                yield name
            case _:
                pass


def replaced_words() -> set[str]:
    """The third column of the glossary's tables; of terms of two words none, since names have them one by one."""
    section = (ROOT / "docs/developers/glossary.md").read_text()
    cells = re.findall(r"^\|[^|]*\|[^|]*\|([^|]*)\|$", section, re.MULTILINE)
    listed = {word.strip() for cell in cells for word in cell.split(",")}
    return {word for word in listed if word.isalpha() and word not in ("not", "network", "checkpoint", "optimizer")}


def is_replaced(name: str, replaced: set[str]) -> bool:
    """Whether a name contains a replaced word, or is the name of a replaced class or of its module."""
    return bool(replaced & set(words(name))) or name in replaced or (name.islower() and name.capitalize() in replaced)


def is_excused(name: str) -> bool:
    return any(name == known or name.startswith(f"{known}.") for known in OF_OTHERS)


def words(name: str) -> list[str]:
    """The words of a name, in the singular too.

    >>> words("FeedTable"), words("plan_sets")
    (['feed', 'table'], ['plan', 'sets', 'set'])
    """
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    lower = [part.lower() for part in parts]
    return lower + [word.removesuffix("s") for word in lower if word.endswith("s")]


def names() -> Iterator[str]:
    """Modules and the classes and public functions that they define, without the package's name."""
    for home in modules():
        yield home
        for node in statements(tree(home)):
            is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            if isinstance(node, ast.ClassDef) or (is_function and not node.name.startswith("_")):
                yield f"{home}.{node.name}"
