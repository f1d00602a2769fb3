package dev.kopf4j.devcluster.strategy.flowcontrol;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The strategies of the group flowcontrol.apiserver.k8s.io. */
public final class FlowControlStrategies {
    private FlowControlStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "flowschemas.flowcontrol.apiserver.k8s.io",
                new FlowSchemaStrategy(),
                "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
                new PriorityLevelStrategy());
    }

    /**
     * Which requests belong to which level: {@code ValidateFlowSchema} in
     * {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33.
     */
    private static final class FlowSchemaStrategy implements ResourceStrategy {
        private static final List<String> VERBS =
                List.of("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch");

        private static final List<String> KINDS = List.of("Group", "ServiceAccount", "User");
        /** The field that belongs to a kind. */
        private static final Map<String, String> FIELDS =
                Map.of("Group", "group", "ServiceAccount", "serviceAccount", "User", "user");

        private static final int LAST = 10000;

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels", "annotations", "finalizers", "ownerReferences");
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            long precedence = spec.path("matchingPrecedence").longValue(0);
            String name = Json.string(draft.next(), "metadata", "name");
            if (precedence < 1 || precedence > LAST) {
                checks.problem(
                        "must be a value between 1 and 10000, inclusive",
                        "spec.matchingPrecedence",
                        String.valueOf(precedence));
            } else if (precedence == 1 && !name.equals("exempt")) {
                checks.problem(
                        "only the schema named 'exempt' may have matchingPrecedence 1", "spec.matchingPrecedence", "1");
            }
            String type = Json.string(spec, "distinguisherMethod", "type");
            if (spec.path("distinguisherMethod").isObject() && !METHODS.contains(type)) {
                checks.add(FieldError.notSupported("spec.distinguisherMethod.type", FieldError.quote(type), METHODS));
            }
            if (Json.string(spec, "priorityLevelConfiguration", "name").isEmpty()) {
                checks.add(
                        FieldError.required("spec.priorityLevelConfiguration.name", "must reference a priority level"));
            }
            int index = 0;
            for (JsonNode rule : spec.path("rules")) {
                String path = "spec.rules[" + index++ + "]";
                if (rule.path("subjects").isEmpty()) {
                    checks.add(FieldError.required(path + ".subjects", "subjects must contain at least one value"));
                }
                checkSubjects(rule.path("subjects"), path + ".subjects", checks);
                int number = 0;
                for (JsonNode urls : rule.path("nonResourceRules")) {
                    checkUrls(urls, path + ".nonResourceRules[" + number++ + "]", checks);
                }
                if (rule.path("resourceRules").isEmpty()
                        && rule.path("nonResourceRules").isEmpty()) {
                    checks.add(FieldError.required(
                            path, "at least one of resourceRules and nonResourceRules has to be non-empty"));
                }
            }
        }

        private static final List<String> METHODS = List.of("ByNamespace", "ByUser");

        /**
         * Whose requests a rule of a flow schema means: {@code ValidateFlowSchemaSubject} in
         * {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33.
         */
        private static void checkSubjects(JsonNode subjects, String path, FieldChecks checks) {
            int index = 0;
            for (JsonNode subject : subjects) {
                subject(subject, path + "[" + index++ + "]", checks);
            }
        }

        private static void subject(JsonNode subject, String path, FieldChecks checks) {
            String kind = Json.string(subject, "kind");
            String own = FIELDS.get(kind);
            if (own == null) {
                checks.add(FieldError.notSupported(path + ".kind", FieldError.quote(kind), KINDS));
                return;
            }
            if (subject.path(own).isObject()) {
                named(subject.path(own), own, path + "." + own, checks);
            } else {
                checks.add(FieldError.required(
                        path + "." + own, own + " is required when subject kind is '" + kind + "'"));
            }
            for (String other : KINDS) {
                String field = FIELDS.getOrDefault(other, other);
                if (!other.equals(kind) && subject.path(field).isObject()) {
                    checks.add(FieldError.forbidden(
                            path + "." + field, field + " is forbidden when subject kind is not '" + other + "'"));
                }
            }
        }

        private static void named(JsonNode named, String field, String path, FieldChecks checks) {
            String name = Json.string(named, "name");
            checks.required(named, "name", path);
            if (!field.equals("serviceAccount")) {
                return;
            }
            if (!name.isEmpty() && !name.equals("*")) {
                checks.problem(DnsNames.subdomain(name), path + ".name", name);
            }
            String namespace = Json.string(named, "namespace");
            if (namespace.isEmpty()) {
                checks.add(FieldError.required(path + ".namespace", "must specify namespace for service account"));
            } else {
                checks.problem(DnsNames.label(namespace), path + ".namespace", namespace);
            }
        }

        /**
         * Which URLs a rule of a flow schema means: {@code ValidateFlowSchemaNonResourcePolicyRule} and
         * {@code ValidateNonResourceURLPath} in {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33.
         */
        private static void checkUrls(JsonNode rule, String path, FieldChecks checks) {
            List<String> verbs = strings(rule.path("verbs"));
            if (alone(verbs, path + ".verbs", "verbs must contain at least one value", "verbs", checks)
                    && !VERBS.containsAll(verbs)) {
                checks.add(FieldError.notSupported(path + ".verbs", Json.text(rule.path("verbs")), VERBS));
            }
            List<String> urls = strings(rule.path("nonResourceURLs"));
            String where = path + ".nonResourceURLs";
            if (alone(urls, where, "nonResourceURLs must contain at least one value", "non-resource URLs", checks)) {
                for (int index = 0; index < urls.size(); index++) {
                    checks.problem(problem(urls.get(index)), where + "[" + index + "]", urls.get(index));
                }
            }
        }

        private static List<String> strings(JsonNode array) {
            return array.valueStream().map(JsonNode::asString).toList();
        }

        /** Reports an empty list, and others beside the wildcard; true if there are values to look at. */
        private static boolean alone(
                List<String> values, String path, String empty, String others, FieldChecks checks) {
            if (values.isEmpty()) {
                checks.add(FieldError.required(path, empty));
            } else if (values.contains("*") && values.size() > 1) {
                checks.add(FieldError.invalid(
                        path, Json.text(Json.array(values)), "if '*' is present, must not specify other " + others));
            }
            return !values.isEmpty() && !values.contains("*");
        }

        private static String problem(String url) {
            if (url.isEmpty()) {
                return "must not be empty";
            }
            if (!url.startsWith("/")) {
                return "must start with slash";
            }
            if (url.contains(" ")) {
                return "must not contain white-space";
            }
            if (url.contains("//")) {
                return "must not contain double slash";
            }
            boolean wildcard = url.contains("*");
            boolean last = url.endsWith("/*") && url.indexOf('*') == url.length() - 1;
            return wildcard && !last ? "wildcard can only do suffix matching" : "";
        }
    }

    /**
     * How many requests of a level run: {@code ValidatePriorityLevelConfiguration} in
     * {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33.
     */
    private static final class PriorityLevelStrategy implements ResourceStrategy {
        private static final List<String> TYPES = List.of("Exempt", "Limited");

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels", "annotations", "finalizers", "ownerReferences");
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            String type = Json.string(spec, "type");
            boolean exempt = Json.string(draft.next(), "metadata", "name").equals("exempt");
            if (exempt != type.equals("Exempt")) {
                checks.problem("type must be 'Exempt' if and only if name is 'exempt'", "spec.type", type);
            }
            if (!TYPES.contains(type)) {
                checks.add(FieldError.notSupported("spec.type", FieldError.quote(type), TYPES));
                return;
            }
            if (type.equals("Exempt") && spec.path("limited").isObject()) {
                checks.add(FieldError.forbidden("spec.limited", "must be nil if the type is not Limited"));
            }
            if (type.equals("Limited")) {
                if (spec.path("exempt").isObject()) {
                    checks.add(FieldError.forbidden("spec.exempt", "must be nil if the type is Limited"));
                }
                if (!spec.path("limited").isObject()) {
                    checks.add(FieldError.required("spec.limited", "must not be empty when type is Limited"));
                } else {
                    limited(spec.path("limited"), checks);
                }
            }
        }

        private static void limited(JsonNode limited, FieldChecks checks) {
            if (limited.path("nominalConcurrencyShares").longValue(0) < 0) {
                checks.problem(
                        "must be a non-negative integer",
                        "spec.limited.nominalConcurrencyShares",
                        limited.path("nominalConcurrencyShares").asString());
            }
            long lendable = limited.path("lendablePercent").longValue(0);
            if (lendable < 0 || lendable > 100) {
                checks.problem(
                        "must be between 0 and 100, inclusive",
                        "spec.limited.lendablePercent",
                        String.valueOf(lendable));
            }
            String path = "spec.limited.limitResponse";
            JsonNode response = limited.path("limitResponse");
            switch (Json.string(response, "type")) {
                case "Reject" -> {
                    if (response.path("queuing").isObject()) {
                        checks.add(FieldError.forbidden(
                                path + ".queuing", "must be nil if limited.limitResponse.type is not Limited"));
                    }
                }
                case "Queue" -> {
                    if (!response.path("queuing").isObject()) {
                        checks.add(FieldError.required(
                                path + ".queuing", "must not be empty if limited.limitResponse.type is Limited"));
                    }
                }
                default ->
                    checks.add(FieldError.notSupported(
                            path + ".type",
                            FieldError.quote(Json.string(response, "type")),
                            List.of("Queue", "Reject")));
            }
        }
    }
}
