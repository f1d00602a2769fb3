package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.response.ResponseFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;

/** The path where the administrator sets faults over HTTP, as text with a rule in each line. Thread-safe. */
public final class FaultEndpoint {
    /** The path of the endpoint. */
    public static final String PATH = "/devcluster/faults";

    private static final String CLOCK = "clock ";
    private final Faults faults;

    /** An endpoint for these faults. */
    public FaultEndpoint(Faults faults) {
        this.faults = faults;
    }

    /** Shows, adds or clears rules; a line {@code clock 5s} or {@code clock -5s} moves the clock. */
    public ApiResponse answer(ApiRequest request, UserInfo userInfo) {
        if (!userInfo.isMaster()) {
            return ResponseFactory.text(403, "only the administrator may set faults\n");
        }
        switch (request.method()) {
            case "GET" -> {}
            case "POST" -> {
                String text = new String(request.body(), StandardCharsets.UTF_8);
                try {
                    apply(
                            text,
                            new Faults(0)); // parses all lines first, because a wrong line must leave all rules as they
                    // are
                } catch (IllegalArgumentException e) {
                    return ResponseFactory.text(400, e.getMessage() + "\n");
                }
                apply(text, faults);
            }
            case "DELETE" -> {
                faults.clear();
                faults.clockOffset(Duration.ZERO);
            }
            default -> {
                return ResponseFactory.text(405, "GET, POST or DELETE\n");
            }
        }
        String rules = faults.rules().stream().map(rule -> rule + "\n").collect(Collectors.joining());
        return ResponseFactory.text(200, rules);
    }

    private static void apply(String text, Faults faults) {
        text.lines().filter(line -> !line.isBlank()).forEach(line -> {
            if (line.startsWith(CLOCK)) {
                faults.clockOffset(line.substring(CLOCK.length()).strip());
            } else {
                faults.add(line);
            }
        });
    }
}
