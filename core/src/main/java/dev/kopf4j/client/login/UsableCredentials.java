package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The credentials in use, with their connections. Confined to the lock of the vault. */
final class UsableCredentials {
    private final Platform platform;
    private final List<UsableCredential> credentials = new ArrayList<>();

    UsableCredentials(Platform platform) {
        this.platform = platform;
    }

    boolean isEmpty() {
        return credentials.isEmpty();
    }

    void addAll(List<UsableCredential> retrieved) {
        credentials.addAll(retrieved);
    }

    /**
     * Returns any one of those with the highest priority, so that equal ones share the load; empty if there are none.
     */
    Optional<UsableCredential> choose() {
        if (credentials.size() <= 1) {
            return credentials.isEmpty() ? Optional.empty() : Optional.of(credentials.getFirst());
        }
        int highest = credentials.stream()
                .mapToInt(credential -> credential.info().priority())
                .max()
                .orElseThrow();
        List<UsableCredential> best = credentials.stream()
                .filter(credential -> credential.info().priority() == highest)
                .toList();
        return Optional.of(best.get(platform.random().nextInt(best.size())));
    }

    Optional<UsableCredential> of(ApiServerConnection connection) {
        return credentials.stream()
                .filter(credential -> credential.connection().equals(connection))
                .findFirst();
    }

    Optional<UsableCredential> of(ConnectionInfo info) {
        return credentials.stream()
                .filter(credential -> credential.info().equals(info))
                .findFirst();
    }

    void dropExpired() {
        credentials.removeIf(credential -> {
            boolean expired = credential.isExpired(platform);
            if (expired) {
                credential.connection().transport().closeWhenIdle();
            }
            return expired;
        });
    }

    /** Requests and streams that are open on its connection go on. */
    void drop(UsableCredential credential) {
        credentials.remove(credential);
        credential.connection().transport().closeWhenIdle();
    }

    void closeAll() {
        credentials.forEach(credential -> credential.connection().transport().close());
        credentials.clear();
    }
}
