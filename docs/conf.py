# SPDX-License-Identifier: BSD-3-Clause
"""The site: what tools/docs has Sphinx build from the Markdown pages of the repository.

Pages are plain Markdown with $…$ for mathematics and relative links, so that they read as well on a
code-hosting site. The root of the site is that of the repository. A link to a file that is no page
leads to a page that shows it.
"""

import pathlib
import re
import shutil

import pygments
import pygments.formatters
import pygments.lexers
from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError

ROOT = pathlib.Path(__file__).resolve().parent.parent

project = "hamel"
release = re.search(r"project\(hamel VERSION ([\d.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
extensions = ["myst_parser", "sphinx.ext.mathjax"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**", "benchmark/results/*.md"]
exclude_patterns = ["build", "results", ".*"]
nitpicky = True
numfig = False

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
myst_update_mathjax = False  # that is for MathJax 3

html_theme = "furo"
html_title = f"hamel {release}"
html_static_path = ["_static"]
html_css_files = ["hamel.css"]
html_copy_source = False
html_show_copyright = False
html_additional_pages = {"index": "redirect.html"}
templates_path = ["_templates"]

# MathJax comes with the site, which needs no network: the parts that show TeX by web fonts.
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_CHTML.js", "extensions", "jax/element",
                 "jax/input/TeX", "jax/output/CommonHTML", "fonts/HTML-CSS/TeX/woff"]
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"
mathjax2_config = {
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]],
                "processClass": "math", "ignoreClass": "document"},
    "messageStyle": "none",
}

PICTURES = {".png", ".svg"}
shown = set()  # files that pages link to, as paths below the root


def list_folder(_app, page, source):
    """Puts the pages of a folder below its README, or the page beside it that has its name, in the
    site's table of contents."""
    if not page.startswith("docs/"):
        return
    folder, _, name = page.rpartition("/")
    pages = "*" if name == "README" else f"{name}/*" if (ROOT / folder / name).is_dir() else ""
    if pages:
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{pages}\n```\n"


def link_to_files(app, doctree):
    """Turns what would be a download into a link to the page that shows the file; pictures stay."""
    page = app.env.docname
    for node in list(doctree.findall(addnodes.download_reference)):
        path = (ROOT / page).parent / node["reftarget"]
        if path.suffix in PICTURES:
            continue
        name = path.resolve().relative_to(ROOT).as_posix()
        shown.add(name)
        uri = app.builder.get_relative_uri(page, f"source/{name}")
        node.replace_self(nodes.reference("", "", *node.children, internal=True, refuri=uri))


def pages_of_files(_app):
    """A page for each of those files."""
    formatter = pygments.formatters.HtmlFormatter(nowrap=False)
    for name in sorted(shown):
        text = (ROOT / name).read_text(encoding="utf-8")
        try:
            lexer = pygments.lexers.guess_lexer_for_filename(name, text)
        except pygments.util.ClassNotFound:
            lexer = pygments.lexers.guess_lexer(text)
        body = f"<h1 class='file'>{name}</h1>\n{pygments.highlight(text, lexer, formatter)}"
        yield f"source/{name}", {"title": name, "body": body}, "page.html"


def copy_mathjax(app, error):
    if error is not None or app.builder.format != "html":
        return
    if not (MATHJAX / "MathJax.js").is_file():
        raise ExtensionError(f"{MATHJAX} is missing: install libjs-mathjax")
    for part in MATHJAX_PARTS:
        source, target = MATHJAX / part, pathlib.Path(app.outdir) / "_static/mathjax" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)


def setup(app):
    app.connect("source-read", list_folder)
    app.connect("doctree-read", link_to_files, priority=100)  # before downloads are collected
    app.connect("html-collect-pages", pages_of_files)
    app.connect("build-finished", copy_mathjax)
