"""Solvers: methods (one file each, found by scanning this folder), policies, and the Solver."""

from mochac.nets.solvers.method import METHODS, Method, append_update
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import SGD

__all__ = ["METHODS", "LRPolicy", "Method", "MomPolicy", "SGD", "append_update"]
