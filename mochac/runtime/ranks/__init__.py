"""Ranks: processes that train a net together, on one machine or many, and MPI, through which they talk."""
