package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.Locale;

/**
 * The five fields of a schedule, in their order: {@code getRange} in {@code parser.go} of github.com/robfig/cron v3.
 */
enum CronField {
    MINUTE(0, 59),
    HOUR(0, 23),
    DAY_OF_MONTH(1, 31),
    MONTH(1, 12, "", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    DAY_OF_WEEK(0, 6, "sun", "mon", "tue", "wed", "thu", "fri", "sat");

    private final int min;
    private final int max;

    @SuppressWarnings("ImmutableEnumChecker") // List.of returns an immutable list
    private final List<String> names;

    CronField(int min, int max, String... names) {
        this.min = min;
        this.max = max;
        this.names = List.of(names);
    }

    /** What is wrong with a range, such as {@code 1-5/2}; empty for a right one. */
    String problem(String part) {
        String[] stepped = part.split("/", -1);
        if (stepped.length > 2) {
            return "too many slashes: " + part;
        }
        String problem = stepped[0].equals("*") || stepped[0].equals("?") ? "" : rangeProblem(stepped[0], part);
        if (!problem.isEmpty() || stepped.length == 1) {
            return problem;
        }
        if (!stepped[1].matches("[0-9]{1,4}")) {
            return notANumber(stepped[1]);
        }
        return Integer.parseInt(stepped[1]) == 0 ? "step of range should be a positive number: " + part : "";
    }

    private String rangeProblem(String range, String part) {
        String[] ends = range.split("-", -1);
        if (ends.length > 2) {
            return "too many hyphens: " + part;
        }
        for (String end : ends) {
            if (number(end) < 0) {
                return notANumber(end);
            }
        }
        int from = number(ends[0]);
        int to = number(ends[ends.length - 1]);
        if (from < min) {
            return "beginning of range (" + from + ") below minimum (" + min + "): " + part;
        }
        if (to > max) {
            return "end of range (" + to + ") above maximum (" + max + "): " + part;
        }
        return from > to ? "beginning of range (" + from + ") beyond end of range (" + to + "): " + part : "";
    }

    /** Whether a value is in a list of valid ranges, such as {@code 1-5/2,9}. */
    boolean fits(String list, int value) {
        for (String part : list.split(",", -1)) {
            String[] stepped = part.split("/", -1);
            boolean all = stepped[0].equals("*") || stepped[0].equals("?");
            String[] ends = stepped[0].split("-", -1);
            int from = all ? min : number(ends[0]);
            boolean open = all || (stepped.length == 2 && ends.length == 1);
            int to = open ? max : number(ends[ends.length - 1]);
            int step = stepped.length == 2 ? Integer.parseInt(stepped[1]) : 1;
            if (value >= from && value <= to && (value - from) % step == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a list leaves the value free: one of its ranges is a star without a step above 1. */
    boolean isFree(String list) {
        for (String part : list.split(",", -1)) {
            if (part.matches("[*?](/0*1)?")) {
                return true;
            }
        }
        return false;
    }

    private static String notANumber(String text) {
        return "failed to parse int from " + text + ": strconv.Atoi: parsing " + FieldError.quote(text)
                + ": invalid syntax";
    }

    private int number(String text) {
        int named = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (named >= 0 && !text.isEmpty()) {
            return named;
        }
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
    }
}
