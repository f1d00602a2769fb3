package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates what events of both groups have in common: {@code legacyValidateEvent} in
 * {@code pkg/apis/core/validation/events.go}, v1.33. Pure.
 */
final class LegacyEventValidation {
    private static final int WORD_LENGTH = 128;
    private static final int NOTE_LENGTH = 1024;
    private static final Pattern QUALIFIED =
            Pattern.compile("(" + DnsNames.SUBDOMAIN + "/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private LegacyEventValidation() {}

    static void check(ObjectNode event, EventFields fields, FieldChecks checks) {
        String namespace = Json.string(event, "metadata", "namespace");
        String about = Json.string(event, fields.regarding(), "namespace");
        if (!EventFields.isSet(event, "eventTime")) {
            if (!about.equals(namespace) && !(about.isEmpty() && namespace.equals("default"))) {
                otherNamespace(about, checks);
            }
            return;
        }
        if (about.isEmpty() && !List.of("default", "kube-system").contains(namespace)) {
            otherNamespace("", checks);
        }
        String reporter = Json.string(event, fields.reporter());
        word(reporter, fields.reporter(), Integer.MAX_VALUE, checks);
        if (!QUALIFIED.matcher(reporter).matches()) {
            if (reporter.isEmpty()) {
                checks.problem("name part must be non-empty", fields.reporter(), reporter);
            }
            checks.problem(
                    "name part must consist of alphanumeric characters, '-', '_' or '.'", fields.reporter(), reporter);
        }
        for (String field : List.of("reportingInstance", "action", "reason")) {
            word(Json.string(event, field), field, WORD_LENGTH, checks);
        }
        if (Json.string(event, fields.note()).length() > NOTE_LENGTH) {
            checks.problem("can have at most " + NOTE_LENGTH + " characters", "message", "");
        }
    }

    private static void otherNamespace(String about, FieldChecks checks) {
        checks.problem("does not match event.namespace", "involvedObject.namespace", about);
    }

    private static void word(String value, String field, int limit, FieldChecks checks) {
        if (value.isEmpty()) {
            checks.add(FieldError.required(field, ""));
        } else if (value.length() > limit) {
            checks.problem("can have at most " + limit + " characters", field, "");
        }
    }
}
