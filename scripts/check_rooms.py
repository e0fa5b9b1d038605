#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a room under src/ includes one it may not, or a source file breaks a rule a reader relies on.

Usage: check_rooms.py [ROOT]   Prints one line per violation; exit status 1 if there is any.
"""
import re
import sys
from pathlib import Path

# Which rooms a room may include directly; what those may include comes with them.
ROOMS = {
    "core": [],
    "math": ["core"],
    "simd": ["core"],
    "mesh": ["math", "geometry"],  # whether a face has exactly no area is a question for geometry
    "io": ["mesh"],
    "step": ["mesh"],
    "geometry": ["math", "simd"],
    "bounds": ["math", "simd", "geometry"],
    "realign": ["bounds", "geometry"],
    "tree": ["bounds", "mesh", "geometry"],
    "build": ["tree"],  # no room includes it: query and all above ask a Model
    "traverse": ["tree", "realign"],
    "query": ["traverse", "geometry"],
    "convex": ["query"],  # where roundings matter, the Models of the hulls decide
    "world": ["query", "convex"],
    "motion": ["world"],
    "dynamics": ["world"],
    "assembly": ["world", "io"],
    "report": ["assembly"],
}

# The room each public header speaks for. tumble.h is all of them and for users only.
PUBLIC = {
    "cxx20": "core",
    "error": "core",
    "counters": "core",
    "version": "core",
    "vec": "math",
    "pose": "math",
    "rotation": "math",
    "mesh": "mesh",
    "mass": "mesh",
    "io": "io",
    "step": "step",
    "contact": "geometry",
    "manifold": "geometry",
    "tree_options": "bounds",  # realign/ names the kinds of bounds, too
    "pair_options": "realign",  # realigners are chosen by them
    "presets": "query",
    "query": "query",
    "budget": "query",
    "distance": "query",
    "solid": "query",
    "point": "query",
    "requests": "query",
    "model": "tree",
    "convex": "convex",
    "world": "world",
    "motion": "motion",
    "dynamics": "dynamics",
    "robot": "assembly",
    "parts": "assembly",
    "assembly": "assembly",
    "clash": "assembly",
}

# Where a dependency may be named, by the beginning of its includes. The shells beside src/ are free.
EXTERNAL = {
    "hwy/": ["simd"],
    "tbb/": ["core"],
    "oneapi/": ["core"],
    "libqhull_r/": ["geometry"],
    "boost/": ["geometry"],
    "fast_float/": ["io"],
    "expat.h": ["io"],
    "nlohmann/": ["io", "report"],
    "opencascade/": ["step"],
}

INTRINSICS = re.compile(r"<(\w*mmintrin|immintrin|x86intrin|arm_neon|arm_sve)\.h>|\b_mm\d*_\w+\(|\b__m(128|256|512)")
# Vector types, of the compiler or of Highway, and what works on them; kernels elsewhere are written on simd/'s own.
VECTORS = re.compile(
    r"\bvector_size\b|\b__builtin_(shuffle|convert)\w*|\b(hn|hwy)::|\bHWY_(FULL|CAPPED)\b"
    r"|\b(Scalable|Capped|Fixed)Tag\b|\bVec(128|256|512)?<"
)
# Answers must not depend on the machine that compiled them, nor on arithmetic the compiler invents.
FORBIDDEN_FLAGS = ["-march=" + "native", "-ffast-" + "math", "-O" + "fast"]
BUILD_FILES = {".txt", ".cmake", ".json", ".sh", ".toml", ".cfg"}
SOURCES = {".h", ".cpp"}
SCRIPTS = {".py", ".sh"}
SHELLS = ["cli", "lab", "scenes", "python", "examples"]


def closure():
    allowed = {}

    def reach(room):
        if room not in allowed:
            allowed[room] = {room}.union(*(reach(below) for below in ROOMS[room]))
        return allowed[room]

    for room in ROOMS:
        reach(room)
    return allowed


def without_comments(text):
    """The text with comments blanked, line by line."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return re.sub(r"//.*", "", text)


def includes(text):
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1), match.group(2)


