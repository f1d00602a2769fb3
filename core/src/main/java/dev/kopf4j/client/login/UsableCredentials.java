package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.login.UsableCredentials.CredentialSnapshot;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

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

    /**
     * A credential of a login, with the content of its files at that moment. If a file is replaced, the credential is
     * another one, although its path is the same. Immutable.
     *
     * @param info the credential
     * @param files the contents of its files
     */
    record CredentialSnapshot(ConnectionInfo info, List<String> files) {
        /** Reads the files of a credential. */
        static CredentialSnapshot of(ConnectionInfo info) {
            return new CredentialSnapshot(
                    info,
                    Stream.of(info.tokenPath(), info.certificatePath(), info.privateKeyPath())
                            .filter(Objects::nonNull)
                            .map(CredentialSnapshot::content)
                            .toList());
        }

        /** A file that cannot be read counts as empty: whoever uses the credential reports it. */
        private static String content(String path) {
            try {
                return Files.readString(Path.of(path)).strip();
            } catch (IOException e) {
                return "";
            }
        }

        /** Leaves out the files, which hold secrets. */
        @Override
        public String toString() {
            return info.toString();
        }
    }

    /**
     * A credential with the connection made of it. Immutable.
     *
     * @param login the id of the login that gave it
     */
    record UsableCredential(String login, CredentialSnapshot snapshot, ApiServerConnection connection) {
        ConnectionInfo info() {
            return snapshot.info();
        }

        boolean isExpired(Platform platform) {
            return isExpired(platform, info());
        }

        static boolean isExpired(Platform platform, ConnectionInfo info) {
            return info.expiration() != null && !platform.now().isBefore(info.expiration());
        }
    }
}
