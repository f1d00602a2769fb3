package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;

/**
 * Which requests get a fault. Made by {@link #of} or {@link #parse}. Immutable. Two rules are equal if all their parts
 * are.
 */
public sealed interface FaultRule permits FaultRuleData {
    /**
     * A fault of each request that matches.
     *
     * @param method GET, POST, ..., WATCH for watches alone, or {@code *} for all; GET does not include watches
     * @param path a pattern for the path: {@code *} is any part between slashes, {@code **} is anything
     */
    static FaultRule of(String method, String path, Fault fault) {
        return new FaultRuleData(method, path, 1, Integer.MAX_VALUE, fault);
    }

    /**
     * Reads a rule such as {@code 10% PATCH /apis/kopf.dev/** 429 1s}: an optional probability, an optional number of
     * times ({@code x3}), method, path, and one of {@code latency 10ms 200ms}, {@code 429 1s}, {@code 500},
     * {@code reset}, {@code reset-after} (the request is carried out before), {@code silence 5s}, {@code stall 5s 10s},
     * {@code duplicates}, {@code delays 1s}, {@code gone 0s}. {@link Object#toString} writes the same form.
     *
     * @throws IllegalArgumentException if the text is no rule; the message says what is possible
     */
    static FaultRule parse(String text) {
        return FaultRuleSyntax.parse(text);
    }

    /**
     * The same rule for a part of the requests.
     *
     * @param share how likely the fault is for each request that matches, above 0 and up to 1
     * @throws IllegalArgumentException if it is out of range
     */
    FaultRule withProbability(double share);

    /**
     * The same rule for at most this number of times.
     *
     * @throws IllegalArgumentException if it is less than one
     */
    FaultRule atMost(int count);

    /** The method of the requests, WATCH, or {@code *}. */
    String method();

    /** The pattern for the path. */
    String path();

    /** How likely the fault is for each request that matches. */
    double probability();

    /** How often the fault is injected at most. */
    int times();

    /** What goes wrong. */
    Fault fault();

    /** True if the rule is for this request. */
    boolean matches(ApiRequest request);
}
