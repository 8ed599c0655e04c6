"""Docstrings keep their form when they are wrapped anew: an entry of Args begins a line, a paragraph has one margin."""

import ast
import re

import pytest
from package_source import modules, statements, tree


@pytest.mark.slow
def test_every_argument_and_attribute_has_an_entry_that_begins_a_line():
    wrong = [
        f"{where}: {line}"
        for where, node, doc in docstrings()
        for section in re.findall(r"^(?:Args|Attributes):\n((?: .*\n?)+)", doc, re.MULTILINE)
        for line in without_an_entry(section, names(node))
    ]
    assert wrong == []


@pytest.mark.slow
def test_every_entry_of_args_is_a_parameter():
    wrong = [
        f"{where}: {name}"
        for where, node, doc in docstrings()
        for section in re.findall(r"^Args:\n((?: .*\n?)+)", doc, re.MULTILINE)
        for entry in re.findall(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*): ", section, re.MULTILINE)
        for name in entry.replace("*", "").split(", ")
        if has_signature(node) and name not in names(node)
    ]
    assert wrong == []


def has_signature(node: ast.AST) -> bool:
    """Whether a function, or the constructor of a class, is written there, and takes no other keywords."""
    body = [] if isinstance(node, ast.Module) else [node, *getattr(node, "body", ())]
    signatures = [s for s in body if isinstance(s, ast.FunctionDef) and (s is node or s.name == "__init__")]
    return bool(signatures) and not signatures[0].args.kwarg


def without_an_entry(section: str, known: set[str]) -> list[str]:
    """Lines of a section that begin at its margin and name nothing, or that have an entry's name in the middle.

    >>> without_an_entry("    a: the first. b: the second.\\n    b of the others\\n", {"a", "b"})
    ['a: the first. b: the second.', 'b of the others']
    """
    inside = "|".join(re.escape(name) for name in known) or "$^"
    begins = re.compile(r"    (?=\S)(?!\*{0,2}\w+(, \*{0,2}\w+)*: )")
    middle = re.compile(rf" .*[.;] (?:{inside})(?:, (?:{inside}))*: ")
    return [line.strip() for line in section.splitlines() if begins.match(line) or middle.match(line)]


@pytest.mark.slow
def test_docstrings_begin_with_what_a_thing_is_or_does():
    """Not with a word that refers to the name, or to what stands before it; docstrings of values, too."""
    vague = re.compile(r'^\s*(?:r?""")(The same|Those|Of)\b.*', re.MULTILINE)
    texts = {name: path.read_text() for name, path in modules().items()}
    assert {name: found for name, text in texts.items() if (found := vague.findall(text))} == {}


@pytest.mark.slow
def test_no_paragraph_goes_on_with_another_margin():
    wrong = [
        f"{where}: {first[:60]}"
        for where, _, doc in docstrings()
        for first, *rest in (part.splitlines() for part in re.split(r"\n\s*\n", doc) if part.strip())
        if rest and is_prose(first) and all(re.match(r"    \S", line) for line in rest)
    ]
    assert wrong == []


def is_prose(line: str) -> bool:
    """Whether a line is full and no part of a picture."""
    return len(line) > 85 and line[0].isupper() and "  " not in line and not line.endswith(":")


def docstrings():
    """(place, node, docstring) of every file, class and function."""
    for module in modules():
        found = tree(module)
        for node in (found, *statements(found)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (doc := ast.get_docstring(node)):
                yield f"{module}.{getattr(node, 'name', '')}", node, doc


def names(node: ast.AST) -> set[str]:
    """The parameters of a function; the fields of a class and the parameters of its constructor."""
    if isinstance(node, ast.FunctionDef):
        a = node.args
        return {x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if x}
    body = getattr(node, "body", ())
    fields = {s.target.id for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}
    return fields.union(*(names(s) for s in body if isinstance(s, ast.FunctionDef) and s.name == "__init__"))
