#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a relative link in a Markdown file, or a heading it points to, does not exist.

Usage: check_docs.py [ROOT]   Prints one line per broken link; exit status 1 if there is any.
"""
import re
import sys
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")


def prose(path):
    """The lines of a Markdown file with code blocks and code spans blanked."""
    in_code = False
    for line in path.read_text().splitlines():
        if line.lstrip().startswith("```"):
            in_code = not in_code
            yield ""
        else:
            yield "" if in_code else re.sub(r"`[^`]*`", "", line)


def anchors(path):
    """The anchors GitHub gives to the headings."""
    for line in path.read_text().splitlines():
        match = re.match(r"#+\s+(.*)", line)
        if match:
            words = re.sub(r"[^\w\- ]", "", match.group(1).lower())
            yield words.replace(" ", "-")


def broken_links(root):
    for path in sorted(root.rglob("*.md")):
        if {"build", "node_modules", ".git"} & set(path.relative_to(root).parts):
            continue
        for number, line in enumerate(prose(path), 1):
            for link in LINK.findall(line):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, anchor = link.partition("#")
                target = (path.parent / unquote(name)).resolve() if name else path
                place = f"{path.relative_to(root)}:{number}"
                if not target.exists():
                    yield f"{place}: {link} does not exist"
                elif root not in target.parents and target != root:
                    yield f"{place}: {link} leads out of the repository"
                elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                    yield f"{place}: {link} names a heading that does not exist"


def main():
    root = (Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    broken = list(broken_links(root))
    print("\n".join(broken) or "links: in order")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
