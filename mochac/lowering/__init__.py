"""Lowering, from a traced net to a compiled plan: graphs, pipeline, canonical kernels, library calls, plan cache."""
