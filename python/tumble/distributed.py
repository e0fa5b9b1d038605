# SPDX-License-Identifier: Apache-2.0
"""Sweeps and assemblies on many machines, by Dask (distributed.Client).

Dask schedules, does a lost worker's chunk again, and shows progress; this module only cuts work into chunks and puts
answers together. Answers are those of one machine, byte for byte. Files must be readable under the same path for the
client and all workers; workers map them.

>>> from distributed import Client                                           # doctest: +SKIP
>>> client = Client("scheduler:8786")                                        # doctest: +SKIP
>>> tumble.save(model, "/shared/part.tmbl"); np.save("/shared/poses.npy", poses)      # doctest: +SKIP
>>> hits = tumble.distributed.collide_many(client, "/shared/part.tmbl", "/shared/part.tmbl", "/shared/poses.npy",
...                                        progress=True)                    # doctest: +SKIP
"""
import hashlib
import os
import re
import time
from pathlib import Path

try:
    import distributed
except ImportError as error:
    raise ImportError("tumble.distributed needs Dask: apt-get install python3-distributed, or pip install distributed"
                      ) from error
import numpy as np

from . import _pickle, _tumble

__all__ = ["clash", "collide_many"]

MOST_SEGMENTS = 32  # that are measured, so that dear stretches get smaller chunks than cheap ones
MOST_CHUNKS = 10_000  # Dask's scheduler takes about a millisecond for each


def collide_many(client, a, b, poses, *, ignore_touch=False, solid=False, pose_a=None, seconds=2.0, progress=False):
    """tumble.collide_many on a cluster: an array of bool, one for each pose of b.

    a, b: stored models (.tmbl), as paths or opened by tumble.load; poses: the path of a .npy file of (N, 4, 4) or
    (N, 3, 4) poses. seconds: about how long a chunk is to take; progress: show Dask's bar.
    """
    file = str(Path(os.fspath(poses)).absolute())
    count = len(_poses(file))
    models = [client.submit(*_stored(model)) for model in (a, b)]
    options = {"ignore_touch": ignore_touch, "solid": solid, "pose_a": pose_a}
    answers = np.empty(count, bool)
    for (first, last), part in _in_chunks(client, count, seconds, progress, _collide, models, file, options):
        answers[first:last] = part
    return answers


def clash(client, assembly, folder, *, clearance=0.0, tolerance=0.0, between=None, ignore=(),
          depth_precision=0.0, depth_node_pairs=None, seconds=2.0, progress=False):
    """tumble.clash on a cluster: the same Clashes.

    folder: where models that were not opened from stored files are stored for the workers, each once.
    """
    where = {"clearance": clearance, "tolerance": tolerance, "between": between, "ignore": ignore}
    how = {"depth_precision": depth_precision, "depth_node_pairs": depth_node_pairs}
    function, arguments = _store(assembly, Path(folder).absolute()).__reduce__()
    opened = client.submit(function, *arguments, pure=False)
    near = client.submit(_candidates, opened, where, pure=False)
    pairs, clear = near.result()
    found = []
    for _, (rows, without) in _in_chunks(client, len(pairs), seconds, progress, _clash, opened, near, {**where, **how}):
        found.append(rows)
        clear += without
    every = np.zeros(sum(map(len, found)), _tumble.clash_dtype)  # NumPy's concatenate would give another layout
    for name in every.dtype.names if found else ():
        every[name] = np.concatenate([rows[name] for rows in found])
    return _tumble._clashes(assembly, every[np.lexsort([every["b"], every["a"]])], clear)


def _store(assembly, folder):
    """The same assembly, of stored models only."""
    models, parts, units, ignore = assembly.__reduce__()[1]
    for i, model in enumerate(models):
        function, arguments = model.__reduce__()
        if function is not _pickle.open_stored:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{hashlib.sha256(arguments[0]).hexdigest()[:32]}.tmbl"
            if not file.exists():
                _tumble.save(model, file)
            models[i] = _tumble.load(file)
    return _pickle.assembly(models, parts, units, ignore)


