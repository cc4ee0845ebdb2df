"""The documentation site: `scripts/docs` builds it. No page loads anything from another server; search needs none."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from treatise import __version__

project = "Treatise"
author = "The Treatise authors"
copyright = "2026, The Treatise authors"  # noqa: A001  (Sphinx's name for it)
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "treatise_site"]
exclude_patterns = ["_build", "_ext"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"Treatise {version}"
html_static_path = ["pictures"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
