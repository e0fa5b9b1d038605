# SPDX-License-Identifier: Apache-2.0
"""What a packager reads: one version everywhere, a licence in every file, one sentence for an older C++. And what a
merge or a slip of the hand leaves behind.

Usage: project_test.py COMPILER FOLDER_OF_VERSION_H
"""
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def text(name):
    return (ROOT / name).read_text()


def found(pattern, name):
    match = re.search(pattern, text(name), re.M)
    return match.group(1) if match else f"{name} has no match of {pattern}"


class Version(unittest.TestCase):
    def test_it_is_the_same_everywhere(self):
        version = found(r"^project\(tumble VERSION (\S+)", "CMakeLists.txt")
        self.assertRegex(version, r"^\d+\.\d+\.\d+$")
        self.assertEqual(found(r"^version: \"?([\d.]+)", "CITATION.cff"), version)
        self.assertEqual(found(r"^## \[(\d+\.\d+\.\d+)\]", "CHANGELOG.md"), version)
        for name in "viewer/package.json", "viewer/package-lock.json":
            self.assertEqual(json.loads(text(name))["version"], version, name)
        minor = version.rpartition(".")[0]
        self.assertEqual(found(r"find_package\(tumble ([\d.]+)", "README.md"), minor)
        for name in "tests/consumer/CMakeLists.txt", "examples/CMakeLists.txt":
            self.assertEqual(found(r"find_package\(tumble ([\d.]+)", name), minor)

    def test_no_other_file_states_it(self):
        # pyproject.toml and version.h take it from CMakeLists.txt.
        self.assertNotRegex(text("pyproject.toml"), r"(?m)^version\s*=")
        self.assertIn("@PROJECT_VERSION@", text("cmake/version.h.in"))


