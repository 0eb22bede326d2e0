"""Writes the seeds of the fuzz targets to fuzz/corpus, from the golden files, scenarios, scripts and documents of the project.

    python3 fuzz/seeds.py

It overwrites the seeds that it knows and leaves every other file alone. The layout of an input is in the target's own file,
fuzz/src/TARGET.rs. The dictionaries in fuzz/dictionaries are the words of the seeds.
"""

import json
import re
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
ROOT = FUZZ.parent

# The letter of each game, the editions of its setups and the version of its rules.
GAMES = {"colony": "c", "crazyhouse": "z", "project": "p", "treasure": "t"}
VERSIONS = {"colony": 1, "crazyhouse": 1, "project": 1, "treasure": 2}


def write(target, name, data):
    path = FUZZ / "corpus" / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return varint(number * 2 if number >= 0 else -number * 2 - 1)


def text(string):
    data = string.encode()
    return varint(len(data)) + data


def frame(body):
    return len(body).to_bytes(4, "big") + body


def golden(game):
    """The values of a game's golden file: kind, JSON, bytes."""
    for line in (ROOT / "games" / game / "tests/golden/bytes.txt").read_text().splitlines():
        message, data = line.rsplit(" = ", 1)
        kind, value = message.split(" ", 1)
        yield kind, value, bytes.fromhex(data)


def groups(things, size):
    things = list(things)
    return [things[at : at + size] for at in range(0, len(things), size)]


# wire: game, direction, limit and pieces, stream

def wire():
    token = "30313233343536373839616263646566"
    hellos = [
        '{"protocol":3,"want":"list"}',
        '{"protocol":1,"want":{"create":{"scenario":"first-night"}}}',
        '{"protocol":2,"want":{"create":{"rulebook":"colony","scenario":"{}","edition":"fate","seed":-9,"timeout":30000}}}',
        '{"protocol":3,"want":{"join":{}},"game":"g1","board":true}',
        '{"protocol":3,"want":{"join":{"seat":1}},"game":"g1"}',
        '{"protocol":3,"want":{"watch":{"seen":128}},"game":"g1"}',
        '{"protocol":2,"want":{"resume":{"token":"%s","seen":7}},"game":"g1"}' % token,
    ]
    binary = [
        b"\3\0\0\0",
        b"\1\1" + b"\0" + text("first-night") + b"\0\0\0" + b"\0\0",
        b"\2\1" + b"\1" + text("colony") + text("{}") + b"\1" + text("fate") + b"\1" + zigzag(-9) + b"\1" + varint(30000) + b"\0\0",
        b"\3\2\0" + b"\1" + text("g1") + b"\1",
        b"\3\2\1\1" + b"\1" + text("g1") + b"\0",
        b"\3\3" + varint(128) + b"\1" + text("g1") + b"\0",
        b"\2\4" + bytes.fromhex(token) + varint(7) + b"\1" + text("g1") + b"\0",
    ]
    for at, (line, body) in enumerate(zip(hellos, binary)):
        lines = b'{"hello":%s}\n{"ping":7}\n' % line.encode()
        write("wire", f"hello-{at}-json", b"cs\0" + lines)
        write("wire", f"hello-{at}-binary", b"cs\4" + frame(b"\0" + body) + frame(b"\2\7"))
        write("wire", f"hello-{at}-text", b"ct\0" + b'{"hello":%s}' % line.encode())
    account = "hfa_0123456789abcdef_" + "0" * 32
    people = [{"account": account}, {"mute": {"by": "Eve", "muted": True}}, {"report": 300}, {"manage": {"invite": {"name": "Bo"}}}]
    frames = [b"\6" + text(account), b"\7" + text("Eve") + b"\1", b"\x08" + varint(300), b"\x09\x03\1" + text("Bo") + b"\0"]
    write("wire", "people-json", b"cs\0" + b"".join(json.dumps(one).encode() + b"\n" for one in people))
    write("wire", "people-binary", b"cs\4" + b"".join(map(frame, frames)))
    answers = [
        '{"welcome":{"protocol":3,"game":"g1","client":3,"token":"%s","next":1,"rulebook":"colony","edition":"fate","commands":128,"scenario":null}}' % token,
        '{"games":[{"game":"g1","rulebook":"colony","edition":"fate","players":["Ana","Bo"],"status":"open"}]}',
        '{"pong":18446744073709551615}',
        '{"refused":{"reason":"unknown_game","message":"because"}}',
        '{"closing":{"reason":"store_unavailable","message":"because"}}',
    ]
    welcome = b"\0\3" + text("g1") + b"\1\3\1" + bytes.fromhex(token) + b"\1" + text("colony") + text("fate") + varint(128) + b"\0"
    game = b"\1\1" + text("g1") + text("colony") + text("fate") + b"\2" + text("Ana") + text("Bo") + text("open")
    bodies = [welcome, game, b"\3" + varint(2**64 - 1), b"\4\2" + text("because"), b"\5\x10" + text("because")]
    write("wire", "answers-json", b"cc\0" + "".join(line + "\n" for line in answers).encode())
    write("wire", "answers-binary", b"cc\5" + b"".join(map(frame, bodies)))
    write("wire", "delimited", b"cd\3" + b"<a/>\x17\x17<Messages/>\x17<b")
    for game, letter in GAMES.items():
        for kind, direction, wrap in [("command", b"s", 1), ("event", b"c", 2)]:
            found = [(value, data) for name, value, data in golden(game) if name == kind]
            for at, group in enumerate(groups(found, 16)):
                lines, frames = b"", b""
                for number, (value, data) in enumerate(group, 1):
                    if kind == "command":
                        lines += b'{"command":%s}\n' % value.encode()
                        frames += frame(b"\1" + data)
                    else:
                        lines += b'{"event":{"number":%d,"event":%s}}\n' % (number, value.encode())
                        frames += frame(b"\2" + varint(number) + data + b"\0")
                write("wire", f"{game}-{kind}s-{at}-json", letter.encode() + direction + b"\0" + lines)
                write("wire", f"{game}-{kind}s-{at}-binary", letter.encode() + direction + b"\1" + frames)


