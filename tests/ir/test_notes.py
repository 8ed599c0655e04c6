"""Notes: every kind is read back from its text, also behind a graph."""

from dataclasses import fields

import pytest

from mochac.ir import Graph, parse
from mochac.ir.notes import KINDS, Remark, parse_note

VALUES = {"str": "some.words: a+b", "int": 1_296_000, "tuple[str, ...]": ("conv1.conv+pool1", "ip.1")}


@pytest.mark.parametrize("kind", [*KINDS, Remark])
def test_the_text_of_a_note_is_read_back(kind):
    note = kind(**{f.name: VALUES[f.type] for f in fields(kind)})
    assert parse_note(str(note)) == note
    graph = Graph("g", (), (), (), notes=(note, Remark("another")))
    assert parse(str(graph)).notes == graph.notes


def test_a_line_is_one_note():
    assert parse(str(Graph("g", (), (), (), notes=(Remark("two\nlines"),)))).notes == (Remark("two lines"),)
