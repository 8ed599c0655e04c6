"""Solvers: methods (one file each, found by a folder scan), policies, and the Solver that carries them.

Users reach them through `mochac`; the driver through `append_update`. They know no backend.
"""

from mochac.solvers.method import METHODS, Method, append_update
from mochac.solvers.policies import LRPolicy, MomPolicy
from mochac.solvers.sgd import SGD

__all__ = ["METHODS", "LRPolicy", "Method", "MomPolicy", "SGD", "append_update"]
