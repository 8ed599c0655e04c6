"""The C library of a net: its plans as machine code, and a frame in C that runs them without Python."""
