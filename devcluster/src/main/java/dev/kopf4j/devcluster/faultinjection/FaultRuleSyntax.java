package dev.kopf4j.devcluster.faultinjection;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.NoSuchElementException;

/** Reads and writes rules as text. Pure. */
final class FaultRuleSyntax {
    private static final String FORM =
            "; a rule is [N%] [xTIMES] METHOD PATH FAULT, where the method may be WATCH or *,"
                    + " and the fault is one of: latency LEAST [MOST], 429 [RETRY-AFTER], 500, 503, reset, reset-after,"
                    + " silence [AFTER], stall AFTER TIME, duplicates, delays MOST, gone [AFTER]; times as in 200ms, 5s, 1m";

    private FaultRuleSyntax() {}

    /** Reads a rule; {@link IllegalArgumentException} if the text is none. */
    static FaultRule parse(String text) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(text.strip().split("\\s+", -1)));
        try {
            double probability = probability(words);
            int times = words.element().matches("x[0-9]{1,9}")
                    ? Integer.parseInt(words.remove().substring(1))
                    : Integer.MAX_VALUE;
            String method = words.remove().toUpperCase(Locale.ROOT);
            String path = words.remove();
            FaultRule rule = FaultRule.of(method, path, FaultSyntax.parse(words))
                    .withProbability(probability)
                    .atMost(times);
            if (!words.isEmpty()) {
                throw new IllegalArgumentException("'" + words.element() + "' is one word too many");
            }
            return rule;
        } catch (IllegalArgumentException | NoSuchElementException e) {
            String reason = e instanceof IllegalArgumentException ? e.getMessage() : "something is missing";
            throw new IllegalArgumentException("'" + text + "' is not a fault rule: " + reason + FORM, e);
        }
    }

    private static double probability(Deque<String> words) {
        if (!words.element().endsWith("%")) {
            return 1;
        }
        String share = words.remove();
        return Double.parseDouble(share.substring(0, share.length() - 1)) / 100;
    }

    /** Writes a rule so that {@link #parse} reads it. */
    static String write(FaultRule rule) {
        StringBuilder text = new StringBuilder();
        if (rule.probability() < 1) {
            text.append(String.format(Locale.ROOT, "%s%% ", rule.probability() * 100));
        }
        if (rule.times() < Integer.MAX_VALUE) {
            text.append('x').append(rule.times()).append(' ');
        }
        return text.append(rule.method())
                .append(' ')
                .append(rule.path())
                .append(' ')
                .append(FaultSyntax.write(rule.fault()))
                .toString();
    }
}
