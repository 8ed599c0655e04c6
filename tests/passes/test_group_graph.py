"""GroupGraph: paths between groups that merge, and get further dependences, beside a search."""

import random

import pytest

from mochac.ir.passes.group_graph import BETWEEN, GroupGraph
from mochac.ir.passes.groups import reached


@pytest.mark.parametrize("seed", range(40))
def test_paths_are_those_that_a_search_finds(seed: int) -> None:
    print("seed", seed)
    rng = random.Random(seed)
    n = rng.randint(2, 40)
    graph = GroupGraph([{j for j in range(i) if rng.random() < 2 / n} for i in range(n)])
    for _ in range(3 * n):
        assert_paths(graph)
        if len(graph.members) < 2:
            break
        a, b = rng.sample(sorted(graph.members), 2)
        if rng.random() < 0.3:
            if not graph.leads(b, a):
                graph.add(a, b)
        elif not graph.refuse_cycle(a, b):
            graph.merge(a, b)


def assert_paths(graph: GroupGraph) -> None:
    """All answers about paths are those of a search along direct dependences."""
    behind = {a: reached(graph.after[a], graph.after.__getitem__) for a in graph.members}
    for a in graph.members:
        assert a not in behind[a]
        for b in graph.members:
            if a != b:
                assert graph.leads(a, b) == (b in behind[a])
                between = any(b in behind[n] for n in graph.after[a]) or any(a in behind[n] for n in graph.after[b])
                assert graph.refuse_cycle(a, b) == (BETWEEN if between else "")
