package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.faultinjection.FaultRule;
import dev.kopf4j.devcluster.faultinjection.FaultRuleSyntax;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.response.ResponseFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The path by which the administrator sets faults over HTTP, as text with a rule in each line. Thread-safe. */
public final class FaultEndpoint {
    /** Where it is. */
    public static final String PATH = "/devcluster/faults";

    private static final String CLOCK = "clock ";
    private final Faults faults;

    /** A page for these faults. */
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
                try {
                    List<Runnable> steps = new String(request.body(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank())
                            .map(this::step)
                            .toList();
                    steps.forEach(Runnable::run);
                } catch (IllegalArgumentException e) {
                    return ResponseFactory.text(400, e.getMessage() + "\n");
                }
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

    /** What a line asks for, done when all lines are known to be right. */
    private Runnable step(String line) {
        if (!line.startsWith(CLOCK)) {
            FaultRule rule = FaultRule.parse(line);
            return () -> faults.add(rule);
        }
        String time = line.substring(CLOCK.length()).strip();
        boolean behind = time.startsWith("-");
        Duration offset = FaultRuleSyntax.time(behind ? time.substring(1) : time);
        return () -> faults.clockOffset(behind ? offset.negated() : offset);
    }
}
