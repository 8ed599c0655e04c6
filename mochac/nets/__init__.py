"""What a user writes: layers, solvers, Net; wiring and tracing to a graph; pictures and source code of nets."""
