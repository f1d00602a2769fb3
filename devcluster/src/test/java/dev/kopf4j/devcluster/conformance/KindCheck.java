package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks a fresh server for each row of a kind's table, and collects the rows that it answers otherwise. */
final class KindCheck {
    private static final String DRY = "?dryRun=All";

    /** What each new object gets, whatever its kind. */
    private static final Pattern ALWAYS = Pattern.compile(
            "(apiVersion|kind|metadata\\.(uid|creationTimestamp|resourceVersion|managedFields|generation|namespace))(\\b.*)?");

    private final KindTable table;
    private final InMemory cluster = new InMemory(UnaryOperator.identity());
    private final Map<String, String> differences = new LinkedHashMap<>();

    KindCheck(KindTable table) {
        this.table = table;
    }

    /** The rows that differ, with what was found. */
    Map<String, String> differences() {
        table.required().forEach((path, answer) -> {
            ObjectNode sent = table.copy();
            Paths.remove(sent, path);
            row("required " + path, answer.stringValue(), outcome("POST", table.path() + DRY, sent));
        });
        table.invalid().forEach(each -> {
            ObjectNode sent = table.copy();
            Paths.set(sent, each.path(), each.value());
            row(
                    "invalid " + each.path() + " " + each.value(),
                    each.answer(),
                    outcome("POST", table.path() + DRY, sent));
        });
        defaults();
        if (table.stored()) {
            immutable();
            life();
        }
        return differences;
    }

    private void defaults() {
        JsonNode made = cluster.json("POST", table.path() + DRY, Json.text(table.object()));
        Map<String, JsonNode> expected = new TreeMap<>(table.stored() ? table.defaulted() : Map.of());
        Map<String, JsonNode> found = new TreeMap<>();
        if (table.stored()) {
            additions(table.object(), made, "", found);
        }
        table.generated().forEach(path -> {
            row("generated " + path, true, !Paths.lookup(made, path).isMissingNode());
            found.remove(path);
        });
        expected.forEach((path, value) -> row("defaulted " + path, value, Paths.lookup(made, path)));
        found.keySet().removeAll(expected.keySet());
        found.forEach((path, value) -> row("defaulted " + path, Json.missing(), value));
    }

    /** The outermost fields that only the second one has. */
    private static void additions(JsonNode sent, JsonNode made, String at, Map<String, JsonNode> found) {
        if (made.isObject() && (sent.isObject() || !made.isEmpty())) {
            made.properties().forEach(entry -> {
                String name = entry.getKey();
                String step = name.matches("[A-Za-z0-9_$-]+") ? "." + name : "['" + name + "']";
                String path = at.isEmpty() ? step.replaceFirst("^\\.", "") : at + step;
                additions(sent.path(name), entry.getValue(), path, found);
            });
        } else if (made.isArray() && sent.size() == made.size() && sent.isArray()) {
            for (int index = 0; index < made.size(); index++) {
                additions(sent.get(index), made.get(index), at + "[" + index + "]", found);
            }
        } else if (sent.isMissingNode() && !ALWAYS.matcher(at).matches()) {
            found.put(at, made);
        }
    }

    private void immutable() {
        if (table.immutable().isEmpty()) {
            return;
        }
        ObjectNode object = table.copy();
        table.more().properties().forEach(entry -> {
            if (object.get(entry.getKey()) instanceof ObjectNode part) {
                part.setAll((ObjectNode) entry.getValue());
            } else {
                object.set(entry.getKey(), entry.getValue());
            }
        });
        cluster.send("POST", table.path(), Json.text(object));
        for (KindTable.Case each : table.immutable()) {
            JsonNode live = cluster.get(table.item());
            ObjectNode sent = (ObjectNode) live.deepCopy();
            Paths.set(sent, each.path(), each.value());
            ApiResponse response = cluster.send("PUT", table.item() + DRY, Json.text(sent));
            JsonNode answer = Json.parse(InMemory.text(response));
            boolean kept = Objects.equals(Paths.lookup(answer, each.path()), Paths.lookup(live, each.path()));
            String found = response.status() == 200 ? kept ? "kept" : "changed" : outcome(response, answer);
            row("immutable " + each.path() + " " + each.value(), each.answer(), found);
        }
    }

