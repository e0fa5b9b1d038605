#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns a planning scene in YAML, as MotionBenchMaker has them, into a PARTS.json with its meshes.

Usage: scene_to_parts.py SCENE.yaml FOLDER [PACKAGE ...]

Writes FOLDER/SCENE.json and the meshes it names beside it, and prints the name of the former. package://NAME/PATH is
the file PATH in the folder NAME of a PACKAGE, or in a PACKAGE that is itself called NAME, or else what the end of PATH
names in the folder of SCENE.yaml. Parts do not move, so they are tested against robots and not against each other; each
collision object of several shapes is a group. Lengths are in m, and frames are taken to be the world's.

Of YAML this reads what such scenes are made of: maps and lists, by indentation or in brackets on one line, and plain or
quoted words and numbers. Anything else is refused, with its line.
"""
import json
import math
import re
import shutil
import sys
from pathlib import Path, PurePosixPath


class SceneError(Exception):
    pass


class Yaml:
    """The part of YAML that scenes are written in."""
    KEY = re.compile(r"""("[^"\\]*"|'[^']*'|[A-Za-z_][\w./-]*)\s*:(?:\s+|$)(.*)""")
    WORD = re.compile(r"""\s*("[^"\\]*"|'[^']*'|[][{},]|:(?=\s)|[^][{},:"'\s][^][{},:]*)""")
    NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
    COMMENT = re.compile(r"""((?:"[^"]*"|'[^']*'|[^"'#]|(?<=\S)#)*?)(?:(?:^|(?<=\s))#.*)?""")

    def __init__(self, text):
        self.lines = []  # number, indentation, text; the next comes last
        for number, line in enumerate(text.splitlines(), 1):
            whole = self.COMMENT.fullmatch(line)
            bare = whole.group(1).rstrip() if whole else line
            if "\t" in bare[: len(bare) - len(bare.lstrip())]:
                raise SceneError(f"line {number}: indentation by tabs")
            if bare.strip() and not (number == 1 and bare == "---"):
                self.lines.append((number, len(bare) - len(bare.lstrip()), bare.strip()))
        self.lines.reverse()

    def document(self):
        if not self.lines:
            raise SceneError("it is empty")
        value = self.block(self.lines[-1][1])
        if self.lines:
            self.refuse("a line that is indented like none before it")
        return value

    def refuse(self, what, number=None):
        raise SceneError(f"line {number or self.lines[-1][0]}: {what} is not read here")

    @staticmethod
    def is_item(text):
        return text == "-" or text.startswith("- ")

    def block(self, indent):
        number, _, text = self.lines[-1]
        if self.is_item(text):
            return self.sequence(indent)
        if self.KEY.fullmatch(text):
            return self.mapping(indent)
        self.lines.pop()
        return self.flow(text, number)

    def sequence(self, indent):
        items = []
        while self.lines and self.lines[-1][1] == indent and self.is_item(self.lines[-1][2]):
            number, _, text = self.lines.pop()
            rest = text[1:].lstrip()
            if rest:
                inside = indent + len(text) - len(rest)
                self.lines.append((number, inside, rest))
                items.append(self.block(inside))
            else:
                items.append(self.below(indent + 1))
        return items

    def mapping(self, indent):
        found = {}
        while self.lines and self.lines[-1][1] == indent and not self.is_item(self.lines[-1][2]):
            number, _, text = self.lines[-1]
            match = self.KEY.fullmatch(text)
            if not match:
                self.refuse(f"'{text}', where a name and a colon belong,")
            self.lines.pop()
            key = match.group(1).strip("\"'")
            if key in found:
                self.refuse(f"a second '{key}'", number)
            is_list = self.lines and self.lines[-1][1] == indent and self.is_item(self.lines[-1][2])
            found[key] = (self.flow(match.group(2), number) if match.group(2) else
                          self.sequence(indent) if is_list else self.below(indent + 1))
        return found

    def below(self, least):
        """What is indented by at least so much; nothing if nothing is."""
        return self.block(self.lines[-1][1]) if self.lines and self.lines[-1][1] >= least else None

    def flow(self, text, number):
        """A value on one line."""
        if self.lines and text[0] in "[{" and text.count(text[0]) > text.count({"[": "]", "{": "}"}[text[0]]):
            self.refuse("a list that goes on in the next line", number)
        if text[0] not in "[{":
            return self.scalar(text, number)
        words, at = [], 0
        while at < len(text):
            match = self.WORD.match(text, at)
            if not match:
                self.refuse(f"'{text[at:].strip()}'", number)
            words.append(match.group(1).strip())
            at = match.end()
        words.reverse()
        value = self.flow_value(words, number)
        if words:
            self.refuse(f"'{words[-1]}' behind the end of a list", number)
        return value

    def flow_value(self, words, number):
        def take(*wanted):
            word = words.pop() if words else "the end of the line"
            if word not in wanted:
                self.refuse(f"{word}, where {' or '.join(wanted)} belongs,", number)
            return word

        first = words.pop() if words else self.refuse("the end of the line inside a list", number)
        if first in ("]", "}", ",", ":"):
            self.refuse(f"'{first}', where a value belongs,", number)
        if first not in ("[", "{"):
            return self.scalar(first, number)
        end, values, pairs = {"[": "]", "{": "}"}[first], [], {}
        while words and words[-1] != end:
            if first == "[":
                values.append(self.flow_value(words, number))
            else:
                key = self.scalar(words.pop(), number)
                if key in pairs:
                    self.refuse(f"'{key}', which is there twice,", number)
                take(":")
                pairs[key] = self.flow_value(words, number)
            if words and words[-1] != end:
                take(",")
        take(end)
        return values if first == "[" else pairs

    def scalar(self, text, number):
        if text[0] in "\"'":
            if len(text) < 2 or text[-1] != text[0] or text[0] in text[1:-1] or "\\" in text:
                self.refuse(f"the text {text}", number)
            return text[1:-1]
        if text[0] in "&*!|>%@`?":
            self.refuse(f"'{text}'", number)
        if self.NUMBER.fullmatch(text):
            return float(text)
        return None if text in ("~", "null") else text


