# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completions name what --help names, and nothing that groff or bash would stumble over.

Usage: manual_test.py TUMBLE
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TUMBLE = Path(sys.argv.pop(1)).resolve()


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run(TUMBLE, "manual", cls.folder)
        listed = run(TUMBLE, "--help").split("Subcommands:")[-1]
        cls.commands = re.findall(r"^  ([a-z]+)  ", listed, re.M)

    def complete(self, *words):
        script = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tumble; '
                  'if [ ${#COMPREPLY[@]} -gt 0 ]; then printf "%s\\n" "${COMPREPLY[@]}"; fi')
        return run("bash", "-uc", script, "bash", self.folder / "bash/tumble", "tumble", *words).split("\n")[:-1]

    def test_each_command_has_a_page_that_names_its_options(self):
        self.assertIn("collide", self.commands)
        self.assertNotIn("manual", self.commands)
        self.assertEqual({page.name for page in (self.folder / "man1").iterdir()},
                         {"tumble.1"} | {f"tumble-{command}.1" for command in self.commands})
        for command in self.commands:
            page = (self.folder / f"man1/tumble-{command}.1").read_text().replace("\\-", "-")
            for option in re.findall(r"^ +(?:-\w, ?)?(--[a-z-]+)", run(TUMBLE, command, "--help"), re.M):
                self.assertRegex(page, rf"\\fB.*{option}\b", command)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_complaint(self):
        for page in sorted((self.folder / "man1").iterdir()):
            result = subprocess.run(["groff", "-K", "utf8", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""), page.name)

    def test_bash_completes_commands_options_and_choices(self):
        self.assertEqual(self.complete("coll"), ["collide"])
        self.assertEqual(sorted(self.complete("")), sorted(self.commands))
        self.assertIn("--pose-b", self.complete("collide", "a.stl", "--po"))
        self.assertEqual(self.complete("fly", "--query", "dist"), ["distance"])
        self.assertEqual(self.complete("lab", "scen"), ["scene"])
        self.assertIn("--tessellation", self.complete("lab", "scene", "--t"))
        self.assertEqual(self.complete("lab", "--quick", "tab"), [f"table{i}" for i in range(1, 8)])

    def test_pages_say_what_help_says(self):
        for page in (self.folder / "man1").iterdir():
            self.assertNotRegex(page.read_text(), "Excludes|REQUIRED|SUBCOMMAND|{false}", page.name)
        page = (self.folder / "man1/tumble-collide.1").read_text()
        self.assertIn(".SH DETAILS", page)
        self.assertIn("COMMAND", (self.folder / "man1/tumble-lab.1").read_text().split(".SH SYNOPSIS")[1].split(".SH")[0])

    def test_bash_completes_names_and_lists(self):
        self.assertEqual(self.complete("distance", "--pairs", "clo"), ["closest", "closing"])
        self.assertEqual(self.complete("help", "col"), ["collide"])
        self.assertEqual(self.complete("lab", "scene", "toru"), ["torus"])
        self.assertIn("falling_torus", self.complete("lab", "scene", ""))
        self.assertEqual(self.complete("clash", "--fail-on", "pi"), ["piercing"])
        self.assertEqual(self.complete("clash", "--fail-on", "n"), ["none"])

    def test_bash_offers_no_files_for_numbers(self):
        (self.folder / "5.stl").touch()
        for words in ["distance", "--within"], ["collide", "--limit"], ["fly", "--budget"], ["clash", "--depth-budget"]:
            self.assertEqual(self.complete(*words, f"{self.folder}/5"), [], words)

    def test_bash_completes_files(self):
        (self.folder / "part.stl").touch()
        self.assertEqual(self.complete("info", f"{self.folder}/par"), [f"{self.folder}/part.stl"])
        self.assertEqual(self.complete("info", "--json", f"{self.folder}/par"), [f"{self.folder}/part.stl"])


if __name__ == "__main__":
    unittest.main()
