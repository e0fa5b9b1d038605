#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over files of this repository, each only when something it looks at has changed since it last passed
on this machine.

A file that passes leaves an empty note in ~/.cache/tumble/lint (or in $XDG_CACHE_HOME/tumble/lint). The note's name is a
hash of everything that clang-tidy looks at: its version, this script, the .clang-tidy files, and for every compile
command of the file the command, what the preprocessor makes of it, and our own files that went in, with their comments
(NOLINT). The path of the checkout is left out, so another checkout finds the same notes.

clang-tidy spends most of its time in the headers of others, once more for each file. So the files of a folder that are
to be looked at are put into batches, each one translation unit. A batch that does not compile, because two files use a
name each in its own way, is halved. One that does not pass is looked at file by file, so a complaint is always that of
the file alone. What a batch can hide is a using-declaration that only another file of the batch uses.

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
import tempfile
import time
from pathlib import Path

LINTED_HEADERS = "(include/tumble|src|cli|scenes)/"
BATCH = 8
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
        """The name of the file's note, and our own files that went in; no name when the file does not even preprocess."""
        own = {file}
        seen = [self.version, Path(__file__).read_bytes()]
        for folder in file.parents:
            settings = folder / ".clang-tidy"
            if settings.exists():
                seen += [self.without_root(bytes(settings)), settings.read_bytes()]
            if folder == self.root:
                break
        for entry in self.commands[file]:
            words = self.words(entry)
            text = subprocess.run([*words, "-E", "-dD"], cwd=entry["directory"], capture_output=True)
            if text.returncode != 0:
                return None, own
            seen += [self.without_root(entry["command"].encode()), self.without_root(text.stdout)]
            for name in sorted(set(FILE_OF_LINE_MARKER.findall(text.stdout))):
                if name.startswith(bytes(self.root) + b"/") and not name.endswith(b"/"):
                    own.add(Path(os.fsdecode(name)))
                    seen += [self.without_root(name), Path(os.fsdecode(name)).read_bytes()]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in seen)).hexdigest(), own

    def without_root(self, text):
        return text.replace(bytes(self.root) + b"/", b"./")

    @staticmethod
    def words(entry):
        """The command, less what it writes."""
        words = shlex.split(entry["command"])
        at = words.index("-o")
        del words[at : at + 2]
        return words

    def batches(self, files):
        """Files that one translation unit can hold: of one folder, with one command. Highway's kernels stay alone, since
        their files include themselves."""
        groups = {}
        for file in files:
            entries = self.commands[file]
            alone = len(entries) > 1 or b"HWY_TARGET_INCLUDE" in file.read_bytes()
            flags = [word for word in self.words(entries[0]) if word != str(file)]
            groups.setdefault(file if alone else (file.parent, *flags), []).append(file)
        return [group[i : i + BATCH] for group in groups.values() for i in range(0, len(group), BATCH)]

    def tidy(self, *arguments, **where):
        headers = "^" + re.escape(str(self.root)) + "/" + LINTED_HEADERS
        result = subprocess.run(
            ["clang-tidy", "--quiet", f"--header-filter={headers}", *arguments], capture_output=True, text=True, **where
        )
        return "" if result.returncode == 0 else result.stdout + result.stderr

    def lint(self, files):
        """What clang-tidy complained of, for each file."""
        if len(files) == 1:
            return [self.tidy("-p", self.build, files[0])]
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "batch.cpp"
            unit.write_text("".join(f'#include "{file}"  // NOLINT\n' for file in files))
            entry = self.commands[files[0]][0]
            flags = [word for word in self.words(entry) if word not in (str(files[0]), "-c")]
            compiles = subprocess.run([*flags, "-w", "-fsyntax-only", unit], cwd=entry["directory"], capture_output=True)
            if compiles.returncode != 0:
                middle = len(files) // 2
                return self.lint(files[:middle]) + self.lint(files[middle:])
            # clang-tidy sees the unit beside the files, where it finds their settings.
            beside = files[0].parent / "batch.cpp"
            overlay = Path(folder) / "overlay.json"
            roots = [{"type": "file", "name": str(beside), "external-contents": str(unit)}]
            overlay.write_text(json.dumps({"version": 0, "roots": roots}))
            if not self.tidy(f"--vfsoverlay={overlay}", beside, "--", *flags[1:], cwd=entry["directory"]):
                return [""] * len(files)
        return [self.tidy("-p", self.build, file) for file in files]


def main(build, jobs, *names):
    root = Path(__file__).resolve().parents[1]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tumble" / "lint"
    cache.mkdir(parents=True, exist_ok=True)
    linter = Linter(root, Path(build).resolve(), cache)
    files = [(root / name).resolve() for name in names]
    strangers = [str(file) for file in files if file not in linter.commands]
    if strangers:
        sys.exit("lint: no target compiles " + ", ".join(strangers))
    failed = 0
    began = time.time()
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        keys = dict(zip(files, pool.map(linter.key, files)))
        stale = [file for file, (note, _) in keys.items() if note is None or not (cache / note).exists()]
        batches = linter.batches(stale)
        for batch, complaints in zip(batches, pool.map(linter.lint, batches)):
            for file, complaint in zip(batch, complaints):
                note, own = keys[file]
                if complaint:
                    failed += 1
                    print(complaint, flush=True)
                # A file that was edited meanwhile is looked at again next time.
                elif note and all(name.stat().st_mtime < began for name in own):
                    (cache / note).touch()
    ran = len(stale)
    print(f"lint: {len(files)} files, {len(files) - ran} unchanged since they passed, {ran} looked at, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
