// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public sealed interface Want {
    Json toJson();

    record List() implements Want {
        @Override
        public Json toJson() {
            return Json.of("list");
        }
    }

    record Create(holdfast.commlib.wire.Create value) implements Want {
        @Override
        public Json toJson() {
            return Json.object().with("create", value.toJson());
        }
    }

    record Join(Integer seat) implements Want {
        @Override
        public Json toJson() {
            return Json.object().with("join", Json.object().with("seat", seat, it -> Json.of(it)));
        }
    }

    record Watch(long seen) implements Want {
        @Override
        public Json toJson() {
            return Json.object().with("watch", Json.object().with("seen", Json.ofUnsigned(seen)));
        }
    }

    record Resume(String token, long seen) implements Want {
        @Override
        public Json toJson() {
            return Json.object().with("resume", Json.object()
                    .with("token", Json.of(token))
                    .with("seen", Json.ofUnsigned(seen)));
        }
    }

    record Private(holdfast.commlib.wire.Create create, Admission admission) implements Want {
        @Override
        public Json toJson() {
            return Json.object().with("private", Json.object()
                    .with("create", create.toJson())
                    .with("admission", admission.toJson()));
        }
    }
}
