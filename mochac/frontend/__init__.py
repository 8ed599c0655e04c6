"""From layers to a graph: Net, wiring, tracing; pictures and source code of nets."""