def member(holder, name, kind, where, otherwise=None):
    """Of a map; it must be of this kind, or missing if there is something to take otherwise."""
    value = holder.get(name)
    if value is None and otherwise is not None:
        return otherwise
    if not isinstance(value, kind):
        raise SceneError(f"{where}: '{name}' is {'missing' if value is None else 'of the wrong kind'}")
    return value


def numbers(holder, name, counts, where):
    values = member(holder, name, list, where)
    if len(values) not in counts or not all(isinstance(v, float) and math.isfinite(v) for v in values):
        raise SceneError(f"{where}: '{name}' must be {' or '.join(map(str, counts))} numbers")
    return values


def only(holder, names, where):
    if not isinstance(holder, dict):
        raise SceneError(f"{where}: it must be a map of {', '.join(names)}")
    for name in holder:
        if name not in names:
            raise SceneError(f"{where}: '{name}' is not read, only {', '.join(names)}")


def pose(given, where):
    only(given, ("position", "orientation"), where)
    return {"translation": numbers(given, "position", (3,), where), "xyzw": numbers(given, "orientation", (4,), where)}


def off(vertices, faces):
    lines = ["OFF", f"{len(vertices)} {len(faces)} 0"]
    lines += [" ".join(map(repr, vertex)) for vertex in vertices]
    lines += [" ".join(map(str, (len(face), *face))) for face in faces]
    return "\n".join(lines) + "\n"


def turned(bottom, rings, top, around):
    """Rings (radius, z) from below upwards, closed by a fan at each end, as in src/assembly/primitives.cpp."""
    turns = [2 * math.pi * i / around for i in range(around)]
    around_axis = [(r * math.cos(t), r * math.sin(t), z) for r, z in rings for t in turns]
    vertices = [(0.0, 0.0, bottom), *around_axis, (0.0, 0.0, top)]
    last, faces = len(vertices) - 1, []
    for i in range(around):
        a, b = 1 + i, 1 + (i + 1) % around
        faces += [(0, b, a), (last, last - around + i, last - around + b - 1)]
        for below in range(0, last - 1 - around, around):
            faces += [(a + below, b + below, b + below + around), (a + below, b + below + around, a + below + around)]
    return off(vertices, faces)


def unit_box():
    corners = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
    return off(corners, [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
                         (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)])


def unit_sphere():
    angles = [math.pi * i / 24 for i in range(1, 24)]
    return turned(-1.0, [(math.sin(angle), -math.cos(angle)) for angle in angles], 1.0, 48)


# How many dimensions, which scale of the unit mesh they are, and that mesh. Round ones are as fine as those of robots.
SHAPES = {
    "box": (3, lambda d: d, unit_box),
    "cylinder": (2, lambda d: [d[1], d[1], d[0]], lambda: turned(-0.5, [(1, -0.5), (1, 0.5)], 0.5, 32)),
    "sphere": (1, lambda d: d * 3, unit_sphere),
}


