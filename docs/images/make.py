#!/usr/bin/env python3
"""Makes the pictures of the documents again: python3 docs/images/make.py [FOLDER]

Runs the tests in Chromium that take them, unless FOLDER has them already, and reduces each picture to 256 colours.
"""

import collections
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).parent
TESTS = ["look", "colony::live", "the_pages_fit", "moment_and_the_eyes", "project::the_page", "pictures", "play_fits"]
PICTURES = [
    "colony-360",
    "colony-light",
    "crazyhouse-play-1400-light",
    "games-live",
    "page-colony-room-1440-dark",
    "page-colony-table-1440-dark",
    "page-start-1440-light",
    "project-1920-light",
    "project-player-1920-light",
    "treasure-first",
]
COLOURS = 256


def chunks(png):
    """The chunks of a PNG file, as pairs of kind and content."""
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def pixels(png):
    """Width, height, and the rows of a picture, each as a list of colours (24 bits)."""
    parts = list(chunks(png))
    width, height, depth, kind = struct.unpack(">IIBB", parts[0][1][:10])
    size = {2: 3, 6: 4}[kind]
    assert depth == 8, "only 8 bits for a channel"
    data = zlib.decompress(b"".join(content for name, content in parts if name == b"IDAT"))
    line, before, rows = width * size, bytearray(width * size), []
    for y in range(height):
        start = y * (line + 1)
        now = bytearray(data[start + 1 : start + 1 + line])
        unfilter(data[start], now, before, size)
        rows.append([now[x] << 16 | now[x + 1] << 8 | now[x + 2] for x in range(0, line, size)])
        before = now
    return width, height, rows


def unfilter(kind, now, before, size):
    if kind == 0:
        return
    for x in range(len(now)):
        left = now[x - size] if x >= size else 0
        up = before[x]
        corner = before[x - size] if x >= size else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        else:
            guess = left + up - corner
            near = [abs(guess - left), abs(guess - up), abs(guess - corner)]
            add = (left, up, corner)[near.index(min(near))]
        now[x] = (now[x] + add) & 255


def palette(counts):
    """At most 256 colours, by median cut, and the place of each colour of the picture in them."""
    channel = lambda colour, shift: colour >> shift & 255
    boxes = [list(counts)]
    while len(boxes) < COLOURS:
        spread = lambda box, shift: max(channel(c, shift) for c in box) - min(channel(c, shift) for c in box)
        wide = lambda box: max(spread(box, shift) for shift in (16, 8, 0))
        at = max(range(len(boxes)), key=lambda i: wide(boxes[i]) * sum(counts[c] for c in boxes[i]) ** 0.5)
        box = boxes[at]
        if len(box) == 1:
            break
        shift = max((16, 8, 0), key=lambda shift: spread(box, shift))
        box.sort(key=lambda colour: channel(colour, shift))
        half, seen = sum(counts[c] for c in box) / 2, 0
        for cut, colour in enumerate(box[:-1], 1):
            seen += counts[colour]
            if seen >= half:
                break
        boxes[at : at + 1] = [box[:cut], box[cut:]]
    chosen = []
    for box in boxes:
        total = sum(counts[c] for c in box)
        chosen.append([round(sum(channel(c, shift) * counts[c] for c in box) / total) for shift in (16, 8, 0)])
    return chosen, {colour: at for at, box in enumerate(boxes) for colour in box}


def reduced(png):
    """The picture with a palette, its colours rounded to 6 bits first."""
    width, height, rows = pixels(png)
    rows = [[colour & 0xFCFCFC | colour >> 6 & 0x030303 for colour in row] for row in rows]
    chosen, places = palette(collections.Counter(colour for row in rows for colour in row))
    lines = b"".join(b"\0" + bytes(places[colour] for colour in row) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", header), (b"PLTE", bytes(sum(chosen, []))), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
    written = b"".join(struct.pack(">I", len(c)) + k + c + struct.pack(">I", zlib.crc32(k + c)) for k, c in parts)
    return b"\x89PNG\r\n\x1a\n" + written


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(tempfile.mkdtemp())
    if len(sys.argv) < 2:
        command = ["cargo", "test", "--workspace", "--locked", "--test", "web", "--", *TESTS]
        subprocess.run(command, cwd=HERE.parent.parent, env={**os.environ, "HOLDFAST_SCREENSHOTS": str(folder)}, check=True)
    for name in PICTURES:
        png = reduced((folder / f"{name}.png").read_bytes())
        (HERE / f"{name}.png").write_bytes(png)
        print(f"{name}: {len(png) // 1000} kB")


if __name__ == "__main__":
    main()