class Checker:
    def __init__(self, root):
        self.root = root
        self.allowed = closure()
        self.violations = []

    def report(self, path, line, message):
        self.violations.append(f"{path.relative_to(self.root)}:{line}: {message}")

    def files(self, folder, suffixes):
        base = self.root / folder
        return sorted(p for p in base.rglob("*") if p.suffix in suffixes and "build" not in p.relative_to(base).parts)

    def room_of_public(self, name):
        return PUBLIC.get(name.removeprefix("tumble/").removesuffix(".h"))

    def check_opening(self, path, sentence):
        lines = path.read_text().splitlines()
        first = 1 if lines and lines[0].startswith("#!") else 0
        opening = lines[first : first + 2] + ["", ""]
        mark = "//" if path.suffix in SOURCES else "#"
        if opening[0] != f"{mark} SPDX-License-Identifier: Apache-2.0":
            self.report(path, first + 1, f"the licence line is missing: '{mark} SPDX-License-Identifier: Apache-2.0'")
        elif sentence and not re.match(r"// \S.{8,}", opening[1]):
            self.report(path, first + 2, "a sentence saying what this file is must follow the licence line")

    def check_include(self, path, line, room, quote, name):
        """One include of a file that belongs to `room`."""
        if name.startswith("tumble/"):
            target = self.room_of_public(name)
            if name == "tumble/tumble.h":
                self.report(path, line, "<tumble/tumble.h> is for users; include the header you need")
            elif target is None:
                self.report(path, line, f"<{name}> has no room; add it to PUBLIC in scripts/check_rooms.py")
            elif target not in self.allowed[room]:
                self.report(path, line, f"{room}/ may not include <{name}>, which belongs to {target}/")
            return
        if quote == '"':
            target = name.split("/")[0]
            if "/" not in name or target not in ROOMS:
                self.report(path, line, f'"{name}" is not "room/file.h" of a room under src/')
            elif not (self.root / "src" / name).exists():
                self.report(path, line, f'"{name}" does not exist under src/')
            elif target not in self.allowed[room]:
                self.report(path, line, f"{room}/ may not include {target}/ ({name})")
            return
        for prefix, rooms in EXTERNAL.items():
            if name.startswith(prefix) and room not in rooms:
                self.report(path, line, f"<{name}> belongs in {' or '.join(r + '/' for r in rooms)}, not in {room}/")

    def check_rooms(self):
        for path in self.files("src", SOURCES):
            room = path.relative_to(self.root / "src").parts[0]
            if room not in ROOMS:
                self.report(path, 1, f"'{room}' is not a room; add it to ROOMS in scripts/check_rooms.py")
                continue
            self.check_opening(path, sentence=True)
            text = path.read_text()
            for line, quote, name in includes(text):
                self.check_include(path, line, room, quote, name)
            if room != "simd":
                for number, line in enumerate(without_comments(text).splitlines(), 1):
                    if INTRINSICS.search(line):
                        self.report(path, number, "intrinsics live in simd/ only")
                    if VECTORS.search(line):
                        self.report(path, number, "vector types live in simd/ only")

    def check_public_headers(self):
        for path in self.files("include", SOURCES):
            self.check_opening(path, sentence=True)
            text = path.read_text()
            room = self.room_of_public(path.name)
            umbrella = path.name == "tumble.h"
            if room is None and not umbrella:
                self.report(path, 1, "this header has no room; add it to PUBLIC in scripts/check_rooms.py")
                continue
            for line, quote, name in includes(text):
                if name.startswith("tumble/"):
                    if not umbrella:
                        self.check_include(path, line, room, quote, name)
                elif quote == '"' or "/" in name or name.endswith(".h"):
                    self.report(path, line, f"a public header includes <tumble/...> and the standard library, not {name}")
            for number, line in enumerate(without_comments(text).splitlines(), 1):
                if re.search(r"\btemplate\b", line):
                    self.report(path, number, "public headers have no templates")

    def check_shells(self):
        for shell in SHELLS:
            for path in self.files(shell, SOURCES):
                self.check_opening(path, sentence=True)
        for path in self.files("tests", SOURCES | {".sh", ".py"}):
            self.check_opening(path, sentence=False)
        for path in self.files("scripts", SCRIPTS):
            self.check_opening(path, sentence=False)

    def check_flags(self):
        candidates = [self.root / "Makefile"]
        for folder in [".", "cmake", "src", "tests", "scripts", "python", "include", ".ci", *SHELLS]:
            base = self.root / folder
            found = base.iterdir() if folder == "." and base.exists() else base.rglob("*")
            candidates += [p for p in found if p.suffix in BUILD_FILES and p.is_file()]
        for path in sorted(set(p for p in candidates if p.is_file())):
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                for flag in FORBIDDEN_FLAGS:
                    if flag in line:
                        self.report(path, number, f"{flag} is not for anything built here")

    def run(self):
        if not (self.root / "src").is_dir():
            self.violations.append(f"{self.root}: there is no src/ here")
            return self.violations
        self.check_rooms()
        self.check_public_headers()
        self.check_shells()
        self.check_flags()
        return self.violations


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    violations = Checker(root.resolve()).run()
    print("\n".join(violations) or "rooms: in order")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
