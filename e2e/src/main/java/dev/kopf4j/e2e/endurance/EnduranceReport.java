package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.judgement.HandlerCount;

/** Tells people what came out. */
record EnduranceReport(EnduranceResult result) {
    private static final int FINDINGS_SHOWN = 20;

    /** A table of the counts, and what else was seen. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append(
                "| handler | changes to hear of | calls | lost | repeated after a record | repeated, not recorded | outdated |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (HandlerCount each : result.judgement().counts()) {
            text.append("| %s | %d | %d | %d | %d | %d | %d |%n"
                    .formatted(
                            each.handler(),
                            each.expected(),
                            each.calls(),
                            each.lost(),
                            each.afterRecord(),
                            each.repeated(),
                            each.outdated()));
        }
        text.append("%nobjects: %d; unsettled at the end: %d, of which stuck in their deletion: %d%n"
                .formatted(result.objects(), result.unsettled().size(), result.stuck()));
        text.append("disturbances: %s; starts of operators: %d, after ends by themselves: %d%n"
                .formatted(
                        result.disturbances(),
                        result.processes().starts(),
                        result.processes().ended()));
        text.append("PATCHes that changed nothing: %s; runs of the plugin for credentials: %d%n"
                .formatted(result.patches(), result.processes().pluginRuns()));
        text.append("liveness said that a restart would help: %d times; the operators stopped in order: %s%n"
                .formatted(result.processes().dead(), result.processes().graceful() ? "yes" : "NO"));
        result.judgement().findings().stream()
                .limit(FINDINGS_SHOWN)
                .forEach(finding -> text.append(finding).append('\n'));
        return text.toString();
    }
}
