"""Share items: threads share the iterations of nested loops, of as many as have nothing beside them.

each b { each t { A } }                  ->    each b parallel { each t parallel { A } }
each b { each t { A };  each r { B } }   ->    each b parallel { each t { A };  each r { B } }     a tail beside t;
                                               each b parallel { each t parallel { A } }           if b alone has too
                                                 each b parallel { each r parallel { B } }         few iterations
"""

from __future__ import annotations

from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.split import Fission


def share_items(b: ScheduleBuilder, *loops: str, least: int = 0) -> tuple[str, ...]:
    """Share the iterations of these loops, given outermost first, and return those that are shared.

    A loop with a tail beside it is not shared, unless the loop around both has fewer iterations than `least`.
    """
    for n in range(len(loops), 1, -1):
        if b.fits(Parallel(loops[:n])):
            return loops[:n]
    if len(loops) == 2 and b.extent(loops[0]) < least:
        with b.because("a tail gets items of its own, so that there are enough of them"):
            if b.fits(Fission(loops[0], 1), Parallel(loops)):
                return loops
    b.add(Parallel(loops[:1]))
    return loops[:1]