def tracked():
    """The files of the checkout, by name, without those that are removed and not yet committed."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode != 0:
        raise unittest.SkipTest("not a checkout, so there is no list of files")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def glob_pattern(glob):
    """A glob of REUSE.toml as a regular expression: * stays in a folder, ** does not."""
    parts = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*"}
    return "".join(parts.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*)", glob))


class Licences(unittest.TestCase):
    def test_every_file_has_one(self):
        globs, everywhere, licences = [], [], {"Apache-2.0"}
        for annotation in tomllib.loads(text("REUSE.toml"))["annotations"]:
            path = annotation["path"]
            self.assertTrue(annotation["SPDX-FileCopyrightText"])
            if "SPDX-License-Identifier" not in annotation:
                self.assertEqual(annotation["precedence"], "aggregate")
                everywhere.append(path)
                continue
            licences |= set(annotation["SPDX-License-Identifier"].split(" AND "))
            globs += [path] if isinstance(path, str) else path
        self.assertEqual(everywhere, ["**"], "each file has a copyright text")
        self.assertEqual({file.name for file in (ROOT / "LICENSES").iterdir()}, {f"{name}.txt" for name in licences})
        self.assertEqual(text("LICENSES/Apache-2.0.txt"), text("LICENSE"))
        patterns = {glob: re.compile(glob_pattern(glob)) for glob in globs}
        used = set()
        for name in tracked():
            path = ROOT / name
            if name.startswith("LICENSES/"):
                continue
            fitting = {glob for glob, pattern in patterns.items() if pattern.fullmatch(name)}
            used |= fitting
            opening = path.read_bytes()[:400].decode(errors="replace")
            if "SPDX-License-Identifier: " not in opening and not fitting:
                self.fail(f"{name} has no licence line, and REUSE.toml does not name it")
        self.assertEqual(set(globs) - used, set(), "REUSE.toml names what is not there")

    def test_what_is_linked_is_named(self):
        third_party = text("THIRD_PARTY.md")
        names = {"hwy": "Highway", "TBB": "oneTBB", "Qhull": "Qhull", "Boost": "Boost", "FastFloat": "fast_float",
                 "nlohmann_json": "JSON for Modern C++", "EXPAT": "Expat", "CLI11": "CLI11", "fmt": "{fmt}",
                 "OpenCASCADE": "Open CASCADE", "pybind11": "pybind11"}
        ours = {"Threads", "Python", "Python3"}  # the system's
        for file in "src/CMakeLists.txt", "src/step/CMakeLists.txt", "cli/CMakeLists.txt", "python/CMakeLists.txt":
            for package in set(re.findall(r"find_package\((\w+)", text(file))) - ours:
                self.assertIn(package, names, f"{file}: say in THIRD_PARTY.md what this is")
                self.assertIn(f"[{names[package]}", third_party)
        imports = {name for file in (ROOT / "viewer/src").glob("*.ts")
                   for name in re.findall(r'from "([^."/][^"/]*)', file.read_text())}
        self.assertIn("three", imports)
        for package in imports:
            self.assertIn(f"[{package}.js]", third_party)


class Files(unittest.TestCase):
    def test_none_holds_what_a_merge_left_open(self):
        marker = re.compile(rb"^(<{7}|\|{7}|>{7})( .*)?\r?$|^={7}\r?$", re.M)
        for name in tracked():
            match = marker.search((ROOT / name).read_bytes()) if (ROOT / name).is_file() else None
            if match:
                line = match.string.count(b"\n", 0, match.start()) + 1
                self.fail(f"{name}:{line}: a mark of a conflict between two versions")

    def test_shell_scripts_can_be_read_by_the_shell(self):
        scripts = [name for name in tracked() if name.endswith(".sh") or
                   (ROOT / name).is_file() and (ROOT / name).read_bytes().startswith(b"#!/usr/bin/env bash\n")]
        self.assertLess({"viewer/scripts/pictures.sh", ".ci/run"}, set(scripts))
        for name in scripts:
            result = subprocess.run(["bash", "-n", ROOT / name], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, f"{name}: {result.stderr}")


class Documents(unittest.TestCase):
    def passages(self, mark):
        """(document, line, what the mark names, the text up to the next empty line)"""
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            for match in re.finditer(rf"<!-- {mark} (\S+) -->\n(.*?)(?:\n\n|\Z)", path.read_text(), re.S):
                yield f"{path.relative_to(ROOT)}", match.group(1), match.group(2)

    def test_figures_are_those_of_the_page_they_name(self):
        count = 0
        for document, page, passage in self.passages("figures of"):
            known = set(re.findall(r"\d+\.\d+", text(page)))
            for figure in re.findall(r"\d+\.\d+", passage):
                self.assertIn(figure, known, f"{document}: {page} has no such figure (any more)")
                count += 1
        self.assertGreater(count, 20)

    def test_excerpts_are_in_the_program_they_name(self):
        def bare(code):
            return [line.strip() for line in code.splitlines() if line.strip()]

        count = 0
        for document, program, passage in self.passages("from"):
            code = re.fullmatch(r"```cpp\n(.*)\n```", passage, re.S)
            self.assertTrue(code, f"{document}: no code block follows 'from {program}'")
            lines, wanted = bare(text(program)), bare(code.group(1))
            self.assertTrue(any(lines[i:i + len(wanted)] == wanted for i in range(len(lines))),
                            f"{document}: {program} does not hold:\n{code.group(1)}")
            count += 1
        self.assertGreater(count, 4)

    def test_a_picture_is_shown_once(self):
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", path.read_text())
            self.assertEqual(len(pictures), len(set(pictures)), path)


class Matrix(unittest.TestCase):
    def test_the_public_host_runs_every_cell(self):
        listed = subprocess.run([ROOT / "scripts/matrix.sh", "list"], capture_output=True, text=True, check=True)
        cells = found(r"cell: \[(.*)\]", ".github/workflows/tests.yml")
        self.assertEqual(cells.split(", "), listed.stdout.split())

    def test_an_unknown_cell_is_an_error(self):
        result = subprocess.run([ROOT / "scripts/matrix.sh", "gcc-magic"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no cell 'gcc-magic'", result.stderr)


class Cxx17(unittest.TestCase):
    def test_every_header_says_one_sentence(self):
        compiler, generated = arguments
        with tempfile.TemporaryDirectory() as folder:
            for header in sorted((ROOT / "include/tumble").glob("*.h")):
                with self.subTest(header.name):
                    program = Path(folder) / "program.cpp"
                    program.write_text(f"#include <tumble/{header.name}>\nint main() {{ return tumble::nothing; }}\n")
                    result = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", f"-I{ROOT}/include",
                                             f"-I{generated}", program], capture_output=True, text=True)
                    errors = [line for line in result.stderr.splitlines() if "error:" in line]
                    self.assertNotEqual(result.returncode, 0)
                    self.assertEqual(len(errors), 2, result.stderr)
                    self.assertIn("tumble needs C++20: compile with -std=c++20", errors[0])
                    self.assertIn("fatal", errors[1])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main()
