import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import dev.kopf4j.webhook.WebhookCertificate;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Keeps certificates in secrets, and renews them before they end. */
class Certificates {
    @CustomResource(group = "kopf.dev", version = "v1", shortNames = "cert")
    record Certificate(CertificateSpec spec, @Nullable CertificateStatus status) {}

    /**
     * What is wanted.
     *
     * @param hosts the names and addresses that it is for
     * @param renewEveryDays how old it may become; it is valid for a year
     */
    record CertificateSpec(
            @Schema(minItems = 1) List<String> hosts, @Schema(defaultValue = "60", minimum = 1) int renewEveryDays) {}

    record CertificateStatus(@PrinterColumn @Nullable String hosts, @PrinterColumn @Nullable Instant issued) {}

    private static final String HOSTS = "kopf.dev/hosts";
    private static final String ISSUED = "kopf.dev/issued";

    /** What it has done is in the secret, and nowhere else: so a restart changes nothing. */
    @OnDaemon(model = Certificate.class, backoff = "1m")
    void renew(
            Body body, // shows the newest state at any time
            String namespace,
            String name,
            Stopped stopped,
            InstantSource clock,
            KubernetesClient client,
            Logger logger)
            throws InterruptedException {
        Resource<Secret> resource = client.secrets().inNamespace(namespace).withName(name);
        do {
            CertificateSpec wanted = body.as(Certificate.class).spec();
            Secret secret = resource.get();
            if (secret == null || !isGood(secret, wanted, clock.instant())) {
                Secret issued = issue(wanted, name, clock.instant());
                client.resource(issued).inNamespace(namespace).forceConflicts().serverSideApply();
                logger.info("A certificate for {} was issued.", wanted.hosts());
            }
        } while (!stopped.await(Duration.ofHours(1)));
    }

    private static boolean isGood(Secret secret, CertificateSpec wanted, Instant now) {
        String issued = secret.getMetadata().getAnnotations().get(ISSUED);
        return issued != null
                && String.join(",", wanted.hosts()).equals(secret.getMetadata().getAnnotations().get(HOSTS))
                && now.isBefore(Instant.parse(issued).plus(Duration.ofDays(wanted.renewEveryDays())));
    }

    private static Secret issue(CertificateSpec wanted, String name, Instant now) {
        WebhookCertificate certificate = WebhookCertificate.build(wanted.hosts(), null, now);
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations(HOSTS, String.join(",", wanted.hosts()))
                .addToAnnotations(ISSUED, now.toString())
                .endMetadata()
                .withType("kubernetes.io/tls")
                .addToData("tls.crt", encoded(certificate.certificatePem()))
                .addToData("tls.key", encoded(certificate.keyPem()))
                .build();
        Kopf.adopt(secret); // gone with its owner
        return secret;
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whoever writes the secret: the status tells what is in it. */
    @OnChild(parent = "certificates.v1.kopf.dev", value = "secrets", bodies = false)
    void tell(Body child, Reason reason, Patch patch) {
        boolean gone = reason == Reason.DELETE;
        patch.status().set("hosts", gone ? null : child.meta().annotations().get(HOSTS));
        patch.status().set("issued", gone ? null : child.meta().annotations().get(ISSUED));
    }
}
