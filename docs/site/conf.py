"""Sphinx's settings for the site of the manual; docs/site/build.py runs it on the staged pages."""

project = "mochac"
author = "the authors of mochac"
extensions = ["myst_parser"]
root_doc = "docs/README"
html_theme = "furo"
html_title = "mochac"
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
html_show_copyright = False
html_copy_source = False
myst_heading_anchors = 4
pygments_style = "friendly"
