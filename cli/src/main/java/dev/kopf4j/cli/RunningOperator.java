package dev.kopf4j.cli;

import dev.kopf4j.cli.maintenance.Finding;
import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator tells of itself at its readiness probe. */
final class RunningOperator {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int OK = 200;

    private RunningOperator() {}

    /** What is wrong with it; empty if it is ready. */
    static List<Finding> findings(URI readiness) throws InterruptedException {
        if (readiness.getHost() == null) {
            throw CommandException.usage("--readiness must be an address as http://localhost:8080/ready: " + readiness);
        }
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(readiness).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == OK ? List.of() : told(readiness, response.body());
        } catch (IOException e) {
            return List.of(
                    finding(
                            "the operator does not answer at " + readiness + " (" + e + ")",
                            "is it running with --readiness, and is the address reachable from here? `kubectl port-forward` helps"));
        }
    }

    private static List<Finding> told(URI readiness, String page) {
        List<Finding> findings = new ArrayList<>();
        try {
            JsonNode json = JsonMapper.shared().readTree(page);
            json.path("troubles")
                    .forEach(trouble -> findings.add(
                            finding("the operator says: " + trouble.asString(""), "see the operator's log")));
            json.path("streams").forEach(stream -> {
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
        } catch (JacksonException e) {
            findings.add(finding(
                    readiness + " is not the readiness page of an operator: " + e.getOriginalMessage(),
                    "give the address of `run --readiness`"));
        }
        return findings.isEmpty()
                ? List.of(finding("the operator at " + readiness + " is not ready yet", "wait, or see its log"))
                : findings;
    }

    private static Finding finding(String problem, String wayOut) {
        return new Finding(problem, wayOut, List.of(), 0);
    }
}
