package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.regex.Pattern;

/** The data of a {@link FaultRule}. Immutable. */
record FaultRuleData(String method, String path, double probability, int times, Fault fault) implements FaultRule {
    /** Checks the values; {@link IllegalArgumentException} for a probability or a number out of range. */
    FaultRuleData {
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException("a probability is above 0 and up to 1, not " + probability);
        }
        if (times < 1) {
            throw new IllegalArgumentException("a fault happens at least once, not " + times + " times");
        }
    }

    @Override
    public FaultRule withProbability(double share) {
        return new FaultRuleData(method, path, share, times, fault);
    }

    @Override
    public FaultRule atMost(int count) {
        return new FaultRuleData(method, path, probability, count, fault);
    }

    @Override
    public boolean matches(ApiRequest request) {
        boolean watch = request.isWatch();
        boolean named = method.equals("*") || method.equals(watch ? "WATCH" : request.method());
        return named && (watch || !fault.isOfWatches()) && matchesPath(path, request.path());
    }

    /** The rule in the form that {@link FaultRule#parse} reads. */
    @Override
    public String toString() {
        return FaultRuleSyntax.write(this);
    }

    /** Whether a path fits a pattern: {@code *} is any part between slashes, {@code **} is anything. */
    private static boolean matchesPath(String pattern, String path) {
        return Pattern.matches(regex(pattern), path);
    }

    private static String regex(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (int at = 0; at < pattern.length(); at++) {
            if (pattern.startsWith("**", at)) {
                regex.append(".*");
                at++;
            } else if (pattern.charAt(at) == '*') {
                regex.append("[^/]*");
            } else {
                regex.append(Pattern.quote(pattern.substring(at, at + 1)));
            }
        }
        return regex.toString();
    }
}
