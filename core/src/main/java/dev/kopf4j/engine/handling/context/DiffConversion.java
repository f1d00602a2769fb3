package dev.kopf4j.engine.handling.context;

import dev.kopf4j.Diff;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;

/** Turns a difference of trees into what handlers see. Pure. */
final class DiffConversion {
    private DiffConversion() {}

    static Diff of(JsonDiff diff) {
        return new Diff(diff.items().stream().map(DiffConversion::item).toList());
    }

    private static Diff.Item item(JsonDiff.Item item) {
        Diff.Op op = switch (item.operation()) {
            case ADD -> Diff.Op.ADD;
            case CHANGE -> Diff.Op.CHANGE;
            case REMOVE -> Diff.Op.REMOVE;
        };
        return new Diff.Item(op, item.field().keys(), Json.toJava(item.oldValue()), Json.toJava(item.newValue()));
    }
}
