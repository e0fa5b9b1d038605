# SPDX-License-Identifier: Apache-2.0
"""tumble clash, end to end. Usage: clash_test.py TUMBLE SCHEMAS."""
import csv
import io
import json
import math
import os
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import cli_test
from cli_test import CUBE_CORNERS, CUBE_FACES, CliTest, load_strictly, off
from report_test import data_of

CLASSES = ["duplicate", "contained", "piercing", "touching", "too close"]


def at(x, y=0, z=0):
    return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]


def sphere(rings):
    corners = [(0, 0, 1)]
    for i in range(1, rings):
        for j in range(2 * rings):
            a, b = math.pi * i / rings, math.pi * j / rings
            corners.append((math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a)))
    corners.append((0, 0, -1))
    n, last, faces = 2 * rings, len(corners) - 1, []
    for j in range(n):
        k = (j + 1) % n
        faces += [(0, 1 + j, 1 + k), (last, last - n + k, last - n + j)]
        for i in range(rings - 2):
            a, b = 1 + i * n, 1 + (i + 1) * n
            faces += [(a + j, b + j, b + k), (a + j, b + k, a + k)]
    return off(corners, faces)


class ClashTest(CliTest):
    def clash(self, *arguments, status, **options):
        document = load_strictly(self.succeed("clash", *arguments, "--json", "-", status=status, **options))
        self.assert_valid(document, "clash")
        self.assertEqual({c: document["summary"][c] for c in CLASSES},
                         {c: sum(p["class"] == c for p in document["pairs"]) for c in CLASSES})
        for flag in "allowed", "known", "fails":
            self.assertEqual(document["summary"][flag], sum(p[flag] for p in document["pairs"]))
        self.assertEqual(status, int(any(p["fails"] for p in document["pairs"])))
        return document

    def classes(self, document):
        return {(p["a"], p["b"]): p["class"] for p in document["pairs"]}

    def parts(self, name, parts, **more):
        listed = [{"name": n, "mesh": "cube.off", **entry} for n, entry in parts.items()]
        return self.file(name, json.dumps({"units": "mm", "parts": listed, **more}))


class Poses(ClashTest):
    def test_all_ways_to_write_them_fit_the_schema(self):
        ways = [at(0.5), [0.5, 0, 0], "0.5 0 0", "translation 0.5 0 0 yaw 90", {"translation": [0.5, 0, 0]},
                {"translation": [0.5, 0, 0], "quaternion": [1, 0, 0, 0]}, {"xyzw": [0, 0, 0, 1], "translation": [0.5, 0, 0]},
                {"translation": [0.5, 0, 0], "axis": [0, 0, 1], "angle": 0}, {"translation": [0.5, 0, 0], "rpy": [0, 0, 0]},
                {"translation": [0.5, 0, 0], "roll": 0, "pitch": "0rad", "yaw": 0},
                {"translation": [0.5, 0, 0], "euler": ["XYZ", 0, 0, 0]}]
        for way in ways:
            with self.subTest(way):
                file = self.parts("two.json", {"a": {}, "b": {"pose": way}})
                self.assert_valid(json.loads(Path(file).read_text()), "parts")
                self.assertEqual(self.classes(self.clash(file, status=1)), {("a", "b"): "piercing"})
        file = self.parts("two.json", {"a": {}, "b": {"pose": {"yow": 90}}})
        self.fail_with(r"two.json: parts\[1\] 'b': pose: 'yow' is not one of .*; did you mean 'yaw'", "clash", file)


