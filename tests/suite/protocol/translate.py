"""Turns messages from one form into the other, knowing nothing but docs/protocol.json.

    translate.py DESCRIPTION < messages > translations

A line that comes in is a JSON list: direction ("from_client" or "to_client"), rulebook, frame in hex, message in JSON.
The line that goes out for it: the frame made from the JSON, the JSON made from the frame, and the JSON once more without
the optional fields that say nothing.
"""

import json
import sys

UNSIGNED = {"u16": 16, "u32": 32, "u64": 64}
SIGNED = {"i32": 32, "i64": 64}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError(f"cut off at byte {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self, below):
        byte = self.take(1)[0]
        if byte >= below:
            raise ValueError(f"byte {self.at - 1}: {byte} is not below {below}")
        return byte

    def varint(self, bits):
        number = shift = 0
        while True:
            byte = self.byte(256)
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if number >> bits:
            raise ValueError(f"byte {self.at}: {number} does not fit {bits} bits")
        return number


def varint(number, bits):
    if not 0 <= number < 1 << bits:
        raise ValueError(f"{number} does not fit {bits} bits")
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


class Forms:
    """Both forms of every type of the wire and of one rulebook."""

    def __init__(self, description, rulebook):
        game = description["rulebooks"][rulebook]
        self.wire, self.game = description["types"], game["types"]
        self.games_own = {"command": game["command"], "event": game["event"]}

    def shape(self, name, types):
        """What a name stands for, and where the names in it are to be found."""
        if types is self.wire and name in self.games_own:
            name, types = self.games_own[name], self.game
        return types[name], types

    def read(self, kind, data, types):
        if isinstance(kind, dict):
            if "option" in kind:
                return self.read(kind["option"], data, types) if data.byte(2) else None
            if "list" in kind:
                return [self.read(kind["list"], data, types) for _ in range(data.varint(32))]
            return [self.read(kind["array"], data, types) for _ in range(kind["length"])]
        if kind in UNSIGNED:
            return data.varint(UNSIGNED[kind])
        if kind in SIGNED:
            number = data.varint(SIGNED[kind])
            return number >> 1 ^ -(number & 1)
        if kind == "u8":
            return data.byte(256)
        if kind == "bool":
            return bool(data.byte(2))
        if kind == "string":
            return data.take(data.varint(32)).decode("utf-8")
        if kind == "token":
            return data.take(16).hex()
        shape, types = self.shape(kind, types)
        if "same" in shape:
            return self.read(shape["same"], data, types)
        if "struct" in shape:
            return self.read_fields(shape["struct"], data, types)
        number = data.varint(32)
        variant = next(v for v in shape["enum"] if v["number"] == number)
        if "value" in variant:
            return {variant["name"]: self.read(variant["value"], data, types)}
        if "fields" in variant:
            return {variant["name"]: self.read_fields(variant["fields"], data, types)}
        return variant["name"]

    def read_fields(self, fields, data, types):
        return {field["name"]: self.read(field["type"], data, types) for field in fields}

    def write(self, kind, value, types):
        if isinstance(kind, dict):
            if "option" in kind:
                return b"\0" if value is None else b"\1" + self.write(kind["option"], value, types)
            item = kind.get("list") or kind["array"]
            if len(value) != kind.get("length", len(value)):
                raise ValueError(f"{len(value)} items, not {kind['length']}")
            length = varint(len(value), 32) if "list" in kind else b""
            return length + b"".join(self.write(item, each, types) for each in value)
        if kind in UNSIGNED:
            return varint(value, UNSIGNED[kind])
        if kind in SIGNED:
            return varint(2 * value if value >= 0 else -2 * value - 1, SIGNED[kind])
        if kind == "u8":
            return bytes([value])
        if kind == "bool":
            return b"\1" if value else b"\0"
        if kind == "string":
            text = value.encode("utf-8")
            return varint(len(text), 32) + text
        if kind == "token":
            token = bytes.fromhex(value)
            if len(token) != 16:
                raise ValueError("a token has 16 bytes")
            return token
        shape, types = self.shape(kind, types)
        if "same" in shape:
            return self.write(shape["same"], value, types)
        if "struct" in shape:
            return self.write_fields(shape["struct"], value, types)
        variant, content = self.variant(shape, value)
        number = varint(variant["number"], 32)
        if "value" in variant:
            return number + self.write(variant["value"], content, types)
        return number + self.write_fields(variant.get("fields", []), content, types)

    def variant(self, shape, value):
        name, content = (value, {}) if isinstance(value, str) else next(iter(value.items()))
        return next(v for v in shape["enum"] if v["name"] == name), content

    def write_fields(self, fields, values, types):
        return b"".join(self.write(f["type"], self.field(f, values), types) for f in fields)

    def field(self, field, values):
        if field["name"] in values or not field.get("optional"):
            return values[field["name"]]
        return nothing(field["type"])

    def shorten(self, kind, value, types):
        """The value without optional fields that say nothing."""
        if isinstance(kind, dict):
            if value is None:
                return None
            if "option" in kind:
                return self.shorten(kind["option"], value, types)
            return [self.shorten(kind.get("list") or kind["array"], each, types) for each in value]
        if not isinstance(value, dict):
            return value
        shape, types = self.shape(kind, types)
        if "struct" in shape:
            return self.shorten_fields(shape["struct"], value, types)
        variant, content = self.variant(shape, value)
        if "value" in variant:
            return {variant["name"]: self.shorten(variant["value"], content, types)}
        return {variant["name"]: self.shorten_fields(variant["fields"], content, types)}

    def shorten_fields(self, fields, values, types):
        said = [f for f in fields if not (f.get("optional") and values[f["name"]] == nothing(f["type"]))]
        return {f["name"]: self.shorten(f["type"], values[f["name"]], types) for f in said}


def nothing(kind):
    """What an optional field is that is left out."""
    if isinstance(kind, dict):
        return None
    return False if kind == "bool" else 0


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        description = json.load(file)
    forms = {rulebook: Forms(description, rulebook) for rulebook in description["rulebooks"]}
    for line in sys.stdin.buffer:
        direction, rulebook, frame, message = json.loads(line)
        form, kind = forms[rulebook], description[direction]
        data = Reader(bytes.fromhex(frame))
        length = int.from_bytes(data.take(4), "big")
        read = form.read(kind, data, form.wire)
        if data.at != 4 + length or data.at != len(data.data):
            raise ValueError(f"{len(data.data) - data.at} bytes are left over: {frame}")
        value = json.loads(message)
        body = form.write(kind, value, form.wire)
        written = len(body).to_bytes(4, "big") + body
        answer = [written.hex(), compact(read), compact(form.shorten(kind, value, form.wire))]
        sys.stdout.buffer.write(compact(answer).encode("utf-8") + b"\n")


main()
