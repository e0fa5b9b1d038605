#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes each ```cpp block of a Markdown file to PREFIX1.cpp, PREFIX2.cpp, ..., so that they can be compiled.

Usage: extract_code.py FILE.md PREFIX   Prints the files; an unchanged one is left untouched.
"""
import sys
from pathlib import Path


def main():
    source, prefix = Path(sys.argv[1]), sys.argv[2]
    block, count = None, 0
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if block is None and line.strip() == "```cpp":
            block = [f'#line {number + 1} "{source}"']
        elif block is not None and line.strip() == "```":
            count += 1
            target = Path(f"{prefix}{count}.cpp")
            text = "\n".join(block) + "\n"
            if not target.exists() or target.read_text() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)
            print(target)
            block = None
        elif block is not None:
            block.append(line)
    if block is not None:
        sys.exit(f"{source}: a code block is never closed")
    if count == 0:
        sys.exit(f"{source}: there is no ```cpp block")


if __name__ == "__main__":
    main()