class Classes(ClashTest):
    """Cubes of edge 1, and small ones of 0.5."""

    def setUp(self):
        super().setUp()
        self.all = self.parts("all.json", {
            "base": {}, "copy": {"pose": at(0)}, "inner": {"pose": at(0.25, 0.25, 0.25), "scale": 0.5},
            "pierce": {"pose": at(0.75)}, "flush": {"pose": at(-1)}, "near": {"pose": at(0, 1.25)}, "far": {"pose": at(50)}})

    def test_every_class(self):
        found = self.clash(self.all, "--clearance", "0.3", "--between", "base", "*", status=1)
        self.assertEqual(self.classes(found), {
            ("base", "copy"): "duplicate", ("base", "inner"): "contained", ("base", "pierce"): "piercing",
            ("base", "flush"): "touching", ("base", "near"): "too close"})
        self.assertEqual((found["summary"]["clear"], found["summary"]["fails"], found["units"]), (1, 4, "mm"))
        pairs = {p["b"]: p for p in found["pairs"]}
        self.assertEqual(pairs["near"]["gap"], 0.25)
        self.assertLessEqual(pairs["pierce"]["depth"][0], 0.25)
        self.assertGreaterEqual(pairs["pierce"]["depth"][1], 0.25)
        self.assertIsNone(pairs["flush"]["depth"])
        self.assertGreater(pairs["flush"]["contacts"], 0)

    def test_text(self):
        out = self.succeed("clash", self.all, "--clearance", "0.3", "--between", "base", "*", status=1)
        for line in [r"  units +mm", r"  clearance +0.3 mm", r"  contained +base +inner .*deep.* at \(.*\)",
                     r"  too close +base +near +0.25 mm apart +at \(.*\)", r"  touching +base +flush .*",
                     r"  pairs +1 duplicate, 1 contained, 1 piercing, 1 touching, 1 too close, 1 clear", r"  clashes +4"]:
            self.assertRegex(out, rf"(?m)^{line}$")
        order = [out.index(f"\n  {word}") for word in ("duplicate", "contained", "piercing", "too close", "touching")]
        self.assertEqual(order, sorted(order))

    def test_tolerance_makes_an_overlap_a_touch(self):
        found = self.clash(self.all, "--between", "base", "pierce", "--tolerance", "0.3", status=0)
        self.assertEqual(self.classes(found), {("base", "pierce"): "touching"})

    def test_fail_on(self):
        touch = [self.all, "--between", "base", "flush"]
        self.clash(*touch, status=0)
        self.clash(*touch, "--fail-on", "touching", status=1)
        self.clash(self.all, "--fail-on", "none", status=0)
        close = [self.all, "--between", "base", "near", "--clearance", "1", "--fail-on"]
        self.clash(*close, "piercing", status=0)
        self.clash(*close, "too-close,piercing", status=1)
        self.clash(*close, "too close", status=1)
        for bad in "", "piercing,", "clear", "Piercing":
            self.fail_with("--fail-on.*is not", *["clash", self.all, "--fail-on", bad])

    def test_not_closed(self):
        bowl = self.file("bowl.off", off(CUBE_CORNERS, CUBE_FACES[:-1]))
        found = self.clash(self.cube, bowl, self.file("small.off", off([(0.4 + c[0] / 10, 0.5, 0.5) for c in CUBE_CORNERS],
                                                                       CUBE_FACES)), status=0)
        self.assertEqual(self.classes(found), {("cube", "bowl"): "touching"})
        self.assertEqual(found["pairs"][0]["containment"], "unknown: not closed")
        self.assertEqual([(p["closed"], p["open_edges"]) for p in found["parts"]], [(True, 0), (False, 3), (False, 0)])
        out = self.succeed("clash", self.cube, bowl, status=0)
        self.assertEqual(out.count("3 open edges"), 1)

    def test_groups_and_ignored_pairs_are_not_compared(self):
        one = self.parts("one.json", {"a": {"group": "g"}, "b": {"group": "g"}, "c": {}, "d": {}}, ignore=[["c", "?"]])
        found = self.clash(one, status=1)
        self.assertEqual(set(self.classes(found)), {("a", "d"), ("b", "d")})
        two = self.parts("two.json", {"c": {"group": "g"}, "d": {"group": "g"}})
        found = self.clash(one, two, status=1)  # patterns and groups of a file are for its own parts
        self.assertEqual(set(self.classes(found)), {("a", "d"), ("b", "d")} | {
            (p, q) for p in "abcd" for q in ("c#2", "d#2")})

    def test_comparing_nothing_is_told(self):
        for more, parts in (({}, {"a": {"group": "g"}, "b": {"group": "g"}}), ({"ignore": [["a", "b"]]}, {"a": {}, "b": {}})):
            out, err = self.run_tumble("clash", self.parts("two.json", parts, **more), status=0)
            self.assertEqual(err, "tumble: note: no pair is compared; look at group and ignore in PARTS.json\n")
        out, err = self.run_tumble("clash", self.all, "--between", "base", "base", "--json", "-", status=0)
        self.assertRegex(err, r"\Atumble: note: no pair is compared; look at --between, and [^\n]+\n\Z")

    def test_groups_of_a_file_that_is_given_again_are_others(self):
        """As are its parts."""
        two = self.parts("two.json", {"a": {"group": "g"}, "b": {"group": "g"}})
        found = self.clash(two, two, two, status=1)
        self.assertEqual(found["summary"]["duplicate"], 3 * 4)
        self.assertEqual([p["group"] for p in found["parts"][::2]], ["g", f"g in {two}", f"g in {two}#2"])

    def test_ignored_pairs_far_apart_are_not_counted(self):
        """Beside one file or several, whose patterns are for their own parts."""
        spread = {"a": {}, "b": {"pose": at(20)}, "c": {"pose": at(40)}, "d": {"pose": at(60), "group": "g"}}
        one = self.parts("one.json", spread, ignore=[["a", "b"], ["c", "g"]])
        two = self.parts("two.json", {name: {"pose": at(90 + 20 * i)} for i, name in enumerate("abc")}, ignore=[["a", "?"]])
        self.assertEqual(self.clash(one, status=0)["summary"]["clear"], 4)
        self.assertEqual(self.clash(one, self.cube, status=1)["summary"]["clear"], 4 + 4 - 1)
        self.assertEqual(self.clash(one, two, status=0)["summary"]["clear"], 4 + 1 + 12)
        self.assertEqual(self.clash(two, one, "--between", "a*", "*", status=0)["summary"]["clear"], 2 + 4 + 2)

    def test_thin_parts_within_the_tolerance_are_duplicates(self):
        plate = {"scale": [1, 1, 0.0625]}
        two = self.parts("two.json", {"low": plate, "high": {**plate, "pose": at(0, 0, 0.0625)}})
        self.assertEqual(self.classes(self.clash(two, "--tolerance", "0.05", status=0)), {("low", "high"): "touching"})
        touching, = self.clash(two, "--tolerance", "0.1", status=1)["pairs"]
        self.assertEqual((touching["class"], touching["gap"]), ("duplicate", None))
        two = self.parts("two.json", {"low": plate, "high": {**plate, "pose": at(0, 0, 0.078125)}})
        apart, = self.clash(two, "--tolerance", "0.1", status=1)["pairs"]
        self.assertEqual((apart["class"], apart["gap"]), ("duplicate", 0.015625))

    def test_a_hint_about_units(self):
        big = self.parts("big.json", {"a": {}, "b": {"scale": 1000, "pose": at(5000)}})
        self.assertRegex(self.succeed("clash", big), r"hint: b is 1732 mm across, a is 1.73 mm across")
        self.assertNotIn("hint", self.succeed("clash", self.all, "--fail-on", "none"))

    def test_threads_and_depth_budget(self):
        answers = [self.clash(self.all, "--threads", n, status=1)["pairs"] for n in ("1", "3")]
        self.assertEqual(*answers)
        found = self.clash(self.all, "--depth-budget", "0", status=1)
        self.assertEqual([p["class"] for p in found["pairs"]], [p["class"] for p in answers[0]])
        self.fail_with("--depth-budget", "clash", self.all, "--depth-budget", "soon")

    def test_errors(self):
        self.fail_with("only one part", "clash", self.cube)
        self.fail_with("--between.*no part or group fits 'x'", "clash", self.all, "--between", "x", "*")
        self.fail_with("--between", "clash", self.all, "--between", "x")
        self.fail_with("nothing.off", "clash", self.cube, str(self.dir / "nothing.off"))
        metres = self.file("m.json", json.dumps({"units": "m", "parts": [{"name": "m", "mesh": "cube.off"}]}))
        self.fail_with("its units are m, and those of .*all.json are mm", "clash", self.all, metres)
        self.fail_with("both --json and --csv", "clash", self.all, "--json", "x", "--csv", "x")
        self.fail_with("--state: it is read again", "clash", self.all, "--state", "-")


