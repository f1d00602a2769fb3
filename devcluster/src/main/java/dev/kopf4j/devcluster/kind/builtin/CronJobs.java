package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Cron jobs: the schedule and the job to be. */
final class CronJobs implements KindRules {
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
    public void prepare(Draft draft) {
        PodSpecs.prepare(Json.child(
                Json.child(Json.child(Json.child(Json.child(draft.next(), "spec"), "jobTemplate"), "spec"), "template"),
                "spec"));
    }

    @Override
    public List<String> warnings(Draft draft) {
        return PodWarnings.ofTemplate(draft, true, "spec", "jobTemplate", "spec", "template");
    }

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        JsonNode spec = draft.next().path("spec");
        String name = Json.string(draft.next(), "metadata", "name");
        if (draft.isNew() && name.length() > MAX_NAME) {
            checks.add(Cause.invalidString("metadata.name", name, "must be no more than " + MAX_NAME + " characters"));
        }
        String schedule = Json.string(spec, "schedule");
        if (schedule.isEmpty()) {
            checks.add(Cause.required("spec.schedule", ""));
        } else if (!fits(schedule)) {
            checks.add(Cause.invalidString("spec.schedule", schedule, "it is no schedule of five fields"));
        }
        zone(Json.string(spec, "timeZone"), spec, checks);
        checks.atLeast(spec, "startingDeadlineSeconds", "spec", 0);
        checks.atLeast(spec, "successfulJobsHistoryLimit", "spec", 0);
        checks.atLeast(spec, "failedJobsHistoryLimit", "spec", 0);
        checks.oneOf(spec, "concurrencyPolicy", "spec", List.of("Allow", "Forbid", "Replace"));
        Jobs.ofSpec(spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", checks);
        return checks.causes();
    }

    private static void zone(String zone, JsonNode spec, Checks checks) {
        if (spec.has("timeZone") && !ZoneId.getAvailableZoneIds().contains(zone)) {
            checks.add(Cause.invalidString("spec.timeZone", zone, "unknown time zone " + zone));
        }
    }

    private static boolean fits(String schedule) {
        if (schedule.startsWith("@")) {
            return NAMED.matcher(schedule).matches();
        }
        String[] fields = schedule.strip().split("\\s+", -1);
        if (fields.length != RANGES.length) {
            return false;
        }
        for (int index = 0; index < fields.length; index++) {
            for (String part : fields[index].split(",", -1)) {
                if (!part(part, index)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean part(String part, int field) {
        String[] stepped = part.split("/", -1);
        boolean step = stepped.length == 1 || (stepped.length == 2 && stepped[1].matches("[1-9][0-9]{0,3}"));
        if (!step) {
            return false;
        }
        if (stepped[0].equals("*") || stepped[0].equals("?")) {
            return true;
        }
        String[] ends = stepped[0].split("-", -1);
        int from = number(ends[0], field);
        int to = ends.length == 2 ? number(ends[1], field) : from;
        return ends.length <= 2 && from >= RANGES[field][0] && to <= RANGES[field][1] && from <= to;
    }

    private static int number(String text, int field) {
        int word = WORDS.get(field).indexOf(text.toLowerCase(java.util.Locale.ROOT));
        if (word >= 0 && !text.isEmpty()) {
            return word;
        }
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
    }
}
