package dev.kopf4j.devcluster.strategy.apiregistration;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group apiregistration.k8s.io. */
public final class ApiRegistrationStrategies {
    private ApiRegistrationStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("apiservices.apiregistration.k8s.io", new ApiServiceStrategy());
    }

    /**
     * Groups that other servers serve: {@code ValidateAPIService} in
     * {@code pkg/apis/apiregistration/validation/validation.go} of kube-aggregator, v1.33.
     */
    private static final class ApiServiceStrategy implements ResourceStrategy {
        private static final int HIGHEST_OF_GROUP = 20000;
        private static final int HIGHEST_OF_VERSION = 1000;

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels", "annotations", "finalizers", "ownerReferences");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            JsonNode service = draft.next().path("spec").path("service");
            if (service instanceof ObjectNode object && !object.has("port")) {
                object.put("port", 443);
            }
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            String group = Json.string(spec, "group");
            String version = Json.string(spec, "version");
            String name = Json.string(draft.next(), "metadata", "name");
            if (!name.equals(version + "." + group)) {
                checks.problem(
                        "must be `spec.version+\".\"+spec.group`: " + FieldError.quote(version + "." + group),
                        "metadata.name",
                        name);
            }
            if (group.isEmpty() && !version.equals("v1")) {
                checks.add(FieldError.required(
                        "spec.group", "only v1 may have an empty group and it better be legacy kube"));
            }
            if (!group.isEmpty()) {
                checks.problem(DnsNames.subdomain(group), "spec.group", group);
            }
            checks.problem(DnsNames.label1035(version), "spec.version", version);
            between(spec, "groupPriorityMinimum", HIGHEST_OF_GROUP, checks);
            between(spec, "versionPriority", HIGHEST_OF_VERSION, checks);
            service(spec, checks);
        }

        private static void between(JsonNode spec, String field, int most, FieldChecks checks) {
            long value = spec.path(field).longValue(0);
            if (value <= 0 || value > most) {
                checks.add(FieldError.invalid(
                        "spec." + field, String.valueOf(value), "must be positive and less than " + most));
            }
        }

        private static void service(JsonNode spec, FieldChecks checks) {
            boolean insecure = spec.path("insecureSkipTLSVerify").booleanValue(false);
            boolean bundle = !Json.string(spec, "caBundle").isEmpty();
            if (!spec.path("service").isObject()) {
                if (bundle) {
                    checks.problem("local APIServices may not have a caBundle", "spec.caBundle", "");
                }
                if (insecure) {
                    checks.problem(
                            "local APIServices may not have insecureSkipTLSVerify",
                            "spec.insecureSkipTLSVerify",
                            "true");
                }
                return;
            }
            checks.required(spec.path("service"), "namespace", "spec.service");
            checks.required(spec.path("service"), "name", "spec.service");
            long port = spec.path("service").path("port").longValue(0);
            if (port < 1 || port > 65535) {
                checks.add(FieldError.invalid(
                        "spec.service.port",
                        String.valueOf(port),
                        "port is not valid: must be between 1 and 65535, inclusive"));
            }
            if (insecure && bundle) {
                checks.problem("may not be true if caBundle is present", "spec.insecureSkipTLSVerify", "true");
            }
        }
    }
}
