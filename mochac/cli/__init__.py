"""The command line: one file per command, found by a folder scan.

`mochac/__main__.py` runs it. Commands use mochac's public calls.
"""
