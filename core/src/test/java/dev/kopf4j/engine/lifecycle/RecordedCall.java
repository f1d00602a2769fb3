package dev.kopf4j.engine.lifecycle;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One call of a handler with all its arguments. Confined to the simulation. */
final class RecordedCall {
    private final String handler;
    private final ObjectNode arguments = Json.object();
    private final Instant begin;
    private @Nullable Instant end;

    RecordedCall(HandlerContext context, Instant begin) {
        this.handler = context.handlerId();
        this.begin = begin;
        arguments.put("reason", context.reason().name());
        arguments.put("uid", context.uid());
        arguments.put("retry", context.retry());
        arguments.put("started", context.started().toString());
        arguments.put("runtime", context.runtime().toString());
        set("old", context.oldValue());
        set("new", context.newValue());
        set("diff", context.diff().items());
        set("labels", context.labels());
        set("annotations", context.annotations());
        set("body", context.body().toMap());
    }

    private void set(String name, @Nullable Object value) {
        JsonNode tree = value instanceof dev.kopf4j.View view ? Json.parse(view.toJson()) : Json.fromJava(value);
        arguments.set(name, tree);
    }

    String handler() {
        return handler;
    }

    ObjectNode arguments() {
        return arguments;
    }

    Instant begin() {
        return begin;
    }

    void end(Instant moment) {
        end = moment;
    }

    boolean endsAt(Instant moment) {
        return moment.equals(end);
    }

    /** What has changed, as the handler was told. */
    ObjectNode change() {
        ObjectNode change = Json.object();
        for (String name : java.util.List.of("uid", "reason", "old", "new", "diff")) {
            change.set(name, arguments.get(name));
        }
        return change;
    }

    @Override
    public String toString() {
        return begin + " " + handler + " " + Map.of("arguments", arguments);
    }
}
