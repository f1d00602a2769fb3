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
            text.append("| %s | %s | %s | %s | %s | %s | %s |%n"
                    .formatted(
                            each.handler(),
                            each.expected(),
                            each.calls(),
                            each.lost(),
                            each.afterRecord(),
                            each.repeated(),
                            each.outdated()));
        }
        text.append("%nobjects: %s; unsettled at the end: %s, of which stuck in their deletion: %s%n"
                .formatted(result.objects(), result.unsettled().size(), result.stuck()));
        text.append("disturbances: %s; starts of operators: %s, after ends by themselves: %s%n"
                .formatted(
                        result.disturbances(),
                        result.processes().starts(),
                        result.processes().ended()));
        text.append("PATCHes that changed nothing: %s; runs of the plugin for credentials: %s%n"
                .formatted(result.patches(), result.processes().pluginRuns()));
        text.append("liveness said that a restart would help: %s times; the operators stopped in order: %s%n"
                .formatted(result.processes().dead(), result.processes().graceful() ? "yes" : "NO"));
        result.judgement().findings().stream()
                .limit(FINDINGS_SHOWN)
                .forEach(finding -> text.append(finding).append('\n'));
        return text.toString();
    }
}
