# SPDX-License-Identifier: Apache-2.0
"""Installation: a wheel that carries its libraries, in a virtual environment and without a network; and a prefix."""
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ.get("TUMBLE_BUILD_DIR")
pytestmark = pytest.mark.skipif(not BUILD, reason="TUMBLE_BUILD_DIR names no build folder")

ASK = ("import tumble; cube = tumble.load('examples/cube.obj'); print(tumble.__file__, tumble.collide(cube, None, cube, "
       "None), tumble.CollisionManager, __import__('tumble.compat.fcl'))")


def run(*command, **env):
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env={**kept, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_pip_installs_a_wheel_that_carries_its_libraries(tmp_path):
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env")
    python = tmp_path / "env/bin/python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir")
    run(*pip, "wheel", "--no-index", "--no-deps", "-w", tmp_path, f"--config-settings=build-dir={BUILD}", ".")
    wheel, = tmp_path.glob("tumble-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"tumble/__init__.py", "tumble/_tumble.pyi", "tumble/py.typed", "tumble/compat/fcl.py"} <= set(names)
    assert any(name.startswith("tumble/_libs/libtbb") for name in names)
    run(*pip, "install", "--no-index", wheel)
    answer = run(python, "-c", ASK)
    assert str(tmp_path / "env") in answer and " True " in answer
    package = next((tmp_path / "env").rglob("site-packages/tumble"))
    listed = run("ldd", next(package.glob("_tumble.*.so")))
    for line in listed.splitlines():
        if "libtbb" in line or "libqhull" in line or "libexpat" in line:
            assert str(package / "_libs") in line, line
    run(*pip, "uninstall", "-y", "tumble")
    assert not package.exists()


def test_cmake_installs_into_a_prefix(tmp_path):
    run("cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path)
    package, = tmp_path.rglob("site-packages/tumble")
    assert str(tmp_path) in run(sys.executable, "-c", ASK, PYTHONPATH=str(package.parent))
