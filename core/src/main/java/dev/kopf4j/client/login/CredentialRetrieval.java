package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.runtime.Platform;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Logs in, drops credentials that are expired or were just rejected, and makes connections of the others. Thread-safe.
 *
 * @param source gives credentials
 * @param connector makes transports
 * @param rejected true for a credential, with the id of its login, that the server has just rejected
 */
record CredentialRetrieval(
        Platform platform,
        CredentialSource source,
        Function<ConnectionInfo, Transport> connector,
        BiPredicate<String, CredentialSnapshot> rejected) {

    /** Logs in; throws {@link NoCredentialsException} if no credential can be used. */
    List<UsableCredential> retrieve() throws InterruptedException {
        Map<String, ConnectionInfo> credentials = source.retrieve();
        if (credentials.isEmpty()) {
            throw new NoCredentialsException("no credentials were retrieved from the login handlers.");
        }
        List<UsableCredential> usable = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Map.Entry<String, ConnectionInfo> entry : credentials.entrySet()) {
            CredentialSnapshot snapshot = CredentialSnapshot.of(entry.getValue());
            Optional<String> reason = whyUnusable(entry.getKey(), snapshot);
            reason.ifPresentOrElse(reasons::add, () -> usable.add(connected(entry.getKey(), snapshot)));
        }
        if (usable.isEmpty()) {
            throw new NoCredentialsException("Ran out of valid credentials: " + String.join("; ", reasons)
                    + ". Log in again, renew what has expired, or choose another context of the kubeconfig.");
        }
        return usable;
    }

    /** Returns why a credential cannot be used; empty if it can. */
    private Optional<String> whyUnusable(String login, CredentialSnapshot snapshot) {
        ConnectionInfo info = snapshot.info();
        if (UsableCredential.isExpired(platform, info)) {
            return Optional.of("that of the login '" + login + "' has expired at " + info.expiration());
        }
        if (rejected.test(login, snapshot)) {
            return Optional.of("that of the login '" + login + "' has just been rejected by " + info.server());
        }
        return expiredClientCertificate(login, info)
                .map(certificate -> "the client certificate of the login '" + login + "' ("
                        + certificate.getSubjectX500Principal() + ") has expired at "
                        + certificate.getNotAfter().toInstant());
    }

    /** Returns the expired certificate if the credential has nothing else that proves an identity. */
    private Optional<X509Certificate> expiredClientCertificate(String login, ConnectionInfo info) {
        if (info.token() != null || info.tokenPath() != null || info.username() != null) {
            return Optional.empty();
        }
        return unlessUnusable(login, () -> TlsContext.clientCertificate(info))
                .filter(certificate -> certificate.getNotAfter().toInstant().isBefore(platform.now()));
    }

    private UsableCredential connected(String login, CredentialSnapshot snapshot) {
        ConnectionInfo info = snapshot.info();
        String namespace = Optional.ofNullable(info.defaultNamespace()).orElse("default");
        return unlessUnusable(
                login,
                () -> new UsableCredential(
                        login, snapshot, new ApiServerConnection(connector.apply(info), info.server(), namespace)));
    }

    private static <T> T unlessUnusable(String login, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new NoCredentialsException(
                    "the credential of the login '" + login + "' cannot be used: " + e.getMessage(), e);
        }
    }
}