class Folders(ClashTest):
    def test_they_recurse(self):
        parts = self.dir / "parts"
        (parts / "sub").mkdir(parents=True)
        for name in "bolt.off", "sub/bolt.off", "sub/nut.OFF", ".hidden.off", "read.me", "sub/notes.txt":
            (parts / name).write_text(off(CUBE_CORNERS, CUBE_FACES))
        (parts / "sub" / "loop").symlink_to(parts)
        (parts / "dangling").symlink_to(parts / "nowhere")
        for name in "pipe.stl", "sub/pipe.json":  # nobody writes to them, so reading would wait
            os.mkfifo(parts / name)
        found = self.clash(str(parts), status=1)
        self.assertEqual([p["name"] for p in found["parts"]], ["bolt", "bolt#2", "nut"])
        self.assertRegex(self.succeed("clash", str(parts), status=1), r"(?m)^  left out +5 files of other kinds$")

    def test_a_folder_with_placed_parts_is_told(self):
        (self.dir / "asm").mkdir()
        for name in "lid", "box":
            (self.dir / "asm" / f"{name}.off").write_text(Path(self.dir / "cube.off").read_text())
        placed = [{"name": n, "mesh": f"{n}.off", "pose": at(x)} for n, x in (("lid", 0), ("box", 9))]
        (self.dir / "asm" / "parts.json").write_text(json.dumps({"parts": placed}))
        for name, other in (("mesh.json", {"mesh": 1}), ("list.json", [{"mesh": "a"}]), ("empty.json", {"parts": []}),
                            ("names.json", {"parts": [{"name": "mesh"}, "mesh"]}), ("word.json", {"parts": "mesh"}),
                            ("bodies.json", {"bodies": [{"parts": [{"mesh": "lid.off"}]}]})):
            (self.dir / "asm" / name).write_text(json.dumps(other))
        (self.dir / "asm" / "broken.json").write_text('{"parts": [{"mesh": 1}')
        (self.dir / "asm" / "deep.json").write_text('["mesh", ' + "[" * 100000)
        note = "tumble: note: asm/parts.json: places parts, but is not read in a folder; name it instead of the folder\n"
        self.assertEqual(self.run_tumble("clash", "asm", status=1)[1], note)
        self.assertEqual(self.run_tumble("clash", "asm", "--quiet", status=1)[1], "")

    def test_links_that_lead_nowhere_are_left_out(self):
        (self.dir / "d").mkdir()
        for name in "a.off", "b.off":
            (self.dir / "d" / name).write_text(off(CUBE_CORNERS, CUBE_FACES))
        for name, target in ("x.stl", "/nonexistent"), ("y.off", "y.off"), ("z.txt", "/nonexistent"):
            (self.dir / "d" / name).symlink_to(target)
        out, err = self.run_tumble("clash", "d", status=1)
        self.assertRegex(out, r"(?m)^  left out +3 files of other kinds$")
        self.assertEqual(err, "".join(f"tumble: note: d/{n}: left out, since this link leads nowhere\n" for n in ("x.stl", "y.off")))

    def test_an_empty_one_is_an_error(self):
        (self.dir / "empty").mkdir()
        self.fail_with("empty: there is no mesh", "clash", "empty")


