# SPDX-License-Identifier: Apache-2.0
"""Docstrings, documents and stubs say what is true: examples run, and the stubs have the module's names."""
import ast
import doctest
import inspect
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import tumble
import tumble.collision_manager
import tumble.compat.fcl

ROOT = Path(__file__).resolve().parents[2]


def documented():
    """(name, docstring) of everything public."""
    yield "tumble", tumble.__doc__

    def walk(name, thing):
        if isinstance(getattr(thing, "__doc__", None), str):
            yield name, thing.__doc__
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield from walk(f"{name}.{member}", value)

    for module in (tumble, tumble.compat.fcl):
        for name, thing in vars(module).items():
            if not name.startswith("_") and not inspect.ismodule(thing):
                yield from walk(name, thing)


EXAMPLES = [(name, doc) for name, doc in documented() if ">>>" in doc]


@pytest.mark.parametrize("name, doc", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_docstring(name, doc):
    test = doctest.DocTestParser().get_doctest(doc, {"tumble": tumble, "np": np}, name, None, 0)
    report = []
    assert doctest.DocTestRunner().run(test, out=report.append).failed == 0, "".join(report)


def test_every_function_has_an_example():
    have = {name for name, _ in EXAMPLES}
    for name in tumble.__all__:
        if inspect.isbuiltin(getattr(tumble, name)):
            assert name in have, f"{name} has no example in its docstring"


def blocks(file):
    text = (ROOT / file).read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("file", ["README.md", "docs/python.md"])
def test_code_of_documents_runs(file, tmp_path, monkeypatch):
    """All blocks of a document, one after the other, as one program."""
    code = blocks(file)
    assert code
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names = {}
    for block in code:
        if "distributed" in block:
            pytest.importorskip("distributed", reason="python3-distributed is not installed")
        exec(compile(block, file, "exec"), names)


def rows(heading):
    """The rows of a table under a heading: (theirs, ours)."""
    text = (ROOT / "docs/python.md").read_text()
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[1].startswith("`"):
            assert len(cells) == 2, line
            yield cells


@pytest.mark.parametrize("heading", ["Coming from trimesh", "Coming from python-fcl", "Coming from Coal"])
def test_rows_of_migration_tables_run(heading):
    """Each row's right-hand side is code that runs, with these names."""
    mesh = tumble.load_mesh("examples/cube.obj")
    model = tumble.Model(mesh)
    near = np.eye(4)
    near[0, 3] = 1.5
    robots = tumble.World()
    arm = robots.add_robot(tumble.load_robot("examples/arm.urdf"))
    count = 0
    for theirs, ours in rows(heading):
        names = {"tumble": tumble, "np": np, "mesh": mesh, "a": model, "b": model, "pose_a": None, "pose_b": near,
                 "pose_end": np.eye(4), "transform": near, "manager": tumble.CollisionManager(), "fcl": tumble.compat.fcl,
                 "vertices": mesh.vertices, "faces": mesh.faces, "points": mesh.vertices,
                 "other": tumble.CollisionManager(), "pair": tumble.Pair(model, model), "poses": near[None],
                 "directions": mesh.vertices, "file": "examples/cube.obj", "rotation": np.eye(3), "translation": [1, 2, 3],
                 "hull": tumble.ConvexModel(mesh), "robots": robots, "arm": arm, "configurations": np.zeros((3, 2))}
        names["manager"].add_object("lid", mesh)
        code = re.findall(r"`([^`]+)`", ours)
        assert code, ours
        for snippet in code:
            exec(snippet, names)
        count += 1
    assert count >= 6


# ---- stubs

def stub(file):
    return ast.parse((ROOT / "python/tumble" / file).read_text())


def arguments(function):
    """(name, has a default) of each argument, * marking where keywords begin."""
    a = function.args
    required = len(a.args) - len(a.defaults)
    found = [(arg.arg, i >= required) for i, arg in enumerate(a.posonlyargs + a.args)]
    if a.kwonlyargs:
        found.append(("*", False))
        found += [(arg.arg, default is not None) for arg, default in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        found.append(("**", False))
    return [argument for argument in found if argument[0] != "self"]


def signature(doc, name):
    """The same from the first line of what pybind11 writes: name(self: T, pose: Pose = None, *, solid: bool = False)."""
    line = doc.splitlines()[0]
    assert line.startswith(name + "("), line
    inner, depth, found = line[len(name) + 1:], 0, [""]
    for char in inner:
        depth += (char in "[(") - (char in "])")
        if depth < 0:
            break
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    found = [part.strip() for part in found if part.strip()]
    result = [("*", False) if part == "*" else ("**", False) if part.startswith("**")
              else (part.split(":")[0], " = " in part) for part in found]
    return [argument for argument in result if argument[0] != "self"]


def test_stubs_match_the_module():
    module = tumble._tumble
    tree = stub("_tumble.pyi")
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    values = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    public = {name for name in vars(module) if not name.startswith("_")}
    assert public == {name for name in (*classes, *functions, *values) if not name.startswith("_")}
    for name, node in functions.items():
        assert arguments(node) == signature(getattr(module, name).__doc__, name), name
    for name, node in classes.items():
        real = getattr(module, name)
        if not real.__module__.startswith("tumble") or issubclass(real, (int, Exception)):
            continue
        members = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
        own = {m for m in vars(real) if not m.startswith("_")} | ({"__init__"} & set(vars(real)))
        has_init = "__init__" in vars(real) and "(self: " in (real.__init__.__doc__ or "")
        own -= set() if has_init else {"__init__"}
        assert own == {m for m in members if not m.startswith("_") or m == "__init__"}, name
        for member, function in members.items():
            decorators = {d.id for d in function.decorator_list if isinstance(d, ast.Name)}
            value = vars(real)[member]
            if "property" in decorators:
                assert isinstance(value, property), (name, member)
            elif not member.startswith("__") or member == "__init__":
                assert arguments(function) == signature(getattr(real, member).__doc__, member), (name, member)


def test_stubs_of_pure_python_are_its_own_annotations():
    package = stub("__init__.pyi")
    exported = {alias.asname or alias.name for node in package.body if isinstance(node, ast.ImportFrom)
                for alias in node.names}
    assert set(tumble.__all__) <= exported | {"*"} and "CollisionManager" in exported
    assert (ROOT / "python/tumble/py.typed").exists()


def test_the_tutorial_runs(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.argv", ["tutorial.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "examples/tutorial.py"), run_name="__main__")
    assert "it passes" in capsys.readouterr().out
    assert {file.name for file in tmp_path.iterdir()} == {"flight.html", "world.html"}
