# SPDX-License-Identifier: Apache-2.0
"""Pages: what they hold, that they need no network, and that no name or title gets out of its place."""
import base64
import html
import json
import os
import re
import stat
import threading
from html.parser import HTMLParser

import numpy as np
import pytest

import tumble

EVIL = '"></iframe><script>alert(1)</script><!-- &quot; \' </script>'


def at(*translation):
    pose = np.eye(4)
    pose[:3, 3] = translation
    return pose


class Elements(HTMLParser):
    """All elements of a text with their attributes, and the text of scripts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.scripts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] == "script":
            self.scripts.append((self.elements[-1][1], data))


def report(page):
    """The data of a page: the JSON, and the bytes that go with it."""
    data = [text for attributes, text in Elements(page.html).scripts if attributes.get("type") != "module"]
    found = [json.loads(text) for text in data if text.lstrip().startswith("{")]
    binary = [text for text in data if not text.lstrip().startswith("{")]
    assert len(found) == 1, [text[:40] for text in data]
    return found[0], base64.b64decode("".join(binary).strip() or "")


def frame(text):
    """The page in a notebook's frame."""
    elements = Elements(text).elements
    assert [tag for tag, _ in elements] == ["iframe"], elements
    assert elements[0][1]["sandbox"] == "allow-scripts" and "src" not in elements[0][1]
    return elements[0][1]["srcdoc"]


def things(cube):
    assembly = tumble.Assembly([tumble.PlacedPart("a", cube), tumble.PlacedPart("b", cube, at(1.5, 0.2, 0.1))], units="mm")
    world = tumble.World()
    world.add_assembly(assembly)
    return {"mesh": tumble.Mesh.of(cube), "model": cube, "hull": tumble.ConvexModel(cube), "assembly": assembly,
            "clashes": tumble.clash(assembly), "world": world}


@pytest.mark.parametrize("kind", ["mesh", "model", "hull", "assembly", "clashes", "world"])
def test_pages(cube, kind):
    thing = things(cube)[kind]
    page = thing.show()
    data, _ = report(page)
    parts = 1 if kind in ("mesh", "model", "hull") else 2
    assert len(data["parts"]) == parts and data["meshes"][0]["triangles"] == 12 and data["title"] == repr(thing)[1:-1]
    assert len(data["clashes"]) == (kind in ("clashes", "world"))
    assert frame(thing._repr_html_()) == frame(page._repr_html_()) == page.html
    assert "kB" in repr(page) and tumble.show(thing, title="mine").html.count('"title":"mine"') == 1
    if kind == "clashes":
        assert data["clashes"][0]["class"] == "piercing" and data["clashes"][0]["outline"]["segments"] > 0
        assert data["units"] == "mm"


def test_flights(cube):
    path = np.array([at(x, 0, 0) for x in np.linspace(-4, 4, 9)])
    data, _ = report(tumble.show_flight(cube, cube, path))
    hits = tumble.collide_many(cube, cube, path)
    first, last = np.flatnonzero(hits)[[0, -1]]
    assert data["motion"]["steps"] == 9 and [clash["steps"] for clash in data["clashes"]] == [[first, last]]
    with pytest.raises(tumble.Error):
        tumble.show_flight(cube, cube, path[:0])


def test_pages_need_no_network(cube):
    page = cube.show()
    for tag, attributes in Elements(page.html).elements:
        for name in ("src", "href", "srcset", "action", "data"):
            value = attributes.get(name) or ""
            assert value.startswith(("data:", "#")) or not value, (tag, name, value[:60])
    assert "default-src 'none'" in page.html


def test_names_stay_names(cube):
    assembly = tumble.Assembly([tumble.PlacedPart(EVIL, cube), tumble.PlacedPart(EVIL + "2", cube, at(1, 0, 0))])
    plain = Elements(things(cube)["assembly"].show().html).elements
    for thing in (assembly, tumble.clash(assembly)):
        page = tumble.show(thing, title=EVIL)
        data, _ = report(page)
        assert [part["name"] for part in data["parts"]] == [EVIL, EVIL + "2"] and data["title"] == EVIL
        assert [tag for tag, _ in Elements(page.html).elements] == [tag for tag, _ in plain]  # no element more
        assert frame(page._repr_html_()) == page.html
    assert "<script>alert" not in html.unescape(re.sub(r'srcdoc="[^"]*"', "", page._repr_html_()))


def test_large_things_show_their_repr(cube, monkeypatch):
    monkeypatch.setattr("tumble.viewing.MOST_TRIANGLES", 11)
    assert cube._repr_html_().startswith("<pre>&lt;tumble.Model: 12 triangles") and "show()" in cube._repr_html_()
    assert "<iframe" in cube.show()._repr_html_()
    assert tumble.World()._repr_html_() == "<pre>&lt;tumble.World of 0 bodies&gt;</pre>"


def test_saving(cube, tmp_path):
    page = cube.show()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html and len(list(tmp_path.iterdir())) == 1
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inside").mkdir()
    for target in (tmp_path / "missing" / "page.html", tmp_path / "folder", tmp_path / "page.html" / "page.html"):
        for file in (target, str(target)):
            with pytest.raises(tumble.Error, match="cannot write") as error:
                page.save(file)
            assert error.value.code == "file_access" and error.value.file == str(target)
    assert len(list(tmp_path.iterdir())) == 2


def test_saving_respects_what_is_there(cube, tmp_path):
    page = cube.show()
    pipe, private, link = tmp_path / "pipe", tmp_path / "private.html", tmp_path / "link.html"
    os.mkfifo(pipe)
    arrived = []
    reader = threading.Thread(target=lambda: arrived.append(pipe.read_text()), daemon=True)
    reader.start()
    page.save(pipe)
    assert pipe.is_fifo()
    reader.join(60)
    assert arrived == [page.html]
    private.write_text("an earlier page")
    private.chmod(0o600)
    link.symlink_to(private.name)
    page.save(link)
    assert link.is_symlink() and private.read_text() == page.html and private.stat().st_mode & 0o777 == 0o600
    private.chmod(0o400)
    if os.geteuid() != 0:
        with pytest.raises(tumble.Error, match="cannot write"):
            page.save(private)


def test_saving_respects_the_umask_and_leaves_it_alone(cube, tmp_path):
    before = os.umask(0o077)
    try:
        cube.show().save(tmp_path / "page.html")
    finally:
        found = os.umask(before)
    assert found == 0o077
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o600
