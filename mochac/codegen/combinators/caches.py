"""Blocks and panels for caches, the order of loops around tiles, and items for threads."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from mochac.ir.schedule_builder import Handle, ScheduleBuilder, because
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.panels import Panels
from mochac.ir.steps.pipeline import Pipeline
from mochac.ir.steps.run import Parallel, Place
from mochac.ir.steps.split import Fission


@because("a block of terms is read once into the near cache, and used by all tiles before the next one")
def cache_block(b: ScheduleBuilder, term: str, size: int, *tiles: str) -> tuple[Handle, Handle]:
    """Cut the loop of a sum into blocks of terms, and move loops over tiles into it, the last innermost.

        each o_o { each n_o {                              each o_o {
          acc[..] = 0                                        each n_o { acc[n_o, ..] = 0 }
          sum f in 0..800 { acc[..] += x[n, f] * w[o, f] }   for f_o in 0..4 {
          y[..] = acc[..]                               ->     w.tile[..] = w[o, 256*f_o + ..]                  (packed)
        } }                                                    each n_o {
                                                                 acc.reg[..] = acc[n_o, ..]
                                                                 sum f_i in 0..256 { acc.reg[..] += x[..] * w.tile[..] }
                                                                 acc[n_o, ..] = acc.reg[..]
                                                             } }
                                                             each n_o { y[..] = acc[n_o, ..] }
                                                           }

    Between blocks, accumulators wait in scratch memory; inside, they are in registers. The part of an operand that all
    tiles of a block read may be packed: it is copied to scratch memory in the order in which it is read, so that it
    takes few cache lines.

    Returns:
        The loop over blocks and the loop inside a block.
    """
    block, inner = b.split(term, size, "cut")
    for tile in reversed(tiles):
        b.add(Distribute(tile, (block,)))
    return block, inner


@because("sums wait in near memory from block to block, and are in registers while they grow")
def keep_near(b: ScheduleBuilder, accumulators: str, tile: str) -> None:
    """Keep the accumulators of a tile in registers inside of the loop `tile`, and in scratch memory outside."""
    b.stage(accumulators, tile)
    b.add(Place(accumulators, "scratch"))


@because("what several threads read is copied where all of them read it quickly")
def panels(
    b: ScheduleBuilder,
    loop: str,
    threads: int,
    across: Sequence[str],
    double: bool,
    exact: Sequence[str] = (),
    direct: bool = False,
) -> None:
    """Copy what each iteration of a loop of the sum reads.

        sum k_o in 0..50 {                             fetch first panels X', W'
          each t threads { each r {                    for k_o in 0..50 {
            sum k_i in 0..16 {                           X, W = X', W'
              acc[t, r] = fma(x[..], w[..], acc)   ->    fetch next panels X', W'
            }                                            each t threads { each r {
          } }                                              sum k_i in 0..16 { acc[t, r] = fma(X[..], W[..], acc[t, r]) }
        }                                                } }
                                                       }

    Panels are to a GPU what cache blocks are to a CPU: what all threads of a block read is loaded from memory once.
    Where a condition skips terms, panels hold zeros, so products need no conditions.

    Args:
        threads: the number of threads of a block.
        across: the loops that run as threads, slowest first.
        exact: loops of the sum whose conditions stay around the products, so that no zeros are multiplied.
        double: each panel has two buffers, for one barrier per iteration instead of two.
        direct: threads do not wait for what they copy into the second one.
    """
    b.add(Panels(loop, threads, tuple(across), tuple(exact)))
    if b.extent(loop) > 1:
        b.add(Pipeline(loop, double, direct and double))


@because("what is read in the inner loops is near, or the same for many iterations")
def loop_order(
    b: ScheduleBuilder, accumulators: str, results: Sequence[str], terms: Sequence[str], order: Sequence[str]
) -> None:
    """Nest loops in an order.

        each o_t { each n_t {                                 for f_b {
          acc = 0                                               each n_t { each o_t {
          sum f_b { sum f_i { acc += x[n, f] * w[o, f] } }        acc.reg = acc[n_t, o_t]
          y[n, o] = acc                                   ->      sum f_i { acc.reg += x[n, f] * w[o, f] }
        } }                                                       acc[n_t, o_t] = acc.reg
                                                                } }                   order (f_b, n_t, o_t, f_i)
                                                              }            before it all accumulators are set to 0,
                                                                           after it they are stored

    A result loop moves into the loops of the sum that come before it; loops of the sum keep their order.

    Args:
        results: loops of the results as they are nested now, outermost first.
        terms: loops of the sum, inside of them, in the same way.
        order: all of them as they are to be nested; those of the sum in the order of `terms`.
    """
    place = {loop: k for k, loop in enumerate(order)}
    inside = list(terms)
    for loop in reversed(results):
        before = [x for x in inside if place[x] < place[loop]]
        if before:
            b.add(Distribute(loop, tuple(before)))
        inside.insert(len(before), loop)
    first = place[terms[0]] if terms else len(order)
    late = [loop for loop in order[first:] if loop in results]
    if late:
        keep_near(b, accumulators, late[-1])


def share_items(b: ScheduleBuilder, *loops: str, least: int = 0) -> tuple[str, ...]:
    """Share the iterations of these loops, given outermost first, and return those that are shared.

    each b { each t { A } }                  ->   each b parallel { each t parallel { A } }
    each b { each t { A };  each r { B } }   ->   each b parallel { each t { A };  each r { B } }    a tail beside t;
                                                  each b parallel { each t parallel { A } }          if b alone has too
                                                    each b parallel { each r parallel { B } }        few iterations

    A loop with a tail beside it is not shared, unless the loops around both have fewer iterations than `least`.
    """
    for n in range(len(loops), 1, -1):
        shared, around = loops[:n], loops[: n - 1]
        if b.fits(Parallel(shared)):
            return shared
        if prod(map(b.extent, around)) < least:
            with b.because("a tail gets items of its own, so that there are enough of them"):
                if b.fits(*(Fission(loop, 1) for loop in reversed(around)), Parallel(shared)):
                    return shared
    b.add(Parallel(loops[:1]))
    return loops[:1]
