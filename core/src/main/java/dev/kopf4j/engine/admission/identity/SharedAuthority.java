package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.ServerTls;
import dev.kopf4j.engine.admission.identity.Secrets.SecretUnavailableException;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.SecretName;
import dev.kopf4j.webhook.WebhookAuthority;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Agrees with the other replicas on an authority, by a Secret. Who writes at the same moment as another one, takes what
 * the other one has written: the API server refuses the later one by 409. Confined to a task.
 */
public final class SharedAuthority {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    /** Each loser of a race reads anew, and finds that nothing is left to be done. */
    private static final int RACES_MAX = 10;

    private final Platform platform;
    private final Secrets secrets;
    private final WebhookAuthority options;
    private final SecretName name;
    private @Nullable AuthorityState last;
    private JsonNode lastData = MissingNode.getInstance();

    /** Reads nothing yet. */
    public SharedAuthority(Platform platform, Secrets secrets, WebhookAuthority options) {
        this.platform = platform;
        this.secrets = secrets;
        this.options = options;
        this.name = options.secret();
    }

    /**
     * The state of this moment, after the step that is due, if any.
     *
     * @throws SecretUnavailableException if the Secret cannot be used
     */
    public AuthorityState current() throws InterruptedException {
        for (int race = 0; race < RACES_MAX; race++) {
            ObjectNode secret = secrets.read(name).orElse(null);
            AuthorityState known = secret == null ? null : read(secret);
            AuthorityState wanted = wanted(known);
            if (wanted.equals(known) || write(secret, wanted)) {
                say(known, wanted);
                return wanted;
            }
        }
        throw new SecretUnavailableException(
                name, "is changed all the time by somebody else", "Leave it to the operator.", null);
    }

    /** If the Secret has been deleted, what is in use is stored anew: it is what the API server trusts. */
    private AuthorityState wanted(@Nullable AuthorityState known) {
        AuthorityState base = known == null ? last : known;
        return base == null
                ? AuthorityState.fresh(options, platform.now())
                : base.step(options, platform.now()).orElse(base);
    }

    private void say(@Nullable AuthorityState before, AuthorityState after) {
        if (!after.equals(before)) {
            log.info("The authority of the webhooks in the Secret {} {}.", name, progress(before, after));
        }
    }

    private static String progress(@Nullable AuthorityState before, AuthorityState after) {
        if (before == null) {
            return "is made";
        }
        if (after.next() != null && !after.next().equals(before.next())) {
            return "has a successor, which is announced";
        }
        return before.signing().equals(after.signing()) ? "is the only one that is trusted" : "is a new one now";
    }

    private @Nullable AuthorityState read(ObjectNode secret) {
        JsonNode data = secret.path("data");
        if (last != null && data.equals(lastData)) {
            return last;
        }
        try {
            AuthorityState state = AuthorityData.read(secret).orElse(null);
            last = state == null ? last : state;
            lastData = state == null ? lastData : data;
            return state;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SecretUnavailableException(
                    name,
                    "holds no authority of this operator: " + e.getMessage(),
                    "If nobody else needs it, delete it: the operator makes a new one. Otherwise name another one.",
                    e);
        }
    }

    private boolean write(@Nullable ObjectNode known, AuthorityState wanted) throws InterruptedException {
        ObjectNode secret = known == null ? AuthorityData.empty(name.namespace(), name.name()) : known.deepCopy();
        AuthorityData.write(wanted, secret);
        boolean written = known == null ? secrets.create(name, secret) : secrets.replace(name, secret);
        if (written) {
            last = wanted;
            lastData = secret.path("data");
        }
        return written;
    }

    /**
     * What stands in the Secret of a shared authority: the keys of a {@code kubernetes.io/tls} Secret, and two more.
     * Pure.
     */
    private static final class AuthorityData {
        /** See <a href="https://kubernetes.io/docs/concepts/configuration/secret/#tls-secrets">TLS Secrets</a>. */
        static final String TYPE = "kubernetes.io/tls";

        private static final String CERTIFICATE = "tls.crt";
        private static final String KEY = "tls.key";
        private static final String NEXT_CERTIFICATE = "next.crt";
        private static final String NEXT_KEY = "next.key";
        private static final String TRUSTED = "ca.crt";

        private AuthorityData() {}

        /**
         * The state that a Secret holds; empty if it holds nothing yet.
         *
         * @throws IllegalArgumentException if it holds something else; the message is a clause
         * @throws GeneralSecurityException the same
         */
        static Optional<AuthorityState> read(ObjectNode secret) throws GeneralSecurityException {
            Optional<String> certificate = Secrets.text(secret, CERTIFICATE);
            Optional<String> key = Secrets.text(secret, KEY);
            if (certificate.isEmpty() && key.isEmpty()) {
                return Optional.empty();
            }
            CertificateAuthority signing = authority(CERTIFICATE, certificate.orElse(""), KEY, key.orElse(""));
            Optional<String> next = Secrets.text(secret, NEXT_CERTIFICATE);
            Optional<String> trusted = Secrets.text(secret, TRUSTED);
            return Optional.of(new AuthorityState(
                    signing,
                    next.isEmpty()
                            ? null
                            : authority(
                                    NEXT_CERTIFICATE,
                                    next.get(),
                                    NEXT_KEY,
                                    Secrets.text(secret, NEXT_KEY).orElse("")),
                    trusted.isEmpty() ? List.of() : PemReader.certificates("value of " + TRUSTED, trusted.get())));
        }

        private static CertificateAuthority authority(String crt, String certificatePem, String key, String keyPem)
                throws GeneralSecurityException {
            X509Certificate certificate =
                    PemReader.certificates("value of " + crt, certificatePem).getFirst();
            PrivateKey privateKey = PemReader.privateKey("value of " + key, keyPem, null);
            if (certificate.getBasicConstraints() < 0) {
                throw new IllegalArgumentException("the certificate in " + crt + " is not that of an authority");
            }
            if (!privateKey.getAlgorithm().equals("EC")) {
                throw new IllegalArgumentException("the key in " + key + " is not of the kind EC");
            }
            if (!ServerTls.belongTogether(certificate, privateKey)) {
                throw new IllegalArgumentException("the key in " + key + " is not that of the certificate in " + crt);
            }
            return new CertificateAuthority(certificate, privateKey);
        }

        /** Puts a state into a Secret; what it has beside that stays. */
        static void write(AuthorityState state, ObjectNode secret) {
            put(secret, CERTIFICATE, state.signing().certificatePem());
            put(secret, KEY, state.signing().keyPem());
            CertificateAuthority next = state.next();
            put(secret, NEXT_CERTIFICATE, next == null ? null : next.certificatePem());
            put(secret, NEXT_KEY, next == null ? null : next.keyPem());
            put(secret, TRUSTED, state.bundle());
        }

        private static void put(ObjectNode secret, String key, @Nullable String value) {
            ObjectNode data = secret.get("data") instanceof ObjectNode present ? present : secret.putObject("data");
            if (value == null) {
                data.remove(key);
            } else {
                data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.US_ASCII)));
            }
        }

        /** A Secret without a state. */
        static ObjectNode empty(String namespace, String name) {
            ObjectNode secret =
                    Json.object().put("apiVersion", "v1").put("kind", "Secret").put("type", TYPE);
            secret.putObject("metadata").put("namespace", namespace).put("name", name);
            return secret;
        }
    }
}
