package dev.kopf4j.devcluster.strategy.certificates;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.json.JsonEquality;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
    private static final class CertificateSigningRequestStrategy implements ResourceStrategy {
        private static final Set<String> USAGES = new TreeSet<>(Set.of(
                "signing",
                "digital signature",
                "content commitment",
                "key encipherment",
                "key agreement",
                "data encipherment",
                "cert sign",
                "crl sign",
                "encipher only",
                "decipher only",
                "any",
                "server auth",
                "client auth",
                "code signing",
                "email protection",
                "s/mime",
                "ipsec end system",
                "ipsec tunnel",
                "ipsec user",
                "timestamping",
                "ocsp signing",
                "microsoft sgc",
                "netscape sgc"));
        private static final List<String> FINAL = List.of("Approved", "Denied", "Failed");
        private static final int SHORTEST_SECONDS = 600;

        private static final String APPROVAL = "approval";

        private final InstantSource clock;

        CertificateSigningRequestStrategy(InstantSource clock) {
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

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            checkSigningRequest(draft.next(), checks);
            if (!draft.isNew()) {
                JsonNode before = Objects.requireNonNull(draft.before());
                checkUpdate(draft.next().path("status"), before.path("status"), draft.subresource(), checks);
            }
        }

        /**
         * Requests for certificates, and who may write which part of their status:
         * {@code validateCertificateSigningRequest} and {@code validateCertificateSigningRequestUpdate} in
         * {@code pkg/apis/certificates/validation/validation.go}, v1.33.
         */
        private static void checkSigningRequest(JsonNode request, FieldChecks checks) {
            JsonNode spec = request.path("spec");
            if (!pem(Json.string(spec, "request")).contains("-----BEGIN CERTIFICATE REQUEST-----")) {
                checks.problem("PEM block type must be CERTIFICATE REQUEST", "spec.request", "");
            }
            checks.required(spec, "usages", "spec");
            Set<String> seen = new HashSet<>();
            int index = 0;
            for (JsonNode node : spec.path("usages")) {
                String usage = node.asString();
                String path = "spec.usages[" + index++ + "]";
                if (!USAGES.contains(usage)) {
                    checks.add(FieldError.notSupported(path, FieldError.quote(usage), USAGES));
                }
                if (!seen.add(usage)) {
                    checks.add(FieldError.duplicate(path, FieldError.quote(usage)));
                }
            }
            signer(Json.string(spec, "signerName"), checks);
            if (spec.path("expirationSeconds").longValue(SHORTEST_SECONDS) < SHORTEST_SECONDS) {
                checks.add(FieldError.invalid(
                        "spec.expirationSeconds",
                        spec.path("expirationSeconds").asString(),
                        "may not specify a duration less than 600 seconds (10 minutes)"));
            }
            conditions(request.path("status").path("conditions"), checks);
            String certificate = Json.string(request, "status", "certificate");
            if (!certificate.isEmpty() && !pem(certificate).contains("-----BEGIN CERTIFICATE-----")) {
                checks.problem(
                        "must contain at least one CERTIFICATE PEM block", "status.certificate", "<certificate data>");
            }
        }

        private static String pem(String encoded) {
            try {
                return new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
            } catch (IllegalArgumentException e) {
                return ""; // the decoder has refused what is not base64
            }
        }

        /** {@code ValidateSignerName} in {@code pkg/apis/core/validation/names.go}. */
        private static void signer(String name, FieldChecks checks) {
            String path = "spec.signerName";
            if (name.equals("kubernetes.io/legacy-unknown")) {
                checks.problem("the legacy signerName is not allowed via this API version", path, name);
                return;
            }
            if (name.isEmpty()) {
                checks.add(FieldError.required(path, ""));
                return;
            }
            String[] parts = name.split("/", -1);
            if (parts.length != 2) {
                checks.problem(
                        "must be a fully qualified domain and path of the form 'example.com/signer-name'", path, name);
                return;
            }
            checks.problem(DnsNames.subdomain(parts[0]), path, parts[0]);
            if (!parts[0].contains(".")) {
                checks.problem("should be a domain with at least two segments separated by dots", path, parts[0]);
            }
            checks.problem(DnsNames.subdomain(parts[1]), path, parts[1]);
        }

        private static void conditions(JsonNode conditions, FieldChecks checks) {
            Set<String> types = new HashSet<>();
            int index = 0;
            for (JsonNode condition : conditions) {
                String path = "status.conditions[" + index++ + "]";
                String type = Json.string(condition, "type");
                checks.required(condition, "type", path);
                checks.required(condition, "status", path);
                checks.oneOf(
                        condition,
                        "status",
                        path,
                        FINAL.contains(type) ? List.of("True") : List.of("False", "True", "Unknown"));
                boolean both = (type.equals("Approved") && types.contains("Denied"))
                        || (type.equals("Denied") && types.contains("Approved"));
                if (both) {
                    checks.problem("Approved and Denied conditions are mutually exclusive", path + ".type", type);
                }
                if (!types.add(type)) {
                    checks.add(FieldError.duplicate(path + ".type", FieldError.quote(type)));
                }
            }
        }

        private static void checkUpdate(JsonNode status, JsonNode before, String subresource, FieldChecks checks) {
            for (String type : FINAL) {
                if (count(status, type) < count(before, type)) {
                    forbid("updates may not remove a condition of type \"" + type + "\"", "status.conditions", checks);
                }
            }
            for (String type : List.of("Approved", "Denied")) {
                if (!subresource.equals("approval") && count(status, type) > count(before, type)) {
                    forbid("updates may not add a condition of type \"" + type + "\"", "status.conditions", checks);
                }
            }
            String certificate = Json.string(before, "certificate");
            if (!JsonEquality.same(status.path("certificate"), before.path("certificate"))) {
                if (!subresource.equals("status")) {
                    forbid("updates may not set certificate content", "status.certificate", checks);
                } else if (!certificate.isEmpty()) {
                    forbid("updates may not modify existing certificate content", "status.certificate", checks);
                }
            }
        }

        private static void forbid(String problem, String path, FieldChecks checks) {
            checks.add(FieldError.forbidden(path, problem));
        }

        private static long count(JsonNode status, String type) {
            return status.path("conditions")
                    .valueStream()
                    .filter(condition -> Json.string(condition, "type").equals(type))
                    .count();
        }
    }
}
