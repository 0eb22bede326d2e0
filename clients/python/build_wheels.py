"""Writes a wheel for this package and for that of each game: `python3 build_wheels.py FOLDER`.

A wheel of pure Python is a zip file with a list of its files, so the standard library is enough: no network, no build tools. The same
sources give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")
#: The earliest time that a zip file can have: the time of a build is no part of its content.
EPOCH = (1980, 1, 1, 0, 0, 0)


def folders() -> list[Path]:
    """The folders of all packages: what games share first."""
    return [HERE, *sorted(path.parent for path in (PROJECT / "games").glob("*/python/pyproject.toml"))]


def build(folder: Path, out: Path) -> Path:
    """Writes the wheel of a folder. Returns its path."""
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    name = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = f"{name}.dist-info"
    source = folder / "src"
    files = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
    }
    if not files:
        raise SystemExit(f"{source} has no modules")
    files |= {f"{info}/licenses/{licence}": (PROJECT / licence).read_bytes() for licence in LICENCES}
    files[f"{info}/METADATA"] = metadata(project, folder).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: holdfast\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = [f"{path},sha256={digest(content)},{len(content)}" for path, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()

    wheel = out / f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return wheel


def metadata(project: dict[str, Any], folder: Path) -> str:
    rows = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']['text']}",
        *(f"License-File: {licence}" for licence in LICENCES),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {dependency}" for dependency in project["dependencies"]),
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
    ]
    readme = folder / "README.md"
    if readme.exists():
        rows += ["Description-Content-Type: text/markdown", "", readme.read_text()]
    return "\n".join(rows) + "\n"


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python3 build_wheels.py FOLDER")
    destination = Path(sys.argv[1])
    destination.mkdir(parents=True, exist_ok=True)
    for package in folders():
        print(build(package, destination).name)
