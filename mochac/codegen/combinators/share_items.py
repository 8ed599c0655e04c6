"""Share items: threads share the iterations of as many of some nested loops as stand alone in each other.

each b { each t { A } }                  ->    each b parallel { each t parallel { A } }
each b { each t { A };  each r { B } }   ->    each b parallel { each t { A };  each r { B } }     a tail beside t
"""

from __future__ import annotations

from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Parallel


def share_items(b: ScheduleBuilder, *loops: str) -> None:
    """Share the iterations of these loops, outermost first; without those that have a tail beside them."""
    for n in range(len(loops), 1, -1):
        if b.fits(Parallel(loops[:n])):
            return
    b.add(Parallel(loops[:1]))
