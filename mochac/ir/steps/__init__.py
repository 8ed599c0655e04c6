"""The kinds of schedule steps, in files by what they change, found by a folder scan."""
