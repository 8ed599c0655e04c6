"""The command line: one file per command, found by a folder scan.

`mochac/__main__.py` runs it. Commands go through the public calls of driver/; nothing else in the house knows them.
"""
