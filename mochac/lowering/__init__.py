"""From a traced net to a compiled plan: graphs, the pipeline, canonical kernels, library calls, the plan cache."""
