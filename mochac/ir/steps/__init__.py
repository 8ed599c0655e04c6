"""The kinds of schedule steps, one file each, found by a folder scan."""
