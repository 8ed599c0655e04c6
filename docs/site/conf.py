"""Sphinx's settings for the site of the manual; docs/site/build.py runs it on the staged pages."""

project = "mochac"
author = "the authors of mochac"
extensions = ["myst_nb"]
root_doc = "index"
html_theme = "furo"
html_title = "mochac"
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_copy_source = False
myst_heading_anchors = 4
exclude_patterns = ["docs/tutorials/*.ipynb"]  # to be downloaded; their pages are run
nb_execution_mode = "force"  # build.py says "off" where asked to
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
pygments_style = "friendly"
