"""Sphinx: the site that docs/site/build.py makes."""

project = "Tessera"
author = "the authors of Tessera"
project_copyright = author
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Tessera"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_extra_path = ["extra"]
html_copy_source = False
html_show_sphinx = False
# Texts of other pages cannot be read without a server.
html_show_search_summary = False
# Blocks of console output and of generated code are no whole programs.
suppress_warnings = ["misc.highlighting_failure"]