def _candidates(assembly, where):
    return _tumble._clash_candidates(assembly, **where)


def _clash(where, assembly, near, options):
    return _tumble._clash_of(assembly, near[0][where], **options)


def _poses(file):
    poses = np.load(file, mmap_mode="r")
    if poses.ndim != 3 or poses.shape[1:] not in ((4, 4), (3, 4)):
        raise _tumble.Error(f"{file}: poses must have the shape (N, 4, 4) or (N, 3, 4), not {poses.shape}")
    return poses


def _collide(where, models, file, options):
    poses = _poses(file)
    try:
        return _tumble.collide_many(*models, poses[where], threads=1, **options)
    except _tumble.Error as error:  # numbers the poses it was given: name the file's
        numbers = np.arange(len(poses))[where]
        error.args = (re.sub(r"^poses\[(\d+)\]", lambda found: f"poses[{numbers[int(found[1])]}]", str(error)),)
        raise


def _stored(model):
    """What a task calls to open a model: a function of a path and a checksum."""
    if not isinstance(model, _tumble.Model):
        model = _tumble.load(os.fspath(model))
    function, arguments = model.__reduce__()[:2]
    if function is not _pickle.open_stored:
        raise _tumble.Error("workers map stored models: tumble.save(model, file), a .tmbl that they can all read, and "
                            "give that file")
    return (function, *arguments)


# ---- chunks

def _in_chunks(client, count, seconds, progress, work, *common):
    """Yields ((first, last), work(slice(first, last), *common)) for chunks that cover range(count), in any order."""
    if count == 0:
        return
    chunks = _cut(*_measure(client, count, work, common), seconds, sum(client.nthreads().values()))
    futures = [client.submit(work, slice(first, last), *common, pure=False) for first, last in chunks]
    places = {future.key: place for future, place in zip(futures, chunks)}
    try:
        if progress:
            distributed.progress(futures)
        arriving = distributed.as_completed(futures, with_results=True)
        del futures  # an answer that has arrived need not be kept by its worker
        for future, answer in arriving:
            yield places.pop(future.key), answer
    finally:
        client.cancel([distributed.Future(key, client) for key in places])


def _measure(client, count, work, common):
    """Ends of segments of range(count), what one item costs in each, and what a chunk costs beside its items; seconds."""
    edges = np.linspace(0, count, min(MOST_SEGMENTS, 1 + count // 64) + 1).astype(int)
    costs = client.gather([client.submit(_cost, first, last, work, common, pure=False)
                           for first, last in zip(edges[:-1].tolist(), edges[1:].tolist())])
    items, besides = np.array(costs).T
    return edges, items, np.median(besides)


def _cost(first, last, work, common):
    """(seconds per item, seconds beside them): of 64 items spread over the segment, or of those done in 20 ms."""
    def timed(where):
        start = time.thread_time()  # not wall time: others may be at work on the machine
        work(where, *common)
        return time.thread_time() - start

    spread = np.unique(np.linspace(first, last - 1, 64).astype(int))
    timed(spread[:1])  # what is read and built once does not count
    beside = min(timed(spread[:0]) for _ in range(3))
    spent, done, calls = 0.0, 0, 0
    while done < len(spread) and spent < 0.02:
        now = spread[done:2 * done + 1]
        spent, done, calls = spent + timed(now), done + len(now), calls + 1
    return max((spent - calls * beside) / done, 1e-7), beside


def _cut(edges, items, beside, seconds, threads):
    """[(first, last)] of about equal cost: `seconds`, or less if some threads would have nothing to do."""
    until = np.concatenate([[0], np.cumsum(items * np.diff(edges))])
    number = np.clip(np.ceil(until[-1] / max(seconds, 20 * beside)), 4 * max(threads, 1), MOST_CHUNKS)
    at = np.unique(np.interp(np.linspace(0, until[-1], int(number) + 1), until, edges).round().astype(int)).tolist()
    return list(zip(at[:-1], at[1:]))
