package dev.kopf4j.webhook;

/** What {@link WebhookCertificate#build} has made. */
record BuiltCertificate(String certificatePem, String keyPem) implements WebhookCertificate {
    @Override
    public String toString() {
        return "WebhookCertificate[certificatePem=" + certificatePem + ", keyPem=***]";
    }
}
