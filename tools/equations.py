# SPDX-License-Identifier: BSD-3-Clause
"""The collection of equations, docs/equations.md and the pages below docs/equations: which tags have
their equation there, and where.

Shared by tools/check_tags and tools/catalogue.
"""

import dataclasses
import os
import pathlib
import re

from mutations import EQUATION
from pages import HEADING, running_text, slug

LINK = re.compile(r"\]\((?P<path>[^)#\s]+)\)")
RANGE = re.compile(r"(?P<document>D\d+) (?P<first>\(\d+[a-z]?\))–(?P<last>\(\d+[a-z]?\))")
DEFINITION = re.compile(r"^\[(?P<name>[^\]]+)\]: (?P<target>\S+)$", re.MULTILINE)
# A place in the collection that is named in passing: MATH 2.3, MATH 10.
MENTION = re.compile(r"\bMATH \d+(?:\.\d+[a-z]?)?\b")


@dataclasses.dataclass
class Item:
    """A heading that is a tag, without its brackets."""

    name: str
    page: str  # path below the root
    line: int
    files: list = dataclasses.field(default_factory=list)  # that its text links to, below the root

    @property
    def anchor(self):
        return f"{self.page}#{slug(self.name)}"


def collection(root):
    """All items, in order; a tag that has two is there twice."""
    items = []
    folder = root / "docs/equations"
    for path in [root / "docs/equations.md", *sorted(folder.glob("*.md"))]:
        if not path.exists():
            continue
        page, item = path.relative_to(root).as_posix(), None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            heading = HEADING.match(line)
            if heading:
                item = None
                if EQUATION.fullmatch(f"[{heading[2]}]"):
                    item = Item(heading[2], page, number)
                    items.append(item)
            elif item:
                targets = [(path.parent / link["path"]).resolve() for link in LINK.finditer(line)]
                item.files += [to.relative_to(root).as_posix() for to in targets
                               if to.is_relative_to(root)]
    return items


def names_of(tag):
    """The headings that a tag needs: one, or for a range those of both ends."""
    name = tag[1:-1]
    ends = RANGE.fullmatch(name)
    return [f"{ends['document']} {ends[end]}" for end in ("first", "last")] if ends else [name]


def mentions_in(root, paths):
    """Places (FILE:LINE) of each item of MATH that is named."""
    places = {}
    for path in paths:
        text = pathlib.Path(root / path).read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            for name in MENTION.findall(line):
                places.setdefault(name, []).append(f"{path}:{number}")
    return places


def faults_of_links(root, page, items):
    """Tags in the running text of a page that do not lead to their equation; items: by name."""
    text = running_text((root / page).read_text(encoding="utf-8"))
    targets = {found["name"]: found["target"] for found in DEFINITION.finditer(text)}
    faults = []
    for tag in EQUATION.finditer(text):
        name = tag.group()[1:-1]
        link = re.match(r"\(([^()\s]*)\)", text[tag.end():])
        target = link[1] if link else targets.get(name)
        where = f"{page}:{text.count(chr(10), 0, tag.start()) + 1}: {tag.group()}"
        if target is None:
            faults.append(f"{where} is no link")
        elif name in items and os.path.normpath(page.parent / target) != items[name].anchor:
            faults.append(f"{where} leads to {target}, not to {items[name].anchor}")
    return faults