    private void life() {
        InMemory fresh = new InMemory(UnaryOperator.identity());
        JsonNode status = table.status();
        if (!status.isMissingNode()) {
            ObjectNode sent = table.copy();
            place(sent, status);
            JsonNode made = fresh.json("POST", table.path() + DRY, Json.text(sent));
            row("status create", status.get("create").stringValue(), taken(made, status));
        }
        JsonNode made = fresh.json("POST", table.path(), Json.text(table.object()));
        List<Integer> generation = table.generation();
        row("generation of a new object", generation.getFirst(), generation(made));
        JsonNode labelled = fresh.json("PATCH", table.item(), "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        row("generation after a change of labels", generation.get(1), generation(labelled));
        endpoints(fresh);
        if (generation.size() > 2) {
            ObjectNode sent = (ObjectNode) fresh.get(table.item()).deepCopy();
            place(sent, table.change());
            JsonNode changed = fresh.json("PUT", table.item(), Json.text(sent));
            row("change", "taken", taken(changed, table.change()));
            row("generation after a change", generation.get(2), generation(changed));
        }
    }

    private void endpoints(InMemory fresh) {
        String accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
        ApiResponse list = fresh.send("GET", table.path(), "", Map.of("accept", accept));
        row(
                "columns",
                table.columns(),
                Json.parse(InMemory.text(list))
                        .path("columnDefinitions")
                        .valueStream()
                        .map(column -> Json.string(column, "name"))
                        .toList());
        int scale = fresh.send("GET", table.item() + "/scale", "").status();
        row("scale", table.scale() ? 200 : 404, scale);
        JsonNode status = table.status();
        int read = fresh.send("GET", table.item() + "/status", "").status();
        row("status", status.isMissingNode() ? 404 : 200, read);
        if (!status.isMissingNode()) {
            ObjectNode sent = (ObjectNode) fresh.get(table.item()).deepCopy();
            place(sent, status);
            JsonNode updated = fresh.json("PUT", table.item() + DRY, Json.text(sent));
            row("status update", status.get("update").stringValue(), taken(updated, status));
            if (status.has("change")) {
                place(sent, table.change());
            }
            JsonNode written = fresh.json("PUT", table.item() + "/status" + DRY, Json.text(sent));
            row("status status", status.get("status").stringValue(), taken(written, status));
            if (status.has("change")) {
                row("status change", status.get("change").stringValue(), taken(written, table.change()));
            }
        }
    }

    private static void place(ObjectNode object, JsonNode pair) {
        Paths.set(object, Json.string(pair, "path"), pair.get("value"));
    }

    private static String taken(JsonNode answer, JsonNode pair) {
        if (Json.string(answer, "kind").equals("Status")) {
            return answer.path("code").asString();
        }
        return Paths.lookup(answer, Json.string(pair, "path")).equals(pair.get("value")) ? "taken" : "ignored";
    }

    private static int generation(JsonNode object) {
        return Json.at(object, "metadata", "generation").asInt(0);
    }

    private String outcome(String method, String target, JsonNode body) {
        ApiResponse response = cluster.send(method, target, Json.text(body));
        return outcome(response, Json.parse(InMemory.text(response)));
    }

    /** The status, and the fields and reasons of the causes. */
    static String outcome(ApiResponse response, JsonNode answer) {
        TreeSet<String> causes = new TreeSet<>();
        for (JsonNode cause : answer.path("details").path("causes")) {
            String reason = Json.string(cause, "reason").replace("FieldValue", "");
            causes.add(Json.string(cause, "field") + ":" + reason);
        }
        return (response.status() + " " + String.join(" ", causes)).strip();
    }

    private void row(String name, Object expected, Object found) {
        if (!expected.equals(found)) {
            differences.put(name, String.valueOf(found));
        }
    }
}
