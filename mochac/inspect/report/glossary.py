"""The words of a report that need an explanation: shown in full at its end, and where the mouse is on one."""

from __future__ import annotations

TERMS = {
    "kernel": "One pass over data, compiled to a function: the operations that were fused, in one nest of loops.",
    "plan": (
        "What is compiled together: the kernels of a step in order, with their memory. 'step' trains, 'test' predicts."
    ),
    "phase": "Kernels of one phase do not wait for each other; threads meet at a barrier after it.",
    "item": (
        "A part of a kernel that one thread runs, as some rows of some samples; threads share the items of a kernel."
    ),
    "pass": (
        "forward computes the loss, backward the gradients; update is what a solver computes with them. Kernels "
        "that do two of these have both names."
    ),
    "arena": "One piece of memory with all values of a step; values that are not needed at once share bytes.",
    "time": "Of the kernel's slowest thread: the mean of the middle half of the steps of one run.",
    "min-max": "Time in the quickest and in the slowest step of that run.",
    "share": "Part of a step with clocks; kernels that run at the same time split their time.",
    "predicted": "What a model of the machine expects of the kernel's loops; never less than the roof.",
    "x predicted": (
        "Measured time as a multiple of the predicted one. More than 1.6 or less than 1/1.6 is marked, if the kernel "
        "takes 5 us or more: other work on the machine, or something that the model does not see."
    ),
    "GFLOP/s": "1e9 operations of the layer's formula a second, two for each multiply-add, taps on padding included.",
    "GB/s": "1e9 bytes of operands and results a second, each counted once.",
    "% peak": "GFLOP/s in percent of what multiply-adds alone reach on this machine.",
    "% roof": (
        "The least time that this machine's arithmetic and memory allow, in percent of the measured time: 100 is as "
        "fast as it can be. Taps on padding that it skips do not count."
    ),
    "roof": (
        "What sets that least time: arithmetic (multiply-adds at their peak), or the cache or memory that its bytes "
        "come from. A kernel far below its roof is limited by something else."
    ),
    "conv_dx, inner_product_dx": "The gradient of a layer's input.",
    "conv_dw, inner_product_dw": "The gradient of a layer's weights.",
    "relayout": "Copies a value to another order in memory.",
    "blocked(16)": "A layout: 16 samples lie next to each other, so that a vector holds one element of each.",
    "by rule": (
        "The schedule follows from the kernel's loops and the model of the machine; no other was timed. A search "
        '(`tune="quick"`) times others and keeps the fastest.'
    ),
    "accumulators": "Sums that stay in registers while the loops of the innermost tile run.",
}
"""A sentence or two for each."""