class Allowed(ClashTest):
    def setUp(self):
        super().setUp()
        self.three = self.parts("three.json", {"a b": {}, "bolt": {"pose": at(0.5)}, "bolt": {"pose": at(0.5)},
                                               "c#1": {"pose": at(0.25)}})

    def allowed(self, text, status):
        found = self.clash(self.three, "--allow", self.file("allow.txt", text), status=status)
        return {(p["a"], p["b"]) for p in found["pairs"] if p["allowed"]}

    def test_entries(self):
        every = {("a b", "bolt"), ("a b", "c#1"), ("bolt", "c#1")}
        self.assertEqual(self.allowed("# nothing\n\n", 1), set())
        self.assertEqual(self.allowed("*", 0), every)
        self.assertEqual(self.allowed("bolt # and all it touches", 1), {("a b", "bolt"), ("bolt", "c#1")})
        self.assertEqual(self.allowed("\ufeff\"a b\" bolt\r\n", 1), {("a b", "bolt")})
        self.assertEqual(self.allowed("bol? \"a*\"\nc#1 bolt", 1), {("a b", "bolt"), ("bolt", "c#1")})
        self.assertTrue(all(p["allowed"] for p in self.clash(self.three, "--allow", "-", status=0, input=b"*\n")["pairs"]))
        out = self.succeed("clash", self.three, "--allow", self.file("allow.txt", "*"))
        self.assertRegex(out, r"(?m)^allowed\n  piercing ")
        self.assertRegex(out, r"(?m)^  clashes +none, 3 allowed$")

    def test_errors_name_the_line(self):
        for text, pattern in [("bolt\nnut", "line 2: no part fits 'nut'"), ("bolt nut", "line 1: no part fits 'nut'"),
                              ("bolt bolt", "fit the same part alone"), ("a b c", "not 3; a name with spaces needs quotes"),
                              (b"bo\0lt", r"line 1: no part fits 'bo\\x00lt'"),
                              ("a" * 4097, "line 1: 'a{60}…' is longer than 4096 bytes"),
                              ("*" + "a" * 4095, r"line 1: no part fits '\*a{59}…'"),
                              ("\"a b", "a \" is not closed"), ("\"a b\"c", "a space is missing"), (b"\xff\x00", "no part")]:
            self.fail_with(pattern, "clash", self.three, "--allow", self.file("allow.txt", text))
        self.fail_with("missing.txt: there is no such file", "clash", self.three, "--allow", "missing.txt")
        self.fail_with("no part or group fits 'x{60}…'", "clash", self.three, "--between", "bolt", "x" * 100)


class Baselines(ClashTest):
    def test_what_is_known_does_not_fail(self):
        before = self.parts("before.json", {"a": {}, "b": {"pose": at(0.5)}, "c": {"pose": at(9)}})
        after = self.parts("after.json", {"c": {"pose": at(0, 0.5)}, "b": {"pose": at(0.5)}, "a": {}})
        self.succeed("clash", before, "--json", "base.json", status=1)
        self.clash(before, "--baseline", "base.json", status=0)
        found = self.clash(after, "--baseline", "base.json", status=1)
        self.assertEqual({(p["a"], p["b"]) for p in found["pairs"] if p["known"]}, {("b", "a")})
        self.clash(before, "--baseline", "-", status=0, input=(self.dir / "base.json").read_bytes())
        self.fail_with("standard input, byte 1: malformed JSON", "clash", before, "--baseline", "-", input=b"{")
        self.fail_with("standard input cannot be both --allow and --baseline", "clash", before, "--baseline", "-", "--allow", "-")
        out = self.succeed("clash", before, "--baseline", "base.json")
        self.assertRegex(out, r"(?m)^known, in the baseline\n  piercing +a +b ")
        touching = self.parts("touching.json", {"a": {}, "b": {"pose": at(1)}})
        found = self.clash(touching, "--baseline", "base.json", "--fail-on", "touching", status=1)  # another class

    def test_hostile_ones(self):
        two = self.parts("two.json", {"a": {}, "b": {}})
        for text in ["", "[]", "{}", "null", "[" * 100000, '{"schema": "world/1"}', '{"schema": 1}', '{"schema": "clash/2"}',
                     '{"schema": "clash/1"}', '{"schema": "clash/1", "pairs": {}}', '{"schema": "clash/1", "pairs": [1]}',
                     '{"schema": "clash/1", "pairs": [{"a": "a", "b": 1, "class": "x"}]}', b"\xff\xfe",
                     '{"schema": "clash/1", "schema": "clash/1", "pairs": []}']:
            self.fail_with("base.json", "clash", two, "--baseline", self.file("base.json", text))


