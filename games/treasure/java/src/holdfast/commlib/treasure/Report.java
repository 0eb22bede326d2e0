// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public record Report(long fields, int grass, int mountain, int water, long forts, Edges edges, boolean connected) {
    public static Report read(Json json) {
        return new Report(
                json.field("fields").asLong(0, 4294967295L),
                json.field("grass").asInt(0, 255),
                json.field("mountain").asInt(0, 255),
                json.field("water").asInt(0, 255),
                json.field("forts").asLong(0, 4294967295L),
                Edges.read(json.field("edges")),
                json.field("connected").asBoolean());
    }

    public Json toJson() {
        return Json.object()
                .with("fields", Json.of(fields))
                .with("grass", Json.of(grass))
                .with("mountain", Json.of(mountain))
                .with("water", Json.of(water))
                .with("forts", Json.of(forts))
                .with("edges", edges.toJson())
                .with("connected", Json.of(connected));
    }
}
