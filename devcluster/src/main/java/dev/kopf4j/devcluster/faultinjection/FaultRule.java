package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.regex.Pattern;

/**
 * Which requests a fault befalls. Immutable.
 *
 * @param method GET, POST, ..., WATCH for watches alone, or {@code *} for all; GET does not mean watches
 * @param path a pattern for the path: {@code *} is any part between slashes, {@code **} is anything
 * @param probability how likely it is for each request that fits, above 0 and up to 1
 * @param times how often it happens at the most
 * @param fault what goes wrong
 */
public record FaultRule(String method, String path, double probability, int times, Fault fault) {
    /** Checks the values. */
    public FaultRule {
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException("a probability is above 0 and up to 1, not " + probability);
        }
        if (times < 1) {
            throw new IllegalArgumentException("a fault happens at least once, not " + times + " times");
        }
    }

    /** A fault of each request that fits. */
    public static FaultRule of(String method, String path, Fault fault) {
        return new FaultRule(method, path, 1, Integer.MAX_VALUE, fault);
    }

    /**
     * Reads a rule such as {@code 10% PATCH /apis/kopf.dev/** 429 1s}: an optional probability, an optional number of
     * times ({@code x3}), method, path, and one of {@code latency 10ms 200ms}, {@code 429 1s}, {@code 500},
     * {@code reset}, {@code reset-after} (done before), {@code silence 5s}, {@code stall 5s 10s}, {@code duplicates},
     * {@code delays 1s}, {@code gone 0s}.
     *
     * @throws IllegalArgumentException if it is none, with what is possible
     */
    public static FaultRule parse(String text) {
        return FaultRuleSyntax.parse(text);
    }

    /** The same with another probability, above 0 and up to 1. */
    public FaultRule withProbability(double likelihood) {
        return new FaultRule(method, path, likelihood, times, fault);
    }

    /** The same, but so often at the most. */
    public FaultRule atMost(int count) {
        return new FaultRule(method, path, probability, count, fault);
    }

    /** Whether a request is one of those. */
    boolean fits(ApiRequest request) {
        boolean watch = request.isWatch();
        boolean named = method.equals("*") || method.equals(watch ? "WATCH" : request.method());
        return named && (watch || !fault.isOfWatches()) && matches(request.path());
    }

    private boolean matches(String actual) {
        StringBuilder pattern = new StringBuilder();
        for (int at = 0; at < path.length(); at++) {
            if (path.startsWith("**", at)) {
                pattern.append(".*");
                at++;
            } else if (path.charAt(at) == '*') {
                pattern.append("[^/]*");
            } else {
                pattern.append(Pattern.quote(path.substring(at, at + 1)));
            }
        }
        return Pattern.matches(pattern.toString(), actual);
    }

    /** In the form that {@link #parse} reads. */
    @Override
    public String toString() {
        return FaultRuleSyntax.write(this);
    }
}
