import holdfast.commlib.ClosedException;
import holdfast.commlib.Place;
import holdfast.commlib.RefusedException;
import holdfast.commlib.colony.ClientConnection;
import holdfast.commlib.wire.Create;
import holdfast.commlib.wire.GameInfo;
import holdfast.commlib.wire.Reason;
import holdfast.commlib.wire.Welcome;
import java.util.List;

/** Every kind of hello to the real host, and what it refuses, in its words. */
final class HandshakeTests {
    private static final String NO_TOKEN = "00000000000000000000000000000000";
    private static final String NAME = "Ana \u00e9\uD83D\uDE00";

    private HandshakeTests() {}

    static void run() throws Exception {
        try (HostProcess host = new HostProcess()) {
            entering(host);
            refusals(host);
            rules(host);
        }
    }

    private static ClientConnection<Runnable> connect(HostProcess host, Recorder recorder) {
        return new ClientConnection<>("127.0.0.1", host.port(), recorder.factory());
    }

    private static void entering(HostProcess host) throws Exception {
        Recorder told = new Recorder(null);
        Recorder seen = new Recorder(null);
        try (ClientConnection<Runnable> ana = connect(host, told);
                ClientConnection<Runnable> bo = connect(host, new Recorder(null));
                ClientConnection<Runnable> cleo = connect(host, seen)) {
            Check.equal(List.of(), ana.list(), "the games of a new host");
            Welcome welcome = ana.create(new Create("colony", "winter", "equipment", -7L, 60_000L));
            Check.equal(1L, welcome.next(), "the first event");
            Check.equal("colony", ana.rulebook(), "what is played");
            Check.equal("equipment", ana.edition(), "in which edition");
            Check.equal(null, ana.scenario(), "players are told it by the game");
            ana.sendRegister(NAME);
            ana.nextEvent();
            Check.isTrue(told.events().get(0).startsWith("createConfig[{"), "the scenario comes with its text");
            List<GameInfo> games = bo.list();
            String status = games.get(0).status();
            GameInfo game = new GameInfo(ana.game(), "colony", "equipment", List.of(NAME), status);
            Check.equal(List.of(game), games, "the games");
            Check.isTrue(!bo.join(ana.game()).client().equals(welcome.client()), "another client has another identity");
            Check.equal(null, cleo.watch(ana.game(), 0).client(), "a spectator is not a client");
            Check.isTrue(told.events().get(0).equals("createConfig[" + cleo.scenario() + "]"), "it is the same scenario");
            cleo.nextEvent();
            Check.equal("[createRegistered[0, " + NAME + "]]", seen.events().toString(), "what everybody sees");
            Check.fails(IllegalStateException.class, "entered already", () -> ana.join(bo.game()));

            Place place = ana.place();
            Check.equal(1L, place.seen(), "the last event");
            try (ClientConnection<Runnable> again = connect(host, new Recorder(null))) {
                Welcome resumed = again.resume(place);
                Check.equal(welcome.client(), resumed.client(), "the token identifies the client");
                Check.equal(1L, resumed.commands(), "the registration was taken");
                ClosedException closed = Check.fails(ClosedException.class, "", ana::nextEvent);
                Check.equal(Reason.REPLACED, closed.reason(), "why the first connection ends");
            }
        }
    }

    /** After each of them the same connection may ask for something else. */
    private static void refusals(HostProcess host) throws Exception {
        try (ClientConnection<Runnable> ana = connect(host, new Recorder(null))) {
            Check.fails(IllegalStateException.class, "no game was entered", ana::sendEndTurn);
            Check.fails(IllegalStateException.class, "no game was entered", ana::nextEvent);
            refused(Reason.BAD_SCENARIO, "maxPlayers", () -> ana.create("{}"));
            refused(Reason.UNKNOWN_GAME, "tea", () -> ana.join("tea"));
            refused(Reason.UNKNOWN_GAME, "", ana::join);
            refused(Reason.UNKNOWN_GAME, "tea", () -> ana.watch("tea", 0));
            ana.create("first-night");
            try (ClientConnection<Runnable> bo = connect(host, new Recorder(null))) {
                refused(Reason.UNKNOWN_TOKEN, "", () -> bo.resume(new Place(ana.game(), NO_TOKEN, 0, false)));
                refused(Reason.BAD_MESSAGE, "seat", () -> bo.join(ana.game(), 5));
                bo.watch(ana.game(), 0);
                bo.sendEndTurn();
                refused(Reason.BAD_MESSAGE, "", bo::nextEvent);
            }
        }
    }

    private static void refused(Reason reason, String words, Tests.Test test) throws Exception {
        RefusedException refused = Check.fails(RefusedException.class, words, test);
        Check.equal(reason, refused.reason(), refused.getMessage());
        Check.isTrue(!refused.getMessage().isEmpty(), "the server says something");
    }

    /** What the rules refuse is an event. */
    private static void rules(HostProcess host) throws Exception {
        Recorder told = new Recorder(null);
        try (ClientConnection<Runnable> ana = connect(host, told)) {
            ana.create("first-night");
            ana.sendRegister("Ana");
            ana.sendRegister("Ana");
            ana.nextEvent();
            ana.nextEvent();
            Check.isTrue(told.events().get(1).startsWith("createCommandFailed[AlreadyRegistered[player=0], "),
                    told.events().get(1));
            ana.sendStartGame();
            while (!told.events().get(told.events().size() - 1).startsWith("createCharacters")) {
                ana.nextEvent();
            }
            ana.sendSelectCharacters(-1, -1);
            ana.nextEvent();
            ana.sendSelectCharacters(-1, -2);
            ana.nextEvent();
            String last = told.events().get(told.events().size() - 1);
            Check.isTrue(last.startsWith("createCommandFailed[NotOffered[character=-2, offered=Few[first=["), last);
        }
    }
}
