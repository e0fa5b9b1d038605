# SPDX-License-Identifier: Apache-2.0
"""The tumble binary, end to end: exit statuses, messages, JSON, output files. Usage: cli_test.py TUMBLE SCHEMAS."""
import base64
import json
import os
import random
import re
import resource
import signal
import stat
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from json_schema import violations

TUMBLE = None
SCHEMAS = None

CUBE_CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
CUBE_FACES = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
              (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]


def off(corners, faces):
    lines = ["OFF", f"{len(corners)} {len(faces)} 0"]
    lines += [" ".join(map(str, corner)) for corner in corners]
    lines += [" ".join(map(str, (len(face), *face))) for face in faces]
    return "\n".join(lines) + "\n"


def moved(x, y, z):
    return f"1 0 0 {x}  0 1 0 {y}  0 0 1 {z}"


def load_strictly(text):
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    return json.loads(text, parse_constant=refuse)


class CliTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = Path(scratch.name)
        self.cube = self.file("cube.off", off(CUBE_CORNERS, CUBE_FACES))

    def file(self, name, content):
        path = self.dir / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def run_tumble(self, *arguments, status, **options):
        done = subprocess.run([TUMBLE, *arguments], cwd=self.dir, capture_output=True, timeout=60, **options)
        self.assertEqual(done.returncode, status, done)
        return done.stdout.decode(), done.stderr.decode()

    def succeed(self, *arguments, status=0, **options):
        out, err = self.run_tumble(*arguments, status=status, **options)
        self.assertEqual(err, "")
        return out

    def fail_with(self, pattern, *arguments, **options):
        """Status 2, one line on standard error that matches, nothing on standard output."""
        out, err = self.run_tumble(*arguments, status=2, **options)
        self.assertEqual(out, "")
        self.assertRegex(err, r"\Atumble: [^\n]+\n\Z")
        self.assertRegex(err, pattern)

    def assert_nothing_left(self, *names):
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), sorted(("cube.off", *names)))

    def assert_animated(self, file):
        """A GLB of an environment that stands still and an object that moves."""
        data = file.read_bytes()
        document = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
        channels = document["animations"][0]["channels"]
        self.assertEqual([(c["target"]["node"], c["target"]["path"]) for c in channels],
                         [(1, "translation"), (1, "rotation")])
        self.assertEqual([n["name"] for n in document["nodes"]], ["environment", "object"])

    def assert_valid(self, document, schema):
        self.assertEqual(violations(document, json.loads((SCHEMAS / f"{schema}.schema.json").read_text())), [])


class Usage(CliTest):
    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"\Atumble \d+\.\d+\.\d+ \((scalar|SSE4|AVX2|AVX-512)\)\n\Z")

    def test_help(self):
        for name in "", "info", "build", "collide", "distance", "inside", "penetration", "point", "ray", "fly", "world", "clash", "view", "lab", "help":
            command = [name] if name else []
            text, whole = self.succeed(*command, "--help"), self.succeed(*command, "--help-all")
            self.assertEqual(text, self.succeed("help", *command))
            self.assertEqual(whole, self.succeed("help", *command, "--all"))
            if name != "lab":
                self.assertLess(len(text.splitlines()), 70)
            for shown in text, whole:
                self.assertNotRegex(shown, r"UINT|INT:|INT in|FLOAT|TEXT")
                self.assertLessEqual(max(map(len, shown.splitlines())), 120)
            self.assertNotIn("--realign", text)
            self.assertIn("Examples:\n  tumble ", text)
            self.assertIn("Exit status: 0", text)

    def test_errors(self):
        self.fail_with("--help")
        self.fail_with("there is no command 'frobnicate'; see 'tumble --help'", "frobnicate")
        self.fail_with("there is no command 'colide'; did you mean 'collide'[?] see 'tumble --help'", "colide", "a", "b")
        self.fail_with("there is no command 'man'; see", "man")
        self.fail_with("no experiment is named 'tabl6'; .*did you mean 'table", "lab", "tabl6")
        self.fail_with("no scene is named 'toruss'; .*did you mean 'torus'", "lab", "scene", "toruss", "-o", "x")
        self.fail_with("--fail-on: 'piercng' is not none or a list of .*did you mean 'piercing'", "clash", self.cube,
                       self.cube, "--fail-on", "piercng")
        self.fail_with("there is no command 'version'; did you mean '--version'[?]", "version")
        self.fail_with("there is no option '-v'; see", "-v")
        self.fail_with("there is no command 'peneration'; did you mean 'penetration'[?]", "help", "peneration")
        self.fail_with("there is no option '--jsno'; did you mean '--json'[?] see 'tumble info --help'", "info", self.cube,
                       "--jsno", "x")
        self.fail_with("did you mean '--json'", "info", "--jsno", "x")
        self.fail_with("there is no option '--pos'; did you mean '--pose-a'", "collide", self.cube, self.cube, "--pos=1")
        self.fail_with("--json belongs behind the command, as in 'tumble info … --json'", "--json", "x", "info", self.cube)
        self.fail_with("as in 'tumble collide … --json'", "--json", "x", "collide", self.cube, self.cube)
        self.fail_with("cube.off' is a file, and a command comes first; 'tumble info .*cube.off'", self.cube)
        self.fail_with("arguments more than collide takes: 'c', 'd', 'e'", "collide", "a", "b", "c", "d", "e")
        self.fail_with("--query: 'al' is not one of any, all, .*did you mean 'all'", "world", self.cube, "--query", "al")
        self.fail_with("--json needs a value, FILE; see 'tumble info --help'", "info", self.cube, "--json")
        self.fail_with("--between needs 2 values, GLOB GLOB; see", "clash", self.cube, self.cube, "--between", "a")
        self.fail_with("--json may be given only once; see", "info", self.cube, "--json", "a", "--json", "b")
        self.fail_with("tumble: the name of the file is empty", "info", "")
        self.fail_with("tumble: the name of the file is empty", "clash", self.cube, "")
        self.fail_with("the name of the file is empty", "collide", self.cube, self.cube, "--pose-a", "@")
        self.fail_with("--rel-error: '5%' is not a share such as 0.05 for 5 %", "distance", self.cube, self.cube,
                       "--rel-error", "5%")
        self.fail_with("--repeats: '1.5' is not a whole number from 1 to", "fly", "a", "b", "c", "--repeats", "1.5")
        self.fail_with("MESH.*'tumble info --help'", "info")
        self.fail_with("B is required.*'tumble collide --help'", "collide", self.cube)
        self.fail_with("--sideways", "info", "--sideways", self.cube)
        self.fail_with("third", "collide", self.cube, self.cube, "third")
        self.fail_with("--json", "info", self.cube, "--json")
        self.fail_with("--pose-a", "collide", self.cube, self.cube, "--pose-a")

    def test_an_option_is_no_value_of_another(self):
        self.fail_with("--json needs a value, FILE, and '-q' is an option; a file of that name is ./-q; see 'tumble collide",
                       "collide", self.cube, self.cube, "--json", "-q")
        self.fail_with("--csv needs a value, FILE, and '--json' is an option", "world", self.cube, "--csv", "--json", "x")
        self.fail_with("--json needs a value, FILE, and '--help'", "info", self.cube, "--json", "--help")
        self.fail_with("--between needs 2 values, GLOB GLOB, and '--json' is an option; see", "clash", self.cube, self.cube,
                       "--between", "a", "--json", "x")
        self.assert_nothing_left()
        for place in ["--json", "./-q"], ["--json=-q"], ["--json", "-x"]:
            self.succeed("collide", self.cube, self.cube, *place, status=1)
        self.assert_nothing_left("-q", "-x")

    def test_arguments_behind_two_dashes(self):
        self.fail_with("there is an argument more than collide takes: 'extra'; see 'tumble collide --help'", "collide",
                       self.cube, self.cube, "--", "extra")
        self.fail_with("arguments more than collide takes: '-x', 'y'", "collide", self.cube, "--", self.cube, "-x", "y")

    def test_numbers_without_quotes(self):
        for words in (["collide", self.cube, self.cube, "--pose-b", "1", "0", "0", "2"],
                      ["collide", "--pose-b", "-1", "0", "0", "2", self.cube, self.cube],
                      ["ray", self.cube, "--from", "-1", "-2", "3", "--to", "0 0 0"]):
            self.fail_with(r'is one argument: put its numbers in quotes, as in --[a-z-]+ "-?1 -?\d …"', *words)
        self.fail_with('--point: a point is 3 numbers in one argument: put them in quotes, as in --point "1 0 0"', "inside",
                       self.cube, "--point", "1", "-2", "3")

    def test_words_without_quotes(self):
        for words, shown in ((["--pose-a", "translation", "0", "0", "1"], 'its words in quotes, as in --pose-a "translation 0 …"'),
                             (["--pose-a", "yaw", "90"], 'its words in quotes, as in --pose-a "yaw 90"'),
                             (["--pose-a=0", "0", "1"], 'its numbers in quotes, as in --pose-a "0 0 …"')):
            self.fail_with(f"the value of --pose-a is one argument: put {shown}", "collide", self.cube, self.cube, *words)
        self.fail_with("more than collide takes: '3'", "collide", self.cube, self.cube, "3", "--pose-a", "@p.txt")

    def test_help_shows_nothing_of_its_parser(self):
        for command in "collide", "distance", "fly", "lab", "lab scene", "lab list", "help", "clash":
            for words in [*command.split(), "--help-all"], ["help", *command.split(), "--all"]:
                out = self.succeed(*words)
                self.assertNotRegex(out, r"\{false\}|Subcommands:|SUBCOMMAND|Excludes", words)
                self.assertEqual("tumble info cabin.glb" in out, False, words)
        self.assertIn("--memory,--no-memory ", self.succeed("help", "fly", "--all"))
        self.assertIn("tumble lab scene torus -o torus", self.succeed("lab", "scene", "--help"))

    def test_utf_16(self):
        for coding in "utf-16", "utf-16-be":
            def file(name, text):
                return self.file(name, ("\ufeff" if coding == "utf-16-be" else "").encode(coding) + text.encode(coding))
            poses = file("poses.txt", moved(0, 0, 0) + "\n")
            pattern = r"txt: it is UTF-16, as PowerShell's > writes it; save it as UTF-8"
            self.fail_with(pattern, "fly", self.cube, self.cube, poses)
            self.fail_with(pattern, "collide", self.cube, self.cube, "--pose-a", "@" + poses)
            self.fail_with(pattern, "inside", self.cube, "--points", file("points.txt", "0 0 0\n"))
            self.fail_with(pattern, "clash", self.cube, self.cube, "--allow", file("allow.txt", "cube\n"))
            self.fail_with(pattern, "world", self.cube, self.cube, "--ignore", file("ignore.txt", "cube cube#2\n"))
            arm = self.file("arm.urdf", ARM.replace("package://meshes/", ""))
            self.fail_with(pattern, "world", arm, "--configurations", file("path.txt", "spin,slide\n0,0\n"))

    def test_names_of_formats_that_are_not_read(self):
        for name, said in (("part.step", "'tumble world', 'tumble clash' and 'tumble view' read it"),
                           ("part.STP", "'tumble world', 'tumble clash' and 'tumble view' read it"),
                           ("arm.xacro", "it is a xacro; run xacro first to get a URDF"),
                           ("arm.urdf", "robots are read by 'tumble world' and 'tumble view'"),
                           ("cell.json", "placed parts are read by 'tumble world', 'tumble clash' and 'tumble view'"),
                           ("x.3mf", ".3mf is not read; convert it to .stl"), ("x.FBX", ".fbx is not read; convert it to .stl"),
                           ("x.dat", "the name does not tell it; give --format stl")):
            self.fail_with(re.escape(said), "info", self.file(name, "x"))

    def test_quiet(self):
        path = self.file("path.txt", moved(0, 0, 0))
        for words, status in ((["info", self.cube], 0), (["collide", self.cube, self.cube], 1),
                              (["distance", self.cube, self.cube], 1), (["penetration", self.cube, self.cube], 1),
                              (["inside", self.cube, "--point", "0 0 0"], 1), (["point", self.cube, "--point", "9 0 0"], 0),
                              (["ray", self.cube, "--from", "9 9 9", "--to", "9 9 8"], 0),
                              (["fly", self.cube, self.cube, path], 1), (["world", self.cube, self.cube], 1),
                              (["clash", self.cube, self.cube], 1), (["build", self.cube, "-o", "x.tmbl"], 0)):
            self.assertEqual(self.succeed(*words, "--quiet", status=status), "", words)
            self.assertNotEqual(self.succeed(*words, status=status), "", words)
        document = load_strictly(self.succeed("collide", self.cube, self.cube, "-q", "--json", "-", status=1))
        self.assertTrue(document["colliding"])
        self.fail_with("missing.stl", "info", "missing.stl", "--quiet")

    def test_sizes_that_differ_by_a_thousand(self):
        large = self.file("large.off", off([tuple(1000 * x for x in p) for p in CUBE_CORNERS], CUBE_FACES))
        some = self.file("some.off", off([tuple(990 * x for x in p) for p in CUBE_CORNERS], CUBE_FACES))
        path = self.file("path.txt", moved(0, 0, 0))
        for words in (["collide", self.cube, large], ["distance", large, self.cube], ["penetration", self.cube, large],
                      ["fly", large, self.cube, path], ["world", self.cube, large]):
            self.assertRegex(self.run_tumble(*words, status=1)[1],
                             r"\Atumble: note: .*large.off is 1000 times as large as .*cube.off; are they in the same units.*\n\Z")
            self.succeed(*words, "--quiet", status=1)
            self.succeed(*[some if word == large else word for word in words], status=1)

    def test_standard_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            for arguments in [["info", self.cube], ["info", self.cube, "--json", "-"], ["--help"]]:
                done = subprocess.run([TUMBLE, *arguments], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr.decode(), r"\Atumble: standard output: [^\n]+\n\Z")