class Outputs(ClashTest):
    NAMES = ["<script>alert(1)</script>", "quo\"te'&amp;", "comma, semicolon;", "new\nline", "x" * 200, "]]>", b"b\xffd",
             "turned\u202eround"]

    def setUp(self):
        super().setUp()
        self.folder = self.dir / "hostile"
        self.folder.mkdir()
        for name in self.NAMES:
            raw = (name if isinstance(name, bytes) else name.replace("/", "∕").encode()) + b".off"
            (Path(os.fsdecode(os.fsencode(self.folder) + b"/" + raw))).write_text(off(CUBE_CORNERS, CUBE_FACES))
        self.pairs = len(self.NAMES) * (len(self.NAMES) - 1) // 2

    def test_hostile_names(self):
        found = self.clash("hostile", status=1)
        names = {p["name"] for p in found["parts"]}
        self.assertEqual(len(names), len(self.NAMES))
        self.assertLessEqual({"new\\x0aline", "b\\xffd", "quo\"te'&amp;"}, names)
        text = self.succeed("clash", "hostile", status=1)
        self.assertLess(max(map(len, text.splitlines())), 160)
        self.assertIn("turned\u202eround", names)  # people see it spelt out
        self.assertIn("turned\\xe2\\x80\\xaeround", text)
        self.assertNotIn("\u202e", text)
        rows = list(csv.DictReader(io.StringIO(self.succeed("clash", "hostile", "--csv", "-", status=1))))
        self.assertEqual([(r["part a"], r["part b"]) for r in rows], [(p["a"], p["b"]) for p in found["pairs"]])
        self.assertEqual({r["class"] for r in rows}, {"duplicate"})
        suites = ElementTree.fromstring(self.succeed("clash", "hostile", "--junit", "-", status=1))
        cases = suites.findall("testsuite/testcase")
        self.assertEqual([c.get("name") for c in cases], [f"{p['a']} and {p['b']}" for p in found["pairs"]])
        self.assertEqual(suites.get("failures"), str(self.pairs))
        self.assertEqual(len(suites.findall(".//failure")), self.pairs)
        # The names a run shows are those that it takes.
        allow = self.file("allow.txt", "".join('"' + n.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for n in names))
        self.clash("hostile", "--allow", allow, status=0)
        self.succeed("clash", "hostile", "--json", "base.json", status=1)
        self.clash("hostile", "--baseline", "base.json", status=0)

    def test_csv_states_the_units(self):
        two = self.parts("two.json", {"a": {}, "b": {"pose": at(0.5)}})
        for files, units in ([two], "mm"), ([self.cube, self.cube], ""):
            row, = csv.DictReader(io.StringIO(self.succeed("clash", *files, "--csv", "-", status=1)))
            self.assertEqual(list(row)[-2:], ["fails", "units"])
            self.assertEqual((row["fails"], row["units"]), ("yes", units))

    def test_junit_skips_what_is_allowed_or_known(self):
        two = self.parts("two.json", {"a": {}, "b": {"pose": at(0.5)}, "c": {"pose": at(-1)}})
        suites = ElementTree.fromstring(self.succeed("clash", two, "--allow", self.file("l", "b"), "--junit", "-"))
        self.assertEqual([suites.get(k) for k in ("tests", "failures", "skipped")], ["3", "0", "1"])
        self.assertEqual(len(suites.findall(".//testcase")), 3)
        self.assertEqual(suites.findall(".//testcase")[-1].get("name"), "all other pairs")
        self.assertEqual(suites.find(".//skipped").get("message")[:18], "allowed: piercing,")
        self.assertEqual(suites.find(".//system-out").text[:9], "touching,")

    def test_junit_of_nothing_but_clear_pairs_has_a_case(self):
        """Jenkins takes a file without one for a run that went wrong."""
        apart = self.parts("apart.json", {"a": {}, "b": {"pose": at(5)}})
        suites = ElementTree.fromstring(self.succeed("clash", apart, "--junit", "-"))
        self.assertEqual([suites.get(k) for k in ("tests", "failures", "skipped")], ["1", "0", "0"])
        case, = suites.findall(".//testcase")
        self.assertEqual((case.get("name"), list(case)), ("all pairs", []))

    def test_nothing_that_is_needed_is_written_over(self):
        other = self.file("other.off", Path(self.dir / "cube.off").read_text())
        for arguments in (("--json", "o.json", "--state", "o.json"), ("--json", "x", "--csv", "x.unfinished"),
                          ("--csv", other), ("--report", "./cube.off"), ("--json", "base.json", "--baseline", "base.json"),
                          ("--junit", "list", "--allow", "./list"), ("--json", "x", "--baseline", "x.unfinished")):
            self.fail_with("give one of them another file", "clash", "cube.off", other, *arguments)
        self.assertEqual(Path(other).read_text(), Path(self.dir / "cube.off").read_text())
        self.fail_with("nope: there is no such file or folder", "clash", other, "nope")
        self.fail_with("standard input cannot be both --allow and FILE", "clash", "cube.off", "-", "--format", "off",
                       "--allow", "-")

    def test_nothing_is_half_written(self):
        self.fail_with("no/a.json", "clash", "hostile", "--json", "no/a.json")
        self.fail_with("missing", "clash", "hostile", "missing.off", "--json", "a.json", "--junit", "a.xml")
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["cube.off", "hostile"])

    def test_a_full_disk_changes_no_file(self):
        options = {"--json": "a.json", "--csv": "a.csv", "--junit": "a.xml", "--report": "a.html"}
        for name in options.values():
            self.file(name, "earlier")

        def assert_as_before():
            for name in options.values():
                self.assertEqual((self.dir / name).read_text(), "earlier", name)
            self.assert_nothing_left("hostile", *options.values())
        for full in options:
            with self.subTest(full):
                some = {**options, full: "/dev/full"}
                self.fail_with("/dev/full: cannot write.*No space left", "clash", "hostile", *sum(some.items(), ()))
                assert_as_before()

        def limit():  # it stands for a disk that is full before the last of them, the page, is whole
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        self.fail_with("a.html: cannot write the file", "clash", "hostile", *sum(options.items(), ()), preexec_fn=limit)
        assert_as_before()
        self.run_tumble("clash", "hostile", *sum(options.items(), ()), status=1)
        self.assertNotIn("earlier", [(self.dir / name).read_text() for name in options.values()])


