"""The report of a program: one HTML page from the user's line to the assembly, and a trace for Perfetto."""
