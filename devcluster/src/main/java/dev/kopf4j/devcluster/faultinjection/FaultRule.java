package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;

/**
 * Which requests get a fault. Immutable.
 *
 * @param method GET, POST, ..., WATCH for watches alone, or {@code *} for all; GET does not include watches
 * @param path a pattern for the path: {@code *} is any part between slashes, {@code **} is anything
 * @param probability how likely the fault is for each request that matches, above 0 and up to 1
 * @param times how often the fault is injected at most
 * @param fault what goes wrong
 */
public record FaultRule(String method, String path, double probability, int times, Fault fault) {
    /** Checks the values; {@link IllegalArgumentException} for a probability or a number out of range. */
    public FaultRule {
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException("a probability is above 0 and up to 1, not " + probability);
        }
        if (times < 1) {
            throw new IllegalArgumentException("a fault happens at least once, not " + times + " times");
        }
    }

    /** A fault of each request that matches. */
    public static FaultRule of(String method, String path, Fault fault) {
        return new FaultRule(method, path, 1, Integer.MAX_VALUE, fault);
    }

    /**
     * Reads a rule such as {@code 10% PATCH /apis/kopf.dev/** 429 1s}: an optional probability, an optional number of
     * times ({@code x3}), method, path, and one of {@code latency 10ms 200ms}, {@code 429 1s}, {@code 500},
     * {@code reset}, {@code reset-after} (the request is carried out before), {@code silence 5s}, {@code stall 5s 10s},
     * {@code duplicates}, {@code delays 1s}, {@code gone 0s}.
     *
     * @throws IllegalArgumentException if the text is no rule; the message says what is possible
     */
    public static FaultRule parse(String text) {
        return FaultRuleSyntax.parse(text);
    }

    /** The same rule for at most this number of times. */
    public FaultRule atMost(int count) {
        return new FaultRule(method, path, probability, count, fault);
    }

    boolean matches(ApiRequest request) {
        boolean watch = request.isWatch();
        boolean named = method.equals("*") || method.equals(watch ? "WATCH" : request.method());
        return named && (watch || !fault.isOfWatches()) && PathPattern.matches(path, request.path());
    }

    /** The rule in the form that {@link #parse} reads. */
    @Override
    public String toString() {
        return FaultRuleSyntax.write(this);
    }
}
