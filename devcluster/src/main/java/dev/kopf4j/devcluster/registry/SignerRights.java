package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.AuthorizationAttributes;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.strategy.certificates.CertificateRequest;
import dev.kopf4j.devcluster.value.SubjectName;
import dev.kopf4j.json.JsonEquality;
import java.security.GeneralSecurityException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps users from certificates that give them more than they may do: the admission plugins CertificateApproval,
 * CertificateSigning and CertificateSubjectRestriction ({@code plugin/pkg/admission/certificates}, v1.33).
 */
record SignerRights(AccessControl accessControl) {
    private static final String GROUP = "certificates.k8s.io";
    private static final String MASTERS = "system:masters";
    private static final String CLIENTS = "kubernetes.io/kube-apiserver-client";

    /**
     * Refuses a write with 403 that its user may not make for the signer.
     *
     * @param before the present state; null for a new request for a certificate
     */
    void check(ResourceRequest request, @Nullable ObjectNode before, ObjectNode next) {
        if (!request.resource().resourceTraits().recordsRequester()) {
            return; // requests for certificates alone say who has asked
        }
        String signer = Json.string(before == null ? next : before, "spec", "signerName");
        switch (request.subresource()) {
            case "approval" -> require(request, "approve", signer);
            case "status" -> {
                if (before == null || isSigned(before.path("status"), next.path("status"))) {
                    require(request, "sign", signer);
                }
            }
            default -> {
                if (signer.equals(CLIENTS) && groups(next).contains(MASTERS)) {
                    throw refusal(request, "use of " + CLIENTS + " signer with " + MASTERS + " group is not allowed");
                }
            }
        }
    }

    private static boolean isSigned(JsonNode before, JsonNode next) {
        return !JsonEquality.same(before.path("certificate"), next.path("certificate"))
                || !JsonEquality.same(before.path("conditions"), next.path("conditions"));
    }

    /** The right may be for the signer, or for all of its domain. */
    private void require(ResourceRequest request, String verb, String signer) {
        String domain = signer.substring(0, Math.max(0, signer.indexOf('/'))) + "/*";
        if (!allows(request.userInfo(), verb, signer) && !allows(request.userInfo(), verb, domain)) {
            throw refusal(request, "user not permitted to " + verb + " requests with signerName \"" + signer + "\"");
        }
    }

    private boolean allows(UserInfo user, String verb, String signer) {
        return accessControl.allows(user, new AuthorizationAttributes(verb, GROUP, "signers", "", "", signer, ""));
    }

    private static List<String> groups(ObjectNode object) {
        try {
            String subject = CertificateRequest.of(Json.string(object, "spec", "request"))
                    .subject()
                    .getName();
            return SubjectName.of(subject).map(SubjectName::groups).orElse(List.of());
        } catch (GeneralSecurityException e) {
            return List.of(); // validation has refused it
        }
    }

    private static ApiException refusal(ResourceRequest request, String message) {
        return ApiException.forbidden(request.resource().subject(request.name()), message, List.of(), "");
    }
}
