package dev.kopf4j.devcluster.strategy.batch;

import java.util.regex.Pattern;

/**
 * Parses schedules of cron jobs, with the messages of the parser that Kubernetes v1.33 uses: {@code ParseStandard} in
 * {@code parser.go} of github.com/robfig/cron v3. Pure.
 */
final class CronSchedule {
    private static final Pattern DESCRIPTOR = Pattern.compile(
            "@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every ([0-9.]+(h|ms|us|ns|m|s))+");

    private CronSchedule() {}

    /** The error of a schedule; empty if there is none. */
    static String problem(String schedule) {
        if (schedule.startsWith("@")) {
            return DESCRIPTOR.matcher(schedule).matches() ? "" : "unrecognized descriptor: " + schedule;
        }
        if (schedule.startsWith("TZ=") || schedule.startsWith("CRON_TZ=")) {
            return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        }
        String[] parts = schedule.strip().split("\\s+", -1);
        CronField[] fields = CronField.values();
        if (parts.length != fields.length) {
            return "expected exactly 5 fields, found " + parts.length + ": [" + String.join(" ", parts) + "]";
        }
        for (int index = 0; index < fields.length; index++) {
            for (String part : parts[index].split(",", -1)) {
                String problem = fields[index].problem(part);
                if (!problem.isEmpty()) {
                    return problem;
                }
            }
        }
        return "";
    }
}