class Scene:
    def __init__(self, file, packages):
        self.file, self.packages = Path(file), [Path(p) for p in packages]
        self.made = {}  # by its name in the folder, what makes a mesh
        self.copied = {}  # by its file, a mesh's name in the folder
        try:
            document = Yaml(self.file.read_text(encoding="utf-8")).document()
        except RecursionError:
            raise SceneError("it is nested too deeply") from None
        if not isinstance(document, dict):
            raise SceneError("it has no 'world'")
        self.check_frames(member(document, "fixed_frame_transforms", list, "the scene", otherwise=[]))
        world = member(document, "world", dict, "the scene")
        self.parts = []
        for number, each in enumerate(member(world, "collision_objects", list, "world"), 1):
            self.add(each, f"collision object {number}")
        if not self.parts:
            raise SceneError("it has no collision object")

    @staticmethod
    def check_frames(transforms):
        for each in transforms:
            moved = member(each, "transform", dict, "a fixed frame") if isinstance(each, dict) else {}
            x, y, z, _ = numbers(moved, "rotation", (4,), "a fixed frame")
            if [*numbers(moved, "translation", (3,), "a fixed frame"), x, y, z] != [0] * 6:
                raise SceneError("a fixed frame is not the world's, and only such are read")

    def add(self, given, where):
        only(given, ("header", "id", "primitives", "primitive_poses", "meshes", "mesh_poses"), where)
        name = given.get("id")
        if name is None or isinstance(name, (list, dict)):
            raise SceneError(f"{where}: 'id' is missing")
        name = f"{name:.17g}" if isinstance(name, float) else name
        where = f"collision object '{name}'"
        shapes = []
        for kind, place, make in ("primitives", "primitive_poses", self.primitive), ("meshes", "mesh_poses", self.mesh):
            found, poses = (member(given, part, list, where, otherwise=[]) for part in (kind, place))
            if len(found) != len(poses):
                raise SceneError(f"{where}: {len(found)} of '{kind}' and {len(poses)} of '{place}'")
            shapes += [{"name": name, **make(shape, where), "pose": pose(at, where)} for shape, at in zip(found, poses)]
        if not shapes:
            raise SceneError(f"{where}: it has no shape")
        for shape in shapes:
            if len(shapes) > 1:
                shape["group"] = name
            shape["moves"] = False
        self.parts += shapes

    def primitive(self, given, where):
        only(given, ("type", "dimensions"), where)
        kind = given.get("type")
        if not isinstance(kind, str) or kind not in SHAPES:
            raise SceneError(f"{where}: the shape '{kind}' is not read, only {', '.join(SHAPES)}")
        count, scale, make = SHAPES[kind]
        size = numbers(given, "dimensions", (count,), where)
        if min(size) <= 0:
            raise SceneError(f"{where}: its dimensions must be above 0")
        self.made[f"{kind}.off"] = make
        return {"mesh": f"{kind}.off", "scale": scale(size)}

    def mesh(self, given, where):
        only(given, ("resource", "dimensions"), where)
        file = self.find(member(given, "resource", str, where), where)
        if file not in self.copied:
            taken = {*self.copied.values(), *(f"{kind}.off" for kind in SHAPES)}
            names = (f"{file.stem}{'' if i == 1 else f'_{i}'}{file.suffix}" for i in range(1, len(taken) + 2))
            self.copied[file] = next(name for name in names if name not in taken)
        scale = numbers(given, "dimensions", (3,), where) if "dimensions" in given else [1.0] * 3
        return {"mesh": self.copied[file], "scale": scale}

    def find(self, resource, where):
        path = PurePosixPath(re.sub("^(package|file)://", "", resource))
        if ".." in path.parts:
            raise SceneError(f"{where}: '..' in the name of a mesh, {resource}")
        places = []
        if not path.name:
            raise SceneError(f"{where}: '{resource}' names no mesh")
        if resource.startswith("package://"):
            name, inside = path.parts[0], Path(*path.parts[1:])
            places = [p / name / inside for p in self.packages] + [p / inside for p in self.packages if p.name == name]
        ends = [part for part in path.parts if part != "/"]
        places += [self.file.parent / Path(*ends[i:]) for i in range(len(ends))]
        for place in places:
            if place.is_file():
                return place.resolve()
        raise SceneError(f"{where}: {resource} is neither in a package that was named nor in {self.file.parent}")

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, make in self.made.items():
            (folder / name).write_text(make())
        for file, name in self.copied.items():
            shutil.copyfile(file, folder / name)
        out = folder / f"{self.file.stem}.json"
        out.write_text(json.dumps({"units": "m", "parts": self.parts}, indent=1) + "\n")
        return out


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    file, folder, *packages = sys.argv[1:]
    try:
        print(Scene(file, packages).write(Path(folder)))
    except (SceneError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"scene_to_parts.py: {file}: {error}")


if __name__ == "__main__":
    main()
