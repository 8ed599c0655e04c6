"""Tools around the compiler: the command line, checks for authors of layers and operations, random nets."""
