# SPDX-License-Identifier: Apache-2.0
"""The build backend of pyproject.toml (PEP 517): CMake builds, this file packs. It requires nothing but Python.

It builds in build/wheel. --config-settings=build-dir=DIR takes a configured build folder instead, say build/release
after `make build`, and compiles only what is missing there.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What every Linux with this libc has; the rest travels in the wheel.
SYSTEM = re.compile(r"^(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso)")


def _run(*command):
    print("+", *command, flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


def _version():
    return re.search(r"project\(tumble VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    return "\n".join([
        "Metadata-Version: 2.1",
        "Name: tumble",
        f"Version: {_version()}",
        "Summary: Exact, fast collision detection between triangle meshes",
        "License: Apache-2.0",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy>=1.21",
        "Provides-Extra: distributed",
        "Requires-Dist: distributed>=2022.12; extra == 'distributed'",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "docs/python.md").read_text(),
    ])


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _build(folder):
    if not (folder / "CMakeCache.txt").exists():
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        _run("cmake", "-S", ".", "-B", str(folder), *ninja, "-DCMAKE_BUILD_TYPE=Release", "-DTUMBLE_BUILD_CLI=OFF",
             f"-DTUMBLE_PYTHON={sys.executable}")
    _run("cmake", "--build", str(folder), "--target", "_tumble", "--parallel", str(os.cpu_count() or 1))


def _libraries(extension):
    """The shared libraries that the extension needs, directly or not, and the system may lack."""
    listed = subprocess.run(["ldd", str(extension)], check=True, capture_output=True, text=True).stdout
    if "not found" in listed:
        raise SystemExit(f"{extension.name} needs libraries that are not there:\n{listed}")
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.M):
        if not SYSTEM.match(name):
            yield name, Path(path)


def _stage(build, stage):
    """The package as it goes into the wheel, libraries included."""
    where = re.search(r"^TUMBLE_PYTHON_DIR:[A-Z]+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    if where is None:
        raise SystemExit("CMake did not find what the Python module needs: python3-dev, pybind11-dev")
    _run("cmake", "--install", str(build), "--component", "python", "--prefix", str(stage / "prefix"))
    package = stage / "prefix" / where[1] / "tumble"
    # The built extension knows where this machine has its libraries; the installed one does not.
    built = build / "python/tumble" / ("_tumble" + sysconfig.get_config_var("EXT_SUFFIX"))
    if not built.exists():
        raise SystemExit(f"{build} was built for another Python; leave build-dir out, or configure it with TUMBLE_PYTHON")
    (package / "_libs").mkdir()
    for name, path in _libraries(built):
        shutil.copy(path, package / "_libs" / name)
    return package


def _pack(files, wheel):
    """Writes files, a dict from names to bytes, with their RECORD; the same files give the same bytes."""
    info = f"tumble-{_version()}.dist-info"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            archive.writestr(entry, data)

        for name, data in sorted(files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
            add(name, data)
        add(f"{info}/RECORD", "".join(record) + f"{info}/RECORD,,\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = ROOT / (config_settings or {}).get("build-dir", "build/wheel")
    _build(build)
    with tempfile.TemporaryDirectory() as folder:
        package = _stage(build, Path(folder))
        files = {f"tumble/{path.relative_to(package)}": path.read_bytes()
                 for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    info = f"tumble-{_version()}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: false\n"
                              f"Tag: {_tag()}\n").encode()
    for text in "LICENSE", "NOTICE", "THIRD_PARTY.md":
        files[f"{info}/{text}"] = (ROOT / text).read_bytes()
    name = f"tumble-{_version()}-{_tag()}.whl"
    _pack(files, Path(wheel_directory) / name)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it, pip would build a wheel only to read its metadata."""
    info = Path(metadata_directory) / f"tumble-{_version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata())
    return info.name


def build_sdist(sdist_directory, config_settings=None):
    """What git knows of, as a tar file."""
    name = f"tumble-{_version()}"
    archive = Path(sdist_directory) / f"{name}.tar.gz"
    _run("git", "archive", "--format=tar.gz", f"--prefix={name}/", f"--output={archive.resolve()}", "HEAD")
    return archive.name
