#!/usr/bin/env python3
"""Keeps the log of the present version of the schema as text: `python3 server/tests/log/released/make.py`.

Run it before the version rises. The text is test data for all later versions, so it never changes afterwards.
"""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

HEAD = """\
-- A log of version {version} of the schema as the store wrote it: {contents}.
-- `make.py` wrote it. It stays as it is.
PRAGMA application_id = 0x486f6c64;
PRAGMA user_version = {version};
"""
CONTENTS = "games of several setups, finished and not, with clients, a fork and records"


def main() -> None:
    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "games.db")
        test = ["cargo", "test", "-p", "holdfast-server", "--test", "log", "--", "--exact", "released::write"]
        subprocess.run(test, check=True, cwd=here, env={**os.environ, "HOLDFAST_RELEASED": log})
        connection = sqlite3.connect(log)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        path = here / f"version-{version}.sql"
        if path.exists():
            sys.exit(f"{path} is there already and stays as it is")
        lines = "\n".join(connection.iterdump())
        path.write_text(HEAD.format(version=version, contents=CONTENTS) + lines + "\n")


if __name__ == "__main__":
    main()