class Info(CliTest):
    def facts(self, name, content):
        document = load_strictly(self.succeed("info", self.file(name, content), "--json", "-"))
        self.assert_valid(document, "info")
        return document["meshes"][0]

    def test_cube(self):
        out = self.succeed("info", self.cube)
        for label, value in [("triangles", "12"), ("vertices", "8"), ("size", "1 x 1 x 1"), ("closed", "yes"),
                             ("box", r"\(0, 0, 0\) to \(1, 1, 1\)"), ("edges", "18"), ("open edges", "0"),
                             ("non-manifold edges", "0"), ("degenerate faces", "0"), ("shells", "1"), ("area", "6"),
                             ("volume", "1"), ("centre", r"\(0.5, 0.5, 0.5\)"), ("inertia", r"\(0.166667, .*\)")]:
            self.assertRegex(out, rf"(?m)^  {label} +{value}$")

    def test_cube_as_json(self):
        document = load_strictly(self.succeed("info", self.cube, "--json", "-"))
        self.assert_valid(document, "info")
        mass = document["meshes"][0]["mass"]
        self.assertEqual((mass["volume"], mass["centre"], mass["inside_out"]), (1, [.5, .5, .5], False))
        for i, row in enumerate(mass["inertia"]):
            for j, value in enumerate(row):
                self.assertAlmostEqual(value, 1 / 6 if i == j else 0)
        self.assertEqual(document["meshes"], [{
            "file": self.cube, "triangles": 12, "vertices": 8, "parts": [],
            "box": {"lower": [0, 0, 0], "upper": [1, 1, 1]}, "closed": True, "points": 8, "edges": 18,
            "open_edges": 0, "first_open_edges": [], "non_manifold_edges": 0, "degenerate_faces": 0, "shells": 1,
            "area": 6, "mass": mass, "tree": None}])

    def test_open_mesh_names_its_open_edges(self):
        path = self.file("open.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        out = self.succeed("info", path)
        self.assertRegex(out, r"(?m)^  closed +no$")
        self.assertRegex(out, r"(?m)^  open edges +3\n +\(\S+, \S+, \S+\) to \(\S+, \S+, \S+\)$")
        mesh = self.facts("open.off", Path(path).read_text())
        self.assertEqual((mesh["closed"], mesh["open_edges"], len(mesh["first_open_edges"])), (False, 3, 3))
        self.assertEqual((mesh["area"], mesh["mass"]), (5.5, None))
        self.assertRegex(out, r"(?m)^  volume +none: not closed$")
        turned = self.facts("turned.off", off(CUBE_CORNERS, [face[::-1] for face in CUBE_FACES]))
        self.assertEqual((turned["mass"]["volume"], turned["mass"]["inside_out"]), (1, True))
        flat = self.facts("flat.off", off(CUBE_CORNERS, [(0, 1, 2), (0, 2, 1)]))
        self.assertEqual((flat["closed"], flat["mass"]), (True, None))

    def test_folders(self):
        (self.dir / "parts" / "deep").mkdir(parents=True)
        self.file("parts/b.off", off(CUBE_CORNERS, CUBE_FACES))
        self.file("parts/deep/a.off", off(CUBE_CORNERS, CUBE_FACES))
        self.file("parts/notes.txt", "no mesh")
        for words in (["info", "parts", "--json", "-"], ["world", "parts", "--json", "-"]):
            document = load_strictly(self.succeed(*words, status=int(words[0] == "world")))
            files = [m["file"] for m in document.get("meshes", document.get("bodies"))]
            self.assertEqual(files, ["parts/b.off", "parts/deep/a.off"])
        (self.dir / "empty").mkdir()
        out, err = self.run_tumble("info", "empty", self.cube, status=2)
        self.assertIn("triangles", out)
        self.assertRegex(err, "empty: there is no mesh in this folder")
        self.fail_with("parts: it is a folder, and this needs one mesh", "collide", "parts", self.cube)

    def test_standard_input_and_pipes(self):
        mesh = Path(self.cube).read_bytes()
        document = load_strictly(self.succeed("info", "-", "--format", "off", "--json", "-", input=mesh))
        self.assert_valid(document, "info")
        self.assertEqual((document["meshes"][0]["file"], document["meshes"][0]["triangles"]), ("-", 12))
        self.succeed("collide", self.cube, "-", "--format", "off", status=1, input=mesh)
        self.succeed("inside", "-", "--format", "off", "--point", "2 2 2", input=mesh)
        self.succeed("build", "-", "--format", "off", "-o", "x.tmbl", input=mesh)
        self.succeed("collide", "x.tmbl", "-", "--format", "off", status=1, input=mesh)
        os.mkfifo(self.dir / "pipe")
        os.mkfifo(self.dir / "pipe.off")
        for name, words in (("pipe", ["--format", "off"]), ("pipe.off", [])):
            writer = subprocess.Popen(["sh", "-c", f"sleep 0.2; cat {self.cube} > {name}"], cwd=self.dir)
            self.assertIn("triangles", self.succeed("info", name, *words))
            writer.wait()
        writer = subprocess.Popen(["sh", "-c", "echo 2 0 0 > pipe"], cwd=self.dir)
        self.succeed("fly", self.cube, self.cube, "pipe")
        writer.wait()
        self.file("odd.dat", mesh)
        self.succeed("info", "odd.dat", "--format", "off")
        self.fail_with("odd.dat: unknown mesh format.*--format stl", "info", "odd.dat")
        self.fail_with("standard input: unknown mesh format.*--format stl", "info", "-", input=mesh)
        self.fail_with("standard input", "info", "-", "--format", "ply", input=mesh)
        self.fail_with("standard input: the file is empty", "info", "-", "--format", "stl", input=b"")
        self.fail_with("--format is for standard input, pipes and files", "info", self.cube, "--format", "off")
        self.fail_with("standard input cannot be both A and B", "collide", "-", "-", "--format", "off", input=mesh)
        self.fail_with("standard input cannot be both B and --pose-b", "collide", self.cube, "-", "--pose-b", "@-",
                       "--format", "off", input=mesh)
        self.fail_with("standard input cannot be both MESH and --points", "inside", "-", "--points", "-", "--format", "off",
                       input=mesh)
        self.fail_with("/dev/zero: .*not a regular file", "info", "/dev/zero", "--format", "stl")

    def test_a_file_without_triangles_is_no_mesh(self):
        self.fail_with("nothing.off: .*no triangles", "info", self.file("nothing.off", off([], [])))

    def test_several_meshes(self):
        out = self.succeed("info", self.cube, self.cube)
        self.assertEqual(out.count("triangles"), 2)
        self.assertIn("\n\n", out)

    def test_a_bad_file_does_not_hide_the_others(self):
        out, err = self.run_tumble("info", "missing.stl", self.cube, "--json", "out.json", status=2)
        self.assertIn("triangles", out)
        self.assertRegex(err, r"\Atumble: missing.stl[^\n]+\n\Z")
        self.assert_nothing_left()

    def test_files_that_cannot_be_read(self):
        (self.dir / "folder.stl").mkdir()
        self.fail_with("missing.stl", "info", "missing.stl")
        self.fail_with("folder.stl", "info", "folder.stl")
        self.fail_with("format", "info", self.file("mesh.xyz", "?"))
        self.fail_with("line 3", "info", self.file("bad.obj", "v 0 0 0\nv 1 0 0\nv 1 zero 0\n"))
        self.fail_with("empty.ply", "info", self.file("empty.ply", ""))
        if os.geteuid() != 0:
            os.chmod(self.cube, 0)
            self.fail_with("cube.off", "info", self.cube)

    def test_hostile_names(self):
        name = "a\n\x1b[31m.stl"
        self.fail_with(re.escape(r"a\x0a\x1b[31m.stl"), "info", name)
        odd = os.fsencode(self.dir) + b"/\xff\xc3\xbc.off"
        with open(odd, "wb") as copy:
            copy.write(Path(self.cube).read_bytes())
        document = load_strictly(self.succeed("info", odd, "--json", "-"))
        self.assertTrue(document["meshes"][0]["file"].endswith("/\ufffdü.off"))

    def test_part_names(self):
        faces = "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in CUBE_FACES)
        corners = "".join(f"v {x} {y} {z}\n" for x, y, z in CUBE_CORNERS)
        mesh = self.facts("parts.obj", (corners + "o fl\u00fcgel \"x\"\n" + faces).encode() + b"o bad\xff\nf 1 2 3\n")
        self.assertEqual([p["name"] for p in mesh["parts"]], ['flügel "x"', "bad\ufffd"])
        self.assertEqual([p["triangle_count"] for p in mesh["parts"]], [12, 1])
        self.assertRegex(self.succeed("info", "parts.obj"), r'parts +2: flügel "x", bad\\xff\n')


class Trees(CliTest):
    def setUp(self):
        super().setUp()
        # A bent sheet: 800 triangles, so that the tree has several levels.
        n = 20
        corners = [(x, y, (x - y) * (x + 2 * y) / 100) for y in range(n + 1) for x in range(n + 1)]
        faces = []
        for y in range(n):
            for x in range(n):
                a = y * (n + 1) + x
                faces += [(a, a + 1, a + n + 2), (a, a + n + 2, a + n + 1)]
        self.sheet = self.file("sheet.off", off(corners, faces))
        self.triangles = len(faces)

    def assert_nothing_left(self, *names):
        super().assert_nothing_left("sheet.off", *names)

    def tree(self, *arguments):
        document = load_strictly(self.succeed("info", *arguments, "--json", "-"))
        self.assert_valid(document, "info")
        return document["meshes"][0]["tree"]

    def test_build(self):
        out = self.succeed("build", self.sheet, "-o", "sheet.tmbl")
        self.assertRegex(out, rf"\Asheet.tmbl\n  triangles +{self.triangles}\n")
        self.assertRegex(out, r"(?m)^  tree +oriented boxes, up to 8 children, built in [\d.e+]+ m?s$")
        self.assertRegex(out, r"(?m)^  nodes +\d+$")
        size = (self.dir / "sheet.tmbl").stat().st_size
        self.assertRegex(out, rf"(?m)^  bytes +{size}, {size / self.triangles:.0f} per triangle$")
        self.assert_nothing_left("sheet.tmbl")
        first = (self.dir / "sheet.tmbl").read_bytes()
        self.succeed("build", self.sheet, "--output", "again.tmbl", "--threads", "1")
        self.assertEqual((self.dir / "again.tmbl").read_bytes(), first)

    def test_a_stored_model_stands_for_its_mesh(self):
        self.succeed("build", self.sheet, "-o", "sheet.tmbl", "--k", "26", "--leaf-size", "2")
        mesh, = load_strictly(self.succeed("info", self.sheet, "--json", "-"))["meshes"]
        stored, = load_strictly(self.succeed("info", "sheet.tmbl", "--json", "-"))["meshes"]
        self.assertEqual((stored["tree"]["bound"], stored["tree"]["k"], stored["tree"]["build_ms"]), ("dop", 26, None))
        differing = {"file", "tree"}
        self.assertEqual({k: v for k, v in mesh.items() if k not in differing},
                         {k: v for k, v in stored.items() if k not in differing})
        pose = moved(3, 3, -.5)
        answers = [self.succeed("collide", a, b, "--pose-b", pose, "--all", status=1).split("\n\n", 1)[1]
                   for a, b in [(self.sheet, self.cube), ("sheet.tmbl", self.cube)]]
        self.assertEqual(answers[0], answers[1])

    def test_a_tree_built_anew_from_a_stored_model(self):
        self.succeed("build", self.sheet, "-o", "boxes.tmbl")
        self.succeed("build", "boxes.tmbl", "-o", "slabs.tmbl", "--bound", "dop")
        self.assertEqual(self.tree("slabs.tmbl")["k"], 18)
        self.succeed("build", "slabs.tmbl", "-o", "slabs.tmbl", "--bound", "obb")  # onto itself
        self.assertEqual((self.dir / "slabs.tmbl").read_bytes(), (self.dir / "boxes.tmbl").read_bytes())

    def test_statistics(self):
        tree = self.tree(self.sheet, "--tree")
        self.assertEqual((tree["bound"], tree["k"], tree["arity"]), ("obb", None, 8))
        self.assertEqual(sum(tree["leaves_at_depth"]), tree["leaves"])
        self.assertEqual(len(tree["volume_at_depth"]), len(tree["leaves_at_depth"]))
        self.assertGreater(tree["volume_at_depth"][0], tree["volume_at_depth"][-1])
        self.assertAlmostEqual(tree["leaves"] * tree["triangles_per_leaf"], self.triangles)
        self.assertAlmostEqual(tree["nodes"] * tree["children_per_node"], tree["leaves"] + tree["nodes"] - 1)
        self.assertGreater(tree["build_ms"], 0)
        out = self.succeed("info", self.sheet, "--tree")
        self.assertRegex(out, r"(?m)^  tree +oriented boxes, up to 8 children, built in ")
        self.assertRegex(out, rf"(?m)^  nodes +{tree['nodes']}, ")
        self.assertRegex(out, rf"(?m)^  bytes +{tree['model_bytes']}, {tree['bytes_per_triangle']:.0f} per triangle")
        for depth, leaves in enumerate(tree["leaves_at_depth"]):
            self.assertRegex(out, rf"(?m)^ +{depth} +{leaves} +\S+  \d+ %$")
        self.assertNotIn("tree", self.succeed("info", self.sheet))

    def test_every_option_arrives(self):
        given = {"bound": "dop", "k": 26, "split": "min_max", "pivot": "median", "axes": "all", "leaf_size": 3,
                 "arity": 4, "build": "bottom_up", "obb_fit": "hull_covariance", "orient": True, "indivisible_leaves": True,
                 "seed": 2**64 - 1,
                 "threads": 2}
        default = {"bound": "automatic", "k": None, "split": "binned", "pivot": "mean", "axes": "coordinate",
                   "leaf_size": None, "arity": 8, "build": "top_down", "obb_fit": "smallest", "orient": False,
                   "indivisible_leaves": False, "seed": 1,
                   "threads": None}
        self.assertEqual(self.tree(self.sheet, "--tree")["options"], default)
        words = []
        for name, value in given.items():
            words += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
        tree = self.tree(self.sheet, *words)
        self.assertEqual(tree["options"], given)
        self.assertEqual((tree["bound"], tree["k"], tree["arity"]), ("dop", 26, 4))
        self.assertIsNone(self.tree(self.sheet, "--leaf-size", "auto")["options"]["leaf_size"])

    def test_k_asks_for_dops(self):
        self.assertEqual(self.tree(self.sheet, "--k", "14")["bound"], "dop")
        self.assertEqual(self.tree(self.sheet, "--orient")["bound"], "dop")
        self.assertEqual(self.tree(self.sheet, "--k", "14", "--bound", "automatic")["k"], 14)
        for option in (["--k", "14"], ["--orient"]):
            self.fail_with(f"{option[0]}: is for dop trees", "info", self.sheet, *option, "--bound", "obb")

    def test_the_seed_changes_sampled_trees(self):
        trees = []
        for seed in ("1", "1", "2"):
            self.succeed("build", self.sheet, "-o", "tree.tmbl", "--bound", "dop", "--split", "min_sum", "--pivot",
                         "sampled", "--leaf-size", "1", "--seed", seed)
            trees.append((self.dir / "tree.tmbl").read_bytes())
        self.assertEqual(trees[0], trees[1])
        self.assertNotEqual(trees[0], trees[2])
        for word in ("-1", "x", "1.5", str(2**64)):
            self.fail_with(f"--seed: '{re.escape(word)}' is not a whole number", "info", self.sheet, f"--seed={word}")

    def test_errors_list_what_is_allowed(self):
        for option, word, allowed in [("--bound", "ball", "automatic, dop, obb"),
                                      ("--k", "7", "6, 8, 12, 14, 18, 26, 50, 98"),
                                      ("--split", "half", "binned, min_sum, min_max, splatter, longest_side, far_pair"),
                                      ("--pivot", "middle", "mean, median, midpoint, best, sampled"),
                                      ("--axes", "x", "coordinate, all, box"),
                                      ("--leaf-size", "0", "1 to 255 or 'auto'"),
                                      ("--leaf-size", "256", "1 to 255 or 'auto'"),
                                      ("--leaf-size", "4x", "1 to 255 or 'auto'"),
                                      ("--arity", "5", "2, 3, 4, 8"),
                                      ("--build", "sideways", "top_down, bottom_up"),
                                      ("--obb-fit", "tight", "smallest, vertex_covariance, hull_vertex_covariance, hull_covariance, surface_covariance"),
                                      ("--threads", "-1", "1 to 4096 or 'all'")]:
            for command in [["info"], ["build", "-o", "x.tmbl"]]:
                self.fail_with(f"{option}: '{word}' is not .*{allowed}", *command, self.sheet, f"{option}={word}")
        self.assert_nothing_left()

    def test_build_refuses(self):
        self.fail_with("output", "build", self.sheet)
        self.fail_with("sheet.stl: .*tmbl", "build", self.sheet, "-o", "sheet.stl")
        self.fail_with("no/such/sheet.tmbl", "build", "missing.stl", "-o", "no/such/sheet.tmbl")  # before reading
        self.fail_with("missing.stl", "build", "missing.stl", "-o", "x.tmbl")
        self.assert_nothing_left()

    def test_stored_models_that_are_not(self):
        self.fail_with("fake.tmbl: is not a stored model", "info", self.file("fake.tmbl", "v 0 0 0\n"))
        self.succeed("build", self.sheet, "-o", "sheet.tmbl")
        whole = (self.dir / "sheet.tmbl").read_bytes()
        self.fail_with("short.tmbl: .*cut off", "info", self.file("short.tmbl", whole[:-64]))
        damaged = self.file("damaged.tmbl", whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])
        self.fail_with("damaged.tmbl: .*checksum", "collide", damaged, self.cube)

    def test_tree_options_are_refused_for_stored_models(self):
        self.succeed("build", self.sheet, "-o", "sheet.tmbl")
        path = self.file("path.txt", moved(100, 0, 0))
        for command in (["info", "sheet.tmbl"], ["collide", "sheet.tmbl", self.cube],
                        ["collide", self.cube, "sheet.tmbl"], ["fly", "sheet.tmbl", self.cube, path],
                        ["fly", self.cube, "sheet.tmbl", path]):
            for words in (["--bound", "dop"], ["--k", "26"], ["--leaf-size", "4"], ["--seed", "1"],
                          ["--preset", "klosowski1998", "--arity", "4"][0 if command[0] != "info" else 2:]):
                self.fail_with("sheet.tmbl: is stored with its tree; .*tumble build", *command, *words)
            out, _ = self.run_tumble(*command, "--threads", "1", status=1 if command[0] == "collide" else 0)
            self.assertIn("oriented boxes, up to 8 children, stored", out)

    def test_the_tree_that_is_reported_is_the_tree_that_is_used(self):
        self.succeed("build", self.sheet, "-o", "sheet.tmbl")
        tree = self.tree("sheet.tmbl")
        path = self.file("path.txt", moved(100, 0, 0))
        fly = load_strictly(self.succeed("fly", "sheet.tmbl", self.cube, path, "--preset", "klosowski1998",
                                         "--json", "-"))
        self.assert_valid(fly, "fly")
        self.assertIsNone(fly["options"]["environment"])  # not the preset's: the stored tree is what it is
        self.assertEqual((fly["options"]["object"]["bound"], fly["options"]["object"]["k"]), ("dop", 18))
        self.assertEqual(fly["options"]["realign"], "hill_climbing")  # the preset's pair options do apply
        self.assertEqual(fly["env"]["tree"], {key: tree[key] for key in ("bound", "k", "arity", "nodes", "leaves")})
        self.assertEqual((tree["bound"], fly["env"]["build_ms"]), ("obb", None))
        self.assertEqual([fly["object"]["tree"][key] for key in ("bound", "k", "arity", "nodes")], ["dop", 18, 2, 1])
        collide = load_strictly(self.succeed("collide", self.cube, "sheet.tmbl", "--preset", "zachmann1998",
                                             "--pose-a", moved(100, 0, 0), "--json", "-"))
        self.assert_valid(collide, "collide")
        self.assertEqual([collide[body]["tree"]["bound"] for body in "ab"], ["dop", "obb"])
        self.assertEqual([collide[body]["tree"]["k"] for body in "ab"], [6, None])

    def test_levels_as_meshes(self):
        for words, faces in [(["--bound", "obb"], 12), (["--bound", "dop", "--k", "6"], 12)]:
            tree = self.tree(self.sheet, *words)
            for level in range(2):
                self.succeed("info", self.sheet, *words, "--level", str(level), "--export", "level.glb")
                mesh, = load_strictly(self.succeed("info", "level.glb", "--json", "-"))["meshes"]
                self.assertTrue(mesh["closed"])
                self.assertEqual(mesh["triangles"], faces * mesh["shells"])
                self.assertEqual(mesh["shells"], 1 if level == 0 else len(mesh["parts"]))
            self.assertGreater(len(tree["leaves_at_depth"]), 1)
        self.succeed("build", self.sheet, "-o", "sheet.tmbl")
        self.succeed("info", "sheet.tmbl", "--level", "1", "--export", "level.obj")
        self.assertRegex((self.dir / "level.obj").read_text(), r"(?m)^g node \d+$")

    def test_levels_that_cannot_be_written(self):
        def fails(pattern, *arguments):
            self.fail_with(pattern, "info", *arguments)
        fails("depth 9; its depths are 0 to", self.sheet, "--level", "9", "--export", "x.glb")
        fails("--level: '-1' is not a whole number from 0", self.sheet, "--level=-1", "--export", "x.glb")
        fails("go together", self.sheet, "--level", "1")
        fails("go together", self.sheet, "--export", "x.glb")
        fails("one mesh", self.sheet, self.cube, "--level", "1", "--export", "x.glb")
        fails("x.txt: .*format", self.sheet, "--level", "1", "--export", "x.txt")
        fails("no/x.glb", self.sheet, "--level", "1", "--export", "no/x.glb")
        fails("x.glb: .*both --json and --export", self.sheet, "--level", "1", "--export", "x.glb", "--json", "./x.glb")
        self.assert_nothing_left()


