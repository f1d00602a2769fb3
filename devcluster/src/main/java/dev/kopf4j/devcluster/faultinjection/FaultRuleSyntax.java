package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;
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
            FaultRule rule = FaultRule.of(method, path, parseFault(words))
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
                .append(writeFault(rule.fault()))
                .toString();
    }

    /** Reads a fault, which is the end of a rule, and removes its words from the queue. */
    private static Fault parseFault(Deque<String> words) {
        String kind = words.remove();
        return switch (kind) {
            case "latency" -> {
                Duration least = time(words);
                yield new Fault.Latency(least, words.isEmpty() ? least : time(words));
            }
            case "reset" -> new Fault.Reset(false);
            case "reset-after" -> new Fault.Reset(true);
            case "silence" -> new Fault.Silence(timeOrZero(words));
            case "stall" -> new Fault.Stall(time(words), time(words));
            case "duplicates" -> new Fault.Duplicates();
            case "delays" -> new Fault.Delays(time(words));
            case "gone" -> new Fault.Expiry(timeOrZero(words));
            default -> {
                if (!kind.matches("[0-9]{3}")) {
                    throw new IllegalArgumentException("unknown fault '" + kind + "'");
                }
                yield new Fault.Refusal(Integer.parseInt(kind), timeOrZero(words));
            }
        };
    }

    private static Duration timeOrZero(Deque<String> words) {
        return words.isEmpty() ? Duration.ZERO : time(words);
    }

    private static Duration time(Deque<String> words) {
        return TimeSyntax.parse(words.remove());
    }

    /** Writes a fault so that {@link #parseFault} reads it. */
    private static String writeFault(Fault fault) {
        return switch (fault) {
            case Fault.Latency(Duration least, Duration most) ->
                "latency " + TimeSyntax.write(least) + " " + TimeSyntax.write(most);
            case Fault.Refusal(int status, Duration after) ->
                status + (after.isZero() ? "" : " " + TimeSyntax.write(after));
            case Fault.Reset(boolean done) -> done ? "reset-after" : "reset";
            case Fault.Silence(Duration after) -> "silence " + TimeSyntax.write(after);
            case Fault.Stall(Duration after, Duration time) ->
                "stall " + TimeSyntax.write(after) + " " + TimeSyntax.write(time);
            case Fault.Duplicates() -> "duplicates";
            case Fault.Delays(Duration most) -> "delays " + TimeSyntax.write(most);
            case Fault.Expiry(Duration after) -> "gone " + TimeSyntax.write(after);
        };
    }
}