def checksum(data):
    """As in src/core/checksum.h."""
    mask, prime, lanes, total = 2**64 - 1, 0x9e3779b185ebca87, [1, 2, 3, 4], 0
    turned = lambda x, by: (x << by | x >> 64 - by) & mask
    for i in range(0, len(data), 8):
        lane = i // 8 % 4
        lanes[lane] = turned((lanes[lane] ^ int.from_bytes(data[i:i + 8], "little")) * prime & mask, 29)
    for lane in lanes:
        total = (turned(total, 23) ^ lane) * prime & mask
    return total ^ total >> 32


class Interrupted(ClashTest):
    """Balls in each other, whose depths take a while."""

    def setUp(self):
        super().setUp()
        self.file("ball.off", sphere(12))
        parts = {f"ball {i}": {"mesh": "ball.off", "pose": at(0.3 * i, 0.01 * (i % 7), 0.013 * (i % 5))} for i in range(14)}
        self.balls = self.parts("balls.json", parts)
        self.command = ["clash", self.balls, "--threads", "1", "--json", "out.json"]

    def interrupt(self):
        """Runs until it was interrupted within the search."""
        wait = 0.1
        for _ in range(20):
            run = subprocess.Popen([cli_test.TUMBLE, *self.command], cwd=self.dir, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
            time.sleep(wait)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=60)
            state = self.dir / "out.json.unfinished"
            if state.exists():
                if json.loads(state.read_text())["pairs"]: return run.returncode, out.decode(), err.decode()
                state.unlink()
            if run.returncode in (0, 1):
                (self.dir / "out.json").unlink()
                wait *= 0.6
            else:
                wait *= 1.3
        self.fail("no run was interrupted in time")

    def test_work_is_taken_up(self):
        self.succeed(*self.command, status=1)
        whole = (self.dir / "out.json").read_bytes()
        (self.dir / "out.json").unlink()
        status, out, err = self.interrupt()
        self.assertEqual((status, out), (-signal.SIGINT, ""))
        self.assertRegex(err, r"\Atumble: interrupted; \d+ of \d+ pairs are kept in out.json.unfinished: .*\n\Z")
        self.assertFalse((self.dir / "out.json").exists())
        kept = json.loads((self.dir / "out.json.unfinished").read_text())
        # Other options, other parts, damage: refused, and what was kept stays.
        self.fail_with("other options.*remove the file", *self.command, "--clearance", "1")
        good = Path(self.balls).read_text()
        Path(self.balls).write_text(good.replace("0.3,", "0.31,"))
        self.fail_with("on other parts", *self.command)
        Path(self.balls).write_text(good)
        state = self.dir / "out.json.unfinished"
        text = state.read_text()
        state.write_text(text.replace("false", "true", 1))
        self.fail_with("out.json.unfinished.*; remove the file to begin anew", *self.command)
        for foreign in ["", "{}", "[1]", text[:-9], '{"schema": "clash/1"}', Path(self.balls).read_text()]:
            state.write_text(foreign)
            self.fail_with("out.json.unfinished.*: it is not unfinished work of tumble clash; give --state another file\n",
                           *self.command)
        self.fail_with("ball.off.*give --state another file", "clash", self.balls, "--state", "ball.off")
        self.assertEqual((self.dir / "ball.off").read_text(), sphere(12))
        self.assertEqual(kept["sum"], f"{checksum(json.dumps(kept['pairs'], separators=(',', ':')).encode()):016x}")
        for a, b in (0, 99), (2**40, 2**41), (3, 3), (5, 4):  # with the right sum
            pairs = [[a, b, 2, False, 1, None, None, 0, 0, 0]]
            forged = checksum(json.dumps(pairs, separators=(",", ":")).encode())
            state.write_text(json.dumps({**kept, "pairs": pairs, "sum": f"{forged:016x}"}))
            self.fail_with("it is not as tumble clash kept it.*remove the file", *self.command)
        state.write_text(text)
        out, err = self.run_tumble(*self.command, status=1)
        self.assertRegex(err, rf"takes up interrupted work, {len(kept['pairs'])} pairs? done")
        self.assertEqual((self.dir / "out.json").read_bytes(), whole)
        self.assertFalse(state.exists())

    def test_work_is_refused_if_other_pairs_are_ignored(self):
        """Also beside other files."""
        for others in [], [self.parts("other.json", {"ball 0": {"pose": at(50)}})]:
            document = json.loads(Path(self.balls).read_text())
            self.command = ["clash", self.balls, *others, "--threads", "1", "--json", "out.json"]
            self.interrupt()
            Path(self.balls).write_text(json.dumps({**document, "ignore": [["ball 1", "ball *"]]}))
            self.fail_with("other options.*remove the file", *self.command)
            Path(self.balls).write_text(json.dumps(document))
            self.run_tumble(*self.command, status=1)
            (self.dir / "out.json").unlink()


