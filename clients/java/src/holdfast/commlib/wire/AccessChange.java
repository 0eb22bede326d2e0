// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public sealed interface AccessChange {
    Json toJson();

    record Look() implements AccessChange {
        @Override
        public Json toJson() {
            return Json.of("look");
        }
    }

    record Admit(Admission value) implements AccessChange {
        @Override
        public Json toJson() {
            return Json.object().with("admit", value.toJson());
        }
    }

    record Closed(boolean value) implements AccessChange {
        @Override
        public Json toJson() {
            return Json.object().with("closed", Json.of(value));
        }
    }

    record Invite(String name, String account) implements AccessChange {
        @Override
        public Json toJson() {
            return Json.object().with("invite", Json.object()
                    .with("name", name, it -> Json.of(it))
                    .with("account", account, it -> Json.of(it)));
        }
    }

    record Remove(long client) implements AccessChange {
        @Override
        public Json toJson() {
            return Json.object().with("remove", Json.object().with("client", Json.of(client)));
        }
    }

    record End() implements AccessChange {
        @Override
        public Json toJson() {
            return Json.of("end");
        }
    }
}