class Collide(CliTest):
    def collide(self, *arguments, status, a=None, b=None):
        out = self.succeed("collide", a or self.cube, b or self.cube, *arguments, "--json", "-", status=status)
        document = load_strictly(out)
        self.assert_valid(document, "collide")
        self.assertEqual(document["colliding"] or document["near"] or False, status == 1)
        self.assertEqual(document["colliding"], document["contact_count"] > 0)
        self.assertEqual(document["contact_count"], sum(document["kinds"].values()))
        return document

    def test_apart(self):
        out = self.succeed("collide", self.cube, self.cube, "--pose-b", moved(2, 0, 0))
        self.assertIn("free: no contact", out)
        document = self.collide("--pose-b", moved(2, 0, 0), status=0)
        self.assertEqual((document["contact_count"], document["contacts"]), (0, []))

    def test_within(self):
        pose = moved(1.5, 0, 0)
        for distance, near in (("0.5", True), ("0.49999", False), ("0", False), ("1e-400", False), ("+1e100", True)):
            document = self.collide("--pose-b", pose, "--within", distance, status=int(near))
            self.assertEqual((document["colliding"], document["within"], document["near"]),
                             (False, float(distance), near))
        self.assertEqual(self.collide("--within", "0", status=1)["near"], True)
        document = self.collide("--pose-b", pose, status=0)
        self.assertEqual((document["within"], document["near"]), (None, None))
        far = self.succeed("collide", self.cube, self.cube, "--pose-b", pose, "--within", "0.25")
        self.assertIn("\n\nfar: more than 0.25 apart\nfree: no contact\n", far)
        near = self.succeed("collide", self.cube, self.cube, "--pose-b", pose, "--within", "2", status=1)
        self.assertIn("\n\nnear: at most 2 apart\nfree: no contact\n", near)
        touching = self.succeed("collide", self.cube, self.cube, "--within", "2", status=1)
        self.assertRegex(touching, r"\n\nnear: at most 2 apart\ncolliding: \d+ contacts")

    def test_within_a_budget(self):
        pose = moved(1.5, 0, 0)
        for distance, near in (("0.5", True), ("0.49", False)):
            document = self.collide("--pose-b", pose, "--within", distance, "--budget", "1000000", status=int(near))
            self.assertEqual((document["near"], document["certainty"]["verdict"]), (near, "free"))
        turned = "0.6 -0.8 0 3.05  0.48 0.36 -0.8 0.3  0.64 0.48 0.6 0.2"
        document = self.collide("--pose-b", turned, "--within", "1.2", "--budget", "0", status=0)
        self.assertIsNone(document["near"])
        out = self.succeed("collide", self.cube, self.cube, "--pose-b", turned, "--within", "1.2", "--budget", "0")
        self.assertRegex(out, "free: distance from .*; the budget is used up\n")
        self.assertIn("unknown: whether at most 1.2 apart\n", out)
        self.assertTrue(self.collide("--within", "0", "--budget", "1s", status=1)["near"])

    def test_distances_that_are_none(self):
        for word in ("-1", "nan", "inf", "1e101", "1e999", "far", "1x", "+-1"):
            for command in (["collide", self.cube, self.cube], ["fly", self.cube, self.cube, "path.txt"]):
                self.fail_with(rf"--within: '{re.escape(word)}' is not a distance, a number from 0 to 1e\+100;",
                               *command, f"--within={word}")

    def test_touching_is_contact(self):
        document = self.collide("--pose-b", moved(1, 0, 0), status=1)
        self.assertEqual(document["kinds"]["cross"], 0)
        self.assertGreaterEqual(document["kinds"]["coplanar"], 2)

    def test_crossing(self):
        document = self.collide("--pose-b", moved(.5, .625, .75), "--all", status=1)
        self.assertGreater(document["kinds"]["cross"], 0)
        crossing = [c for c in document["contacts"] if c["kind"] == "cross"]
        self.assertEqual(len(crossing), document["kinds"]["cross"])
        for contact in crossing:
            self.assertEqual(len(contact["outline"]), 2)
            self.assertGreater(contact["depth"], 0)
            self.assertAlmostEqual(sum(x * x for x in contact["normal"]), 1)
        ids = [(c["triangle_a"], c["triangle_b"]) for c in document["contacts"]]
        self.assertEqual(ids, sorted(set(ids)))

    def test_solids(self):
        small = self.file("small.off", off([tuple(0.25 + 0.5 * x for x in p) for p in CUBE_CORNERS], CUBE_FACES))
        self.assertEqual(self.collide(b=small, status=0)["solid"], False)
        document = self.collide("--solid", b=small, status=1)
        self.assertEqual((document["solid"], document["contact_count"], document["kinds"]["inside"]), (True, 1, 1))
        contact = document["contacts"][0]
        self.assertEqual((contact["kind"], contact["depth"], contact["outline"]), ("inside", 0.25, [contact["point"]]))
        self.assertEqual(self.collide("--solid", a=small, b=self.cube, status=1)["kinds"]["inside"], 1)
        self.assertEqual(self.collide("--solid", "--pose-b", moved(3, 0, 0), b=small, status=0)["contacts"], [])
        self.assertEqual(self.collide("--solid", "--within", "0.1", b=small, status=1)["near"], True)
        for budget in [], ["--budget", "100000"]:
            document = self.collide("--solid", "--within", "0.1", *budget, b=small, status=1)
            self.assertEqual((document["colliding"], document["near"]), (True, True))
        self.assertFalse(self.collide("--solid", "--within", "0.1", "--pose-b", moved(2, 0, 0), b=small, status=0)["near"])
        out = self.succeed("collide", self.cube, small, "--solid", status=1)
        self.assertIn("colliding: 1 contact (1 inside)", out)
        leaky = self.file("leaky.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        for arguments in (["collide", self.cube, leaky], ["fly", leaky, self.cube, "path.txt"]):
            self.file("path.txt", moved(0, 0, 0))
            self.fail_with(r"leaky.off: the mesh is not closed .* 3 open edges, \(1, 0, 0\) to \(1, 0, 1\) of triangle 4",
                           *arguments, "--solid")

    def test_touches_that_do_not_count(self):
        corner, edge, deep = moved(1, 1, 1), moved(1, 1, 0.5), moved(.5, .625, .75)
        for budget in [], ["--budget", "100000"]:
            for pose in corner, edge:
                self.assertEqual(set(c["kind"] for c in self.collide("--pose-b", pose, status=1)["contacts"]), {"touch"})
                for words in [], ["--all"], ["--solid"]:
                    document = self.collide("--pose-b", pose, "--ignore-touch", *words, *budget, status=0)
                    self.assertEqual((document["ignore_touch"], document["contact_count"]), (True, 0))
                document = self.collide("--pose-b", pose, "--ignore-touch", "--within", "0", *budget, status=1)
                self.assertEqual((document["colliding"], document["near"]), (False, True))
            plain = self.collide("--pose-b", deep, "--all", *budget, status=1)
            for words in [], ["--solid"]:
                document = self.collide("--pose-b", deep, "--all", "--ignore-touch", *words, *budget, status=1)
                self.assertEqual(document["contacts"], [c for c in plain["contacts"] if c["kind"] != "touch"])
        self.assertFalse(plain["ignore_touch"])
        self.assertIn("free: no contact", self.succeed("collide", self.cube, self.cube, "--pose-b", edge, "--ignore-touch"))

    def test_people_get_ten_and_programs_all_unless_asked_otherwise(self):
        every, some = self.collide(status=1), self.collide("--limit", "7", status=1)
        self.assertEqual(len(every["contacts"]), every["contact_count"])
        self.assertEqual((every["complete"], some["complete"], some["contact_count"]), (True, False, every["contact_count"]))
        self.assertEqual(every["contacts"][:7], some["contacts"])
        self.assertEqual(self.collide("--all", status=1)["contacts"], every["contacts"])
        self.assertTrue(self.collide("--limit", "1000", status=1)["complete"])
        self.assertFalse(self.collide("--pose-b", ".5 .3 .2", "--budget", "0", status=0)["complete"])
        self.assertRegex(self.succeed("collide", self.cube, self.cube, "--limit", "3", status=1),
                         rf"\n  … and {every['contact_count'] - 3} more; --all lists them\n")
        self.fail_with("--limit excludes --all|--all excludes --limit", "collide", self.cube, self.cube, "--all", "--limit", "3")
        self.fail_with("--limit: '-1' is not a whole number", "collide", self.cube, self.cube, "--limit=-1")
        total = every["contact_count"]
        out = self.succeed("collide", self.cube, self.cube, status=1)
        self.assertRegex(out, rf"colliding: {total} contacts \(\d+ touch, \d+ coplanar\)")
        self.assertIn(f"and {total - 10} more; --all lists them", out)
        self.assertNotIn("more;", self.succeed("collide", self.cube, self.cube, "--all", status=1))

    def test_a_degenerate_triangle_has_no_depth(self):
        needle = self.file("needle.off", off([(.5, .5, -1), (.5, .25, .5), (.5, .5, -1)], [(0, 1, 2)]))
        contact, = self.collide(b=needle, status=1)["contacts"]
        self.assertEqual((contact["kind"], contact["depth"], contact["normal"]), ("touch", None, None))
        self.assertRegex(self.succeed("collide", self.cube, needle, status=1), r"touch +- +\(")

    def test_parts_of_contacts(self):
        corners = "".join(f"v {x} {y} {z}\n" for x, y, z in CUBE_CORNERS)
        faces = "".join(f"o face{i}\nf {a + 1} {b + 1} {c + 1}\n" for i, (a, b, c) in enumerate(CUBE_FACES))
        named = self.file("named.obj", corners + faces)
        for contact in self.collide("--all", b=named, status=1)["contacts"]:
            self.assertIsNone(contact["part_a"])
            self.assertEqual(contact["part_b"], f"face{contact['triangle_b']}")

    def test_poses(self):
        quarter_turn = "0 -1 0 3, 1 0 0 0, 0 0 1 0"
        spellings = [quarter_turn, quarter_turn.replace(" ", ","), " " + quarter_turn.replace(",", "\n") + "\t",
                     "0 -1 0 +3e0 1. 0 0 0 0 0 1 -0", quarter_turn + " 0 0 0 1"]
        for text in spellings:
            document = self.collide("--pose-a", text, status=0)
            self.assertEqual(document["a"]["pose"], [0, -1, 0, 3, 1, 0, 0, 0, 0, 0, 1, 0])
            self.assertEqual(document["b"]["pose"], IDENTITY)
        self.collide("--pose-b", "-1 0 0 -.5 0 -1 0 0 0 0 1 0", status=0)  # begins with a minus
        self.collide("--pose-b=-1 0 0 1 0 -1 0 1 0 0 1 0", status=1)
        self.file("pose.txt", "# a pose\n1 0 0 2  # x\n0 1 0 0\n0 0 1 0\n")
        self.assertEqual(self.collide("--pose-b", "@pose.txt", status=0)["b"]["pose"][3], 2)
        self.succeed("collide", self.cube, self.cube, "--pose-a", "@-", input=moved(0, 5, 0).encode())

    def test_poses_in_words(self):
        turned = [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3]
        for text in ("translation 1 2 3 yaw 90", "1 2 3 yaw 90", "yaw=90, t=1,2,3", "t 1 2 3 rpy 0 0 90",
                     "yaw 90deg xyz 1 2 3",
                     "axis 0 0 2 angle 90 translation 1 2 3", "axis: 0 0 -1 angle: -90 t: (1, 2, 3)",
                     "quaternion 2 0 0 2 t 1 2 3", "t 1 2 3 xyzw 0 0 1 1", "1 2 3 euler xyz 0 0 90",
                     "1 2 3 euler ZYX 90 0 0", "1 2 3 roll 0 yaw 90", "Translation 1 2 3 YAW 90", "1 2 3 Euler xyz 0 0 90"):
            pose = self.collide("--pose-b", text, status=0)["b"]["pose"]
            for given, wanted in zip(pose, turned):
                self.assertAlmostEqual(given, wanted, 15, text)
        self.assertEqual(self.collide("--pose-b", "1 2 3 yaw 90", status=0)["b"]["pose"], turned)  # exactly
        self.assertEqual(self.collide("--pose-b", "5 6 7", status=0)["b"]["pose"], [1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7])
        yaw = self.collide("--pose-b", "yaw 1.5707963267948966rad t 5 0 0", status=0)["b"]["pose"]
        self.assertAlmostEqual(yaw[1], -1)
        for two_units in "90raddeg", "90degrad", "90degdeg":
            self.fail_with(f"'{two_units}' is not a number", "collide", self.cube, self.cube, "--pose-b", "yaw " + two_units)
        self.file("pose.txt", "# where it is\ntranslation 1 2 3\nyaw 90 # and how it is turned\n")
        self.assertEqual(self.collide("--pose-b", "@pose.txt", status=0)["b"]["pose"], turned)
        # Roll, pitch and yaw are URDF's: about the world's x, then y, then z.
        pose = self.collide("--pose-b", "9 0 0 roll 90 pitch 90 yaw 90", status=0)["b"]["pose"]
        self.assertEqual(pose, [0, 0, 1, 9, 0, 1, 0, 0, -1, 0, 0, 0])
        self.file("path.txt", "0 0 3\ntranslation 0 0 3 yaw 45\n" + moved(0, 0, 1) + "\n")
        document = load_strictly(self.succeed("fly", self.cube, self.cube, "path.txt", "--json", "-", status=1))
        self.assertEqual([s["colliding"] for s in document["steps"]], [False, False, True])

    def test_rounded_poses(self):
        text = "0.799 -0.602 0 3  0.602 0.799 0 0  0 0 1 0"  # 37 degrees
        out, err = self.run_tumble("collide", self.cube, self.cube, "--pose-b", text, "--json", "-", status=0)
        self.assertRegex(err, r"\Atumble: note: --pose-b: the matrix is not quite a rotation.*nearest rotation is used\n\Z")
        pose = json.loads(out)["b"]["pose"]
        self.assertAlmostEqual(pose[0] ** 2 + pose[1] ** 2 + pose[2] ** 2, 1, 14)
        self.assertAlmostEqual(pose[0], .799, 3)
        self.assertEqual(pose[3], 3)
        self.run_tumble("collide", self.cube, self.cube, "--pose-b", text + " 0 0 0 1", status=0)
        self.file("path.txt", moved(3, 0, 0) + f"\n{text}\n{text}\n")
        out, err = self.run_tumble("fly", self.cube, self.cube, "path.txt", status=0)
        self.assertRegex(err, r"\Atumble: note: path.txt: of 3 poses, 2, the first in line 2, are not quite rotations")
        self.succeed("fly", self.cube, self.cube, "path.txt", "--quiet")

    def test_bad_poses(self):
        def fails(pattern, text):
            self.fail_with(pattern, "collide", self.cube, self.cube, "--pose-b", text)
        fails("--pose-b: .*12 numbers.*or 3, a translation, not 2", "1 2")
        fails("not 4; a quaternion needs its name: quaternion W X Y Z, or xyzw", "1 0 0 0")
        fails("not 6; name angles: .*rpy", "1 2 3 0 0 90")
        fails("not 7; name the quaternion", "1 2 3 1 0 0 0")
        fails("not 9; the translation is missing", "1 0 0 0 1 0 0 0 1")
        fails("'yow' is not a number, nor one of translation, .*; did you mean 'yaw'", "1 2 3 yow 90")
        fails("yaw takes 1 number, and here are more", "yaw 90 1 2 3")
        fails("quaternion takes 4 numbers, not 3", "quaternion 1 0 0")
        fails("yaw is there twice", "yaw 1 yaw 2")
        fails("its translation is there twice", "1 2 3 translation 1 2 3")
        fails("an axis and an angle go together", "axis 0 0 1")
        fails("turns in more than one way", "yaw 3 quaternion 1 0 0 0")
        fails("the axes of Euler angles are three letters", "euler abc 1 2 3")
        fails("euler takes 3 numbers, not 2", "euler xyz 1 2")
        fails("the axes of Euler angles come first, as three letters: euler XYZ 10 20 30", "euler 10 20 30")
        fails("12 numbers come before 'yaw'", moved(0, 0, 0) + " yaw 90")
        fails("an angle must be finite", "yaw nan")
        fails("--pose-b: .*quaternion must be finite and not zero", "quaternion 0 0 0 0")
        fails("--pose-b: .*axis of a turn must be finite and not zero", "axis 0 0 0 angle 3")
        fails("not rigid: .* at most 2e-3 is accepted, as numbers rounded to three digits", "0.99 0.01 0 0 0 1 0 0 0 0 1 0")
        fails("--pose-b: .*12 numbers.*not 0", "")
        fails("--pose-b: .*not 13", moved(0, 0, 0) + " 0")
        fails("'one' is not a number", moved("one", 0, 0))
        fails("'1x' is not a number", moved("1x", 0, 0))
        fails("'\\+-1' is not a number", moved("+-1", 0, 0))
        fails("--pose-b: .*finite", moved("1e999", 0, 0))
        fails("--pose-b: .*finite", moved("nan", 0, 0))
        fails("--pose-b: .*finite", moved("inf", 0, 0))
        fails("--pose-b: .*finite", moved("1e101", 0, 0))
        fails("--pose-b: .*not rigid", "2 0 0 0 0 2 0 0 0 0 2 0")
        fails("--pose-b: .*mirrors", "1 0 0 0 0 1 0 0 0 0 -1 0")
        fails("last row", "1 0 0 0 0 1 0 0 0 0 1 0 5 6 7 1")
        fails("missing.txt", "@missing.txt")
        fails("folder", f"@{self.dir}")
        fails("/dev/zero: .*not a regular file", "@/dev/zero")
        self.file("words.txt", "1 0 0\ntwo\n")
        fails("words.txt, line 2: 'two' is not a number", "@words.txt")
        self.file("long.txt", "1 " * 100000)
        fails("long.txt, line 1: .*too long", "@long.txt")
        self.file("many.txt", "1\n" * 100000)
        fails("many.txt, line 17: .*more than 16", "@many.txt")

    def test_bad_meshes(self):
        self.fail_with("missing.ply", "collide", self.cube, "missing.ply")
        self.fail_with("missing.ply", "collide", "missing.ply", self.cube, "--json", "out.json")
        self.assert_nothing_left()


class Distance(CliTest):
    def distance(self, *arguments, status=0, **options):
        document = load_strictly(self.succeed("distance", self.cube, self.cube, *arguments, "--json", "-",
                                              status=status, **options))
        self.assert_valid(document, "distance")
        return document

    def test_apart(self):
        document = self.distance("--pose-b", moved(3, 0.25, 0.5))
        self.assertEqual((document["lower"], document["closest"]["distance"], document["farther"]), (2, 2, False))
        self.assertEqual((document["closest"]["point_a"][0], document["closest"]["point_b"][0]), (1, 3))
        self.assertEqual((document["near"], document["near_count"], document["certainty"]), ([], None, None))
        self.assertRegex(self.succeed("distance", self.cube, self.cube, "--pose-b", moved(3, 0, 0)), r"distance +2\n")

    def test_contact_is_zero(self):
        self.assertEqual(self.distance("--pose-b", moved(1, 0.25, 0.5), status=1)["closest"]["distance"], 0)

    def test_pairs(self):
        words = ["--pose-b", moved(1.5, 0.25, 0.5), "--all"]
        band = self.distance(*words, "--within", "0.55", status=1)["near"]
        closest = self.distance(*words, "--rel-error", "0.1", "--pairs", "closest")
        self.assertEqual((closest["options"]["pairs"], closest["near"], closest["near_finished"]), ("closest", band, True))
        closing = self.distance(*words, "--rel-error", "0.1", "--pairs", "closing")["near"]
        nearest = float("inf")
        for pair in closing:
            self.assertLessEqual(pair["distance"], nearest * 1.1)
            nearest = min(nearest, pair["distance"])
        self.assertEqual(nearest, 0.5)
        ids = [(pair["triangle_a"], pair["triangle_b"]) for pair in band]
        met = sorted((p["triangle_a"], p["triangle_b"]) for p in closing if p["distance"] <= 0.55)
        self.assertEqual(met, ids)
        self.assertIsNone(self.distance("--pose-b", moved(3, 0, 0))["options"]["pairs"])
        self.distance("--pairs", "closest", status=1)  # in contact
        self.assertFalse(self.distance(*words, "--pairs", "closing", "--budget", "0")["near_finished"])
        text = self.succeed("distance", self.cube, self.cube, "--pose-b", moved(1.5, 0, 0), "--pairs", "closest")
        self.assertRegex(text, r"near +\d+ pairs within the errors of the least distance\n")
        self.fail_with("--pairs.*--within|--within.*--pairs", "distance", self.cube, self.cube, "--pairs", "closest",
                       "--within", "1")

    def test_nothing_listed_is_nearer(self):
        """Within the errors, two questions may end with different pairs; the answer is the nearer one."""
        examples = SCHEMAS.parent.parent / "examples"
        for words in (["--pairs", "closest"], ["--pairs", "closing"], ["--within", "3"],
                      ["--pairs", "closest", "--budget", "100000"]):
            found = load_strictly(self.succeed("distance", examples / "cube.obj", examples / "torus.stl", "--pose-b", "5 0 0",
                                               "--rel-error", "0.1", "--all", *words, "--json", "-",
                                               status=1 if "--within" in words else 0))
            least = min(found["near"], key=lambda pair: pair["distance"])
            self.assertLessEqual(found["closest"]["distance"], least["distance"])
            self.assertLessEqual(found["lower"], least["distance"])

    def test_within(self):
        document = self.distance("--pose-b", moved(1.5, 0.25, 0.5), "--within", "0.5", "--all", status=1)
        self.assertEqual(document["near_count"], len(document["near"]))
        self.assertGreater(document["near_count"], 3)
        self.assertTrue(all(pair["distance"] == 0.5 for pair in document["near"]))
        self.assertEqual(self.distance("--pose-b", moved(1.5, 0, 0), "--within", "0.4")["near_count"], 0)
        text = self.succeed("distance", self.cube, self.cube, "--pose-b", moved(1.5, 0, 0), "--within", "9", status=1)
        self.assertIn("… and 134 more; --all lists them", text)

    def test_errors_and_bounds(self):
        document = self.distance("--pose-b", moved(3, 0, 0), "--rel-error", "0.5", "--abs-error", "0.1")
        self.assertLessEqual(document["closest"]["distance"], 2 * 1.5 + 0.1)
        self.assertLessEqual(document["lower"], 2)
        document = self.distance("--pose-b", moved(3, 0, 0), "--upper-bound", "1.5")
        self.assertEqual((document["farther"], document["closest"], document["lower"]), (True, None, 1.5))

    def test_solids(self):
        small = self.file("small.off", off([tuple(0.25 + 0.5 * x for x in p) for p in CUBE_CORNERS], CUBE_FACES))
        for budget in [], ["--budget", "100000"]:
            for words, status, distance in ([], 0, 0.25), (["--solid"], 1, 0):
                out = self.succeed("distance", self.cube, small, *words, *budget, "--json", "-", status=status)
                document = load_strictly(out)
                self.assert_valid(document, "distance")
                self.assertEqual((document["closest"]["distance"], document["inside"], document["options"]["solid"]),
                                 (distance, bool(words), bool(words)))
        self.assertIn("inside the other", self.succeed("distance", self.cube, small, "--solid", status=1))
        for words, inside in ([], 0), (["--solid"], 1), (["--solid", "--budget", "100000"], 1):
            out = self.succeed("distance", self.cube, small, "--within", "0.1", *words, "--json", "-", status=inside)
            document = load_strictly(out)
            self.assert_valid(document, "distance")
            self.assertEqual([(p["distance"], p["inside"]) for p in document["near"]], [(0, True)] * inside)
        text = self.succeed("distance", self.cube, small, "--solid", "--within", "0.1", status=1)
        self.assertRegex(text, r"near +1 pair at most 0.1 apart\n.*, a shell inside\n")
        leaky = self.file("leaky.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        self.fail_with("leaky.off: the mesh is not closed", "distance", self.cube, leaky, "--solid")

    def test_errors_and_lists_share_a_budget(self):
        words = ["--pose-b", moved(1.5, 0, 0), "--rel-error", "0.5", "--within", "0.5"]
        plain = self.distance(*words, "--all", status=1)
        document = self.distance(*words, "--all", "--budget", "1000000", status=1)
        self.assertEqual((document["near"], document["near_finished"]), (plain["near"], True))
        self.assertEqual(document["options"]["rel_error"], 0.5)
        self.assertTrue(document["certainty"]["finished"])
        self.assertFalse(self.distance(*words, "--budget", "0")["near_finished"])
        self.assertIsNone(self.distance("--pose-b", moved(3, 0, 0))["near_finished"])

    def test_budgets(self):
        for budget in "0", "1", "3", "1000000", "0us", "1.5ms", "2s":
            certainty = self.distance("--pose-b", moved(3, 0, 0), "--budget", budget)["certainty"]
            self.assertLessEqual(certainty["lower"], 2)
            self.assertGreaterEqual(certainty["upper"], 2)
            self.assertNotEqual(certainty["verdict"], "colliding")
        self.assertTrue(certainty["finished"])
        self.assertRegex(self.succeed("distance", self.cube, self.cube, "--pose-b", moved(3, 0, 0), "--budget", "9ms"),
                         "free: distance from 2 to 2")
        for place, verdict in (0.5, "unknown"), (9, "free"):
            document = load_strictly(self.succeed("collide", self.cube, self.cube, "--pose-b", moved(place, 0.3, 0.2),
                                                  "--budget", "0", "--json", "-"))
            self.assert_valid(document, "collide")
            self.assertEqual(document["certainty"]["verdict"], verdict)
        for word in "-1", "1.5", "many", "3 us", "1m", "nan", "infs":
            self.fail_with("--budget: .*neither a number of node pairs nor a time", "distance", self.cube, self.cube,
                           f"--budget={word}")


class Inside(CliTest):
    def inside(self, *arguments, status, **options):
        out = self.succeed("inside", self.cube, *arguments, "--json", "-", status=status, **options)
        document = load_strictly(out)
        self.assert_valid(document, "inside")
        self.assertEqual(sum(document["counts"].values()), len(document["points"]))
        return document

    def sides(self, *arguments, status=1, **options):
        return [p["side"] for p in self.inside(*arguments, status=status, **options)["points"]]

    def test_points(self):
        self.assertEqual(self.sides("--point", "0.5 0.5 0.5"), ["inside"])
        self.assertEqual(self.sides("--point", "-1 0 0", status=0), ["outside"])
        self.assertEqual(self.sides("--point", "1,0.5,0.5", "--point", "2 0 0"), ["on_surface", "outside"])
        self.assertEqual(self.sides("--point", "10.5 .5 .5", "--pose", moved(10, 0, 0)), ["inside"])
        path = self.file("points.txt", "# probe\n0.5 0.5 0.5\n\n3 3 3 # far\n")
        self.assertEqual(self.sides("--points", path), ["inside", "outside"])
        self.assertEqual(self.sides("--points", "-", "--point", "0 0 0", input=b".1 .2 .3"), ["on_surface", "inside"])
        out = self.succeed("inside", self.cube, "--points", path, status=1)
        self.assertRegex(out, r"outside +1\n *on surface +0\n *inside +1\n")
        many = self.file("many.txt", "0.5 0.5 0.5\n" * 12)
        self.assertIn("and 2 more; --all lists them", self.succeed("inside", self.cube, "--points", many, status=1))
        self.assertNotIn("more;", self.succeed("inside", self.cube, "--points", many, "--all", status=1))
        self.assertEqual(self.inside("--points", many, status=1)["counts"]["inside"], 12)

    def test_errors(self):
        self.fail_with("which points", "inside", self.cube)
        self.fail_with("--point: a point is 3 numbers, not 2", "inside", self.cube, "--point", "1 2")
        self.fail_with("--point: a point is 3 numbers, and here are more", "inside", self.cube, "--point", "1 2 3 4")
        self.fail_with("--point: 'x' is not a number", "inside", self.cube, "--point", "1 2 x")
        self.fail_with("--point: .*not finite or above 1e100", "inside", self.cube, "--point", "nan 0 0")
        self.fail_with("bad.txt, line 2: a point is 3 numbers, not 1", "inside", self.cube, "--points",
                       self.file("bad.txt", "1 2 3\n4\n"))
        leaky = self.file("leaky.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        self.fail_with("leaky.off: the mesh is not closed", "inside", leaky, "--point", "0 0 0")


class Point(CliTest):
    def points(self, *arguments, mesh=None, status=1, **options):
        out = self.succeed("point", mesh or self.cube, *arguments, "--json", "-", status=status, **options)
        document = load_strictly(out)
        self.assert_valid(document, "point")
        return document["points"]

    def test_points(self):
        point, = self.points("--point", "3 0.25 0.5", status=0)
        self.assertEqual((point["distance"], point["closest"], point["side"]), (2, [1, 0.25, 0.5], "outside"))
        point, = self.points("--point", "0.75 0.5 0.5")
        self.assertEqual((point["distance"], point["side"]), (0.25, "inside"))
        path = self.file("points.txt", "# probe\n1 0.5 0.5\n9 0.5 0.5 # far\n")
        self.assertEqual([(p["distance"], p["side"]) for p in self.points("--points", path, "--point", "-1 0 0")],
                         [(1, "outside"), (0, "on_surface"), (8, "outside")])
        self.assertEqual([p["distance"] for p in self.points("--points", "-", "--pose", moved(10, 0, 0), status=0,
                                                             input=b"8 .5 .5")], [2])
        near, far = self.points("--point", "2 0 0", "--point", "4 0 0", "--within", "1")
        self.assertEqual((near["distance"], far["distance"], far["triangle"], far["closest"]), (1, None, None, None))
        self.points("--point", "4 0 0", "--within", "1", status=0)
        leaky = self.file("leaky.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        self.assertEqual([p["side"] for p in self.points("--point", "0.5 0.5 0.5", mesh=leaky, status=0)], [None])

    def test_text(self):
        out = self.succeed("point", self.cube, "--point", "3 0.25 0.5")
        self.assertRegex(out, r"\(3, 0\.25, 0\.5\): 2 from \(1, 0\.25, 0\.5\) of triangle \d+, outside\n")
        self.assertIn("farther than 1, outside", self.succeed("point", self.cube, "--point", "4 0 0", "--within", "1"))
        many = self.file("many.txt", "3 0.5 0.5\n" * 12)
        self.assertIn("and 2 more; --all lists them", self.succeed("point", self.cube, "--points", many))
        self.assertNotIn("more;", self.succeed("point", self.cube, "--points", many, "--all"))

    def test_errors(self):
        self.fail_with("which points", "point", self.cube)
        self.fail_with("--point: a point is 3 numbers, not 2", "point", self.cube, "--point", "1 2")
        self.fail_with("--point: .*not finite or above 1e100", "point", self.cube, "--point", "1e101 0 0")
        self.fail_with("--within", "point", self.cube, "--point", "1 2 3", "--within", "-1")


class Ray(CliTest):
    def hits(self, *arguments, status=1):
        document = load_strictly(self.succeed("ray", self.cube, *arguments, "--json", "-", status=status))
        self.assert_valid(document, "ray")
        return [(hit["t"], hit["point"]) for hit in document["hits"]]

    def test_hits(self):
        self.assertEqual(self.hits("--from", "3 .25 .5", "--direction", "-1 0 0"), [(2, [1, 0.25, 0.5])])
        self.assertEqual(self.hits("--from", "3 .25 .5", "--direction", "-4 0 0", "--all"),
                         [(0.5, [1, 0.25, 0.5]), (0.75, [0, 0.25, 0.5])])
        self.assertEqual(self.hits("--from", "3 .25 .5", "--to", "1 .25 .5"), [(1, [1, 0.25, 0.5])])
        self.assertEqual(self.hits("--from", "3 .25 .5", "--to", "1.01 .25 .5", status=0), [])
        self.assertEqual(self.hits("--from", "3 .25 .5", "--direction", "1 0 0", status=0), [])
        self.assertEqual(self.hits("--from", "13 .25 .5", "--direction", "-1 0 0", "--pose", moved(10, 0, 0)),
                         [(2, [11, 0.25, 0.5])])

    def test_text(self):
        out = self.succeed("ray", self.cube, "--from", "3 .25 .5", "--direction", "-1 0 0", status=1)
        self.assertRegex(out, r": hit\n  triangle \d+ at t = 2, \(1, 0\.25, 0\.5\)\n")
        out = self.succeed("ray", self.cube, "--from", "3 .25 .5", "--direction", "-1 0 0", "--all", status=1)
        self.assertIn(": 2 hits\n", out)
        self.assertIn("nothing is hit", self.succeed("ray", self.cube, "--from", "3 0 0", "--direction", "1 0 0"))

    def test_errors(self):
        self.fail_with("--from is required", "ray", self.cube, "--direction", "1 0 0")
        self.fail_with("where to", "ray", self.cube, "--from", "0 0 0")
        self.fail_with("--direction excludes --to|--to excludes --direction", "ray", self.cube, "--from", "0 0 0",
                       "--direction", "1 0 0", "--to", "1 0 0")
        self.fail_with("direction is zero", "ray", self.cube, "--from", "0 0 0", "--direction", "0 0 0")
        self.fail_with("ends are equal", "ray", self.cube, "--from", "0 0 0", "--to", "0 0 0")
        self.fail_with("--to: a point is 3 numbers, not 2", "ray", self.cube, "--from", "0 0 0", "--to", "1 2")
        self.fail_with("--from: .*not finite", "ray", self.cube, "--from", "nan 0 0", "--to", "1 0 0")


class Penetration(CliTest):
    def penetration(self, *arguments, status):
        out = self.succeed("penetration", self.cube, self.cube, *arguments, "--json", "-", status=status)
        document = load_strictly(out)
        self.assert_valid(document, "penetration")
        self.assertEqual(document["colliding"], status == 1)
        return document

    def test_depths(self):
        document = self.penetration("--pose-b", moved(0.75, 0.1, 0.1), "--precision", "1e-3", status=1)
        for depth in document["a_in_b"], document["b_in_a"]:
            self.assertLessEqual(depth["lower"], 0.25)
            self.assertGreaterEqual(depth["upper"], 0.25)
            self.assertLessEqual(depth["upper"] - depth["lower"], 1.001e-3)
            self.assertEqual(len(depth["point"]), 3)
        overlap = document["overlap_depth"]
        self.assertLessEqual(overlap["lower"], 0.25)
        self.assertGreaterEqual(overlap["upper"], 0.25)
        self.assertLessEqual(overlap["upper"] - overlap["lower"], 1.001e-3)
        self.assertEqual((overlap["precise"], len(overlap["center"])), (True, 3))
        self.assertIsNone(document["separating_translation"])
        document = self.penetration(status=1)  # two cubes that coincide
        self.assertAlmostEqual(document["overlap_depth"]["lower"], 1, 2)
        self.assertEqual(document["a_in_b"]["lower"], 0)
        document = self.penetration("--pose-b", moved(0, 0, 1), status=1)  # they only touch
        for depth in "overlap_depth", "a_in_b", "b_in_a":
            self.assertEqual((document[depth]["lower"], document[depth]["upper"]), (0, 0))
        document = self.penetration("--pose-b", moved(3, 0, 0), status=0)
        self.assertEqual((document["a_in_b"]["upper"], document["a_in_b"]["point"]), (0, None))
        self.assertIn("free: no contact", self.succeed("penetration", self.cube, self.cube, "--pose-b", moved(3, 0, 0)))
        out = self.succeed("penetration", self.cube, self.cube, "--pose-b", moved(.75, .1, .1), status=1)
        self.assertRegex(out, r"a in b +from 0\.2\d* to 0\.2\d*")
        self.assertRegex(out, r"overlap +from 0\.2\d* to 0\.2\d*\n +a ball around ")

    def test_separation(self):
        document = self.penetration("--pose-b", moved(0.75, 0.1, 0.1), "--separate", status=1)
        found = document["separating_translation"]
        self.assertAlmostEqual(found["lower"], 0.25, 8)
        self.assertAlmostEqual(found["upper"], 0.25, 8)
        self.assertAlmostEqual(found["translation"][0], 0.25, 8)
        document = self.penetration("--pose-b", moved(3, 0, 0), "--separate", status=0)
        self.assertEqual(document["separating_translation"], {"lower": 0, "upper": 0, "translation": [0, 0, 0]})
        out = self.succeed("penetration", self.cube, self.cube, "--pose-b", moved(.75, .1, .1), "--separate", status=1)
        self.assertRegex(out, r"separate +from 0\.2\d* to 0\.2\d*\n +b moved by ")

    def test_budgets(self):
        words = ["--pose-b", moved(0.75, 0.1, 0.1), "--precision", "1e-3"]
        document = self.penetration(*words, "--budget", "0", status=0)
        self.assertFalse(document["certainty"]["finished"])
        self.assertGreaterEqual(document["a_in_b"]["upper"], 0.25)
        self.assertEqual(document["a_in_b"]["lower"], 0)
        self.assertGreaterEqual(document["overlap_depth"]["upper"], 0.25)
        self.assertFalse(document["overlap_depth"]["precise"])
        document = self.penetration(*words, "--budget", "1000000", status=1)
        self.assertTrue(document["certainty"]["finished"])
        out = self.succeed("penetration", self.cube, self.cube, *words, "--budget", "0")
        self.assertRegex(out, "finished +no: the budget is used up")

    def test_errors(self):
        leaky = self.file("leaky.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        self.fail_with("leaky.off: the mesh is not closed", "penetration", leaky, self.cube)
        self.fail_with("--precision", "penetration", self.cube, self.cube, "--precision", "-1")


class Fly(CliTest):
    POSES = [moved(2, 0, 0), moved(1.5, 0, 0), moved(1, 0, 0), moved(.5, .625, .75)]
    HITS = [False, False, True, True]

    def setUp(self):
        super().setUp()
        self.poses = self.file("path.txt", "# a path\n" + "\n".join(self.POSES) + "  # the last\n\n")

    def test_animation(self):
        self.succeed("fly", self.cube, self.cube, self.poses, "--glb", "flight.glb", status=1)
        self.assert_animated(self.dir / "flight.glb")
        self.fail_with(r"flight.obj.*\.glb", "fly", self.cube, self.cube, self.poses, "--glb", "flight.obj")

    def fly(self, *arguments, status=1):
        out = self.succeed("fly", self.cube, self.cube, self.poses, *arguments, "--json", "-", status=status)
        document = load_strictly(out)
        self.assert_valid(document, "fly")
        self.assertEqual(document["summary"]["colliding"], sum(s["colliding"] for s in document["steps"]))
        return document

    def test_any(self):
        document = self.fly()
        self.assertEqual([s["colliding"] for s in document["steps"]], self.HITS)
        self.assertEqual(document["summary"]["steps"], 4)
        out = self.succeed("fly", self.cube, self.cube, self.poses, status=1)
        self.assertRegex(out, r"poses +4\n *colliding +2")

    def test_every_configuration_gives_the_same(self):
        contacts = [s["contacts"] for s in self.fly("--query", "all")["steps"]]
        self.assertEqual([n > 0 for n in contacts], self.HITS)
        for options in (["--preset", "klosowski1998"], ["--preset", "zachmann1998"], ["--preset", "fuenzig2003"],
                        ["--preset", "rapid1996"], ["--k", "14", "--realign", "occupancy", "--descend", "restart"],
                        ["--coherent", "on", "--repeats", "3"], ["--cold"], ["--no-memory", "--bound", "dop"],
                        ["--k", "14", "--realign", "hill_climbing", "--hill-climbing-levels", "3"]):
            document = self.fly("--query", "all", *options)
            self.assertEqual([s["contacts"] for s in document["steps"]], contacts, options)

    def test_solids(self):
        small = self.file("small.off", off([tuple(0.25 * x for x in p) for p in CUBE_CORNERS], CUBE_FACES))
        path = self.file("through.txt", "\n".join(moved(x, .5, .5) for x in (-1, -.125, .375, .875, 2)))
        for query, surfaces in ((["--query", "any"], "01010"), (["--query", "all"], "01010"), (["--within", ".1"], "01010"),
                                (["--within", ".1", "--budget", "100000"], "01010"), (["--query", "distance"], "01010"),
                                (["--query", "distance", "--budget", "100000"], "01010")):
            for words, hits in ([], surfaces), (["--solid"], "01110"):
                out = self.succeed("fly", self.cube, small, path, *query, *words, "--json", "-", status=1)
                document = load_strictly(out)
                self.assert_valid(document, "fly")
                self.assertEqual("".join(str(int(s["colliding"])) for s in document["steps"]), hits)
                self.assertEqual(document["options"]["solid"], bool(words))

    def test_touches_that_do_not_count(self):
        path = self.file("touching.txt", "\n".join([moved(2, 0, 0), moved(1, 1, 1), moved(1, 1, .5), moved(.5, .625, .75)]))
        for query in [], ["--query", "all"], ["--query", "any", "--budget", "100000"], ["--query", "all", "--solid"]:
            for words, hits in ([], "0111"), (["--ignore-touch"], "0001"):
                out = self.succeed("fly", self.cube, self.cube, path, *query, *words, "--json", "-", status=1)
                document = load_strictly(out)
                self.assert_valid(document, "fly")
                self.assertEqual("".join(str(int(s["colliding"])) for s in document["steps"]), hits)
                self.assertEqual(document["options"]["ignore_touch"], bool(words))
        for query in ["--query", "distance"], ["--within", "1"]:
            self.fail_with("--ignore-touch is for --query any and --query all", "fly", self.cube, self.cube, path, *query,
                           "--ignore-touch")

    def test_presets_treat_trees_differently(self):
        options = self.fly("--preset", "klosowski1998")["options"]
        self.assertEqual((options["environment"]["leaf_size"], options["object"]["leaf_size"]), (1, 39))
        options = self.fly("--preset", "klosowski1998", "--leaf-size", "3", "--k", "26")["options"]
        self.assertEqual((options["environment"]["leaf_size"], options["object"]["leaf_size"]), (3, 3))
        self.assertEqual((options["environment"]["k"], options["object"]["k"]), (26, 26))

    def test_k_is_not_for_boxes(self):
        self.fail_with("--k: is for dop trees", "fly", self.cube, self.cube, self.poses, "--preset", "rapid1996", "--k",
                       "26")
        options = self.fly("--preset", "rapid1996")["options"]
        self.assertEqual((options["environment"]["bound"], options["environment"]["k"]), ("obb", None))
        document = self.fly("--preset", "rapid1996", "--bound", "dop", "--k", "26")
        self.assertEqual((document["options"]["object"]["k"], document["object"]["tree"]["k"]), (26, 26))

    def test_pair_options(self):
        def options(*words):
            return self.fly(*words)["options"]
        self.assertEqual([options()[key] for key in ("hill_climbing_levels", "remember")], [1, True])
        self.assertEqual(options("--hill-climbing-levels", "4")["hill_climbing_levels"], 4)
        self.assertEqual(options("--preset", "klosowski1998", "--hill-climbing-levels", "0")["hill_climbing_levels"], 0)
        self.assertFalse(options("--no-memory")["remember"])
        self.assertFalse(options()["all_box_axes"])
        self.assertTrue(options("--all-box-axes")["all_box_axes"])
        self.assertTrue(options("--preset", "rapid1996")["all_box_axes"])
        self.assertFalse(options("--preset", "fuenzig2003")["remember"])
        self.assertTrue(options("--memory", "--preset", "fuenzig2003")["remember"])
        self.assertTrue(options("--no-memory", "--memory")["remember"])
        self.assertEqual(options("--seed", "7")["environment"]["seed"], 7)
        self.assertEqual(options("--seed", "7")["object"]["seed"], 7)
        for word in ("-1", "65", "x"):
            self.fail_with(f"--hill-climbing-levels.*{word}", "fly", self.cube, self.cube, self.poses,
                           f"--hill-climbing-levels={word}")

    def test_within(self):
        for words in (["--within", "0.6"], ["--query", "within", "--within", "0.6"]):
            for budget in ([], ["--budget", "100000"]):
                document = self.fly(*words, *budget)
                self.assertEqual([s["near"] for s in document["steps"]], [False, True, True, True])
                self.assertEqual([s["colliding"] for s in document["steps"]], self.HITS)
                self.assertEqual((document["summary"]["near"], document["summary"]["colliding"]), (3, 2))
                self.assertEqual((document["query"], document["options"]["within"]), ("within", 0.6))
            self.assertTrue(all(s["certainty"]["finished"] for s in document["steps"]))
            self.assertEqual([s["certainty"]["verdict"] for s in document["steps"]],
                             ["free", "free", "colliding", "colliding"])
        # Near only: found, and no contact.
        near = self.file("near.txt", self.POSES[1])
        document = load_strictly(self.succeed("fly", self.cube, self.cube, near, "--within", "0.6", "--json", "-",
                                              status=1))
        self.assertEqual((document["summary"]["near"], document["summary"]["colliding"]), (1, 0))
        self.succeed("fly", self.cube, self.cube, near, "--within", "0.4", status=0)
        self.assertRegex(self.succeed("fly", self.cube, self.cube, self.poses, "--within", "0.6", "--budget", "1s",
                                      status=1), r"near +3\n *colliding +2\n *unknown +0\n")
        table = self.succeed("fly", self.cube, self.cube, self.poses, "--within", "0.6", "--csv", "-", status=1)
        columns = [line.split(",") for line in table.splitlines()]
        self.assertEqual([columns[0][1], columns[0][11]], ["colliding", "near"])
        self.assertEqual([(row[1], row[11]) for row in columns[1:]], [("0", "0"), ("0", "1"), ("1", "1"), ("1", "1")])
        for query in ("any", "all", "distance"):
            document = self.fly("--query", query)
            self.assertEqual({s["near"] for s in document["steps"]} | {document["summary"]["near"]}, {None})
        for query in ("any", "all"):
            self.fail_with(f"--within .*not for --query {query}", "fly", self.cube, self.cube, self.poses, "--query",
                           query, "--within", "3")
        self.fail_with("--query within needs .*--within D", "fly", self.cube, self.cube, self.poses,
                       "--query", "within")

    def test_continuous(self):
        # From one side of the cube to the other: no pose collides, the way does.
        path = self.file("through.txt", "\n".join([moved(3, 0, 0), moved(-3, 0, 0), moved(-3, 4, 0), moved(-2, 4, 0)]))
        self.succeed("fly", self.cube, self.cube, path, status=0)
        words = ["fly", self.cube, self.cube, path, "--continuous", "--tolerance", "1e-4"]
        document = load_strictly(self.succeed(*words, "--json", "-", status=1))
        self.assert_valid(document, "fly")
        self.assertEqual((document["options"]["continuous"], document["options"]["tolerance"]), (True, 1e-4))
        self.assertEqual((document["summary"]["colliding"], document["summary"]["legs_with_contact"]), (0, 1))
        legs = [step["first_contact"] for step in document["steps"]]
        self.assertEqual([leg and leg["found"] for leg in legs], [True, False, False, None])
        self.assertAlmostEqual(legs[0]["time"], 1 / 3, delta=1e-4)
        self.assertLess(legs[0]["time"], 1 / 3)
        self.assertEqual(legs[0]["time"], legs[0]["free_until"])
        self.assertTrue(0 < legs[0]["gap"] <= 1e-4)
        self.assertAlmostEqual(legs[0]["normal"][0], -1, delta=1e-6)
        self.assertEqual((legs[1]["free_until"], legs[1]["time"], legs[1]["finished"]), (1, None, True))
        self.assertRegex(self.succeed(*words, status=1), r"between poses +1 of 3 legs with contact; first at 0\.33\d* of leg 0")
        table = [line.split(",") for line in self.succeed(*words, "--csv", "-", status=1).splitlines()]
        self.assertEqual(table[0][12:15], ["free_until", "first_contact", "gap"])
        self.assertEqual([bool(row[13]) for row in table[1:]], [True, False, False, False])
        # Both move: side by side they never meet.
        both = load_strictly(self.succeed("fly", self.cube, self.cube, path, "--poses-env", self.file(
            "beside.txt", "\n".join([moved(3, 2, 0), moved(-3, 2, 0), moved(-3, 6, 0), moved(-2, 6, 0)])),
            "--continuous", "--json", "-", status=0))
        self.assertEqual(both["summary"]["legs_with_contact"], 0)
        # A budget that does not suffice says until when it is free.
        document = load_strictly(self.succeed(*words, "--budget", "1", "--json", "-", status=0))
        self.assert_valid(document, "fly")
        self.assertFalse(document["steps"][0]["first_contact"]["finished"])
        self.assertLess(document["steps"][0]["first_contact"]["free_until"], 1 / 3)
        document = self.fly()
        self.assertEqual({s["first_contact"] for s in document["steps"]} | {document["summary"]["legs_with_contact"]}, {None})
        self.fail_with("--tolerance is for --continuous", "fly", self.cube, self.cube, path, "--tolerance", "1")
        self.fail_with("--ignore-touch is not for --continuous", *words, "--ignore-touch")

    def test_distances_with_an_error(self):
        exact = self.fly("--query", "distance")
        for errors in (["--rel-error", "0.5"], ["--abs-error", "0.1"]):
            document = self.fly("--query", "distance", *errors)
            for step, least in zip(document["steps"], exact["steps"]):
                self.assertLessEqual(step["distance"], 1.5 * least["distance"] + 0.1)
        self.assertEqual((document["options"]["rel_error"], document["options"]["abs_error"]), (0, 0.1))
        self.fail_with("--rel-error and --abs-error are for --query distance", "fly", self.cube, self.cube, self.poses,
                       "--rel-error", "0.5")

    def test_distance(self):
        document = self.fly("--query", "distance", status=1)
        for step in document["steps"]:
            self.assertEqual(step["distance"] == 0, step["colliding"])
        for query in ("any", "all", "distance"):
            for step in self.fly("--query", query, "--budget", "100000", status=1)["steps"]:
                self.assertEqual(step["certainty"]["verdict"] == "colliding", step["colliding"])
                self.assertTrue(step["certainty"]["finished"])

    def test_both_bodies_move(self):
        # The same answers as `collide` and `distance`, which hand the library both poses as they are.
        rng = random.Random(seed := random.randrange(2**32))
        def pose():
            w, x, y, z = (rng.gauss(0, 1) for _ in range(4))
            n = w * w + x * x + y * y + z * z
            rows = [[1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
                    [2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n],
                    [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n]]
            return " ".join(repr(v) for row in rows for v in [*row, 1e3 + rng.uniform(-1, 1)])
        env, obj = [pose() for _ in range(12)], [pose() for _ in range(12)]
        env.append(moved(3, 4, 5)), obj.append(moved(4, 4, 5))  # flush, and only because both poses are used as given
        path, env_path = self.file("obj.txt", "\n".join(obj)), self.file("env.txt", "# both\n" + "\n".join(env))
        def fly(*words):
            out = self.succeed("fly", self.cube, self.cube, path, "--poses-env", env_path, *words, "--json", "-", status=1)
            document = load_strictly(out)
            self.assert_valid(document, "fly")
            self.assertEqual(document["options"]["environment_poses"], str(env_path))
            return document["steps"]
        single = {"any": [], "all": [], "distance": []}
        for a, b in zip(env, obj):
            words = [self.cube, self.cube, "--pose-a", a, "--pose-b", b, "--json", "-"]
            contacts = json.loads(subprocess.run([TUMBLE, "collide", *words, "--all"], cwd=self.dir,
                                                 capture_output=True).stdout)["contacts"]
            single["all"].append(len(contacts))
            single["any"].append(bool(contacts))
            distance = json.loads(subprocess.run([TUMBLE, "distance", *words], cwd=self.dir, capture_output=True).stdout)
            single["distance"].append(distance["closest"]["distance"])
        self.assertEqual({True, False}, set(single["any"]), seed)
        self.assertEqual([s["colliding"] for s in fly()], single["any"], seed)
        self.assertEqual([s["contacts"] for s in fly("--query", "all")], single["all"], seed)
        self.assertEqual([s["distance"] for s in fly("--query", "distance")], single["distance"], seed)
        self.assertEqual([s["near"] for s in fly("--within", "0.25")], [d <= .25 for d in single["distance"]], seed)
        self.assertEqual([s["colliding"] for s in fly("--budget", "100000")], single["any"], seed)

    def test_poses_of_both_must_match(self):
        short = self.file("short.txt", "\n".join(self.POSES[:3]))
        self.fail_with("short.txt: it has 3 poses and .*path.txt has 4", "fly", self.cube, self.cube, self.poses,
                       "--poses-env", short)
        self.fail_with("bad.txt, line 3: .*'x' is not a number", "fly", self.cube, self.cube, self.poses, "--poses-env",
                       self.file("bad.txt", "\n".join(["# a comment", self.POSES[0], "1 0 x"])))
        self.fail_with("standard input cannot be both POSES and --poses-env", "fly", self.cube, self.cube, "-", "--poses-env",
                       "-")

    def test_counters(self):
        # An environment of two pairs of triangles far apart, a leaf for each triangle; an object that is one leaf.
        corners = [corner for x in (0, 2, 20, 22) for corner in ((x, 0, 0), (x + 1, 0, 0), (x, 1, 0))]
        pairs = self.file("pairs.off", off(corners, [(i, i + 1, i + 2) for i in range(0, 12, 3)]))
        one = self.file("one.off", off([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
        path = self.file("steps.txt", "\n".join([moved(.25, .25, 0), moved(4, 0, 0), moved(0, 0, 5)]))
        words = ["fly", pairs, one, path, "--query", "all", "--cold", "--coherent", "off", "--bound", "dop",
                 "--leaf-size", "1", "--arity", "2"]
        counted = load_strictly(self.succeed(*words, "--count", "--json", "-", status=1))["steps"]
        self.assertEqual([s["colliding"] for s in counted], [True, False, False])
        # A pair that was never asked, or forgot, tests the roots first. If they overlap it opens them: both pairs,
        # inner, against the leaf. The pair it overlaps is opened, too: two leaves against the leaf, of which one meets it.
        self.assertEqual([s["nv"] for s in counted], [5, 3, 1])
        self.assertEqual([s["mixed"] for s in counted], [2, 2, 0])
        self.assertEqual([s["nodes"] for s in counted], [2, 1, 0])
        self.assertEqual([s["np"] for s in counted], [1, 0, 0])
        for step in counted:
            self.assertGreaterEqual(step["nu"], 1)
        silent = load_strictly(self.succeed(*words, "--json", "-", status=1))["steps"]
        self.assertEqual({s[key] for s in silent for key in ("nv", "nu", "np", "nodes", "mixed")}, {None})
        out = self.succeed(*words, "--count", status=1)
        self.assertIn(f"per pose {' ' * 11}{9 / 3:.6g} overlap tests, ", out)

    def test_times(self):
        for count in (1, 2, 3, 4):
            path = self.file("some.txt", "\n".join(self.POSES[:count]))
            document = load_strictly(self.run_tumble("fly", self.cube, self.cube, path, "--json", "-",
                                                     status=int(count > 2))[0])
            times = [step["microseconds"] for step in document["steps"]]
            summary = document["summary"]["microseconds"]
            self.assertAlmostEqual(summary["median"], statistics.median(times))
            self.assertAlmostEqual(summary["mean"], statistics.mean(times))
            self.assertEqual((summary["p99"], summary["max"]), (max(times), max(times)))

    def test_csv(self):
        self.succeed("fly", self.cube, self.cube, self.poses, "--query", "all", "--count", "--csv", "s.csv", status=1)
        lines = (self.dir / "s.csv").read_text().splitlines()
        self.assertEqual(lines[0], "step,colliding,contacts,microseconds,overlap_tests,realignments,triangle_pairs,"
                                   "nodes_visited,mixed_tests,distance,verdict,near,free_until,first_contact,gap,"
                                   "overlap_depth_lower,overlap_depth_upper,env_in_object_lower,env_in_object_upper,"
                                   "object_in_env_lower,object_in_env_upper")
        self.assertEqual([line.split(",")[1] for line in lines[1:]], ["0", "0", "1", "1"])
        self.assertEqual({line.count(",") for line in lines}, {20})
        silent = self.succeed("fly", self.cube, self.cube, self.poses, "--csv", "-", status=1).splitlines()
        self.assertEqual([silent[0], len(silent)], [lines[0], 5])
        self.assertRegex(silent[1], r"\A0,0,,[\d.]+,{17}\Z")

    def test_penetration(self):
        path = self.file("in.txt", "5 0 0\n0.75 0.1 0.1\n0.5 0.1 0.1\n")
        for budget in [], ["--budget", "10000000"]:
            document = load_strictly(self.succeed("fly", self.cube, self.cube, path, "--query", "penetration", "--precision",
                                                  "1e-6", *budget, "--csv", "s.csv", "--json", "-", status=1))
            self.assert_valid(document, "fly")
            steps = document["steps"]
            self.assertEqual((document["query"], document["options"]["precision"]), ("penetration", 1e-6))
            self.assertEqual([s["colliding"] for s in steps], [False, True, True])
            self.assertEqual((steps[0]["overlap_depth"]["upper"], steps[0]["env_in_object"]["upper"]), (0, 0))
            for step, depth in (steps[1], .25), (steps[2], .5):
                self.assertLessEqual(step["overlap_depth"]["lower"], depth)
                self.assertGreaterEqual(step["overlap_depth"]["upper"], depth)
                self.assertLess(step["overlap_depth"]["upper"] - step["overlap_depth"]["lower"], 1.1e-6)
                alone = load_strictly(self.succeed("penetration", self.cube, self.cube, "--pose-b",
                                                   f"{1 - depth} 0.1 0.1", "--precision", "1e-6", "--json", "-", status=1))
                for ours, theirs in (("overlap_depth", "overlap_depth"), ("env_in_object", "a_in_b"), ("object_in_env", "b_in_a")):
                    self.assertAlmostEqual(step[ours]["lower"], alone[theirs]["lower"], 5)
            rows = [line.split(",") for line in (self.dir / "s.csv").read_text().splitlines()]
            self.assertEqual(float(rows[3][rows[0].index("overlap_depth_lower")]), steps[2]["overlap_depth"]["lower"])
        self.assertRegex(self.succeed("fly", self.cube, self.cube, path, "--query", "penetration", status=1),
                         r"largest overlap +from 0\.\d+ to 0\.5\d* at step 2\n")
        leaky = self.file("leaky.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        self.fail_with("leaky.off: the mesh is not closed", "fly", leaky, self.cube, path, "--query", "penetration")
        self.fail_with("--precision is for --query penetration", "fly", self.cube, self.cube, path, "--precision", "1")

    def test_results_do_not_share_a_place(self):
        def fails(place, json, csv):
            self.fail_with(f"{place}: is named by both --json and --csv", "fly", self.cube, self.cube, self.poses,
                           "--json", json, "--csv", csv)
        fails("standard output", "-", "-")
        fails("x", "x", "x")
        fails("x", "x", f"{self.dir}/../{self.dir.name}/x")
        os.symlink("x", self.dir / "link")
        self.file("x", "old")
        fails("link", "link", "x")
        self.assertEqual((self.dir / "x").read_text(), "old")

    def test_nothing_that_is_read_is_written_over(self):
        pose, points = self.file("pose.txt", "1 0 0"), self.file("points.txt", "0 0 0")
        glb = self.file("x.glb", "")
        for arguments in (("fly", self.cube, self.cube, self.poses, "--csv", self.poses),
                          ("fly", self.cube, self.cube, self.poses, "--poses-env", pose, "--report", pose),
                          ("fly", glb, self.cube, self.poses, "--glb", glb),
                          ("world", self.cube, "--json", self.cube), ("world", self.cube, "--ignore", pose, "--csv", pose),
                          ("world", self.cube, "--configurations", pose, "--report", pose),
                          ("world", self.cube, "--srdf", pose, "--report", pose),
                          ("collide", self.cube, self.cube, "--json", self.cube),
                          ("distance", self.cube, self.cube, "--pose-b", f"@{pose}", "--json", pose),
                          ("point", self.cube, "--points", points, "--json", points),
                          ("ray", self.cube, "--pose", f"@{pose}", "--from", "0 0 9", "--to", "0 0 0", "--json", pose),
                          ("info", self.cube, "--json", self.cube)):
            with self.subTest(arguments):
                kept = {file: Path(file).read_bytes() for file in (self.cube, self.poses, pose, points, glb)}
                self.fail_with("give one of them another file", *arguments)
                self.assertEqual(kept, {file: Path(file).read_bytes() for file in kept})
        self.fail_with("standard input cannot be both --pose and --points", "point", self.cube, "--pose", "@-", "--points", "-",
                       input=b"0 0 0")
        self.succeed("fly", self.cube, self.cube, self.poses, "--json", "a", "--csv", "b", status=1)

    def test_poses_as_files_have_them(self):
        text = "\r\n".join(self.POSES)
        for content in (b"\xef\xbb\xbf" + text.encode(), text.replace(" 0 ", " 1e-400 "), text + "#" + "x" * 60000):
            path = self.file("odd.txt", content)
            document = load_strictly(self.succeed("fly", self.cube, self.cube, path, "--json", "-", status=1))
            self.assertEqual([s["colliding"] for s in document["steps"]], self.HITS)
        long = "\n".join(self.POSES * 5000)  # longer than what is read at once
        out = self.succeed("fly", self.cube, self.cube, "-", status=1, input=long.encode())
        self.assertRegex(out, r"poses +20000\n *colliding +10000")

    def test_what_is_no_file_of_poses(self):
        self.fail_with("/dev/zero: .*not a regular file", "fly", self.cube, self.cube, "/dev/zero")
        self.fail_with("folder", "fly", self.cube, self.cube, str(self.dir))
        with open("/dev/zero", "rb") as zero:
            self.fail_with("standard input, line 1: .*too long", "fly", self.cube, self.cube, "-", stdin=zero)
        self.fail_with("huge.txt, line 2: .*too long", "fly", self.cube, self.cube,
                       self.file("huge.txt", moved(0, 0, 0) + "\n" + "1" * (1 << 16)))

    def test_errors(self):
        self.fail_with("bad.txt, line 2: .*'x' is not a number", "fly", self.cube, self.cube,
                       self.file("bad.txt", moved(0, 0, 0) + "\n1 2 x\n"))
        self.fail_with("line 1: a pose is 12 numbers", "fly", self.cube, self.cube, self.file("short.txt", "1 2\n"))
        self.fail_with("no pose", "fly", self.cube, self.cube, self.file("empty.txt", "# nothing\n"))
        self.fail_with("--preset.*klosowski1998", "fly", self.cube, self.cube, self.poses, "--preset", "nobody")
        self.fail_with("nowhere", "fly", self.cube, self.cube, "nowhere.txt")


ARM = """<robot name="arm">
  <link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="slider"><collision><geometry><mesh filename="package://meshes/cube.off"/></geometry></collision></link>
  <link name="wheel"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="slider"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="10"/></joint>
  <joint name="spin" type="continuous"><parent link="slider"/><child link="wheel"/><origin xyz="0.5 0.5 2"/>
    <axis xyz="0 0 1"/></joint>
</robot>"""
PLATE_AT_5 = {"units": "m", "parts": [
    {"name": "plate", "mesh": "cube.off", "pose": [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0], "scale": [0.5, 1, 1], "moves": False},
    {"name": "wall", "mesh": "cube.off", "pose": [1, 0, 0, 5, 0, 1, 0, 0.5, 0, 0, 1, 0], "moves": False}]}


class World(CliTest):
    """A base from -0.5 to 0.5, a cube that slides along x from 0 to 11 and a ball above it; a plate from 5 to 5.5 and a
    wall from 5 to 6, which stand."""

    def setUp(self):
        super().setUp()
        (self.dir / "meshes").mkdir()
        self.file("meshes/cube.off", off(CUBE_CORNERS, CUBE_FACES))
        self.arm = self.file("arm.urdf", ARM)
        self.cell = self.file("cell.json", json.dumps(PLATE_AT_5))
        self.path = self.file("path.csv", "spin, slide\n# x of the cube in the second column\n" +
                              "".join(f"{0.1 * x},{x}\n" for x in [0, 2, 3.75, 4, 4.5, 5.75, 6, 7]))

    def world(self, *arguments, status):
        document = load_strictly(self.succeed("world", *arguments, "--json", "-", status=status))
        self.assert_valid(document, "world")
        return document

    def pairs(self, step):
        return [(p["a"], p["b"]) for p in step["pairs"]]

    def test_links_without_collision_geometry(self):
        visual = ARM.replace("collision>", "visual>")
        for words in ["world"], ["view", "--port", "0"]:
            self.fail_with("visual.urdf: no link has a <collision>, and <visual> is not tested", *words,
                           self.file("visual.urdf", visual), self.cube)
        self.fail_with("bare.urdf: no link has a <collision>, so there is nothing to test", "world",
                       self.file("bare.urdf", '<robot name="r"><link name="base"/></robot>'), self.cube)
        partly = ARM.replace('<link name="base"><collision>', '<link name="base"><visual>', 1).replace("collision>", "visual>", 1)
        err = self.run_tumble("world", self.file("partly.urdf", partly), self.cell, status=0)[1]
        self.assertRegex(err, r"\Atumble: note: .*partly.urdf: of 3 links, 1 has a <visual> and no <collision>, and is not "
                              r"tested: base\n\Z")
        both = ARM.replace('<link name="base">', '<link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual>')
        self.succeed("world", self.file("both.urdf", both), self.cell)

    def test_one_body_touches_nothing(self):
        out, err = self.run_tumble("world", self.cube, status=0)
        self.assertRegex(err, r"\Atumble: note: there is only one body in .*cube.off, and two are needed for a contact\n\Z")
        self.assertIn("colliding", out)

    def test_configurations(self):
        found = self.world(self.arm, self.cell, "--configurations", self.path, status=1)
        self.assertEqual([b["name"] for b in found["bodies"]], ["base", "slider", "wheel", "plate", "wall"])
        self.assertEqual([b["triangles"] for b in found["bodies"]][:2], [12, 12])
        self.assertEqual(found["bodies"][3]["file"], self.cell)
        both = [("slider", "plate"), ("slider", "wall")]
        self.assertEqual([self.pairs(s) for s in found["steps"]], [[], [], [], both, both, both[1:], both[1:], []])
        self.assertEqual(found["summary"]["colliding"], 4)

    def test_odd_names(self):
        """Nodes of a glTF may be called anything: JSON has the names, and a terminal is not sent what it would obey."""
        names = ['bolt "M3" #1', "line\nbreak\x1b[2J", "Größe, 5", " ", "-", "a*"]
        corners = struct.pack("<24f", *[x for corner in CUBE_CORNERS for x in corner])
        corners_of_faces = struct.pack("<36H", *[i for face in CUBE_FACES for i in face])
        data = base64.b64encode(corners + corners_of_faces).decode()
        gltf = self.file("odd.gltf", json.dumps({
            "asset": {"version": "2.0"},
            "scene": 0, "scenes": [{"nodes": list(range(len(names)))}],
            "nodes": [{"name": name, "mesh": 0, "translation": [0.75 * i, 0, 0]} for i, name in enumerate(names)],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 96},
                            {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
            "buffers": [{"byteLength": 168, "uri": "data:application/octet-stream;base64," + data}]}))
        found = self.world(gltf, "--query", "all", status=1)
        self.assertEqual([b["name"] for b in found["bodies"]], names)
        pairs = self.pairs(found["steps"][0])
        self.assertIn((names[0], names[1]), pairs)
        out = self.succeed("world", gltf, "--query", "all", "--csv", "odd.csv", status=1)
        self.assertNotIn("\x1b", out)
        self.assertIn(r"line\x0abreak\x1b[2J", out)
        ignored = self.file("ignore.txt", r'"bolt \"M3\" #1" line*' + "\n")
        self.assertNotIn((names[0], names[1]), self.pairs(self.world(gltf, "--ignore", ignored, "--query", "all", status=1)["steps"][0]))

    def test_standard_input(self):
        mesh = off(CUBE_CORNERS, CUBE_FACES).encode()
        for command in "world", "clash":
            with self.subTest(command):
                document = load_strictly(self.succeed(command, self.cube, "-", "--format", "off", "--json", "-", status=1,
                                                      input=mesh))
                self.assert_valid(document, command)
                names = [b["name"] for b in document["bodies" if command == "world" else "parts"]]
                self.assertEqual(names, ["cube", "standard input"])
                # An assembly keeps its parts.
                self.file("path.txt", moved(0.5, 0, 0))
                self.succeed("fly", self.cube, self.cube, "path.txt", "--glb", "two.glb", status=1)
                glb = (self.dir / "two.glb").read_bytes()
                document = load_strictly(self.succeed(command, "-", "--format", "glb", "--json", "-", status=1, input=glb))
                self.assertEqual(len(document["bodies" if command == "world" else "parts"]), 2)
                # A file whose name tells nothing.
                self.file("cube.part", mesh)
                self.succeed(command, self.cube, "cube.part", "--format", "off", status=1)
                fails = lambda pattern, *words: self.fail_with(pattern, command, *words, input=mesh)
                fails("standard input: unknown mesh format.*--format stl", self.cube, "-")
                fails("cube.part: unknown mesh format.*--format stl", self.cube, "cube.part")
                fails("standard input cannot be both FILE and FILE", "-", "-", "--format", "off")
                for needs_none in self.cube, self.cell, "meshes":
                    fails("--format is for standard input", needs_none, self.cube, "--format", "off")
        self.fail_with("standard input: unknown mesh format", "view", "-", input=mesh)
        self.fail_with("standard input cannot be both --configurations and FILE", "world", self.arm, "-", "--format", "off",
                       "--configurations", "-", input=mesh)
        self.fail_with("standard input cannot be both --configurations and --ignore", "world", self.arm,
                       "--configurations", "-", "--ignore", "-", input=mesh)

    def test_every_query(self):
        common = [self.arm, self.cell, "--configurations", self.path]
        every = self.world(*common, "--query", "all", status=1)
        for step in every["steps"]:
            for pair in step["pairs"]:
                self.assertGreater(pair["contacts"], 0)
        self.assertEqual(every["summary"]["contacts"],
                         sum(p["contacts"] for s in every["steps"] for p in s["pairs"]))
        near = self.world(*common, "--within", "0.5", status=1)
        self.assertEqual(near["query"], "within")
        self.assertEqual([p["distance"] for p in near["steps"][2]["pairs"]], [0.25, 0.25])
        self.assertEqual(self.pairs(near["steps"][6]), [("slider", "plate"), ("slider", "wall")])
        self.assertEqual([p["distance"] for p in near["steps"][6]["pairs"]], [0.5, 0])
        closest = self.world(*common, "--query", "closest", status=1)
        self.assertEqual([s["pairs"][0]["distance"] for s in closest["steps"]], [1, 2, 0.25, 0, 0, 0, 0, 1])
        self.assertEqual([s["colliding"] for s in closest["steps"]], [s["colliding"] for s in every["steps"]])
        self.assertEqual(closest["summary"]["nearest"], 0)

    def test_threads_change_nothing(self):
        rng = random.Random(5)
        many = self.file("many.csv", "slide,spin\n" + "".join(f"{rng.uniform(0, 10)},{rng.uniform(-3, 3)}\n" for _ in range(200)))
        answers = []
        for threads in ["1", "2", "all"]:
            found = self.world(self.arm, self.cell, "--configurations", many, "--query", "closest", "--threads", threads, status=1)
            answers.append([s["pairs"] for s in found["steps"]])
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])

    def test_pairs_are_in_the_order_of_bodies(self):
        at = lambda x: [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0]
        part = lambda name, group, x: {"name": name, "mesh": "meshes/cube.off", "group": group, "pose": at(x)}
        parts = self.file("parts.json", json.dumps({"units": "m", "parts": [
            part("left", "first", 0), part("right", "second", 10), part("near right", "first", 10.5)]}))
        for query in ["any", "all", "closest"]:
            found = self.world(parts, "--query", query, status=1)
            self.assertEqual(self.pairs(found["steps"][0]), [("first", "second")], query)

    def test_without_configurations(self):
        out = self.succeed("world", self.arm, self.cell)
        self.assertRegex(out, r"(?m)^  colliding +no$")
        found = self.world(self.arm, self.cell, "--query", "closest", status=0)
        self.assertEqual(len(found["steps"]), 1)
        self.assertEqual(self.pairs(found["steps"][0]), [("base", "wheel")])
        # Two meshes of one name, and an assembly: all against all.
        found = self.world(self.cube, self.cube, "meshes/cube.off", status=1)
        self.assertEqual([b["name"] for b in found["bodies"]], ["cube", "cube#2", "cube#3"])
        self.assertEqual(self.pairs(found["steps"][0]), [("cube", "cube#2"), ("cube", "cube#3"), ("cube#2", "cube#3")])

    def test_csv_and_text(self):
        out = self.succeed("world", self.arm, self.cell, "--configurations", self.path, "--query", "all", "--csv", "steps.csv", status=1)
        self.assertRegex(out, r"(?m)^  configurations +8$")
        self.assertRegex(out, r"(?m)^  pairs +slider and wall, 4 of 8 configurations, \d+ contacts$")
        lines = (self.dir / "steps.csv").read_text().splitlines()
        self.assertEqual(lines[0], "step,colliding,contacts,microseconds,pairs,distance")
        self.assertEqual(len(lines), 9)
        self.assertRegex(lines[4], r"\A3,1,\d+,[\d.]+,2,\Z")

    def test_ignored_pairs(self):
        listed = self.file("ignore.txt", "# names\nwall slid?r\nplate *\n")
        found = self.world(self.arm, self.cell, "--configurations", self.path, "--ignore", listed, status=0)
        self.assertEqual(found["summary"]["colliding"], 0)
        self.fail_with("ignore.txt, line 1: two patterns", "world", self.arm, "--ignore", self.file("ignore.txt", "a b c\n"))
        self.fail_with("line 2: no two bodies fit 'base' and 'door'", "world", self.arm, "--ignore",
                       self.file("ignore.txt", "\nbase door\n"))

    def test_ignored_pairs_are_read_as_those_of_clash(self):
        """A # inside of a word is part of it, as in the name of a second bolt, and quotes hold spaces."""
        entry = {"mesh": "meshes/cube.off"}
        parts = self.file("parts.json", json.dumps({"units": "m", "parts": [
            {"name": "nut", **entry}, {"name": "bolt", **entry}, {"name": "bolt", **entry}, {"name": "base plate", **entry}]}))
        listed = lambda text: self.pairs(self.world(
            parts, "--ignore", self.file("ignore.txt", text), status=1)["steps"][0])
        every = self.pairs(self.world(parts, status=1)["steps"][0])
        self.assertEqual(len(every), 6)
        self.assertEqual(listed("nut bolt#2 # a comment\n#nut bolt\n"), [p for p in every if p != ("nut", "bolt#2")])
        self.assertEqual(listed('"base plate" bolt\n'), [p for p in every if p != ("bolt", "base plate")])
        self.assertEqual(len(self.pairs(json.loads(self.succeed(
            "world", parts, "--ignore", "-", "--json", "-", status=1, input=b"nut bolt#2\n"))["steps"][0])), 5)
        names = [("cube", "cube#2"), ("cube", "cube#3"), ("cube#2", "cube#3")]  # of files of one name, as printed
        for text, left in (("cube cube#2", names[1:]), ("cube#2 cube#3", names[:2]), ("cube* cube#3", names[:1])):
            self.assertEqual(self.pairs(self.world(*[self.cube] * 3, "--ignore", self.file("ignore.txt", text),
                                                   status=1)["steps"][0]), left)
        self.fail_with("no two bodies fit 'cube' and 'cube'", "world", *[self.cube] * 3, "--ignore",
                       self.file("ignore.txt", "cube cube"))
        self.fail_with('ignore.txt, line 1: a " is not closed', "world", parts, "--ignore", self.file("ignore.txt", '"nut bolt\n'))

    def test_srdf(self):
        low = self.file("low.urdf", ARM.replace('xyz="0.5 0.5 2"', 'xyz="0.5 0.5 0.8"').replace('lower="0"', 'lower="-1"'))
        self.assertEqual(self.pairs(self.world(low, status=1)["steps"][0]), [("base", "wheel")])
        srdf = self.file("arm.srdf", '<robot><disable_collisions link1="wheel" link2="base"/></robot>')
        self.world(low, "--srdf", srdf, status=0)
        self.fail_with("arm.srdf, line 1: there is no link 'x'", "world", low, "--srdf",
                       self.file("arm.srdf", '<robot><disable_collisions link1="x" link2="base"/></robot>'))
        self.fail_with("one robot", "world", self.cube, "--srdf", srdf)
        self.fail_with("nope: there is no such file", "world", low, "--srdf", "nope")

    def test_solids(self):
        ball = self.file("small.json", json.dumps({"units": "m", "parts": [
            {"name": "core", "mesh": "cube.off", "scale": 0.25, "pose": [1, 0, 0, 0.25, 0, 1, 0, 0.25, 0, 0, 1, 0.25]}]}))
        self.world(self.cube, ball, status=0)
        self.world(self.cube, ball, "--solid", status=1)
        opened = self.file("open.off", off(CUBE_CORNERS, CUBE_FACES[1:]))
        self.fail_with("'open': .*not closed", "world", self.cube, opened, "--solid")

    def test_packages(self):
        robot = self.file("other.urdf", ARM.replace("package://meshes/", "package://shapes/"))
        (self.dir / "elsewhere/shapes").mkdir(parents=True)
        self.file("elsewhere/shapes/cube.off", off(CUBE_CORNERS, CUBE_FACES))
        self.fail_with("package 'shapes'", "world", robot)
        self.world(robot, "--package", "nowhere", "--package", "elsewhere", status=0)

    def test_errors(self):
        configurations = lambda text: ["world", self.arm, "--configurations", self.file("bad.csv", text)]
        self.fail_with("does not name the joint 'spin'", *configurations("slide\n1\n"))
        self.fail_with("'slip' is not a joint", *configurations("slide,spin,slip\n1,2,3\n"))
        self.fail_with("'slidr' is not a joint of the robot that takes a value; did you mean 'slide'[?]",
                       *configurations("spin,slidr\n1,2\n"))
        for bad, shown in ("nan", "nan"), ("1e400", "inf"), ("-inf", "-inf"):
            self.fail_with(f"joint 'slide' has the value {shown}, which is not finite\n",
                           *configurations(f"slide,spin\n{bad},0\n"), "--beyond-limits")
        self.fail_with("'spin' is named twice", *configurations("slide,spin,spin\n1,2,3\n"))
        self.fail_with("bad.csv, line 3: a configuration is 2 numbers, and here are 1", *configurations("slide,spin\n1,2\n1\n"))
        self.fail_with("bad.csv, line 2: .*more than 2", *configurations("slide,spin\n1,2,3\n"))
        self.fail_with("bad.csv, line 2: 'x' is not a number", *configurations("slide,spin\n1,x\n"))
        self.fail_with("bad.csv, line 2: joint 'slide' has the value 11, beyond its limits 0 and 10; .*--beyond-limits",
                       *configurations("slide,spin\n11,2\n"))
        self.succeed(*configurations("slide,spin\n11,2\n"), "--beyond-limits")
        self.fail_with("no configuration", *configurations("slide,spin\n"))
        self.fail_with("bad.csv: it is empty; its first line must name the joints", *configurations("# nothing\n"))
        self.fail_with("bad.csv: it is empty; its first line must name the joints", *configurations(""))
        self.fail_with("one robot.*there are 0", "world", self.cube, "--configurations", self.path)
        self.fail_with("one robot.*there are 2", "world", self.arm, self.arm, "--configurations", self.path)
        self.fail_with("--within D", "world", self.cube, "--query", "within")
        self.fail_with("units are m, and those of .* are mm", "world",
                       self.file("mm.json", json.dumps({**PLATE_AT_5, "units": "mm"})), self.cell)
        self.fail_with("nothing.urdf", "world", "nothing.urdf")
        self.fail_with("cell.json: parts\\[0\\]: the member 'nmae' is not known", "world",
                       self.file("cell.json", json.dumps({"units": "m", "parts": [{"nmae": "a"}]})))

    def test_poses_become_parts(self):
        """The script that converts lists of placed meshes writes what the schema says and the command reads."""
        matrix = lambda x: [[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        self.file("poses.json", json.dumps({"instances": [
            {"mesh": "cube.off", "scale": [1, 1, 1], "body": "left", "T_world": matrix(0)},
            {"mesh": "package://meshes/cube.off", "scale": [1, -2, 1], "body": "right", "T_world": matrix(0.5)},
            {"mesh": "none.off", "scale": [1, 1, 1], "body": "right", "T_world": matrix(0), "present": False}]}))
        script = SCHEMAS.parent.parent / "scripts/poses_to_parts.py"
        made = subprocess.run([sys.executable, script, "poses.json", "mm"], cwd=self.dir, capture_output=True, check=True)
        self.assert_valid(load_strictly(made.stdout), "parts")
        found = self.world(self.file("parts.json", made.stdout), status=1)
        self.assertEqual(self.pairs(found["steps"][0]), [("left", "right")])

    def scene_to_parts(self, scene, *packages, status=0):
        script = SCHEMAS.parent.parent / "scripts/scene_to_parts.py"
        made = subprocess.run([sys.executable, script, scene, "made", *packages], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(made.returncode, status, made)
        return made.stdout.strip() if status == 0 else made.stderr

    def test_scenes_become_parts(self):
        """Shapes of every kind, where they are said to be, and a mesh of a package."""
        (self.dir / "robots").mkdir()
        self.file("robots/cube.off", off(CUBE_CORNERS, CUBE_FACES))
        scene = self.file("scene.yaml", """world:  # as MotionBenchMaker writes it, and shorter
  collision_objects:
    - header:
        frame_id: base
      id: two shapes
      primitives:
        - type: box
          dimensions: [2, 4, 6]
        - {type: cylinder, dimensions: [4, 1]}
      primitive_poses:
        - position: [0, 0, 0]
          orientation: [0, 0, 0.5, 0.5]
        - {position: [8, 0, 0], orientation: [0, 0.5, 0, 0.5]}
    - id: 12345678
      primitives:
      - type: sphere
        dimensions: [0.5]
      primitive_poses:
      - position: [-2.75, 1, 0]
        orientation: [0, 0, 0, 1]
    - id: "mesh"
      meshes: [{resource: "package://robots/cube.off", dimensions: [1, 1, 0.5]}]
      mesh_poses: [{position: [0, 0, -4], orientation: [0, 0, 0, 1]}]
""")
        parts = self.scene_to_parts(scene, ".")
        document = load_strictly((self.dir / parts).read_text())
        self.assert_valid(document, "parts")
        self.assertEqual([part["name"] for part in document["parts"]], ["two shapes", "two shapes", "12345678", "mesh"])
        # The box reaches 2 in x, 1 in y and -3 in z, the cylinder from 6 to 10 in x; a ball shows where they are.
        for at, gap in ([5, 0, 0], 0.5), ([0, 2, 0], 0.5), ([-2.75, -0.5, 0], 0.25), ([-2.75, 2.5, 0], 0.5), ([0.5, 0.5, -5], 0.5):
            ball = self.file("ball.json", json.dumps({"units": "m", "parts": [
                {"name": "ball", "mesh": "made/sphere.off", "pose": at, "scale": 0.5}]}))
            found = self.world(ball, parts, "--query", "closest", status=0)["steps"][0]["pairs"]
            self.assertAlmostEqual(found[0]["distance"], gap, delta=0.005)
        for bad, why in (("a: [1,\n 2]", "line 1: a list that goes on in the next line is not read"),
                         ("world:\n  - &x 1", "line 2: '&x 1' is not read"), ("", "it is empty"),
                         ("world: {collision_objects: [{id: a}]}", "object 'a': it has no shape"),
                         ("world: {collision_objects: [{id: a, plane: 1}]}", "'plane' is not read"),
                         (Path(scene).read_text().replace("type: sphere", "type: [sphere]"), "the shape '['sphere']' is not"),
                         (Path(scene).read_text().replace("[4, 1]}", "[4, 1], dimensions: [4, 1]}"), "is there twice"),
                         (Path(scene).read_text().replace("robots/cube.off", ""), "'package://' names no mesh"),
                         (Path(scene).read_text().replace("sphere", "cone"), "object '12345678': the shape 'cone' is not read"),
                         (Path(scene).read_text().replace("[2, 4, 6]", "[2, 4]"), "'dimensions' must be 3 numbers"),
                         (Path(scene).read_text().replace("cube.off", "no.off"), "no.off is neither in a package")):
            error = self.scene_to_parts(self.file("bad.yaml", bad), ".", status=1)
            self.assertRegex(error, r"\Ascene_to_parts.py: [^\n]*bad.yaml: [^\n]+\n\Z")
            self.assertIn(why, error)

    def test_scenes_of_motion_bench_maker(self):
        """With the Panda that they are for: free as each problem begins, and leaning into the furniture."""
        data = SCHEMAS.parent.parent.parent / "shared/data"
        panda = data / "robot-panda-mbm"
        if not panda.exists() or not (data / "scenes-mbm").exists():
            self.skipTest(f"there is no {panda} with {data / 'scenes-mbm'}")
        ways = self.file("ways.csv", ",".join(f"panda_joint{i}" for i in range(1, 8)) +
                         "\n0,-0.785,0,-2.356,0,1.571,0.785\n0,1.2,0,-0.6,0,1.571,0.785\n")
        for scene, hit in ("box/scene_box", "side_front"), ("cage/scene_cage", "base"):
            parts = self.scene_to_parts(data / "scenes-mbm" / f"{scene}.yaml")
            free, colliding = self.world(panda / "panda.urdf", parts, "--srdf", panda / "panda.srdf",
                                         "--configurations", ways, status=1)["steps"]
            self.assertEqual(self.pairs(free), [])
            self.assertIn(("panda_link5", hit), self.pairs(colliding))

    def test_parts_have_no_other_members(self):
        """Neither for the schema, as a validator reads it, nor for the command."""
        schema = json.loads((SCHEMAS / "parts.schema.json").read_text())
        entry = {"name": "part", "mesh": "cube.off"}
        document = {"units": "m", "parts": [entry]}
        for members, bad in ((schema, {**document, "part": []}),
                             (schema["$defs"]["part"], {**document, "parts": [{**entry, "Scale": 2}]})):
            self.assertIs(members.get("additionalProperties"), False)
            self.fail_with("the member .* is not known", "world", self.file("bad.json", json.dumps(bad)))


class OutputFiles(CliTest):
    def test_appears_whole_with_the_usual_rights(self):
        out = self.succeed("info", self.cube, "--json", "out.json")
        self.assertIn("triangles", out)
        self.assert_valid(load_strictly((self.dir / "out.json").read_text()), "info")
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE((self.dir / "out.json").stat().st_mode), 0o666 & ~mask)
        self.assert_nothing_left("out.json")

    def test_replaces_through_links_and_keeps_rights(self):
        self.file("real.json", "old")
        os.chmod(self.dir / "real.json", 0o640)
        os.symlink("real.json", self.dir / "link.json")
        self.succeed("info", self.cube, "--json", "link.json")
        self.assertTrue((self.dir / "link.json").is_symlink())
        load_strictly((self.dir / "real.json").read_text())
        self.assertEqual(stat.S_IMODE((self.dir / "real.json").stat().st_mode), 0o640)
        self.assert_nothing_left("link.json", "real.json")

    def test_links_to_files_that_are_not_there_yet_are_followed(self):
        (self.dir / "d").mkdir()
        os.symlink("d/next", self.dir / "link.json")
        os.symlink(self.dir / "d" / "real.json", self.dir / "d" / "next")
        self.fail_with("is named by both --json and --csv", "clash", self.cube, self.cube, "--json", "link.json",
                       "--csv", "d/real.json")
        for _ in range(2):
            self.succeed("info", self.cube, "--json", "link.json")
            self.assertTrue((self.dir / "link.json").is_symlink() and (self.dir / "d" / "next").is_symlink())
            load_strictly((self.dir / "d" / "real.json").read_text())
            self.assertEqual(sorted(os.listdir(self.dir / "d")), ["next", "real.json"])
        os.symlink("no/such", self.dir / "lost")
        os.symlink("circle", self.dir / "circle")
        self.fail_with("lost: cannot write the file: No such file", "info", self.cube, "--json", "lost")
        self.fail_with("circle: cannot write the file: Too many levels", "info", self.cube, "--json", "circle")
        self.assert_nothing_left("circle", "d", "link.json", "lost")

    def test_devices_are_written_not_replaced(self):
        self.succeed("info", self.cube, "--json", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_places_that_cannot_be_written(self):
        self.fail_with("no/such/out.json", "info", self.cube, "--json", "no/such/out.json")
        self.fail_with(str(self.dir), "info", self.cube, "--json", str(self.dir))
        self.fail_with("output file is empty", "info", self.cube, "--json", "")
        self.fail_with("cube.off/out.json", "info", self.cube, "--json", "cube.off/out.json")
        out, err = self.run_tumble("info", self.cube, "--json", "/dev/full", status=2)
        self.assertRegex(err, r"\Atumble: /dev/full: cannot write[^\n]*\n\Z")
        self.assert_nothing_left()

    def test_an_error_leaves_the_old_file_alone(self):
        self.file("out.json", "old")
        self.fail_with("missing.stl", "collide", "missing.stl", self.cube, "--json", "out.json")
        self.assertEqual((self.dir / "out.json").read_text(), "old")
        self.assert_nothing_left("out.json")

    def test_a_limit_of_the_size_of_files_is_told(self):
        self.file("out.json", "old")
        self.file("standard", "")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
        out, err = self.run_tumble("info", self.cube, "--json", "out.json", status=2, preexec_fn=limit)
        self.assertEqual(err, "tumble: out.json: cannot write the file: File too large\n")
        self.assertEqual((self.dir / "out.json").read_text(), "old")
        with open(self.dir / "standard", "wb") as out:
            done = subprocess.run([TUMBLE, "info", self.cube], cwd=self.dir, stdout=out, stderr=subprocess.PIPE,
                                  timeout=60, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stderr), (2, b"tumble: standard output: cannot write: File too large\n"))
        self.assert_nothing_left("out.json", "standard")

    def wait_for(self, condition):
        deadline = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def refuses_to_write_over(self, file, *arguments):
        """Of no spelling, and of no link to it."""
        before = {p: p.read_bytes() for p in self.dir.rglob("*") if p.is_file()}
        link = self.dir / "link"
        link.symlink_to(self.dir / file)
        for option in ("--json",) if arguments[0] == "info" else ("--json", "--csv", "--report"):
            for spelled in file, f"./{file}", "link":
                with self.subTest((arguments, option, spelled)):
                    self.fail_with(f"{Path(file).name}'?: it is read, and {option} would write over it; give {option} another file",
                                   *arguments, option, spelled, "-q")
        link.unlink()
        self.assertEqual(before, {p: p.read_bytes() for p in self.dir.rglob("*") if p.is_file()})

    def test_nothing_in_a_folder_is_written_over(self):
        (self.dir / "d").mkdir()
        for name in "a.off", "b.off":
            self.file(f"d/{name}", off(CUBE_CORNERS, CUBE_FACES))
        self.succeed("build", self.cube, "-o", "d/c.tmbl")
        for name in "a.off", "b.off", "c.tmbl":
            for command in "clash", "world", "info":
                self.refuses_to_write_over(f"d/{name}", command, "d")
        (self.dir / "d" / "other.off").symlink_to(self.dir / "cube.off")
        self.fail_with("d/other.off: it is read, and --json would", "clash", "d", "--json", "cube.off")
        self.file("d/answer.json", "{}")  # not read, so it may be replaced
        self.succeed("clash", "d", "--json", "d/answer.json", status=1)
        self.succeed("clash", "d", "--json", "d/answer.json", status=1)

    def test_nothing_that_another_file_names_is_written_over(self):
        two = [{"name": n, "mesh": "cube.off"} for n in "ab"]
        cell = self.file("cell.json", json.dumps({"units": "mm", "parts": two}))
        arm = self.file("arm.urdf", ARM.replace("package://meshes/", ""))
        for words in ("clash", cell), ("world", cell), ("world", arm):
            self.refuses_to_write_over("cube.off", *words)
        self.file("x.bin", struct.pack("<9f", *range(8), 0))
        gltf = self.file("x.gltf", json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0}, {"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "x.bin"}]}))
        for command in "clash", "world", "info":
            self.refuses_to_write_over("x.bin", command, gltf)

    def test_the_levels_of_one_mesh_do_not_replace_others(self):
        (self.dir / "d").mkdir()
        for name in "a.off", "b.ply":
            self.file(f"d/{name}", off(CUBE_CORNERS, CUBE_FACES))
        before = Path(self.dir / "d" / "b.ply").read_bytes()
        self.fail_with("--export would write over it", "info", "d", "--level", "1", "--export", "d/b.ply")
        self.fail_with("--export takes the volumes of one mesh", "info", "d", "--level", "1", "--export", "x.ply")
        self.assertEqual(Path(self.dir / "d" / "b.ply").read_bytes(), before)

    def test_signals_leave_nothing_behind(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            # It waits for its pose on standard input, the output file already begun.
            process = subprocess.Popen([TUMBLE, "collide", self.cube, self.cube, "--pose-a", "@-", "--json", "out.json"],
                                       cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.wait_for(lambda: any(p.name.startswith("out.json.") for p in self.dir.iterdir()))
            time.sleep(0.05)
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, -number)
            self.assert_nothing_left()


class Lab(CliTest):
    def test_lists_experiments_and_scenes(self):
        out = self.succeed("lab", "list")
        for name in ["table1", "table7", "fig3", "zachmann1998", "fuenzig2003", "study-k", "pipes", "nested"]:
            self.assertRegex(out, rf"(?m)^  {name} ")
        self.fail_with("no experiment is named 'table8'; there are table1, .*, peers", "lab", "table8", "--quick")
        self.fail_with("there is no option '--quikc'; did you mean '--quick'[?] see 'tumble lab --help'", "lab", "table6", "--quikc")
        self.fail_with("'tumble lab --help'", "lab")
        self.fail_with("no scene is named 'moon'; there are pipes", "lab", "scene", "moon", "-o", "out")

    def test_writes_scenes_for_the_other_commands(self):
        self.succeed("lab", "scene", "nested", "-o", "deep/nested", "--triangles", "500", "--alpha", "0.05")
        folder = self.dir / "deep" / "nested"
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["env.ply", "flight.glb", "object.ply", "poses.txt"])
        document = load_strictly(self.succeed("info", folder / "env.ply", "--json", "-"))
        self.assertEqual(document["meshes"][0]["triangles"], 500)
        self.succeed("fly", folder / "env.ply", folder / "object.ply", folder / "poses.txt")  # they do not touch
        self.succeed("lab", "scene", "nested", "-o", "hull", "--triangles", "500", "--tessellation", "hull")
        self.assertNotEqual((self.dir / "hull" / "env.ply").read_bytes(), (folder / "env.ply").read_bytes())
        self.succeed("lab", "scene", "torpedo", "-o", "torpedo", "--steps", "9")
        self.assert_animated(self.dir / "torpedo" / "flight.glb")

    def test_refuses_what_it_would_ignore(self):
        scene = ("lab", "scene", "nested", "-o", "out")
        self.fail_with("--steps: '0' is not a whole number from 1 to", *scene, "--steps", "0")
        self.fail_with("--triangles: '0' is not a whole number from 1 to", *scene, "--triangles", "0")
        self.fail_with("--distance means nothing to the scene 'nested'", *scene, "--distance", "2")
        self.fail_with("--tessellation means nothing to the scene 'pipes'", "lab", "scene", "pipes", "-o", "out",
                       "--tessellation", "hull")
        self.fail_with("--tessellation: 'cubes' is not one of even, uv, geodesic, hull", *scene, "--tessellation",
                       "cubes")
        self.fail_with("--scenes means nothing without an experiment", *scene, "--scenes", "pipes")
        self.fail_with("--env means nothing without an experiment", "lab", "list", "--env", self.cube)
        self.fail_with("--triangles is about the generated environment", *scene, "--env", self.cube, "--triangles", "8")
        self.fail_with("--passes means nothing to table6; .* peers", "lab", "table6", "--passes", "3", "-o", "out")
        self.fail_with("--search means nothing to peers; .* cliffs", "lab", "peers", "--search", "3", "-o", "out")
        self.fail_with("--situations means nothing to peers; .* cliffs", "lab", "peers", "--situations", "x", "-o", "out")
        self.fail_with("--seed requires --search", "lab", "cliffs", "--seed", "3", "-o", "out")
        self.fail_with("--scenes means nothing to table6; .* table2, ", "lab", "table6", "--scenes", "pipes", "-o", "out")
        self.fail_with("--docs are about the generated meshes", "lab", "study-arity", "--quick", "--env", self.cube,
                       "--docs", "docs", "-o", "out")
        self.fail_with("--check compares the counters of a quick run: it needs --quick", "lab", "table6", "--check", "docs",
                       "-o", "out")
        for option in (["--scenes", "pipes"], ["--rivals", "ode"], ["--passes", "2"]):
            self.fail_with(f"--docs are about whole experiments; leave it out, or {option[0]}", "lab", "peers", *option,
                           "--docs", "docs", "-o", "out")
        self.fail_with("missing.stl: there is no such file", "lab", "table2", "--object", "missing.stl", "-o", "out")
        self.assertFalse((self.dir / "out").exists())
        self.fail_with("cube.off/deep: cannot make the folder", "lab", "scene", "nested", "-o", self.cube + "/deep")
        self.fail_with("cube.off: cannot make the folder", "lab", "scene", "nested", "-o", self.cube)

    def test_a_mesh_file_takes_the_place_of_a_generated_one(self):
        out = self.succeed("lab", "scene", "torus", "-o", "out", "--object", self.cube, "--steps", "30",
                           "--triangles", "1000")
        self.assertIn("object.ply (12 triangles)", out)
        self.assertIn("object replaced by", (self.dir / "out" / "poses.txt").read_text().splitlines()[0])
        poses = (self.dir / "out" / "poses.txt").read_text().splitlines()
        self.assertEqual(len(poses), 1 + 30)
        out = self.succeed("lab", "study-arity", "--quick", "--scenes", "torus", "--object", self.cube, "-o", "results")
        self.assertRegex(out, r"In the place of the generated object: .*cube.off, 12 triangles")
        document = load_strictly((self.dir / "results" / "study-arity.json").read_text())
        self.assert_valid(document, "lab")
        self.assertEqual(document["replaced"]["object"]["triangles"], 12)
        self.assertEqual({row["scene"] for row in document["tables"][0]["rows"]}, {"torus"})

    def test_writes_what_the_schema_says(self):
        out = self.succeed("lab", "table6", "--quick", "-o", "results")
        self.assertIn("26-DOP", out)
        document = load_strictly((self.dir / "results" / "table6.json").read_text())
        self.assert_valid(document, "lab")
        self.assertTrue(document["quick"])
        table = document["tables"][0]
        keys = [column["key"] for column in table["columns"]]
        for row in table["rows"]:
            self.assertEqual(list(row), keys)
        for plot in document["plots"]:
            self.assertTrue((self.dir / "results" / plot["file"]).read_text().startswith("<svg"))
        self.assertEqual(out, self.succeed("lab", "table6", "--quick", "-o", "results"))  # all from the journal

    def test_a_planted_counter_shows_that_a_page_is_out_of_date(self):
        quick = ("lab", "table6", "--quick", "-o", "results")
        self.succeed(*quick, "--docs", "docs")
        self.succeed(*quick, "--check", "docs")
        kept = self.dir / "docs" / "results" / "quick" / "table6.json"
        text = kept.read_text()
        planted = re.sub(r'"nv":(\d+)', lambda found: f'"nv":{int(found[1]) + 1}', text, count=1)
        self.assertNotEqual(planted, text)
        kept.write_text(planted)
        out = self.succeed(*quick, "--check", "docs", status=1)
        self.assertRegex(out, r"OUT OF DATE: table6: .*: nv was \d+ and is \d+\n")
        self.assertIn("1 page of docs/results is out of date", out)
        # The new counters can be kept without the page, which then says so.
        page = self.dir / "docs" / "results" / "table6.md"
        page.write_text("# Spheres\n\nAs measured long ago.\n")
        self.succeed(*quick, "--docs", "docs")
        self.assertEqual(kept.read_text(), text)
        self.assertIn("# Spheres\n\n> **Out of date.**", page.read_text())
        self.assertIn("marked as out of date: table6", self.succeed(*quick, "--check", "docs"))
        kept.unlink()
        out = self.succeed(*quick, "--check", "docs", status=1)
        self.assertIn("OUT OF DATE: table6: docs/results/quick/table6.json is not there", out)

    def test_a_claim_that_must_hold_and_does_not_is_exit_status_1(self):
        command = ("lab", "study-arity", "--quick", "--scenes", "torus", "-o", "results")
        self.succeed(*command)
        journal = self.dir / "results" / "journal.jsonl"
        lines = journal.read_text().splitlines(keepends=True)
        contacts = re.compile(r'"contacts":(\d+)')
        row, rest = lines[2].rsplit(',"sum":', 1)
        start = row.rindex(',"row":') + len(',"row":')
        changed = contacts.sub('"contacts":7', row[start:])
        self.assertNotEqual(changed, row[start:])
        journal.write_text("".join(lines[:2] + [row[:start] + changed + ',"sum":' + rest] + lines[3:]))
        self.fail_with(r"journal.jsonl, line 3: this row is not what was written; delete the line", *command)

        total = 0xcbf29ce484222325  # FNV-1a: as if the program had written that
        for byte in changed.encode():
            total = (total ^ byte) * 0x100000001b3 % 2**64
        other = [row[:start] + changed + f',"sum":"{total:016x}"}}\n']
        journal.write_text("".join(lines[:2] + other + lines[3:]))
        out = self.succeed(*command, status=1)
        self.assertIn("MUST HOLD, AND DOES NOT: ", out)
        self.assertIn("all find the same contacts", out)
        document = load_strictly((self.dir / "results" / "study-arity.json").read_text())
        self.assert_valid(document, "lab")
        self.assertEqual(len(document["broken"]), 1)

    def test_seeds_are_whole_numbers(self):
        for word in ("-4", "1.5", "x", str(2**64)):
            self.fail_with(f"--seed: '{re.escape(word)}' is not a whole number", "lab", "scene", "nested", "-o", "out",
                           f"--seed={word}")

    def test_another_mesh_may_collide_on_swept(self):
        scene = ("lab", "scene", "swept", "-o", "out", "--steps", "10", "--triangles", "400")
        self.assertNotIn("may collide", self.succeed(*scene))
        self.assertIn("may collide", self.succeed(*scene, "--object", self.cube))

    def test_robots_are_skipped_visibly_without_their_meshes(self):
        out = self.succeed("lab", "robots", "--quick", "-o", "out")
        self.assertRegex(out, r"Not run: the robots are in a folder of meshes beside the repository|panda +self +11 ")

    def test_an_interrupted_run_keeps_its_finished_rows(self):
        journal = self.dir / "results" / "journal.jsonl"
        command = [TUMBLE, "lab", "study-climb", "--quick", "-o", "results"]

        def finished():
            return journal.read_text().splitlines(keepends=True) if journal.exists() else []
        process = subprocess.Popen(command, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 50
        while len(finished()) < 2 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        before = [line for line in finished() if line.endswith("\n")]
        self.assertGreaterEqual(len(before), 2)
        self.succeed(*command[1:])
        after = finished()
        self.assertEqual(after[:len(before)], before)
        keys = [json.dumps(json.loads(line)["key"]) for line in after if line.strip()]
        self.assertEqual(len(keys), len(set(keys)))  # nothing was measured twice
        self.assertGreater(len(keys), 10)

    def test_a_folder_that_cannot_be_written(self):
        self.fail_with("cube.off/journal.jsonl", "lab", "table6", "--quick", "-o", self.cube)


if __name__ == "__main__":
    TUMBLE, SCHEMAS = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
