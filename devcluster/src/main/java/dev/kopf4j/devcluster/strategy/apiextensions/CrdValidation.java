package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.WebhookClientValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.webhook.CaBundle;
import dev.kopf4j.json.JsonEquality;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates custom resource definitions: {@code ValidateCustomResourceDefinition} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class CrdValidation {
    private static final Pattern COMMUNITY = Pattern.compile("(^|\\.)(k8s|kubernetes)\\.io$");
    private static final String APPROVAL = "api-approved.kubernetes.io";

    private CrdValidation() {}

    static void check(JsonNode definition, @Nullable ObjectNode before, FieldChecks checks) {
        JsonNode spec = definition.path("spec");
        JsonNode former = before == null ? MissingNode.getInstance() : before.path("spec");
        CrdNameValidation names = new CrdNameValidation(definition, checks);
        names.names();
        checkApproval(definition, before, checks);
        names.scope();
        CrdConversionValidation.check(spec.path("conversion"), before, checks);
        new CrdVersionValidation(spec.path("versions"), former.path("versions"), checks).check();
        checkStoredVersions(definition, checks);
        if (before != null) {
            checkUpdate(spec, before, checks);
        }
    }

    /**
     * Requires an approval annotation for groups under k8s.io and kubernetes.io (KEP-2337): {@code validateAPIApproval}
     * in {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
     */
    private static void checkApproval(JsonNode definition, @Nullable ObjectNode before, FieldChecks checks) {
        String group = Json.string(definition, "spec", "group");
        if (!COMMUNITY.matcher(group).find()) {
            return;
        }
        String field = "metadata.annotations[" + APPROVAL + "]";
        Approval state = Approval.of(definition);
        if (before != null && Approval.of(before) == state) {
            return; // what was missing or wrong may stay so
        }
        String rule = "protected groups must have approval annotation \"" + APPROVAL
                + "\", see https://github.com/kubernetes/enhancements/pull/1111";
        if (state == Approval.MISSING) {
            checks.add(FieldError.required(field, rule));
        } else if (state == Approval.INVALID) {
            checks.add(FieldError.invalidString(
                    field,
                    Approval.text(definition),
                    rule + " with either a URL or a reason starting with \"unapproved\""));
        }
    }

    /** What the approval annotation says: {@code GetAPIApprovalState} in {@code pkg/apihelpers/helpers.go}. */
    private enum Approval {
        MISSING,
        BYPASSED,
        APPROVED,
        INVALID;

        static Approval of(JsonNode definition) {
            String text = text(definition);
            if (text.isEmpty()) {
                return MISSING;
            }
            if (text.startsWith("unapproved")) {
                return BYPASSED;
            }
            return text.matches("[a-zA-Z][a-zA-Z0-9+.-]*://[^/\\s]+.*") ? APPROVED : INVALID;
        }

        static String text(JsonNode definition) {
            return Json.string(definition, "metadata", "annotations", APPROVAL);
        }
    }

    /**
     * Validates that the fields that identify a kind do not change: {@code ValidateCustomResourceDefinitionUpdate} in
     * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
     */
    private static void checkUpdate(JsonNode spec, ObjectNode before, FieldChecks checks) {
        JsonNode former = before.path("spec");
        boolean established = StatusConditions.isTrue(before.path("status"), "Established");
        for (String field : established ? List.of("group", "scope") : List.of("group")) {
            fixed(former.path(field), spec.path(field), "spec." + field, checks);
        }
        fixed(former.path("names").path("plural"), spec.path("names").path("plural"), "spec.names.plural", checks);
        if (established) {
            fixed(former.path("names").path("kind"), spec.path("names").path("kind"), "spec.names.kind", checks);
        }
    }

    private static void fixed(JsonNode before, JsonNode now, String path, FieldChecks checks) {
        if (!JsonEquality.same(before, now)) {
            checks.errors().removeIf(fieldError -> fieldError.field().equals("metadata.name"));
            checks.add(FieldError.invalid(path, Json.text(now), "field is immutable"));
        }
    }

    /**
     * Validates the stored versions in the status: {@code ValidateCustomResourceDefinitionStoredVersions} in
     * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
     */
    private static void checkStoredVersions(JsonNode definition, FieldChecks checks) {
        JsonNode versions = definition.path("spec").path("versions");
        JsonNode stored = definition.path("status").path("storedVersions");
        if (stored.isEmpty()) {
            checks.add(FieldError.invalid("status.storedVersions", "[]", "must have at least one stored version"));
        }
        known(versions, stored, checks);
        storageVersion(versions, stored, checks);
    }

    private static void known(JsonNode versions, JsonNode stored, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        versions.forEach(version -> names.add(Json.string(version, "name")));
        for (int index = 0; index < stored.size(); index++) {
            String name = stored.get(index).stringValue();
            if (!names.contains(name)) {
                checks.add(FieldError.invalidString(
                        "status.storedVersions[" + index + "]",
                        name,
                        "missing from spec.versions; " + name + " was previously a storage version, and must remain in"
                                + " spec.versions until a storage migration ensures no data remains persisted in "
                                + name + " and removes " + name + " from status.storedVersions"));
            }
        }
    }

    private static void storageVersion(JsonNode versions, JsonNode stored, FieldChecks checks) {
        for (JsonNode version : versions) {
            String name = Json.string(version, "name");
            boolean kept =
                    stored.valueStream().anyMatch(each -> each.stringValue().equals(name));
            if (version.path("storage").booleanValue(false) && !kept && !stored.isEmpty()) {
                checks.add(FieldError.invalid(
                        "status.storedVersions", Json.text(stored), "must have the storage version " + name));
            }
        }
    }

    /**
     * Validates how a definition converts between its versions: {@code validateCustomResourceConversion} in
     * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. The paths are those of
     * the internal form, which the server names. Pure.
     */
    private static final class CrdConversionValidation {
        private static final String PATH = "spec.conversion";
        private static final String CLIENT_PATH = PATH + ".webhookClientConfig";
        private static final String VERSIONS_PATH = PATH + ".conversionReviewVersions";
        private static final String OTHER_STRATEGY = "should not be set when strategy is not set to Webhook";
        private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

        private CrdConversionValidation() {}

        /**
         * Reports what is wrong with a conversion.
         *
         * @param before the stored definition; null for a new one
         */
        static void check(JsonNode conversion, @Nullable ObjectNode before, FieldChecks checks) {
            if (conversion.isObject() && Json.string(conversion, "strategy").isEmpty()) {
                checks.add(FieldError.required(PATH + ".strategy", ""));
            }
            checks.oneOf(conversion, "strategy", PATH, List.of("None", "Webhook"));
            JsonNode webhook = conversion.path("webhook");
            if (Json.string(conversion, "strategy").equals("Webhook")) {
                client(webhook.path("clientConfig"), checks);
                if (before != null) {
                    bundle(webhook.path("clientConfig"), before, checks);
                }
                reviewVersions(webhook.path("conversionReviewVersions"), checks);
            } else {
                unset(webhook.path("clientConfig"), CLIENT_PATH, checks);
                unset(webhook.path("conversionReviewVersions"), VERSIONS_PATH, checks);
            }
        }

        private static void unset(JsonNode value, String path, FieldChecks checks) {
            if (value.isObject() || !value.isEmpty()) {
                checks.add(FieldError.forbidden(path, OTHER_STRATEGY));
            }
        }

        private static void client(JsonNode client, FieldChecks checks) {
            if (client.isObject()) {
                WebhookClientValidation.check(client, CLIENT_PATH, checks);
            } else {
                checks.add(FieldError.required(CLIENT_PATH, "required when strategy is set to Webhook"));
            }
        }

        /** Only where a usable bundle would be lost; a new definition with another one is never established. */
        private static void bundle(JsonNode client, ObjectNode before, FieldChecks checks) {
            String former = Json.string(before, "spec", "conversion", "webhook", "clientConfig", "caBundle");
            boolean allowed = !StatusConditions.isTrue(before.path("status"), "Established")
                    || !CaBundle.problem(former).isEmpty();
            String bundle = Json.string(client, "caBundle");
            String problem = allowed ? "" : CaBundle.problem(bundle);
            if (!problem.isEmpty()) {
                checks.add(FieldError.invalid(CLIENT_PATH + ".caBundle", CaBundle.shown(bundle), problem));
            }
        }

        private static void reviewVersions(JsonNode versions, FieldChecks checks) {
            if (versions.isEmpty()) {
                checks.add(FieldError.required(VERSIONS_PATH, ""));
                return;
            }
            Set<String> seen = new HashSet<>();
            for (int index = 0; index < versions.size(); index++) {
                String version = versions.get(index).stringValue("");
                String path = VERSIONS_PATH + "[" + index + "]";
                checks.problem(seen.add(version) ? DnsNames.label1035(version) : "duplicate version", path, version);
            }
            if (REVIEW_VERSIONS.stream().noneMatch(seen::contains)) {
                checks.add(FieldError.invalid(
                        VERSIONS_PATH, Json.text(versions), "must include at least one of v1, v1beta1"));
            }
        }
    }
}