# xml: kind of document, document

UUID = "2707d2ff-e818-4ea9-be4b-fbce3486431e"
OTHER = "be62283e-5ae4-49cc-85CE-C967C03A53E5"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
HALF = "0101020301040201010201030201020301020101020203030102010201010101"


def messages(*contents, root=""):
    def message(at, content):
        parts = f'<Sender id="1"/><Receiver id="{at % 2}"/><Content>{content}</Content>'
        return f'<Message id="{UUID}" contextId="{OTHER}">{parts}</Message>'

    inner = "".join(message(at, content) for at, content in enumerate(contents))
    return f'{DECLARATION}<Messages xmlns="http://messageSchema.something.com" protocolVersion="1"{root}>{inner}</Messages>'


def connection(inner):
    return f'{DECLARATION}<Connection xmlns="http://messageSchema.something.com" protocolVersion="1">{inner}</Connection>'


def envelope(data):
    return f"{DECLARATION}<responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</state>{data}</responseEnvelope>"


def documents():
    """The documents of all three protocols: kind, name, text."""
    node = "<playerHalfMapNode><X>{}</X><Y>0</Y><fortPresent>{}</fortPresent><terrain>{}</terrain></playerHalfMapNode>"
    nodes = "".join(node.format(x, *how) for x, how in enumerate([("true", "Grass"), ("false", "Mountain"), ("0", "Water")]))
    player = "<uniquePlayerID>3560ca14</uniquePlayerID>"
    yield "R", "registration", f"{DECLARATION}<playerRegistration><studentFirstName>Max</studentFirstName><studentLastName>M &amp; &lt;N&gt;</studentLastName><studentUAccount>musterm87</studentUAccount></playerRegistration>"
    yield "H", "half", f"<playerHalfMap>{player}<playerHalfMapNodes>{nodes}</playerHalfMapNodes></playerHalfMap>"
    yield "M", "move", f"<playerMove>{player}<move>Up</move></playerMove>"
    yield "I", "game", "<uniqueGameIdentifier><uniqueGameID>Ss8Zc</uniqueGameID></uniqueGameIdentifier>"
    yield "A", "okay", envelope("")
    yield "A", "error", f"<responseEnvelope><exceptionName>NoFort</exceptionName><exceptionMessage>a &#13; b</exceptionMessage><state>Error</state></responseEnvelope>"
    data = '<data xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="{}">{}</data>'
    yield "A", "player", envelope(data.format("uniquePlayerIdentifier", player))
    state = f"<players><player>{player}<firstName>Max</firstName><lastName>M</lastName><uaccount>u</uaccount><state>MustAct</state><collectedTreasure>false</collectedTreasure></player></players>"
    field = "<mapNode><playerPositionState>MyPlayerPosition</playerPositionState><terrain>Grass</terrain><treasureState>NoOrUnknownTreasureState</treasureState><fortState>MyFortPresent</fortState><X>0</X><Y>-1</Y></mapNode>"
    yield "A", "state", envelope(data.format("gameState", f"{state}<map><mapNodes>{field}</mapNodes></map><gameStateId>430bdf29</gameStateId>"))
    yield "n", "player", "<NewPlayerRequest><FirstName>R&amp;B</FirstName><SurName>Nancu</SurName><MatriculationNumber>01502339</MatriculationNumber></NewPlayerRequest>"
    yield "n", "player-small", "<newplayerrequest><firstname>a</firstname><secondname>b</secondname><matrikelnummer>1</matrikelnummer></newplayerrequest>"
    yield "m", "map", f"<CreateNewMapRequest><ID>1</ID><MapHalf>{HALF}</MapHalf></CreateNewMapRequest>"
    yield "m", "map-letters", "<CREATENEWMAPREQUEST><ID>1</ID><MAPHALF>0G0M 0W\n0C</MAPHALF></CREATENEWMAPREQUEST>"
    positions = "<PlayerPositionX>6</PlayerPositionX><PlayerPositionY>1</PlayerPositionY>"
    wanted = "<WantedPositionX>6</WantedPositionX><WantedPositionY>2</WantedPositionY><TurnsLeft>4</TurnsLeft>"
    yield "u", "update", f"<UpdateRequest><ID>7</ID>{positions}{wanted}</UpdateRequest>"
    yield "t", "trouble", "<connectionProblemRequest><id>2147483647</id></connectionProblemRequest>"
    yield "a", "player", "<NewPlayerResponse><ID>1</ID></NewPlayerResponse>"
    yield "a", "map", f"<CreateNewMapResponse><FullMap>{HALF}{HALF}</FullMap></CreateNewMapResponse>"
    yield "a", "update", f"<UpdateResponse>{positions}<EnemyPositionX>2</EnemyPositionX><EnemyPositionY>8</EnemyPositionY><Treasure>true</Treasure><Win>false</Win><Loss>0</Loss></UpdateResponse>"
    yield "a", "trouble", "<ConnectionProblemResponse><Loss>1</Loss></ConnectionProblemResponse>"
    yield "d", "request", connection(f"<Request><Hash>{UUID}</Hash><SenderAddress>192.168.0.1:2000</SenderAddress><Role>TeamLeader</Role></Request>")
    yield "d", "confirmation", connection(f"<Confirmation><Hash>{UUID}</Hash><Id>1</Id></Confirmation>")
    yield "d", "refusal", connection("<Refusal><Hash>x</Hash><Description>full</Description></Refusal>")
    position = "<Position><X>2</X><Y>5</Y></Position>"
    tile = f'{position}<Distance>3</Distance><Player id="4"><Team>Red</Team></Player><TileObject>Piece</TileObject>'
    actions = {
        "move": "<Move><Request><Direction>Left</Direction></Request></Move>",
        "moved": f"<Move><Response><Result>Success</Result>{position}<Distance>-1</Distance></Response></Move>",
        "discover": "<Discover><Request/></Discover>",
        "discovered": f"<Discover><Response><Tiles><Tile>{tile}</Tile></Tiles></Response></Discover>",
        "pickup": "<Pickup><Response><Result>Failure</Result></Response></Pickup>",
        "test": "<Test><Response><Result>Sham</Result></Response></Test>",
        "place": "<Place><Response><Result>Completed</Result></Response></Place>",
    }
    contents = {name: f"<Action>{inner}</Action>" for name, inner in actions.items()}
    known = f'<Tile timestamp="2026-11-17T09:00:00.123Z">{tile}<IsPursued>true</IsPursued></Tile>'
    contents["ask"] = "<ExchangeKnowledge><Request>any <b/></Request></ExchangeKnowledge>"
    contents["allow"] = "<ExchangeKnowledge><Response><Result>Allow</Result></Response></ExchangeKnowledge>"
    contents["data"] = f"<ExchangeKnowledge><Data><Tiles>{known}</Tiles></Data></ExchangeKnowledge>"
    states = {
        "setup": "<Setup><Request><Team>Blue</Team></Request></Setup>",
        "given": "<Setup><Confirmation><Role>Player</Role><Team>Red</Team></Confirmation></Setup>",
        "start": '<Start><Players><Player id="3"><Team>Blue</Team></Player></Players><Board><Width>12</Width><Height>14</Height></Board><StartPosition><X>2</X><Y>5</Y></StartPosition></Start>',
        "end": '<End><Reason>Timeout</Reason><Result><WinningTeam>Red</WinningTeam><Team name="Blue"><GoalsCompleted>3</GoalsCompleted></Team><Team name="Red"><GoalsCompleted>20</GoalsCompleted></Team></Result></End>',
    }
    contents.update({name: f"<GameState>{inner}</GameState>" for name, inner in states.items()})
    for name, content in contents.items():
        yield "d", name, messages(content)
    hash_of_sender = f' senderHash="{UUID}"'
    yield "e", "one", messages(contents["move"])
    yield "e", "two", messages(contents["move"], contents["test"], root=hash_of_sender)
    yield "e", "three", messages(*list(contents.values())[7:10])
    unusual = messages(contents["discover"]).replace("<Content>", "<Content><!-- </Message> --><![CDATA[</Message>]]>")
    yield "e", "unusual", unusual
    prefixed = re.sub(r"<(/?)(?=[A-Z])", r"<\1m:", messages(contents["place"])).replace("xmlns=", "xmlns:m=")
    yield "e", "prefixed", prefixed
    yield "e", "connection", connection(f"<Confirmation><Hash>{UUID}</Hash><Id>1</Id></Confirmation>")
    yield "g", "configuration", configuration()
    yield "p", "configuration", "<PlayerConfiguration><TeamPreference>Red</TeamPreference></PlayerConfiguration>"
    yield "x", "tree", '<?xml version="1.0"?>\n<!-- c --><a:b c="1" d=\'&#9;&quot;\'>x<![CDATA[<y>]]>&amp;&#x1F600;<e/></a:b>\n<?pi?>'
    yield "x", "mark", "\ufeff<a>\r\n</a>"
    yield "x", "deep", "<a>" * 33 + "</a>" * 33


