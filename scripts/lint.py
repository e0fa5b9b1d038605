#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over files of this repository, each only when something it looks at has changed since it last passed
on this machine.

A file that passes leaves an empty note in ~/.cache/tumble/lint (or in $XDG_CACHE_HOME/tumble/lint). The note's name is a
hash of everything that clang-tidy looks at: its version, this script, the .clang-tidy files, and for every compile
command of the file the command, what the preprocessor makes of it, and our own files that went in, with their comments
(NOLINT). The path of the checkout is left out, so another checkout finds the same notes.

Usage: lint.py BUILD_DIR JOBS FILE...     BUILD_DIR holds compile_commands.json, made for clang
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

LINTED_HEADERS = "(include/tumble|src|cli|scenes)/"
FILE_OF_LINE_MARKER = re.compile(rb'^# \d+ "([^"]+)"', re.MULTILINE)


class Linter:
    def __init__(self, root, build, cache):
        self.root = root
        self.build = build
        self.cache = cache
        self.version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
        self.commands = {}
        for entry in json.loads((build / "compile_commands.json").read_text()):
            self.commands.setdefault(Path(entry["file"]), []).append(entry)

    def key(self, file):
        """The name of the file's note; None when the file does not even preprocess."""
        seen = [self.version, Path(__file__).read_bytes()]
        for folder in file.parents:
            settings = folder / ".clang-tidy"
            if settings.exists():
                seen += [self.without_root(bytes(settings)), settings.read_bytes()]
            if folder == self.root:
                break
        for entry in self.commands[file]:
            words = shlex.split(entry["command"])
            at = words.index("-o")
            del words[at : at + 2]
            text = subprocess.run([*words, "-E", "-dD"], cwd=entry["directory"], capture_output=True)
            if text.returncode != 0:
                return None
            seen += [self.without_root(entry["command"].encode()), self.without_root(text.stdout)]
            for name in sorted(set(FILE_OF_LINE_MARKER.findall(text.stdout))):
                if name.startswith(bytes(self.root) + b"/") and not name.endswith(b"/"):
                    seen += [self.without_root(name), Path(os.fsdecode(name)).read_bytes()]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in seen)).hexdigest()

    def without_root(self, text):
        return text.replace(bytes(self.root) + b"/", b"./")

    def lint(self, file):
        """Whether clang-tidy ran, and what it complained of."""
        before = self.key(file)
        if before and (self.cache / before).exists():
            return False, ""
        headers = "^" + re.escape(str(self.root)) + "/" + LINTED_HEADERS
        result = subprocess.run(
            ["clang-tidy", "--quiet", f"--header-filter={headers}", "-p", self.build, file], capture_output=True, text=True
        )
        if result.returncode != 0:
            return True, result.stdout + result.stderr
        # A file that was edited meanwhile is looked at again next time.
        if before and before == self.key(file):
            (self.cache / before).touch()
        return True, ""


def main(build, jobs, *names):
    root = Path(__file__).resolve().parents[1]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tumble" / "lint"
    cache.mkdir(parents=True, exist_ok=True)
    linter = Linter(root, Path(build).resolve(), cache)
    files = [(root / name).resolve() for name in names]
    strangers = [str(file) for file in files if file not in linter.commands]
    if strangers:
        sys.exit("lint: no target compiles " + ", ".join(strangers))
    ran = failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        for looked_at, complaint in pool.map(linter.lint, files):
            ran += looked_at
            if complaint:
                failed += 1
                print(complaint, flush=True)
    print(f"lint: {len(files)} files, {len(files) - ran} unchanged since they passed, {ran} looked at, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
