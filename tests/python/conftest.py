# SPDX-License-Identifier: Apache-2.0
"""What all Python tests share: where they run, how hypothesis behaves, and a few meshes."""
import os
from pathlib import Path

import hypothesis
import pytest

import tumble

ROOT = Path(__file__).resolve().parents[2]

# The same examples every time, unless TUMBLE_EXAMPLES asks for so many random ones; a failing one prints how to repeat
# it. No deadline: the machine may be busy.
EXAMPLES = os.environ.get("TUMBLE_EXAMPLES")
hypothesis.settings.register_profile("tumble", deadline=None, max_examples=int(EXAMPLES or 20),
                                     derandomize=not EXAMPLES, print_blob=True, database=None)
hypothesis.settings.load_profile("tumble")


@pytest.fixture(autouse=True)
def root(monkeypatch):
    """Docstrings and documents name files from the repository's root."""
    monkeypatch.chdir(ROOT)
    return ROOT


@pytest.fixture(scope="session")
def cube():
    """A model of the cube from -1 to 1."""
    return tumble.load(ROOT / "examples/cube.obj")


@pytest.fixture(scope="session")
def torus():
    return tumble.load(ROOT / "examples/torus.stl")


def pytest_report_header():
    return f"tumble {tumble.__version__} from {os.path.dirname(tumble.__file__)}"