def configuration():
    costs = "<ActionCosts><Move>100</Move><Discover>450</Discover><Test>500</Test><Pickup>101</Pickup><Place>102</Place></ActionCosts>"
    times = "<RespawnInterval>1000</RespawnInterval><NoProgressTimeout>60000</NoProgressTimeout><JoinTimeout>30000</JoinTimeout>"
    return (
        "<GameConfiguration><BoardWidth>4</BoardWidth><BoardHeight>8</BoardHeight><ServerAddress>127.0.0.1:9000</ServerAddress>"
        "<ReconnectionAttemptsCount>3</ReconnectionAttemptsCount><ReconnectionAttemptInterval>7</ReconnectionAttemptInterval>"
        "<PlayersPerTeam>1</PlayersPerTeam><Pieces>5</Pieces><ShamsPercentage>25</ShamsPercentage>"
        f"<GoalsPositions><Position><X>0</X><Y>1</Y></Position></GoalsPositions>{costs}{times}"
        f"<PlayerHashes><Hash>{UUID}</Hash></PlayerHashes></GameConfiguration>"
    )


def xml():
    for at, (kind, name, document) in enumerate(documents()):
        write("xml", f"{at:02}-{name}", kind.encode() + document.encode())
    words = set()
    for _, _, document in documents():
        words |= set(re.findall(r"</?[\w:]+>?", document))
        words |= set(re.findall(r"[\w:]+=(?=[\"'])", document))
    words |= {"<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "&amp;", "&#x", "/>", DECLARATION, UUID}
    words |= {"http://messageSchema.something.com", "xsi:type", "2147483647", "-2147483648"}
    dictionary("xml", words)


def dictionary(target, words):
    def quoted(word):
        escaped = re.sub(r"\\\\(?!x[0-9a-f]{2})", r"\\\\\\\\", word)
        return '"' + escaped.replace('"', '\\"') + '"'

    path = FUZZ / "dictionaries" / f"{target}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(quoted(word) + "\n" for word in sorted(words)))


# log_entry: game, what, bytes

def log_entry():
    for game, letter in GAMES.items():
        values = list(golden(game))
        version = varint(VERSIONS[game])
        setups = [(data, "standard") for kind, _, data in values if kind == "setup"]
        if game == "treasure":
            setups = [(data, "2022" if data[0] == 0 else "2017") for data, _ in setups]
        if game == "colony":
            scenario = (ROOT / "games/colony/scenarios/first-night.json").read_text()
            small = json.dumps(json.loads(scenario), separators=(",", ":"))
            setups = [(b"\0\1" + varint(1000) + text(small), "group"), (b"\1\0" + text(small), "equipment")]
        for at, (setup, edition) in enumerate(setups):
            header = b"\1" + text("g1") + zigzag(0) + text(game) + text(edition) + version + zigzag(-7) + b"\0" + setup
            write("log_entry", f"{game}-header-{at}", letter.encode() + b"h" + header)
        parent = b"\1" + text("g0") + varint(3) + bytes(32)
        header = b"\1" + text("g1") + zigzag(0) + text(game) + text(setups[0][1]) + version + zigzag(1) + parent + setups[0][0]
        if len(header) < 2000:
            write("log_entry", f"{game}-header-fork", letter.encode() + b"h" + header)
        commands = [data for kind, _, data in values if kind == "command"]
        events = [data for kind, _, data in values if kind == "event"]
        timers = [data for kind, _, data in values if kind == "timer"]
        entries = entries_of(commands, events, timers)
        for at, group in enumerate(groups(entries, max(1, len(entries) // 6))):
            write("log_entry", f"{game}-entry-{at}", letter.encode() + b"e" + group[0])
            rows = b"".join(len(entry).to_bytes(2, "big") + entry for entry in group[:8])
            write("log_entry", f"{game}-rows-{at}", letter.encode() + b"r" + bytes([16 * (at % 4)]) + rows)
        inputs = [varint(at * 10) + b"\0" + varint(at % 2) + data for at, data in enumerate(commands)]
        inputs += [varint(5000 + at) + b"\1" + data for at, data in enumerate(timers)]
        for at, (what, start) in enumerate([(b"g", b"\x00\3"), (b"g", b"\x11\2"), (b"g", b"\x21\2"), (b"g", b"\x30\1"), (b"c", b"\x10\2\1\1\1\2\4\x40"), (b"c", b"\x31\1\0\0\1")]):
            write("log_entry", f"{game}-played-{at}", letter.encode() + what + start + b"".join(inputs[:40]))


def entries_of(commands, events, timers):
    """Entries with a command or a timer each, and two events for different audiences."""
    causes = [b"\0" + varint(1) + data for data in commands] + [b"\1" + data for data in timers]
    entries = []
    for at, cause in enumerate(causes):
        first, second = events[at % len(events)], events[(7 * at + 3) % len(events)]
        emissions = [b"\0\0" + first, b"\0\1\1" + second, b"\1\1"]
        entries.append(varint(at + 1) + zigzag(0) + varint(at * 10) + cause + varint(3) + b"".join(emissions))
    return entries


# scenario: game or kind, edition, deadline, text, zero, inputs of a game

def compact(path):
    return json.dumps(json.loads((ROOT / path).read_text()), separators=(",", ":"))


def inputs_of(game):
    """The first command of each kind, for two clients, and all timers."""
    values = list(golden(game))
    commands = [data for kind, _, data in values if kind == "command"]
    timers = [data for kind, _, data in values if kind == "timer"]
    first = {data[0]: data for data in reversed(commands)}
    inputs = [varint(10 * at) + b"\0" + varint(1 + at % 2) + first[at // 2] for at in range(2 * len(first))]
    return b"".join(inputs[:20] + [varint(5000 + at) + b"\1" + data for at, data in enumerate(timers)])


def scenario():
    def seed(name, letter, edition, timeout, document, inputs=b""):
        write("scenario", name, letter.encode() + bytes([edition, timeout]) + document.encode() + b"\0" + inputs)

    colony, night = compact("games/colony/tests/scenarios/base.json"), compact("games/colony/scenarios/first-night.json")
    # Two players register, the game begins, and the first chooses characters.
    opening = b"".join(varint(at) + b"\0" + data for at, data in enumerate([b"\1\0\3Ana", b"\2\0\2Bo", b"\1\1", b"\1\2\2\4", b"\1\7"]))
    for edition in range(4):
        seed(f"colony-base-{edition}", "c", edition, edition, colony, opening + inputs_of("colony"))
        seed(f"colony-night-{edition}", "c", edition, 2, night, opening + inputs_of("colony"))
    seed("colony-name", "c", 0, 0, "first-night", opening)
    seed("colony-empty", "c", 0, 0, "{}")
    seed("colony-pretty", "c", 1, 1, (ROOT / "games/colony/tests/scenarios/base.json").read_text()[:4000], opening)
    moves = b"\0\0\1\0\3Ana\0" + b"\1\0\2\0\2Bo\0" + b"".join(
        varint(10 + at) + b"\0" + varint(1 + at % 2) + b"\1" + text(move)
        for at, move in enumerate(["e2-e4", "d7-d5", "e4-d5", "d8-d5", "P-e4", "P-d4", "g1-f3", "P-g2"])
    )
    for name, board in {
        "standard": "{}",
        "named": "blitz",
        "clock": '{"clock":{"initial":60,"increment":1},"most_moves":4}',
        "board": '{"board":"4k3/8/8/8/8/8/8/4K3/NPqr","next":"black","bots":{"white":"greedy"}}',
    }.items():
        seed(f"crazyhouse-{name}", "z", 0, 1, board, moves)
    for at, board in enumerate([
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w",
        "4k3/8/8/8/8/8/8/4K3/NPqr b",
        "4k3/P6P/8/8/8/8/p6p/4K3/QRBNPqrbnp w",
        "7k/5KQ1/8/8/8/8/8/8/ b",
    ]):
        seed(f"position-{at}", "f", 0, 0, board, moves)
    for name, setup in {"2022": '{"year":2022}', "debug": '{"year":2022,"debug":true,"dummy":true}', "2017": '{"year":2017}'}.items():
        for edition in range(2):
            seed(f"treasure-{name}-{edition}", "t", edition, 0, setup, inputs_of("treasure"))
    small = '{"width":4,"height":8,"players_per_team":1,"pieces":5,"shams_percentage":20,"goals":[{"x":0,"y":1},{"x":3,"y":0}],%s"no_progress":600000}'
    costs = '"costs":{"move":100,"discover":450,"test":500,"pick_up":100,"place":100},"respawn_interval":5000,"join_timeout":1000,'
    seed("project-small", "p", 0, 0, small % "", inputs_of("project"))
    seed("project-costs", "p", 1, 0, small % costs, inputs_of("project"))
    seed("project-named", "p", 0, 0, "duel", inputs_of("project"))
    seed("project-configuration", "x", 0, 0, configuration(), inputs_of("project"))
    words = set()
    for document in [colony, night, small % costs, configuration()]:
        words |= set(re.findall(r'"\w+":?|</?\w+>', document))
    dictionary("scenario", words | {"-1", "2147483647", "18446744073709551615", "true", "null", "[]", "{}", "/8/"})


# scripts: the text

def scripts():
    folder = ROOT / "games/colony/scripts"
    chosen = []
    for name in ["group", "equipment", "fate"]:
        chosen += sorted((folder / name).glob("*.script"), key=lambda path: (path.stat().st_size, path.name))[:8]
    for path in chosen:
        write("scripts", f"{path.parent.name}-{path.stem}", inlined(path).encode())
    words = set()
    for path in chosen:
        words |= set(re.findall(r"\w+:?", inlined(path).split("\nplayers", 1)[-1]))
    keys = ["name:", "tags:", "rulebook:", "edition:", "scenario:", "scenario text:", "seed:", "timeout:", "players:"]
    dictionary("scripts", {word for word in words if 2 < len(word) < 20} | set(keys) | {"nothing more", "server ends", "server refuses with", "silent", "fragment", "include ", "_", "#"})


def inlined(path):
    """A script with its scenario and its includes in one file."""
    lines = []
    for line in path.read_text().splitlines():
        key, _, value = line.partition(":")
        if key == "scenario" and value.strip().endswith(".json"):
            document = json.loads((path.parent / value.strip()).read_text())
            lines.append("scenario: " + json.dumps(document, separators=(",", ":"), ensure_ascii=False))
        elif line.startswith("include "):
            included = (path.parent / line.split(" ", 1)[1].strip()).read_text().splitlines()
            lines += [line for line in included if line.strip() != "fragment"]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


# http: port, how, bytes of a connection

KEY = "dGhlIHNhbXBsZSBub25jZQ=="

# Client hellos of OpenSSL for the name localhost.
TLS_13 = (
    "16030100ee010000ea030330b4dd102ced58a29aa04a2cc65531df255c8a912f0bc430a6f92eb914d8214a202141173536e8562dd68043dad72ce5c987dca0772e2deb0cef1c5292a9e4"
    "eebe000813021303130100ff010000990000000e000c0000096c6f63616c686f7374000b000403000102000a00160014001d0017001e0019001801000101010201030104002300000016"
    "000000170000000d001e001c040305030603080708080809080a080b080408050806040105010601002b0003020304002d00020101003300260024001d00209ebcb0373e94fd2a971aff"
    "7b3218096630bf043a1c9bb3f87ca89ffc7b4d767d"
)
TLS_12 = (
    "16030100af010000ab03031078eb64178f94b937b920c47bbf8165002a8c150b5c7610ce61e1438c40379b00001ec02cc030c02bc02fcca9cca8c024c028c023c027009f009e006b0067"
    "00ff010000640000000e000c0000096c6f63616c686f7374000b000403000102000a000c000a001d0017001e00190018002300000016000000170000000d002a0028040305030603080708"
    "080809080a080b080408050806040105010601030303010302040205020602"
)


def request(method, path, body="", headers=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def socket_frame(data, kind=1):
    """A frame of a WebSocket whose mask is zero."""
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes([0x80 | kind]) + length + bytes(4) + data


def handshakes():
    """First messages of clients with TLS 1.3 and 1.2, as OpenSSL sends them, and broken ones."""
    new = bytes.fromhex(TLS_13)
    old = bytes.fromhex(TLS_12)
    alert, cipher = bytes.fromhex("15030300020228"), bytes.fromhex("140303000101")
    finished = bytes.fromhex("1703030035") + bytes(range(53))
    return {
        "13": new,
        "12": old,
        "13-goes-on": new + cipher + finished,
        "12-goes-on": old + bytes.fromhex("16030300251000002120") + bytes(32) + cipher,
        "13-again": new + new,
        "13-alert": new + alert,
        "cut": new[:100],
        "small-records": b"".join(b"\x16\x03\x01\x00\x01" + bytes([byte]) for byte in new[5:69]),
        "long-record": b"\x16\x03\x01\xff\xff" + new[5:],
        "alert": alert,
        "early-data": finished,
        "without-versions": new.replace(bytes.fromhex("002b0003020304"), bytes.fromhex("002b0003020300")),
    }


def http():
    games = "/api/v1/games"
    gets = [
        "/", "/games/colony", "/open", "/web/session.js", "/colony", "/crazyhouse/play", "/crazyhouse/play/crazyhouse", "/health", "/metrics",
        games, f"{games}?limit=2&rulebook=colony&after=x&player=Ana&state=open&from=2026-11-16", f"{games}/colony", f"{games}/colony/chronicle?from=0&steps=3",
        f"{games}/crazyhouse/search?text=a%20b&from=1", f"{games}/crazyhouse/live?seen=0", f"{games}/crazyhouse/export/jsonl", f"{games}/treasure/export/csv",
        f"{games}/colony/export/script", f"{games}/crazyhouse/rematch?token=00", "/api/v1/rulebooks/crazyhouse/position?4k3/8/8/8/8/8/8/4K3/NPqr%20w",
        "/api/v1/rulebooks/treasure/errors?x", "/api/v1/bots", "/api/v1/scenarios", "/api/v1/openapi.json", "/nothing/%2e%2e/%ff",
    ]
    for at, path in enumerate(gets):
        write("http", f"get-{at:02}", b"h" + bytes([1 + 2 * (at % 2)]) + request("GET", path))
    create = json.dumps({"rulebook": "crazyhouse", "scenario": "standard", "seed": 1})
    # The random bytes of the host count up from 0, so the game gets this name.
    made = f"{games}/abcdefghij"
    posts = {
        "create": request("POST", games, create) + request("GET", made) + request("GET", f"{made}/chronicle"),
        "fork": request("POST", games, create) + request("POST", f"{made}/fork", '{"entry":0}') + request("GET", games),
        "rematch": request("POST", f"{games}/crazyhouse/rematch", '{"token":"000102030405060708090a0b0c0d0e0f"}'),
        "chunked": request("POST", games, headers=["Transfer-Encoding: chunked"]) + b"2\r\n{}\r\n0\r\n\r\n",
        "wrong": request("DELETE", games) + request("POST", games, "{"),
        "other-site": request("GET", games, headers=["Origin: http://example.org", "Sec-Fetch-Site: cross-site"]),
        "head": request("HEAD", games) + request("GET", "/health"),
        "range": request("GET", "/web/session.js", headers=["Range: bytes=0-9", "If-None-Match: x", "Accept-Encoding: gzip"]),
    }
    person = json.dumps({"name": "Ana", "password": "correct horse"})
    # The random bytes count up: 16 of a salt, 8 of the account, 8 of the names, then those of the session.
    session = "hfs_1011121314151617_202122232425262728292a2b2c2d2e2f"
    cookie, bearer = [f"Cookie: a=b; holdfast_session={session}"], [f"Authorization: Bearer {session}"]
    posts |= {
        "account": request("POST", "/api/v1/register", person) + request("GET", "/api/v1/me", headers=cookie) + request("GET", "/api/v1/me/export", headers=bearer),
        "token": request("POST", "/api/v1/register", person) + request("POST", "/api/v1/me/tokens", '{"label":"x"}', bearer) + request("GET", "/api/v1/me/tokens", headers=cookie),
        "sign-in": request("POST", "/api/v1/sign-in", person) + request("POST", "/api/v1/sign-out", "{}", cookie),
        "leaderboard": request("GET", "/api/v1/leaderboard?rulebook=colony") + request("GET", "/api/v1/me/games", headers=bearer),
        "moderate": request("POST", "/api/v1/reports", '{"delete_line":{"game":"colony","line":1}}') + request("GET", "/api/v1/reports"),
    }
    for name, data in posts.items():
        write("http", name, b"h\1" + data)
    upgrade = request("GET", "/api/v1/play", headers=["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}"])
    hello = b'{"hello":{"protocol":3,"want":{"%s":{}},"game":"%s","board":true}}'
    talks = {
        "join": [hello % (b"join", b"crazyhouse"), b'{"command":["Join","Ana"]}', b'{"command":{"Move":{"text":"e2-e4"}}}', b'{"ping":7}'],
        "watch": [hello % (b"watch", b"treasure"), b'{"ping":7}'],
        "account": [b'{"account":"hfa_1011121314151617_202122232425262728292a2b2c2d2e2f"}', hello % (b"join", b"colony")],
        "chat": [hello % (b"join", b"colony"), b'{"mute":{"by":"Eve","muted":true}}', b'{"notices":true}', b'{"chat":"hi"}', b'{"report":1}'],
        "colony": [hello % (b"join", b"colony"), b'{"command":["Register","Ana"]}', b'{"command":["StartGame"]}', b'{"ping":1}'],
        "create": [b'{"hello":{"protocol":3,"want":{"create":{"scenario":"first-night","timeout":1000}}}}', b'{"command":["Register","Ana"]}'],
        "list": [b'{"hello":{"protocol":1,"want":"list"}}', hello % (b"watch", b"nothing")],
        "private": [
            b'{"hello":{"protocol":3,"want":{"private":{"create":{"scenario":"first-night"},"admission":"invited"}}}}',
            b'{"manage":{"invite":{"name":"Bo"}}}', b'{"manage":{"closed":true}}', b'{"manage":{"admit":"unlisted"}}', b'{"manage":"look"}', b'{"manage":{"remove":{"client":1}}}',
        ],
        "resume": [b'{"hello":{"protocol":3,"want":{"resume":{"token":"00112233445566778899aabbccddeeff","seen":1}},"game":"colony"}}'],
    }
    for name, lines in talks.items():
        frames = b"".join(map(socket_frame, lines)) + socket_frame(b"", 9) + socket_frame(b"\x03\xe8", 8)
        write("http", f"socket-{name}", b"h\1" + upgrade + frames)
        write("http", f"wire-{name}", b"w\1" + b"\n".join(lines) + b"\n")
    hello = b"\0\3\2\0\1" + text("crazyhouse") + b"\1"
    write("http", "wire-binary", b"w\3" + frame(hello) + frame(b"\1\0\3Ana\0") + frame(b"\2\7"))
    for name, data in handshakes().items():
        write("http", f"tls-{name}", b"s\2" + data)
    documents_by_name = {(kind, name): document for kind, name, document in documents()}
    port = {
        "create": request("GET", "/games?enableDebugMode=true&enableDummyCompetition=false") + request("POST", "/games"),
        "register": request("POST", "/games/treasure/players", documents_by_name["R", "registration"]),
        "half": request("POST", "/games/treasure/halfmaps", documents_by_name["H", "half"]),
        "move": request("POST", "/games/treasure/moves", documents_by_name["M", "move"]),
        "state": request("GET", "/games/treasure/states/00"),
        "2017": request("POST", "/NewPlayer", documents_by_name["n", "player"]) + request("POST", "/NewPlayer", documents_by_name["n", "player-small"])
        + request("POST", "/MapCreation", documents_by_name["m", "map"]) + request("POST", "/Updates", documents_by_name["u", "update"])
        + request("POST", "/Problem", documents_by_name["t", "trouble"]),
        "wrong": request("HEAD", "/games") + request("GET", "/x") + request("POST", "/Update", "<"),
    }
    for name, data in port.items():
        write("http", f"port-{name}", b"t\1" + data)
    words = {word for data in [*gets, *posts] for word in re.findall(r"/[\w.{}]+|[?&]\w+=", data)}
    words |= {"GET ", "POST ", "HEAD ", " HTTP/1.1\\x0d\\x0a", "\\x0d\\x0a\\x0d\\x0a", "Host: localhost", "Content-Length: ", "Transfer-Encoding: chunked", "Connection: Upgrade"}
    words |= {"Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}", "\\x81\\x80", "\\x88\\x82", "\\x89\\x80", "abcdefghij", "/games/treasure/players"}
    words |= {'{"hello":', '{"command":', '{"ping":', "colony", "crazyhouse", "treasure", "project", "/NewPlayer", "/MapCreation", "/Updates", "/Problem"}
    dictionary("http", words)


# config: the text of a configuration file


def config():
    files = {
        "empty": "",
        "comments": "# a comment\n\n  # another\n",
        "ports": 'listen = "0.0.0.0:7700"\nhttp = "off"\nadmin-listen = "127.0.0.1:9000"\n',
        "number-port": "listen = 7700\nhttp = 7780\n",
        "limits": "connections = 100\nconnections-per-address = 0\nmessages-per-second = 200\nhttp-connections-per-address = 7\n",
        "lists": 'host-name = ["a.example", "b.example"]\nallow-origin = ["http://localhost:5173"]\ntrusted-proxy = ["127.0.0.1", "2001:db8::/32"]\n',
        "one-of-a-list": 'host-name = "a.example"\nkeep = "30d"\n',
        "times": 'end-waiting-after = "24h"\nend-running-after = "never"\nkeep = ["colony=30d,1000", "all"]\n',
        "people": 'accounts = "optional"\nchat = "off"\nguest-ports = true\n',
        "database": 'store = "postgres://ana:secret@db.example/games"\ncluster-name = "a"\n',
        "tls": "tls-self-signed = true\n",
        "treasure": 'treasure = "127.0.0.1:18235"\ntreasure-profile = "2025s"\n',
        "escapes": 'store = "a\\u0001\\t\\"b\\\\c.db"\nhost-name = [\'literal\', """\nmany\nlines"""]\n',
        "delete-character": 'store = "a\\u007fb"\n',
        "unknown": "lisen = 1\n",
        "twice": "connections = 1\nconnections = 2\n",
        "wrong-type": 'connections = "many"\nchat = 1\nlimit-loopback = 3\n',
        "table": "[listen]\nport = 1\n",
        "dotted": 'listen.port = 1\n"http" = {a = 1}\n',
        "dates": "store = 2026-11-18T00:00:00Z\nconnections = 1e3\nmessages-per-second = 0x10\n",
        "cut": 'listen = "0.0.0.0:77',
        "not-toml": "{}[]=\n",
    }
    for name, data in files.items():
        write("config", name, data.encode())
    words = {word for data in files.values() for word in re.findall(r"[a-z][a-z-]+ = |\"[a-z0-9:.=,]+\"", data)}
    dictionary("config", words | {"true", "false", "[", "]", "\\x0a", "\\\"\\\"\\\""})


def wire_words():
    words = set()
    for game in GAMES:
        for _, value, _ in golden(game):
            words |= set(re.findall(r'"\w+"', value))
    for file in (FUZZ / "corpus/wire").glob("*-json"):
        words |= set(re.findall(r'"\w+"', file.read_text(errors="replace")))
    words = {word for word in words if len(word) < 24 and word.isascii()}
    dictionary("wire", words | {'{"command":', '{"event":{"number":', '{"hello":', "null", "18446744073709551615", "-1", "\\\\u0000"})


if __name__ == "__main__":
    wire()
    wire_words()
    xml()
    log_entry()
    scenario()
    scripts()
    http()
    config()
    for folder in sorted((FUZZ / "corpus").iterdir()):
        files = list(folder.iterdir())
        print(f"{folder.name}: {len(files)} files, {sum(file.stat().st_size for file in files)} bytes")
