package dev.kopf4j.cli;

import dev.kopf4j.cli.maintenance.Finding;
import dev.kopf4j.cli.operation.HandlerReport;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** What an operator tells of itself at its readiness probe. */
final class RunningOperator {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private RunningOperator() {}

    /** What is wrong with it; empty if it is ready. */
    static List<Finding> findings(URI readiness) throws InterruptedException {
        try {
            HttpResponse<String> response = get(readiness, "", PATIENCE);
            return findings(readiness, response);
        } catch (IOException e) {
            return List.of(
                    finding(
                            "the operator does not answer at " + readiness + " (" + e + ")",
                            "is it running with --readiness, and is the address reachable from here? `kubectl port-forward` helps"));
        }
    }

    /**
     * The answer to a query at the readiness probe.
     *
     * @param within how long it may take
     */
    static HttpResponse<String> get(URI readiness, String query, Duration within)
            throws IOException, InterruptedException {
        if (readiness.getHost() == null) {
            throw CommandException.usage("--readiness must be an address as http://localhost:8080/ready: " + readiness);
        }
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(readiness + query))
                            .timeout(within)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Adds what only the memory of the operator knows of the object, and what is wrong with the operator. */
    static HandlerReport.Told add(URI readiness, HandlerReport.Told told) throws InterruptedException {
        ObjectNode found = Json.object();
        List<String> words = new ArrayList<>();
        try {
            HttpResponse<String> response = get(readiness, "?uid=" + told.uid(), PATIENCE);
            findings(readiness, response).forEach(each -> words.add("  the running operator: " + each.problem()));
            JsonNode page = page(response.body());
            JsonNode memory = page.path("object");
            if (memory instanceof ObjectNode object) {
                found = object;
                words.addAll(words(object));
            } else if (isReadinessPage(page)) {
                words.add(
                        memory.isNull()
                                ? "  the running operator does not know the object" + elsewhere(page, told.uid())
                                : "  the running operator tells of objects only where it runs itself: make its port a"
                                        + " local one by `kubectl port-forward`");
            }
        } catch (IOException e) {
            words.add("  the running operator does not answer at " + readiness + " (" + e + ")");
        }
        return told.and(words, "memory", found);
    }

    /** Where it is if the replicas share the objects; empty if it ought to be here. */
    private static String elsewhere(JsonNode page, String uid) {
        JsonNode shards = page.path("shards");
        int count = shards.path("of").asInt(0);
        String served = shards.path("served").asString("");
        if (count == 0 || ShardSet.of(count, ShardSet.numbers(served, count)).has(uid)) {
            return "";
        }
        return ": it is in shard " + ShardSet.shardOf(uid, count) + " of " + count + ", and this replica has "
                + (served.isEmpty() ? "none" : served);
    }

    private static List<String> words(ObjectNode memory) {
        List<String> words = new ArrayList<>();
        if (memory.path("busy").asBoolean(false)) {
            words.add("  the running operator is processing it at this moment");
            return words;
        }
        if (memory.has("resumed")) {
            words.add("  the running operator has " + (memory.path("resumed").asBoolean(false) ? "" : "not ")
                    + "called its resuming handlers since the start");
        }
        memory.path("running").forEach(each -> words.add("  the running operator: " + running(each)));
        list(memory, "ended", "has ended for good, and is not started again for it", words);
        list(memory, "seen", "has ended with a state of the change that is being handled", words);
        list(memory, "failed", "has failed for good since the start", words);
        memory.path("children")
                .path("failures")
                .properties()
                .forEach(each -> words.add("  the running operator: " + each.getKey() + " could not be written: "
                        + each.getValue().asString("")));
        if (memory.has("errorsInRow")) {
            words.add("  the running operator: " + memory.path("errorsInRow").asInt(0)
                    + " unexpected errors in a row; see its log");
        }
        if (memory.has("unsent")) {
            words.add("  the running operator: a patch is not sent yet; see its log");
        }
        if (memory.has("removed")) {
            words.add(
                    "  the running operator waits, as something keeps removing its annotations or finalizer (K4-027)");
        }
        if (memory.has("changing")) {
            words.add("  the running operator waits, as the object changes each time that it is written (K4-028)");
        }
        return words;
    }

    private static void list(ObjectNode memory, String field, String what, List<String> words) {
        memory.path(field).forEach(id -> words.add("  the running operator: '" + id.asString("") + "' " + what));
    }

    private static String running(JsonNode each) {
        String next = each.path("next").asString("");
        return each.path("kind").asString("") + " '" + each.path("id").asString("") + "' is "
                + each.path("state").asString("") + (next.isEmpty() ? "" : ", next call at " + next)
                + (each.has("attempt")
                        ? ", attempt " + each.path("attempt").asInt(0) + ": "
                                + each.path("message").asString("")
                        : "");
    }

    private static List<Finding> findings(URI readiness, HttpResponse<String> response) {
        JsonNode page = page(response.body());
        if (!isReadinessPage(page)) {
            return List.of(finding(
                    readiness + " is not the readiness page of an operator (HTTP " + response.statusCode() + ")",
                    "give the address of `run --readiness`"));
        }
        List<Finding> findings = new ArrayList<>();
        String pauses =
                page.path("paused").valueStream().map(each -> each.asString("")).collect(Collectors.joining("; "));
        if (!pauses.isEmpty()) {
            findings.add(
                    finding(
                            "the operator is paused, and handles nothing there: " + pauses,
                            "does another operator or replica handle it? After `kopf4j freeze`, `kopf4j resume` ends the pause"));
        }
        page.path("troubles")
                .forEach(trouble ->
                        findings.add(finding("the operator says: " + trouble.asString(""), "see the operator's log")));
        page.path("streams").forEach(stream -> {
            String trouble = stream.path("listed").asBoolean(false)
                            || stream.path("paused").asBoolean(false)
                    ? stream.path("trouble").asString("")
                    : stream.path("trouble").asString("not everything that exists has been seen yet");
            if (!trouble.isEmpty()) {
                findings.add(finding(
                        "the stream of " + stream.path("stream").asString("") + " is not well: " + trouble,
                        "see the operator's log, and whether the API server answers"));
            }
        });
        if (findings.isEmpty() && !page.path("ready").asBoolean(false)) {
            findings.add(finding("the operator at " + readiness + " is not ready yet", "wait, or see its log"));
        }
        return findings;
    }

    private static boolean isReadinessPage(JsonNode page) {
        return page.path("ready").isBoolean() && page.path("streams").isArray();
    }

    /** What was answered, as JSON; missing if it is none. */
    private static JsonNode page(String text) {
        try {
            return Json.parse(text);
        } catch (JsonConversionException e) {
            return MissingNode.getInstance();
        }
    }

    private static Finding finding(String problem, String wayOut) {
        return new Finding(problem, wayOut, List.of(), 0);
    }
}
