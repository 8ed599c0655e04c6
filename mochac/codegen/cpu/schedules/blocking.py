"""Blocking: how many terms of a product run at once, so that what its tiles share stays in cache."""

from __future__ import annotations

from mochac.codegen.machine import LINE, Machine

OTHER_WAYS = 2


def panel_terms(machine: Machine, rows: int, column_bytes: int, terms: int, step: int = 8) -> int:
    l1 = machine.l1
    row_bytes = 4 * rows
    ways = int((l1.ways - OTHER_WAYS) / (1 + row_bytes / column_bytes))
    most = ways * (l1.n_bytes // l1.ways) // column_bytes
    most = max(16, most // 16 * 16)
    parts = -(-terms // most)
    return min(terms, -(-terms // (parts * step)) * step)
