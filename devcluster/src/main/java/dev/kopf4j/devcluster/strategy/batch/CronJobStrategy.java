package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Cron jobs: the schedule and the job to be. */
public final class CronJobStrategy implements ResourceStrategy {
    private static final int MAX_NAME = 52;
    private static final Pattern NAMED = Pattern.compile(
            "@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every ([0-9.]+(h|ms|us|ns|m|s))+");
    private static final int[][] RANGES = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};
    private static final List<List<String>> WORDS = List.of(
            List.of(),
            List.of(),
            List.of(),
            List.of("", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
            List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

    @Override
    public void prepare(ObjectDraft objectDraft) {
        PodSpecDefaults.prepare(Json.child(
                Json.child(
                        Json.child(Json.child(Json.child(objectDraft.next(), "spec"), "jobTemplate"), "spec"),
                        "template"),
                "spec"));
    }

    @Override
    public List<String> warnings(ObjectDraft objectDraft) {
        return PodWarnings.ofTemplate(objectDraft, true, "spec", "jobTemplate", "spec", "template");
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        JsonNode spec = objectDraft.next().path("spec");
        String name = Json.string(objectDraft.next(), "metadata", "name");
        if (objectDraft.isNew() && name.length() > MAX_NAME) {
            fieldChecks.add(FieldError.invalidString(
                    "metadata.name", name, "must be no more than " + MAX_NAME + " characters"));
        }
        String schedule = Json.string(spec, "schedule");
        if (schedule.isEmpty()) {
            fieldChecks.add(FieldError.required("spec.schedule", ""));
        } else {
            fieldChecks.that(wrong(schedule), "spec.schedule", schedule);
        }
        zone(Json.string(spec, "timeZone"), spec, fieldChecks);
        fieldChecks.atLeast(spec, "startingDeadlineSeconds", "spec", 0);
        fieldChecks.atLeast(spec, "successfulJobsHistoryLimit", "spec", 0);
        fieldChecks.atLeast(spec, "failedJobsHistoryLimit", "spec", 0);
        fieldChecks.oneOf(spec, "concurrencyPolicy", "spec", List.of("Allow", "Forbid", "Replace"));
        JobStrategy.ofSpec(spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", fieldChecks);
        return fieldChecks.causes();
    }

    private static void zone(String zone, JsonNode spec, FieldChecks fieldChecks) {
        if (spec.has("timeZone") && !ZoneId.getAvailableZoneIds().contains(zone)) {
            fieldChecks.add(FieldError.invalidString("spec.timeZone", zone, "unknown time zone " + zone));
        }
    }

    /** What is wrong with a schedule, in the words of a real server; empty when nothing is. */
    private static String wrong(String schedule) {
        if (schedule.startsWith("@")) {
            return NAMED.matcher(schedule).matches() ? "" : "unrecognized descriptor: " + schedule;
        }
        if (schedule.startsWith("TZ=") || schedule.startsWith("CRON_TZ=")) {
            return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        }
        String[] fields = schedule.strip().split("\\s+", -1);
        if (fields.length != RANGES.length) {
            return "expected exactly 5 fields, found " + fields.length + ": [" + String.join(" ", fields) + "]";
        }
        for (int index = 0; index < fields.length; index++) {
            for (String part : fields[index].split(",", -1)) {
                String wrong = wrongPart(part, index);
                if (!wrong.isEmpty()) {
                    return wrong;
                }
            }
        }
        return "";
    }

    private static String wrongPart(String part, int field) {
        String[] stepped = part.split("/", -1);
        if (stepped.length > 2) {
            return "too many slashes: " + part;
        }
        String wrong = stepped[0].equals("*") || stepped[0].equals("?") ? "" : wrongRange(stepped[0], part, field);
        if (!wrong.isEmpty() || stepped.length == 1) {
            return wrong;
        }
        if (!stepped[1].matches("[0-9]{1,4}")) {
            return notANumber(stepped[1]);
        }
        return Integer.parseInt(stepped[1]) == 0 ? "step of range should be a positive number: " + part : "";
    }

    private static String wrongRange(String range, String part, int field) {
        String[] ends = range.split("-", -1);
        if (ends.length > 2) {
            return "too many hyphens: " + part;
        }
        for (String end : ends) {
            if (number(end, field) < 0) {
                return notANumber(end);
            }
        }
        int from = number(ends[0], field);
        int to = number(ends[ends.length - 1], field);
        if (from < RANGES[field][0]) {
            return "beginning of range (" + from + ") below minimum (" + RANGES[field][0] + "): " + part;
        }
        if (to > RANGES[field][1]) {
            return "end of range (" + to + ") above maximum (" + RANGES[field][1] + "): " + part;
        }
        return from > to ? "beginning of range (" + from + ") beyond end of range (" + to + "): " + part : "";
    }

    private static String notANumber(String text) {
        return "failed to parse int from " + text + ": strconv.Atoi: parsing " + FieldError.quote(text)
                + ": invalid syntax";
    }

    private static int number(String text, int field) {
        int word = WORDS.get(field).indexOf(text.toLowerCase(java.util.Locale.ROOT));
        if (word >= 0 && !text.isEmpty()) {
            return word;
        }
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
    }
}
