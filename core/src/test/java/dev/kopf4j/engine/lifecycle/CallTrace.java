package dev.kopf4j.engine.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.SortedKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls and states of a world in a form in which those of another lifecycle must be equal: with sorted keys,
 * without versions, which tell of requests, and without the one difference that there is on purpose. Parents of
 * sub-handlers are called less often: a call that would come at once after that of a sub-handler, and would tell of the
 * same change, is saved; the attempts of parents are those that were made.
 */
final class CallTrace {
    private final Set<String> parents;

    private CallTrace(Set<String> parents) {
        this.parents = parents;
    }

    static List<String> of(LifecycleWorld world) {
        List<RecordedCall> calls = world.calls();
        Set<String> ids = calls.stream().map(RecordedCall::handler).collect(Collectors.toSet());
        CallTrace trace = new CallTrace(ids.stream()
                .filter(id -> ids.stream().anyMatch(other -> isWithin(other, id)))
                .collect(Collectors.toSet()));
        List<String> lines = new ArrayList<>();
        Map<String, ObjectNode> told = new HashMap<>();
        @Nullable RecordedCall before = null;
        for (RecordedCall call : calls) {
            boolean saved = before != null
                    && isWithin(before.handler(), call.handler())
                    && before.endsAt(call.begin())
                    && call.change().equals(told.get(call.handler()));
            told.put(call.handler(), call.change());
            if (!saved) {
                lines.add(trace.line(call));
                before = call;
            }
        }
        for (ObjectNode state : world.states()) {
            ObjectNode copy = state.deepCopy();
            trace.normalise(copy);
            lines.add("state: " + sorted(copy));
        }
        return lines;
    }

    private static boolean isWithin(String id, String parent) {
        return id.startsWith(parent + "/");
    }

    private String line(RecordedCall call) {
        ObjectNode arguments = call.arguments().deepCopy();
        if (parents.contains(call.handler())) {
            arguments.remove("retry");
        }
        normalise((ObjectNode) arguments.get("body"));
        normaliseRecords(arguments.get("annotations"));
        return call.begin() + " " + call.handler() + " " + sorted(arguments);
    }

    private void normalise(ObjectNode body) {
        if (body.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("resourceVersion");
            normaliseRecords(metadata.get("annotations"));
        }
    }

    private void normaliseRecords(@Nullable JsonNode annotations) {
        if (annotations instanceof ObjectNode texts) {
            for (String name : List.copyOf(texts.propertyNames())) {
                String text = texts.path(name).asString();
                if (text.startsWith("{")) {
                    texts.put(name, sorted(normalRecord(name, Json.parseObject(text.getBytes(UTF_8)))));
                }
            }
        }
    }

    private ObjectNode normalRecord(String annotation, ObjectNode record) {
        if (parents.stream().anyMatch(parent -> annotation.endsWith("/" + parent.replace('/', '.')))) {
            record.remove("retries");
        }
        return record;
    }

    private static String sorted(JsonNode tree) {
        return Json.text(SortedKeys.valueOf(tree));
    }
}
