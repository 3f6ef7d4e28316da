# SPDX-License-Identifier: BSD-3-Clause
"""The Markdown pages of the repository: which there are, their blocks, links and anchors.

Shared by tools/check_links, tools/docs and tests/docs.
"""

import pathlib
import re
import unicodedata

# Folders that hold no pages of ours: builds, and what the program writes where it was started.
LEFT_OUT = {"build", "results", "__pycache__"}
KEPT = {"docs/results", "benchmark/results"}

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:[^\n]|\n(?!\s*\n))+?)(?<!`)\1(?!`)")
MATH = re.compile(r"\$\$.*?\$\$|(?<![\\$\w])\$(?=\S)[^$]*?(?<=[^\s\\])\$(?!\d)", re.DOTALL)
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
ANCHOR = re.compile(r"<a\s[^>]*?(?:id|name)=[\"']([^\"']+)[\"']")


def repository_root():
    return pathlib.Path(__file__).resolve().parent.parent


def markdown_files(root):
    """Every page of the repository, as paths below it."""
    found, folders = [], [root]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            name = path.relative_to(root).as_posix()
            if path.is_dir():
                if not path.name.startswith(".") and (path.name not in LEFT_OUT or name in KEPT):
                    folders.append(path)
            elif path.suffix == ".md":
                found.append(path.relative_to(root))
    return sorted(found)


class Block:
    """A piece of code in a page: fenced, indented, or hidden in a comment."""

    def __init__(self, line, language, content, comment="", fenced=True):
        self.line = line          # of its first line of code, from 1
        self.language = language  # first word after the fence
        self.content = content
        self.comment = comment    # text of the HTML comment right before it
        self.fenced = fenced


def blank(text):
    """As many lines, nothing on them."""
    return re.sub(r"[^\n]", " ", text)


def comments_and_blocks(text):
    """Everything in a page that is not running text, in order: ("comment", line, text) and
    ("block", Block); and the running text, other lines left empty."""
    parts, prose = [], []
    lines = text.split("\n")
    i, in_list, before = 0, False, ""
    while i < len(lines):
        line = lines[i]
        fence = FENCE.match(line)
        if fence:
            begin = i + 1
            close = re.compile(rf"^ *{fence['fence'][0]}{{{len(fence['fence'])},}}\s*$")
            i += 1
            while i < len(lines) and not close.match(lines[i]):
                i += 1
            indent = len(fence["indent"])
            body = [x[indent:] if not x[:indent].strip() else x for x in lines[begin:i]]
            language = fence["info"].strip().split(" ")[0]
            comment = parts[-1][2] if parts and parts[-1][0] == "comment" and not before else ""
            parts.append(("block", begin + 1, Block(begin + 1, language,
                                                    "\n".join(body) + "\n", comment)))
            prose += [""] * (i + 1 - (begin - 1))
            i, before = i + 1, ""
            continue
        if line.lstrip().startswith("<!--"):
            begin = i
            while i < len(lines) - 1 and "-->" not in lines[i]:
                i += 1
            parts.append(("comment", begin + 1, "\n".join(lines[begin:i + 1])))
            prose += [""] * (i + 1 - begin)
            i, before = i + 1, ""
            continue
        if line.startswith("    ") and not (prose and prose[-1].strip()) and not in_list:
            begin = i
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            body = "\n".join(x[4:] for x in lines[begin:i]).rstrip("\n") + "\n"
            parts.append(("block", begin + 1, Block(begin + 1, "", body, fenced=False)))
            prose += [""] * (i - begin)
            before = ""
            continue
        if re.match(r"\s*([-*+]|\d+[.)])\s", line):
            in_list = True
        elif line.strip() and not line.startswith(" "):
            in_list = False
        if line.strip():
            before = line
        prose.append(line)
        i += 1
    return parts, "\n".join(prose)


def blocks(text):
    return [part[2] for part in comments_and_blocks(text)[0] if part[0] == "block"]


def code_spans(text):
    """The pieces of code in running text, with their lines: [(line, code)]."""
    prose = comments_and_blocks(text)[1]
    return [(prose.count("\n", 0, span.start()) + 1, " ".join(span.group(2).split()))
            for span in CODE_SPAN.finditer(prose)]


def running_text(text):
    """The page without code, comments and mathematics; lines keep their numbers."""
    prose = comments_and_blocks(text)[1]
    for pattern in (COMMENT, CODE_SPAN, MATH):
        prose = pattern.sub(lambda found: blank(found.group()), prose)
    return prose


def slug(heading):
    """The anchor that code-hosting sites and MyST give a heading."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    kept = (c for c in heading.strip().lower()
            if c in " -_" or unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "Mn")
    return "".join(kept).replace(" ", "-")


def anchors(text):
    """All places of a page that a link can name."""
    found, seen = set(), {}
    for line in comments_and_blocks(text)[1].split("\n"):
        heading = HEADING.match(line)
        if heading:
            name = slug(heading.group(2))
            count = seen.get(name, 0)
            seen[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
    found.update(ANCHOR.findall(text))
    return found
