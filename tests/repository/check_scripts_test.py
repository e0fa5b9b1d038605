# SPDX-License-Identifier: Apache-2.0
"""Feeds good and bad trees to the scripts that guard the repository and expects them to tell which is which."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
OPENING = "// SPDX-License-Identifier: Apache-2.0\n// A file made for this test.\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, name):
        result = subprocess.run([sys.executable, SCRIPTS / name, self.root], capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def expect_violation(self, script, *words):
        status, output = self.run_script(script)
        self.assertEqual(status, 1, output)
        self.assertEqual(len(output.splitlines()), 1, output)
        for word in words:
            self.assertIn(word, output)


class Rooms(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/core/ids.h", OPENING)
        self.write("src/math/vec.cpp", OPENING + '#include "core/ids.h"\n#include <tumble/vec.h>\n#include <vector>\n')
        self.write("src/tree/node.h", OPENING + '#include "core/ids.h"  // through bounds and math\n')
        self.write("src/simd/lanes.h", OPENING + "#include <hwy/highway.h>\n")
        self.write("include/tumble/vec.h", OPENING + "#include <cmath>\n")
        self.write("include/tumble/pose.h", OPENING + "#include <tumble/vec.h>\n")
        self.write("CMakeLists.txt", "add_compile_options(-O2)\n")

    def test_a_good_tree_passes(self):
        self.assertEqual(self.run_script("check_rooms.py"), (0, "rooms: in order\n"))

    def test_a_room_may_not_look_up(self):
        self.write("src/math/bad.h", OPENING + '\n#include "tree/node.h"\n')
        self.expect_violation("check_rooms.py", "src/math/bad.h:4", "math/ may not include tree/")

    def test_nor_through_a_public_header(self):
        self.write("src/core/bad.h", OPENING + "#include <tumble/pose.h>\n")
        self.expect_violation("check_rooms.py", "src/core/bad.h:3", "core/ may not include <tumble/pose.h>")

    def test_public_headers_keep_the_order_too(self):
        self.write("include/tumble/error.h", OPENING + "#include <tumble/vec.h>\n")
        self.expect_violation("check_rooms.py", "include/tumble/error.h:3", "core/ may not include")

    def test_the_umbrella_is_for_users(self):
        self.write("include/tumble/tumble.h", OPENING + "#include <tumble/vec.h>\n")
        self.write("src/tree/bad.cpp", OPENING + "#include <tumble/tumble.h>\n")
        self.expect_violation("check_rooms.py", "src/tree/bad.cpp:3", "for users")

    def test_an_unknown_room(self):
        self.write("src/attic/box.h", OPENING)
        self.expect_violation("check_rooms.py", "'attic' is not a room")

    def test_an_unknown_public_header(self):
        self.write("include/tumble/surprise.h", OPENING)
        self.expect_violation("check_rooms.py", "surprise.h:1", "has no room")

    def test_an_include_that_is_not_there(self):
        self.write("src/math/bad.h", OPENING + '#include "core/gone.h"\n')
        self.expect_violation("check_rooms.py", '"core/gone.h" does not exist')

    def test_an_include_without_its_room(self):
        self.write("src/core/bad.h", OPENING + '#include "ids.h"\n')
        self.expect_violation("check_rooms.py", 'not "room/file.h"')

    def test_a_missing_licence(self):
        self.write("src/core/bad.h", "// Only a sentence, no licence.\n#pragma once\n")
        self.expect_violation("check_rooms.py", "src/core/bad.h:1", "licence")

    def test_a_missing_sentence(self):
        self.write("src/core/bad.h", OPENING.splitlines()[0] + "\n#pragma once\n")
        self.expect_violation("check_rooms.py", "src/core/bad.h:2", "sentence")

    def test_a_script_without_a_licence(self):
        self.write("scripts/bad.sh", "#!/bin/sh\ntrue\n")
        self.expect_violation("check_rooms.py", "scripts/bad.sh:2", "licence")

    def test_dependencies_stay_in_their_rooms(self):
        self.write("src/tree/bad.h", OPENING + "#include <hwy/highway.h>\n")
        self.expect_violation("check_rooms.py", "belongs in simd/, not in tree/")

    def test_intrinsics_stay_in_simd(self):
        self.write("src/tree/bad.h", OPENING + "inline void f() { _mm256_zeroall(); }\n")
        self.expect_violation("check_rooms.py", "src/tree/bad.h:3", "intrinsics")

    def test_an_intrinsics_header_outside_simd(self):
        self.write("src/tree/bad.h", OPENING + "#include <immintrin.h>\n")
        self.expect_violation("check_rooms.py", "src/tree/bad.h:3", "intrinsics")

    def test_vector_types_stay_in_simd(self):
        for line in ("using Four = float __attribute__((vector_size(16)));",
                     "using Four [[gnu::vector_size(16)]] = float;",
                     "inline auto f(Four a) { return __builtin_shufflevector(a, a, 1, 0, 3, 2); }",
                     "hn::Vec<hn::ScalableTag<float>> v;",
                     "using namespace hwy::N_AVX2;",
                     "const HWY_FULL(float) d;",
                     "template <class D> Vec<D> twice(Vec<D> v);"):
            with self.subTest(line):
                self.write("src/tree/bad.h", OPENING + line + "\n")
                self.expect_violation("check_rooms.py", "src/tree/bad.h:3", "vector types")

    def test_public_headers_have_no_templates(self):
        self.write("include/tumble/vec.h", OPENING + "// template in a comment is fine\ntemplate <int K> struct Dop;\n")
        self.expect_violation("check_rooms.py", "include/tumble/vec.h:4", "templates")

    def test_public_headers_name_no_dependency(self):
        self.write("include/tumble/vec.h", OPENING + "#include <tbb/tbb.h>\n")
        self.expect_violation("check_rooms.py", "include/tumble/vec.h:3", "standard library")

    def test_flags_that_tie_answers_to_a_machine(self):
        self.write("src/core/CMakeLists.txt", "add_compile_options(-march=" + "native)\n")
        self.expect_violation("check_rooms.py", "src/core/CMakeLists.txt:1", "native")

    def test_a_folder_without_sources(self):
        shutil.rmtree(self.root / "src")
        self.expect_violation("check_rooms.py", "no src/")


class Links(Tree):
    def test_good_links_pass(self):
        self.write("docs/a.md", "# A title: with `code`\nSee [b](b.md#there), [self](#a-title-with-code), [out](https://example.org/x).\n")
        self.write("docs/b.md", "## There\n```\n[not a link](gone.md)\n```\n")
        self.assertEqual(self.run_script("check_docs.py"), (0, "links: in order\n"))

    def test_a_missing_file(self):
        self.write("README.md", "\nSee [this](docs/gone.md).\n")
        self.expect_violation("check_docs.py", "README.md:2", "docs/gone.md does not exist")

    def test_a_missing_heading(self):
        self.write("README.md", "# Title\n[here](#elsewhere)\n")
        self.expect_violation("check_docs.py", "heading")

    def test_a_link_out_of_the_repository(self):
        self.write("README.md", "[up](../)\n")
        self.expect_violation("check_docs.py", "leads out")


class Packages(Tree):
    """install_packages.sh with a list of its own, and with `id`, `apt-get` and `stage` that only pretend. So nothing is
    installed, and no other user needs to be able to enter the checkout."""

    def install(self, *groups, uid=1000):
        return self.with_pretenders([SCRIPTS / "install_packages.sh", *groups], uid)

    def with_pretenders(self, command, uid=1000):
        for name, text in ("id", f"echo {uid}"), ("apt-get", 'echo "apt-get $*"'), ("stage", 'shift; exec "$@"'):
            self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
            os.chmod(self.root / "bin" / name, 0o755)
        environment = dict(os.environ, TUMBLE_PACKAGES=str(self.root / "packages.txt"),
                           PATH=f"{self.root}/bin:{os.environ['PATH']}")
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    def test_silent_when_nothing_is_missing(self):
        self.write("packages.txt", "# a comment\nbuild dpkg\nother no-such-package-anywhere\n")
        result = self.install("build")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_prints_one_line_to_run_when_not_root(self):
        self.write("packages.txt", "build dpkg\nbuild no-such-package-anywhere\ntest neither-this-one\n")
        result = self.install("build", "test")
        self.assertEqual(result.returncode, 2)
        commands = [line for line in result.stderr.splitlines() if "apt-get" in line]
        self.assertEqual(commands, ["sudo apt-get install -y --no-install-recommends no-such-package-anywhere neither-this-one"])

    def test_installs_what_is_missing_as_root(self):
        self.write("packages.txt", "build dpkg\nbuild no-such-package-anywhere\n")
        result = self.install("build", uid=0)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.splitlines(),
                         ["apt-get update -q", "apt-get install -q -y --no-install-recommends no-such-package-anywhere"])

    def test_a_command_that_is_there_makes_its_package_unnecessary(self):
        self.write("packages.txt", "viewer no-such-package sh\nviewer nor-this-one no-such-command\nother neither sh\n")
        result = self.install("viewer")
        self.assertRegex(result.stderr, "--no-install-recommends nor-this-one\n")
        result = self.install("other")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_an_unknown_group_is_an_error(self):
        self.write("packages.txt", "build dpkg\n")
        result = self.install("biuld")
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no group 'biuld'", result.stderr)


    def test_a_target_names_all_it_needs_in_one_line(self):
        groups = sorted({line.split()[0] for line in (SCRIPTS / "packages.txt").read_text().splitlines()
                         if line and line[0] != "#"})
        self.write("packages.txt", "".join(f"{group} no-such-{group}-package\n" for group in groups))
        for target, needed in (("build", "build"), ("demo", "build"), ("test", "build test"),
                               ("check", "build test check step docs viewer"), ("viewer", "build test viewer"),
                               ("rivals", "build check"), ("lab", "build test check"), ("lint", "build test check step"),
                               ("deb", "build package"), ("docs", "docs")):
            with self.subTest(target):
                result = self.with_pretenders(["make", "-C", SCRIPTS.parent, "STAGE=stage", target])
                self.assertEqual(result.returncode, 2, result.stdout)
                lines = [line for line in result.stderr.splitlines() if "apt-get" in line]
                wanted = " ".join(f"no-such-{group}-package" for group in needed.split())
                self.assertEqual(lines, [f"sudo apt-get install -y --no-install-recommends {wanted}"])


class Stages(Tree):
    def setUp(self):
        super().setUp()
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPTS / "stage.sh", self.root / "scripts")

    def stage(self, *words):
        return subprocess.run([self.root / "scripts/stage.sh", *words], capture_output=True, text=True)

    def test_a_stage_is_what_its_command_is(self):
        result = self.stage("talk", "sh", "-c", "echo out; echo err >&2; exit 3")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (3, "out\n", "err\n"))

    def test_the_table_has_every_stage_once(self):
        self.stage("two words", "true")
        self.stage("other", "false")
        self.stage("two words", "sleep", "1")
        table = self.stage("--table").stdout.splitlines()
        self.assertRegex(table[0], "^stage +seconds +processor$")
        self.assertRegex(table[1], "^two words +1 +0$")
        self.assertRegex(table[2], "^other +0 +0  FAILED$")
        self.assertRegex(table[3], "^all +1 +0$")
        self.assertEqual(len(table), 4)

    def test_no_stage_no_table(self):
        self.assertEqual(self.stage("--table").stdout, "")


class Lint(Tree):
    """lint.py over a repository of one file and one header, or of a batch of files."""

    def setUp(self):
        super().setUp()
        self.cache = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.cache)
        self.make(self.root)

    def make(self, root):
        self.root = root
        self.write(".clang-tidy", "Checks: '-*,bugprone-macro-parentheses,performance-unnecessary-value-param'\nWarningsAsErrors: '*'\n")
        self.write("src/a.h", "#define TWICE(x) (2 * (x))\n")
        self.write("src/a.cpp", '#include "a.h"\nint four() { return TWICE(2); }\n')
        self.compile("a")
        (root / "scripts").mkdir()
        shutil.copy(SCRIPTS / "lint.py", root / "scripts")

    def compile(self, *names):
        self.files = [f"src/{name}.cpp" for name in names]
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.root), "command": f"clang++ -I{self.root}/src -o {file}.o -c {self.root}/{file}",
              "file": f"{self.root}/{file}"} for file in self.files]))

    def lint(self, status=0):
        result = subprocess.run([sys.executable, self.root / "scripts/lint.py", self.root, "1", *self.files],
                                capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=self.cache))
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def test_a_file_that_passed_is_not_looked_at_again(self):
        self.assertIn("0 unchanged", self.lint())
        self.assertIn("1 unchanged", self.lint())

    def test_nor_in_another_checkout(self):
        self.lint()
        other = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, other)
        self.make(other)
        self.assertIn("1 unchanged", self.lint())

    def test_a_file_that_failed_fails_again(self):
        self.write("src/a.h", "#define TWICE(x) (2 * x)\n")
        self.assertIn("bugprone-macro-parentheses", self.lint(status=1))
        self.assertIn("bugprone-macro-parentheses", self.lint(status=1))

    def test_a_change_in_a_header_counts(self):
        self.lint()
        self.write("src/a.h", "#define TWICE(x) (2 * x)\n")
        self.lint(status=1)

    def test_a_comment_that_silences_counts(self):
        self.write("src/a.h", "#define TWICE(x) (2 * x)  // NOLINT\n")
        self.lint()
        self.write("src/a.h", "#define TWICE(x) (2 * x)\n")
        self.lint(status=1)

    def test_a_change_of_settings_counts(self):
        self.lint()
        self.write("src/.clang-tidy", "InheritParentConfig: true\nChecks: 'modernize-use-trailing-return-type'\n")
        self.lint(status=1)

    def test_a_change_of_the_command_counts(self):
        self.lint()
        commands = (self.root / "compile_commands.json").read_text()
        self.write("compile_commands.json", commands.replace(" -o ", " -DOTHER -o "))
        self.assertIn("0 unchanged", self.lint())

    def test_a_batch_passes_as_one(self):
        self.write("src/b.cpp", '#include "a.h"\nint six() { return TWICE(3); }\n')
        self.compile("a", "b")
        self.assertIn("2 looked at, 0 failed", self.lint())
        self.assertIn("2 unchanged", self.lint())

    def test_a_complaint_about_one_file_of_a_batch_is_its_own(self):
        self.write("src/b.cpp", "#define THRICE(x) (3 * x)\nint six() { return THRICE(2); }\n")
        self.compile("a", "b")
        output = self.lint(status=1)
        self.assertIn("src/b.cpp:1", output)
        self.assertIn("2 looked at, 1 failed", output)
        self.assertIn("1 unchanged", self.lint(status=1))

    def test_files_that_use_a_name_each_in_its_own_way_pass(self):
        for name in "ab":
            self.write(f"src/{name}.cpp", f"namespace {{ int two() {{ return 2; }} }}\nint {name}() {{ return two(); }}\n")
        self.compile("a", "b")
        self.assertIn("2 looked at, 0 failed", self.lint())

    def test_settings_of_a_folder_count_for_its_batches(self):
        self.write("src/b.cpp", "int six() { return 6; }\n")
        self.write("src/.clang-tidy", "InheritParentConfig: true\nChecks: 'modernize-use-trailing-return-type'\n")
        self.compile("a", "b")
        self.assertIn("2 failed", self.lint(status=1))

    def test_a_file_of_no_target_is_an_error(self):
        self.write("compile_commands.json", "[]")
        self.lint(status=1)


if __name__ == "__main__":
    if not shutil.which("dpkg-query"):
        del Packages
    if not shutil.which("clang-tidy") or not shutil.which("clang++"):
        del Lint
    unittest.main()
