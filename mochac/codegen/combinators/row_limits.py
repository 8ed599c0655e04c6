"""Limits of the rows of taps: rows that padding or a stride leaves out are not run."""

from __future__ import annotations

from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.analysis.nests import used_with
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.split import Peel


def limit_rows(b: ScheduleBuilder, s: BatchSum, held: tuple[str, ...] = ()) -> None:
    """Restrict rows of taps, and row phases, to those that exist; phases without taps get code of their own.

    Args:
        held: loops in registers, whose iterations cannot have loops of different lengths.
    """
    for x in s.row_phases:
        if x.reached < b.extent(x.phase):
            b.add(Peel(x.phase, x.reached))
        else:
            b.fits(Clip(x.phase))
    for tap in filter(None, s.row_taps):
        if not used_with(b.kernel.body, tap) & set(held):
            b.fits(Clip(tap))
