package dev.kopf4j.devcluster.strategy.certificates;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group certificates.k8s.io. */
public final class CertificatesStrategies {
    private CertificatesStrategies() {}

    /**
     * The strategies by the qualified names of resources.
     *
     * @param clock for the times of conditions
     */
    public static Map<String, ResourceStrategy> all(InstantSource clock) {
        return Map.of("certificatesigningrequests.certificates.k8s.io", new CertificateSigningRequestStrategy(clock));
    }

    /**
     * Requests for certificates: the spec does not change, and only the endpoint {@code approval} approves or denies.
     * See {@code pkg/registry/certificates/certificates/strategy.go} and
     * {@code pkg/apis/certificates/validation/validation.go}, v1.33.
     */
    private static final class CertificateSigningRequestStrategy extends TableStrategy {
        private static final RuleTable TABLE =
                RuleTable.of("certificates", CertificateSigningRequestStrategy::function);
        private static final String APPROVAL = "approval";

        private final InstantSource clock;

        private static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
            return switch (name) {
                case "request" -> CertificateSigningRequestStrategy::request;
                case "signerName" -> CertificateSigningRequestStrategy::signerName;
                case "approvedOrDenied" -> CertificateSigningRequestStrategy::approvedOrDenied;
                default -> null;
            };
        }

        CertificateSigningRequestStrategy(InstantSource clock) {
            super(TABLE, "certificatesigningrequests");
            this.clock = clock;
        }

        @Override
        public Set<String> resetFields(String subresource) {
            return subresource.equals(APPROVAL) ? Set.of("spec") : Set.of("spec", "status");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode before = draft.before();
            if (before == null) {
                return;
            }
            if (draft.isStatus()) {
                stamp(
                        draft.next().path("status").path("conditions"),
                        before.path("status").path("conditions"));
            }
            if (draft.subresource().equals(APPROVAL)) {
                JsonNode conditions = draft.next().path("status").path("conditions");
                ObjectNode status = ((ObjectNode) before.path("status").deepCopy());
                status.remove("conditions");
                if (!conditions.isEmpty()) {
                    status.set("conditions", conditions);
                }
                draft.next().set("status", status);
                stamp(
                        draft.next().path("status").path("conditions"),
                        before.path("status").path("conditions"));
            }
        }

        /** {@code populateConditionTimestamps}: a new condition has the time of its request. */
        private void stamp(JsonNode conditions, JsonNode before) {
            String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
            for (JsonNode node : conditions) {
                ObjectNode condition = (ObjectNode) node;
                if (isUnset(condition, "lastUpdateTime")) {
                    condition.put("lastUpdateTime", now);
                }
                if (isUnset(condition, "lastTransitionTime")) {
                    condition.put("lastTransitionTime", former(condition, before, now));
                }
            }
        }

        private static boolean isUnset(JsonNode condition, String field) {
            return Json.string(condition, field).isEmpty();
        }

        private static String former(JsonNode condition, JsonNode before, String now) {
            return before.valueStream()
                    .filter(each -> each.path("type").equals(condition.path("type"))
                            && each.path("status").equals(condition.path("status")))
                    .map(each -> Json.string(each, "lastTransitionTime"))
                    .filter(time -> !time.isEmpty())
                    .findFirst()
                    .orElse(now);
        }

        private static void request(Place request, FieldChecks checks) {
            String problem = CertificateRequest.problem(request.text());
            if (!problem.isEmpty()) {
                checks.add(FieldError.invalid(request.path(), "\"\"", problem));
            }
        }

        private static void signerName(Place name, FieldChecks checks) {
            String[] parts = name.text().split("/", 2);
            checks.problem(DnsNames.subdomain(parts[0]), name.path(), parts[0]);
            if (!parts[0].contains(".")) {
                String rule = "should be a domain with at least two segments separated by dots";
                checks.problem(rule, name.path(), parts[0]);
            }
            checks.problem(DnsNames.subdomain(parts[1]), name.path(), parts[1]);
        }

        private static void approvedOrDenied(Place type, FieldChecks checks) {
            Place conditions = type.array();
            String other = type.text().equals("Approved") ? "Denied" : "Approved";
            conditions.hasSeen("type", type.text());
            boolean decision = List.of("Approved", "Denied").contains(type.text());
            if (decision && conditions.hasMet("type", other)) {
                checks.problem("Approved and Denied conditions are mutually exclusive", type.path(), type.text());
            }
        }
    }
}
