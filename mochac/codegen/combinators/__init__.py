"""Combinators: the building blocks of scheduling rules. Each is a few steps that belong together.

They take a ScheduleBuilder and handles of loops, apply their steps and return the loops that these made. Where no other
loops are named, each moves its loops inward past all but vector loops, so combinators can be applied in any order.
"""