STEP_TEMPLATE = Path(__file__).parent / "box.step"
PACKAGES = [words[1] for words in map(str.split, (Path(__file__).parents[2] / "scripts/packages.txt").read_text().splitlines())
            if words and words[0] == "step"]


class Step(ClashTest):
    def test_step_files(self):
        box = str(STEP_TEMPLATE)
        if not (Path(cli_test.TUMBLE).parent / "tumble-step").exists():
            return self.fail_with("built without OpenCASCADE.*apt-get install " + " ".join(PACKAGES), "clash", box, box)
        found = self.clash(box, box, status=1)
        self.assertEqual([p["name"] for p in found["parts"]], ["box", "box#2"])
        self.assertEqual((found["parts"][0]["triangles"], found["parts"][0]["closed"], found["units"]), (12, True, "mm"))
        self.assertEqual(self.classes(found), {("box", "box#2"): "duplicate"})
        self.assertAlmostEqual(found["deflection"], math.sqrt(14) / 1000, 5)
        self.assertEqual(self.clash(box, box, "--deflection", "0.5", status=1)["deflection"], 0.5)
        self.assertRegex(self.succeed("clash", box, box, status=1), r"(?m)^  tessellated +to 0.00374 mm;")
        self.fail_with("cut off", "clash", box, self.file("cut.stp", STEP_TEMPLATE.read_bytes()[:-100]))
        self.fail_with("no STEP file", "clash", box, self.file("x.step", "garbage"))
        for bad in "0", "-1", "1e-100", "9.9e-8", "nan", "1e101":
            self.fail_with(f"--deflection: '{bad}' is not a distance of at least 1e-7 mm", "clash", box, box,
                           f"--deflection={bad}")

    def test_hostile_names(self):
        """A name in a STEP file is in Latin-1, doubles its quotes, and says other characters by their number."""
        if not (Path(cli_test.TUMBLE).parent / "tumble-step").exists():
            self.skipTest("built without OpenCASCADE")
        name = "</script><b>\"it's\" & ]]>"
        for file in "a.step", "b.step":
            text = STEP_TEMPLATE.read_text()
            self.assertIn("PRODUCT('box','box'", text)
            self.file(file, text.replace("PRODUCT('box','box'", "PRODUCT('box','" + name.replace("'", "''") + "\\X\\0Aend'"))
        self.succeed("clash", "a.step", "b.step", "--json", "x.json", "--junit", "x.xml", "--report", "x.html", status=1)
        names = [p["name"] for p in json.loads((self.dir / "x.json").read_text())["parts"]]
        self.assertEqual(names, [name + "\\x0aend", name + "\\x0aend#2"])
        case, = ElementTree.fromstring((self.dir / "x.xml").read_text()).findall("testsuite/testcase")
        self.assertEqual(case.get("name"), " and ".join(names))
        page = (self.dir / "x.html").read_text()
        data, _ = data_of(page)
        self.assertEqual([p["name"] for p in data["parts"]], names)
        self.assertNotRegex(page, "</script(><b>|[^>])")  # nor one that ends in \\u003e

    def test_the_memory_of_the_reader_is_limited(self):
        helper = Path(cli_test.TUMBLE).parent / "tumble-step"
        if not helper.exists() or b"__asan_init" in helper.read_bytes():
            self.skipTest("built without OpenCASCADE, or with a sanitizer, which needs all addresses")
        text = STEP_TEMPLATE.read_text()  # its faces become a ball, a metre in radius
        faces = "".join(f"#{i} = {item};\n" for i, item in enumerate([
            "CLOSED_SHELL('',(#17))", "ADVANCED_FACE('',(#18),#19,.T.)", "FACE_BOUND('',#20,.T.)",
            "SPHERICAL_SURFACE('',#11,1000.)", "VERTEX_LOOP('',#21)", "VERTEX_POINT('',#22)",
            "CARTESIAN_POINT('',(0.,0.,-1000.))"], 16))
        ball = self.file("ball.step", text[:text.index("#16 =")] + faces + text[text.index("#345 ="):])
        reader = subprocess.Popen([helper, ball, "1e-4", "15"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            limit, end = "unlimited", time.monotonic() + 20
            while limit == "unlimited" and time.monotonic() < end:
                lines = Path(f"/proc/{reader.pid}/limits").read_text().splitlines()
                limit = next(line.split()[3] for line in lines if line.startswith("Max address space"))
            self.assertLessEqual(int(limit), os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        finally:
            reader.kill()
            reader.wait()

        def little():  # a machine of 200 MB
            resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))
        done = subprocess.run([helper, ball, "1e-4", "15"], capture_output=True, timeout=60, text=True, preexec_fn=little)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertRegex(done.stderr, r"\A[^\n]*memory[^\n]*\n\Z")


class Gltf(ClashTest):
    """Cubes as nodes of a .gltf with its bytes in a file beside it, and of a .glb."""

    def setUp(self):
        super().setUp()
        self.bytes = (b"".join(struct.pack("<3f", *corner) for corner in CUBE_CORNERS) +
                      b"".join(struct.pack("<3H", *face) for face in CUBE_FACES))
        self.document = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "base", "mesh": 0}, {"name": "turned", "rotation": [0, 0, math.sqrt(0.5), math.sqrt(0.5)],
                                                    "children": [2]}, {"name": "other", "mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
            "buffers": [{"byteLength": len(self.bytes)}]}

    def write(self, x=0, y=0, z=0):
        """The other cube is there, as its parent's quarter turn takes (p, q, r) to (-q, p, r); it is then at x - 1."""
        self.document["nodes"][2]["translation"] = [y, -x, z]
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        chunks = [(b"JSON", text), (b"BIN\0", self.bytes)]
        body = b"".join(struct.pack("<I", len(chunk)) + kind + chunk for kind, chunk in chunks)
        named = {**self.document, "buffers": [{"byteLength": len(self.bytes), "uri": "cube.bin"}]}
        self.file("cube.bin", self.bytes)
        return self.file("two.gltf", json.dumps(named)), self.file("two.glb", b"glTF" + struct.pack("<2I", 2, 12 + len(body)) + body)

    def test_classes(self):
        for place, kind in (((1, 0, 0), "duplicate"), ((0.5, 0.25, 0.25), "piercing"), ((2, 0, 0), "touching"),
                            ((2.25, 0, 0), "too close"), ((2.5, 0, 0), None)):
            for file in self.write(*place):
                with self.subTest(place=place, file=file):
                    found = self.clash(file, "--clearance", "0.25", status=int(kind not in ("touching", None)))
                    self.assertEqual([(p["name"], p["triangles"], p["closed"]) for p in found["parts"]],
                                     [("base", 12, True), ("other", 12, True)])
                    self.assertEqual(self.classes(found), {("base", "other"): kind} if kind else {})

    def test_both_together(self):
        found = self.clash(*self.write(2), status=1)
        self.assertEqual([p["name"] for p in found["parts"]], ["base", "other", "base#2", "other#2"])
        self.assertEqual(self.classes(found), {
            ("base", "base#2"): "duplicate", ("other", "other#2"): "duplicate", ("base", "other"): "touching",
            ("base", "other#2"): "touching", ("other", "base#2"): "touching", ("base#2", "other#2"): "touching"})

    def test_more_instances_than_the_file_has_bytes_for(self):
        """It is read as an assembly already, so that is no advice."""
        self.document["accessors"].append({"componentType": 5126, "count": 10**9, "type": "VEC3"})
        self.document["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2}}}
        self.document["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
        for file in self.write():
            self.fail_with("it expands to far more .* than its size in bytes justifies\n", "clash", file)

    def test_cut_off(self):
        gltf, glb = map(Path, self.write(2))
        whole, text = glb.read_bytes(), gltf.read_bytes()
        for length in 11, 40, len(whole) - 1:
            self.fail_with(r"two.glb.*(the file ends inside|bytes)", "clash", self.file("two.glb", whole[:length]))
        self.fail_with(r"two.gltf, byte \d+: malformed JSON", "clash", self.file("two.gltf", text[:-5]))
        self.file("two.gltf", text)
        self.file("cube.bin", self.bytes[:-1])
        self.fail_with(r"two.gltf: buffers\[0\].*168 bytes.*167", "clash", str(gltf))
        (self.dir / "cube.bin").unlink()
        self.fail_with(r"two.gltf: buffers\[0\].*'cube.bin': there is no such file", "clash", str(gltf))


if __name__ == "__main__":
    cli_test.TUMBLE, cli_test.SCHEMAS = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
