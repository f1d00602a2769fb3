package dev.kopf4j.devcluster.controller;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemWriter;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.strategy.certificates.CertificateRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs approved requests for certificates of clients of the API server, those of the signer
 * {@code kubernetes.io/kube-apiserver-client}: {@code pkg/controller/certificates/signer/signer.go}, v1.33. A cluster
 * without TLS has no authority to sign with, and leaves them as they are; so do the signers of kubelets, which are not
 * here.
 */
public final class CertificateSigner {
    private static final String REQUESTS = "certificates.k8s.io/certificatesigningrequests";
    private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
    private static final String CLIENT_AUTH = "client auth";
    private static final String KEY_ENCIPHERMENT = "key encipherment";
    private static final List<String> USAGES = List.of(CLIENT_AUTH, KEY_ENCIPHERMENT, "digital signature");

    /** {@code cluster-signing-duration}. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final ServerContext state;
    private final Supplier<Optional<CertificateAuthority>> authority;

    /**
     * A controller over a store; {@link #start} lets it work.
     *
     * @param authority gives the authority that clients trust, if there is one; it may take a while, and is asked for
     *     no earlier than it is needed
     */
    public CertificateSigner(ServerContext state, Supplier<Optional<CertificateAuthority>> authority) {
        this.state = state;
        this.authority = authority;
    }

    /** Begins to follow the changes. */
    public void start() {
        state.follow(REQUESTS, this::schedule);
    }

    private ResourceBucket bucket() {
        return state.objectStore().bucket(REQUESTS);
    }

    private void schedule(StoredObject request) {
        if (waits(request)) {
            state.taskScheduler().run(() -> sync(request.name()));
        }
    }

    private static boolean waits(StoredObject request) {
        JsonNode status = request.tree().path("status");
        return Json.string(request.tree(), "spec", "signerName").equals(SIGNER)
                && Json.string(status, "certificate").isEmpty()
                && has(status, "Approved")
                && !has(status, "Failed");
    }

    private static boolean has(JsonNode status, String condition) {
        return Json.items(status, "conditions")
                .anyMatch(each -> Json.string(each, "type").equals(condition));
    }

    private void sync(String name) {
        StoredObject request = bucket().get("", name);
        if (request == null || !waits(request)) {
            return;
        }
        ObjectNode tree = request.tree().deepCopy();
        ObjectNode status = Json.child(tree, "status");
        List<String> usages = Json.items(tree, "spec", "usages")
                .map(usage -> usage.asString(""))
                .toList();
        String problem = usageProblem(usages);
        if (problem.isEmpty()) {
            Optional<String> certificate = authority.get().map(signer -> signed(signer, tree.path("spec"), usages));
            if (certificate.isEmpty()) {
                return;
            }
            status.put("certificate", certificate.get());
        } else {
            Json.list(status, "conditions")
                    .addObject()
                    .put("type", "Failed")
                    .put("status", "True")
                    .put("reason", "SignerValidationFailure")
                    .put("message", problem)
                    .put("lastUpdateTime", state.now())
                    .put("lastTransitionTime", state.now());
        }
        // Another write in between is looked at by itself.
        state.objectStore().replace(bucket(), request, request.changedTo(tree));
    }

    private static String usageProblem(List<String> usages) {
        return usages.stream()
                .filter(usage -> !USAGES.contains(usage))
                .findFirst()
                .map(usage -> "invalid usage for client certificate: " + usage)
                .orElse(
                        usages.contains(CLIENT_AUTH)
                                ? ""
                                : "missing required usage for client certificate: " + CLIENT_AUTH);
    }

    private String signed(CertificateAuthority signer, JsonNode spec, List<String> usages) {
        try {
            CertificateRequest request = CertificateRequest.of(Json.string(spec, "request"));
            Duration wanted = Duration.ofSeconds(spec.path("expirationSeconds").longValue(LONGEST.toSeconds()));
            String pem = PemWriter.certificate(signer.signForClient(
                    request.subject(),
                    request.key(),
                    usages.contains(KEY_ENCIPHERMENT),
                    state.instant(),
                    wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST));
            return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("an accepted request for a certificate cannot be read: " + e, e);
        }
    }
}
