package dev.kopf4j.engine;

import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One recorded trace: what an operator sends and logs. Read from {@code golden-traces.md}. */
record GoldenTrace(String id, String title, List<FakeApiServer.Request> patches, List<String> lines, JsonNode last) {
    private static final Pattern PATCH = Pattern.compile("- PATCH (\\S+) `(\\S+)` `(.*)`");

    static GoldenTrace load(String id) {
        List<String> text = section(id);
        List<FakeApiServer.Request> patches = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        JsonNode last = Json.object();
        for (String line : text) {
            Matcher patch = PATCH.matcher(line);
            String stripped = line.strip().replaceFirst("^- ", "");
            if (patch.matches()) {
                patches.add(new FakeApiServer.Request(patch.group(1), patch.group(2), Json.parse(patch.group(3))));
            } else if (stripped.startsWith("info: ") || stripped.startsWith("error: ")) {
                // Exceptions are named the Java way here.
                lines.add(stripped.replace(" (+traceback)", "").replace("TemporaryError(", "TemporaryException("));
            } else if (stripped.startsWith("FINAL ")) {
                last = Json.parse(stripped.substring(7, stripped.length() - 1));
            }
        }
        return new GoldenTrace(id, text.getFirst(), withoutTouching(patches), lines, last);
    }

    private static List<String> section(String id) {
        List<String> all = resource().lines().toList();
        int start = 0;
        while (!all.get(start).startsWith("### " + id + ".")) {
            start++;
        }
        int end = start + 1;
        while (end < all.size() && !all.get(end).startsWith("### ")) {
            end++;
        }
        return all.subList(start, end);
    }

    private static String resource() {
        try (InputStream stream = GoldenTrace.class.getResourceAsStream("/golden-traces.md")) {
            return new String(java.util.Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Here nothing wakes up by touching the object, so there is nothing to be touched and removed. */
    private static List<FakeApiServer.Request> withoutTouching(List<FakeApiServer.Request> patches) {
        return patches.stream()
                .map(patch -> new FakeApiServer.Request(patch.path(), patch.type(), untouched(patch.body())))
                .filter(patch -> !patch.body().isEmpty())
                .toList();
    }

    private static JsonNode untouched(JsonNode body) {
        if (body.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(List.of("kopf.zalando.org/touch-dummy", "kopf.zalando.org/touch-dummy-ofDRS"));
            if (annotations.isEmpty()) {
                ((ObjectNode) body).remove("metadata");
            }
        }
        return body;
    }
}
