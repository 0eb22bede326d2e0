// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public sealed interface FromClient {
    Json toJson();

    record Hello(holdfast.commlib.wire.Hello value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("hello", value.toJson());
        }
    }

    record Command(Json value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("command", value);
        }
    }

    record Ping(long value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("ping", Json.ofUnsigned(value));
        }
    }

    record Offers(long value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("offers", Json.ofUnsigned(value));
        }
    }

    record Notices(boolean value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("notices", Json.of(value));
        }
    }

    record Chat(String value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("chat", Json.of(value));
        }
    }

    record Account(String value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("account", Json.of(value));
        }
    }

    record Mute(Muting value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("mute", value.toJson());
        }
    }

    record Report(long value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("report", Json.ofUnsigned(value));
        }
    }

    record Manage(AccessChange value) implements FromClient {
        @Override
        public Json toJson() {
            return Json.object().with("manage", value.toJson());
        }
    }
}
