# SPDX-License-Identifier: Apache-2.0
"""Exact, fast collision detection between triangle meshes.

A pose is a (4, 4) or (3, 4) array that takes a body's coordinates into the world; None is the identity.

>>> cube = tumble.load("examples/cube.obj")
>>> pose = np.eye(4)
>>> pose[0, 3] = 0.9
>>> tumble.collide(cube, None, cube, pose)
True
"""
import importlib


def _refuse_subinterpreter():
    """Objects of the extension belong to one interpreter; pybind11 cannot tell several apart, and would wait forever."""
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError("tumble works in the main interpreter only; use threads or processes")


_refuse_subinterpreter()

import numpy as _numpy  # noqa: E402,F401: where it is missing, the extension would say no more than that it failed
from . import _tumble  # noqa: E402
from ._tumble import *  # noqa: E402,F403: everything whose name does not begin with an underscore
from ._tumble import __version__  # noqa: E402

__all__ = sorted(name for name in vars(_tumble) if not name.startswith("_"))
for _name in __all__:
    _value = getattr(_tumble, _name)
    if isinstance(_value, type) and _value.__module__ == _tumble.__name__:
        _value.__module__ = __name__  # what users see, and what pickle writes
del _name, _value

from .collision_manager import CollisionManager  # noqa: E402
from .viewing import Page, show, show_flight  # noqa: E402

__all__ += ["CollisionManager", "Page", "show", "show_flight"]
