#!/usr/bin/env python3
"""Keeps logs of the versions of the schema as text.

`python3 server/tests/log/released/make.py` keeps the log of the present version. Run it before the version rises.
`python3 server/tests/log/released/make.py VERSION` builds the store of an older commit, and keeps the log that it writes.

The text is test data for all later versions, so it never changes afterwards.
"""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """\
-- A log of version {version} of the schema as the store wrote it: {contents}.
-- `make.py` wrote it. It stays as it is.
PRAGMA application_id = 0x486f6c64;
PRAGMA user_version = {version};
"""
CONTENTS = "games of several setups, finished and not, with clients, a fork and records"

# The last commits that wrote these versions, and the packages of their stores. Version 5 and later were kept in time.
COMMITS = {
    2: ("27cb2f75e742", "server"),
    3: ("6eecc9dddbfe", "holdfast-server"),
    4: ("bda06ea7d645", "holdfast-server"),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "games.db")
        if len(sys.argv) > 1:
            write_with_commit(int(sys.argv[1]), pathlib.Path(folder), log)
        else:
            run_test(HERE, "holdfast-server", dict(os.environ), log)
        connection = sqlite3.connect(log)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        path = HERE / f"version-{version}.sql"
        if path.exists():
            sys.exit(f"{path} is there already and stays as it is")
        lines = "\n".join(connection.iterdump())
        path.write_text(HEAD.format(version=version, contents=CONTENTS) + lines + "\n")


def write_with_commit(version: int, folder: pathlib.Path, log: str) -> None:
    """Writes a log with the store of an older commit, in a copy of its tree."""
    commit, package = COMMITS[version]
    tree = folder / "tree"
    tree.mkdir()
    archive = folder / "tree.tar"
    subprocess.run(["git", "archive", "--output", archive, commit], check=True, cwd=HERE.parents[3])
    shutil.unpack_archive(archive, tree)
    tests = tree / "server" / "tests" / "log"
    # Commits before version 4 have no test that writes a log to keep.
    writer = HERE / f"write-{version}.rs"
    if writer.exists():
        shutil.copy(writer, tests / "released.rs")
        main_file = tests / "main.rs"
        main_file.write_text(main_file.read_text() + "\nmod released;\n")
    # A folder of its own for cargo: it takes files with an old date for what it has built already.
    run_test(tree, package, {**os.environ, "CARGO_TARGET_DIR": str(folder / "target")}, log)


def run_test(tree: pathlib.Path, package: str, environment: dict[str, str], log: str) -> None:
    test = ["cargo", "test", "-p", package, "--test", "log", "--", "--exact", "released::write", "--include-ignored"]
    subprocess.run(test, check=True, cwd=tree, env={**environment, "HOLDFAST_RELEASED": log})


if __name__ == "__main__":
    main()
