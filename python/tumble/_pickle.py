# SPDX-License-Identifier: Apache-2.0
"""What pickles of models name: functions of the extension have no name that pickle could find."""
from . import _tumble


def open_stored(file, checksum):
    return _tumble._open_stored(file, checksum)


def read_stored(stored):
    return _tumble._read_stored(stored)


def hull_of(vertices, triangles):
    return _tumble.ConvexModel.hull_of((vertices, triangles))


def assembly(models, parts, units, ignore):
    return _tumble.Assembly([_tumble.PlacedPart(name, models[index], pose, group=group, moves=moves)
                             for name, index, pose, group, moves in parts], units=units, ignore=ignore)
