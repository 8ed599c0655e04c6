"""Solvers: methods (one file each, found by scanning this folder), policies, and the Solver."""

from mochac.solvers.method import METHODS, Method, append_update
from mochac.solvers.policies import LRPolicy, MomPolicy
from mochac.solvers.sgd import SGD

__all__ = ["METHODS", "LRPolicy", "Method", "MomPolicy", "SGD", "append_update"]
