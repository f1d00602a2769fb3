package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules as text. Pure. */
public final class FaultRuleSyntax {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final String FORM =
            "; a rule is [N%] [xTIMES] METHOD PATH FAULT, where the method may be WATCH or *,"
                    + " and the fault is one of: latency LEAST [MOST], 429 [RETRY-AFTER], 500, 503, reset, reset-after,"
                    + " silence [AFTER], stall AFTER TIME, duplicates, delays MOST, gone [AFTER]; times as in 200ms, 5s, 1m";

    private FaultRuleSyntax() {}

    /** Reads a rule; {@link IllegalArgumentException} if it is none. */
    public static FaultRule parse(String text) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(text.strip().split("\\s+", -1)));
        try {
            double probability = 1;
            if (words.element().endsWith("%")) {
                String share = words.remove();
                probability = Double.parseDouble(share.substring(0, share.length() - 1)) / 100;
            }
            int times = words.element().matches("x[0-9]{1,9}")
                    ? Integer.parseInt(words.remove().substring(1))
                    : Integer.MAX_VALUE;
            String method = words.remove().toUpperCase(Locale.ROOT);
            String path = words.remove();
            FaultRule rule = new FaultRule(method, path, probability, times, fault(words));
            if (!words.isEmpty()) {
                throw new IllegalArgumentException("'" + words.element() + "' is too much");
            }
            return rule;
        } catch (IllegalArgumentException | java.util.NoSuchElementException e) {
            String reason = e instanceof IllegalArgumentException ? e.getMessage() : "something is missing";
            throw new IllegalArgumentException("'" + text + "' is no fault: " + reason + FORM, e);
        }
    }

    private static Fault fault(Deque<String> words) {
        String kind = words.remove();
        return switch (kind) {
            case "latency" -> {
                Duration least = time(words.remove());
                yield new Fault.Latency(least, words.isEmpty() ? least : time(words.remove()));
            }
            case "reset" -> new Fault.Reset(false);
            case "reset-after" -> new Fault.Reset(true);
            case "silence" -> new Fault.Silence(timeOrZero(words));
            case "stall" -> new Fault.Stall(time(words.remove()), time(words.remove()));
            case "duplicates" -> new Fault.Duplicates();
            case "delays" -> new Fault.Delays(time(words.remove()));
            case "gone" -> new Fault.Expiry(timeOrZero(words));
            default -> {
                if (!kind.matches("[0-9]{3}")) {
                    throw new IllegalArgumentException("there is no fault '" + kind + "'");
                }
                yield new Fault.Refusal(Integer.parseInt(kind), timeOrZero(words));
            }
        };
    }

    private static Duration timeOrZero(Deque<String> words) {
        return words.isEmpty() ? Duration.ZERO : time(words.remove());
    }

    /** Reads a time such as 200ms, 5s, 1m or 2h; {@link IllegalArgumentException} if it is none. */
    public static Duration time(String text) {
        Matcher found = TIME.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no time such as 200ms, 5s or 1m");
        }
        long count = Long.parseLong(found.group(1));
        return switch (found.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    /** Writes a rule so that {@link #parse} reads it. */
    public static String write(FaultRule rule) {
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
                .append(write(rule.fault()))
                .toString();
    }

    private static String write(Fault fault) {
        return switch (fault) {
            case Fault.Latency(Duration least, Duration most) -> "latency " + write(least) + " " + write(most);
            case Fault.Refusal(int status, Duration after) -> status + (after.isZero() ? "" : " " + write(after));
            case Fault.Reset(boolean done) -> done ? "reset-after" : "reset";
            case Fault.Silence(Duration after) -> "silence " + write(after);
            case Fault.Stall(Duration after, Duration time) -> "stall " + write(after) + " " + write(time);
            case Fault.Duplicates() -> "duplicates";
            case Fault.Delays(Duration most) -> "delays " + write(most);
            case Fault.Expiry(Duration after) -> "gone " + write(after);
        };
    }

    private static String write(Duration time) {
        return time.toMillis() + "ms";
    }
}
