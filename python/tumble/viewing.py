# SPDX-License-Identifier: Apache-2.0
"""Pages to look at: meshes, models, assemblies, worlds, clashes and flights in the viewer of the tumble command's reports.

A page is one HTML file that needs no network. In a notebook it is shown in a frame of its own that can run the page's
script and nothing else: not read the notebook, not open windows, not fetch anything.
"""
import html
import os

from . import _tumble

MOST_TRIANGLES = 300_000  # of what a notebook shows by itself; a page has about 8 bytes for each


class Page:
    """A page to look at. A notebook shows it; save() writes it to a file for a browser."""

    def __init__(self, text):
        self.html = text

    def save(self, file):
        """Writes the page as tumble.save writes a model: the file appears whole or not at all. Its folder must exist."""
        _tumble._write_text(os.fspath(file), self.html)

    def _repr_html_(self, height=600):
        return (f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(self.html, quote=True)}" '
                f'style="width: 100%; height: {int(height)}px; border: 0"></iframe>')

    def __repr__(self):
        return f"<tumble.Page of {len(self.html) // 1000} kB; save(file) writes it, a notebook shows it>"


def show(thing, *, title=None):
    """A Page of a mesh, a model, an assembly, its clashes, or a world with its contacts.

    >>> tumble.show(tumble.load("examples/cube.obj"))        # doctest: +ELLIPSIS
    <tumble.Page of ... kB; save(file) writes it, a notebook shows it>
    """
    title = repr(thing).strip("<>") if title is None else str(title)
    if isinstance(thing, _tumble.World):
        return Page(_tumble._world_page(thing, title))
    if isinstance(thing, _tumble.Clashes):
        return Page(_tumble._clashes_page(thing, title))
    if not isinstance(thing, _tumble.Assembly):
        if isinstance(thing, _tumble.ConvexModel):
            model = thing.model()
        else:
            model = thing if isinstance(thing, _tumble.Model) else _tumble.Model(thing)
        thing = _tumble.Assembly([_tumble.PlacedPart("model", model)])
    return Page(_tumble._assembly_page(thing, title))


def show_flight(a, b, poses, *, pose_a=None, title="a flight"):
    """A Page on which b flies along (N, 4, 4) poses past a, with their contacts on the way.

    >>> cube = tumble.load("examples/cube.obj")
    >>> path = np.tile(np.eye(4), (5, 1, 1))
    >>> path[:, 0, 3] = np.linspace(-3, 3, 5)
    >>> tumble.show_flight(cube, cube, path)                 # doctest: +ELLIPSIS
    <tumble.Page of ... kB; save(file) writes it, a notebook shows it>
    """
    return Page(_tumble._flight_page(a, b, poses, pose_a, str(title)))


def in_notebook(thing):
    """What a notebook shows of a thing: its page, or its repr and the way to the page if that would be large."""
    if isinstance(thing, _tumble.World):
        models = [thing.model(id) for id in thing.bodies().tolist()]
    elif isinstance(thing, (_tumble.Assembly, _tumble.Clashes)):
        models = [part.model for part in getattr(thing, "assembly", thing).parts]
    else:
        models = [thing]
    triangles = sum(len(model.triangles) for model in models)
    if not 0 < triangles <= MOST_TRIANGLES:
        return f"<pre>{html.escape(repr(thing))}</pre>" + ("show() shows its many triangles." if triangles else "")
    return show(thing)._repr_html_()
