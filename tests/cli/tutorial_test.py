# SPDX-License-Identifier: Apache-2.0
"""Runs every command of docs/tutorial.md in a copy of examples/ and looks for the lines it shows.

Usage: tutorial_test.py TUMBLE
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(text):
    """The commands of each ```sh block, with the lines of the ```text block that follows it, if any."""
    for match in re.finditer(r"```sh\n(.*?)```\n(?:```text\n(.*?)```\n)?", text, re.S):
        yield match.group(1).splitlines(), (match.group(2) or "").splitlines()


def shown(line, output):
    """Whether a line of the output fits, whatever its spaces; … stands for anything."""
    pattern = ".*".join(r"\s+".join(map(re.escape, part.split())) for part in line.split("…"))
    return any(re.fullmatch(pattern, got.strip()) for got in output.splitlines())


def main():
    tumble = Path(sys.argv[1]).resolve()
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
        environment = dict(os.environ, PATH=f"{tumble.parent}:{os.environ['PATH']}")
        for commands, lines in blocks((ROOT / "docs/tutorial.md").read_text()):
            output = ""
            for command in commands:
                result = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                count += 1
                output += result.stdout
                if result.returncode not in (0, 1):
                    print(f"{command}: exit status {result.returncode}\n{result.stdout}")
                    failures += 1
            for line in lines:
                if not shown(line, output):
                    print(f"docs/tutorial.md shows '{line}', which {commands} does not print:\n{output}")
                    failures += 1
        for name in "contacts.json", "steps.csv", "clashes.html", "torus.tmbl":
            if not (Path(folder) / name).stat().st_size:
                print(f"{name} is empty")
                failures += 1
    print(f"{count} commands, {failures} failures")
    return 1 if failures or count < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
