"""How Sphinx builds the site: `sphinx-build -W --keep-going docs build/site`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import sim  # noqa: E402

project = "groupmove"
author = "the authors of groupmove"
version = release = sim.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"groupmove {release}"
exclude_patterns = ["gallery"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
autodoc_typehints = "description"
autodoc_member_order = "bysource"
suppress_warnings = ["myst.xref_missing"]
"""Links from pages to files outside `docs/`, such as demos; that they lead somewhere is tested."""
